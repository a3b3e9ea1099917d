//! Tests of all of them, by framework.

use super::super::at::definitions_at;
use super::super::at::tests::{check, shown, snapshot_of};
use super::*;

/// The places that lead to a file, as `path:line`, possible ones with a question mark.
#[track_caller]
fn check_users(files: &[(&str, &str)], path: &str, expect: &[&str]) {
    let snapshot = snapshot_of(files);
    let found = users_of_file(&snapshot, snapshot.file(path).unwrap(), &|_| true);
    let place = |it: &FileUser| {
        let mark = if it.certainty == Certainty::Possible { "?" } else { "" };
        shown(&snapshot, it.file, it.name.start) + mark
    };
    assert_eq!(found.iter().map(place).collect::<Vec<_>>(), expect);
}

const CARD: &str = "<template><p>a</p></template>\n";

#[test]
fn a_tag_is_the_file_that_its_import_names_whatever_the_file_is_called() {
    let page = "<script setup>\nimport Card from './BaseCard.vue'\nimport UserList from '@/List.vue'\n</script>\n<template>\n  <Card />\n  <user-list />\n  <!-- Card -->\n  <div :is=\"Card\" />\n</template>\n";
    let check = |mark: &str, expect: &[&str]| {
        let page = page.replacen(mark, &format!("{mark}‸"), 1);
        let files = [("src/Page.vue", &*page), ("src/BaseCard.vue", CARD), ("src/List.vue", CARD)];
        check(&files, expect);
    };
    check("<Card", &["src/BaseCard.vue"]);
    check("import Card", &["src/BaseCard.vue"]);
    check("./BaseCard", &["src/BaseCard.vue"]);
    check("<user-", &["src/List.vue"]);
    check("<di", &[]);
    let files = [("src/Page.vue", page), ("src/BaseCard.vue", CARD), ("src/List.vue", CARD)];
    check_users(&files, "src/BaseCard.vue", &["src/Page.vue:6", "src/Page.vue:9"]);
    check_users(&files, "src/List.vue", &["src/Page.vue:7"]);
}

#[test]
fn a_component_is_found_through_index_files_and_where_it_is_loaded_later() {
    let index = "import Root from './card.svelte';\n\nexport {\n  Root,\n  // The long name.\n  Root as Card,\n};\n";
    let page = "<script>\nimport * as Card from './card/index.js';\n</script>\n\n<Card.Root></Card.Root>\n";
    let other = "<script>\nimport { Card } from './card';\n</script>\n\n<Card />\n";
    let app = "const Door = defineAsyncComponent(() => import('./Gate.vue'))\n";
    let app = format!("<script setup>\n{app}</script>\n<template>\n  <Door />\n</template>\n");
    let files = [
        ("page.svelte", page),
        ("card/index.ts", index),
        ("card/card.svelte", CARD),
        ("other.svelte", other),
        ("App.vue", &app),
        ("Gate.vue", CARD),
    ];
    let users = ["card/index.ts:4", "card/index.ts:6", "other.svelte:5", "page.svelte:5"];
    check_users(&files, "card/card.svelte", &users);
    check_users(&files, "Gate.vue", &["App.vue:2", "App.vue:5"]);
    let page = page.replace("<Card.Root>", "<Card.Root‸>");
    check(&[("page.svelte", &page), files[1], files[2]], &["card/card.svelte"]);
}

#[test]
fn a_default_export_without_a_name_is_its_file() {
    let page =
        "import theme from './theme';\nimport type { Page } from './page';\n\nrun(theme‸);\n";
    check(&[("a.ts", page), ("theme.ts", "export default { a: 1 };\n")], &["theme.ts"]);
    let made = "function make() {}\nexport default make({ a: 1 });\n";
    check(&[("a.ts", page), ("theme.ts", made)], &["theme.ts"]);
    let named = "function dark() {}\nexport default dark;\n";
    check(&[("a.ts", page), ("theme.ts", named)], &["theme.ts:1"]);
}

#[test]
fn components_of_vue_that_are_registered_by_their_names_need_no_import() {
    let page = "<template>\n  <ListItemFull />\n  <UserCard />\n  <Local />\n</template>\n<script setup>\nconst Local = make()\n</script>\n";
    let files = [
        ("pages/index.vue", page),
        ("components/list/ListItem/Full.client.vue", CARD),
        ("components/UserCard.vue", CARD),
        ("components/Local.vue", CARD),
    ];
    for (name, expect) in [("ListItemFull", files[1].0), ("UserCard", files[2].0)] {
        let page = page.replacen(name, &format!("{name}‸"), 1);
        check(&[("pages/index.vue", &page), files[1], files[2], files[3]], &[expect]);
    }
    check_users(&files, "components/Local.vue", &[]);
    let registered =
        [("ui/TheButton.vue", CARD), ("ui/Page.vue", "<template><TheButton /></template>\n")];
    check_users(&registered, "ui/TheButton.vue", &["ui/Page.vue:1"]);
}

#[test]
fn templates_of_rails_are_named_from_the_own_directory_or_from_that_of_the_views() {
    let show = "<h1>a</h1>\n<%= render 'form', a: 1 %>\n<%= render partial: 'shared/menu' %>\n";
    let users = "class UsersController < ApplicationController\n  def show\n    render 'edit'\n    say 'form'\n    render '_form'\n  end\nend\n";
    let routes =
        "Rails.application.routes.draw do\n  resources :users\n  get 'a', to: 'users#show'\nend\n";
    let files = [
        ("app/views/users/show.html.erb", show),
        ("app/views/users/_form.html.erb", "<p>a</p>\n"),
        ("app/views/users/edit.html.erb", "<p>a</p>\n"),
        ("app/views/items/_form.html.erb", "<p>a</p>\n"),
        ("app/views/shared/_menu.html.erb", "<p>a</p>\n"),
        ("app/controllers/users_controller.rb", users),
        ("config/routes.rb", routes),
    ];
    let form = ["app/controllers/users_controller.rb:5", "app/views/users/show.html.erb:2"];
    check_users(&files, files[1].0, &form);
    check_users(&files, files[2].0, &["app/controllers/users_controller.rb:3"]);
    check_users(&files, files[3].0, &[]);
    check_users(&files, files[0].0, &["app/controllers/users_controller.rb:2"]);
    check_users(&files, files[4].0, &["app/views/users/show.html.erb:3"]);
    let at = |mark: &str, expect: &str| {
        let routes = routes.replacen(mark, &format!("{mark}‸"), 1);
        check(&[("config/routes.rb", &routes), files[5]], &[expect]);
    };
    at(":users", "app/controllers/users_controller.rb");
    at("users#", "app/controllers/users_controller.rb:2");
}

#[test]
fn templates_of_other_frameworks_are_named_by_their_tables() {
    let p = "<p>a</p>\n";
    let check =
        |path: &str, text: &str, template: &str| check(&[(path, text), (template, p)], &[template]);
    check("shop/views.py", "render(request, 'shop/it‸em.html')\n", "shop/templates/shop/item.html");
    let list = "{% include \"shop/item.html‸\" %}\n";
    check("shop/templates/shop/list.html", list, "shop/templates/shop/item.html");
    let view = "<?php\nreturn view('shop.it‸em', ['a' => 1]);\n";
    check("app/Shop.php", view, "resources/views/shop/item.blade.php");
    check("a.blade.php", "@include('shop.it‸em')\n", "resources/views/shop/item.blade.php");
    check("a.blade.php", "<x-shop.it‸em />\n", "resources/views/components/shop/item.blade.php");
    let page = "<?php\nInertia::render('Shop/Ite‸m', []);\n";
    check("app/Shop.php", page, "resources/js/Pages/Shop/Item.vue");
    let java = "class Shop {\n  String item() {\n    return \"shop/it‸em\";\n  }\n}\n";
    check("src/Shop.java", java, "src/main/resources/templates/shop/item.html");
    check("app.js", "res.render('shop/it‸em', { a })\n", "views/shop/item.ejs");
}

#[test]
fn texts_among_templates_and_classes_of_components_are_as_pages() {
    let mail = "{% extends 'mail/base.txt' %}\n{% url 'show' %}\n";
    let files = [
        ("templates/mail/new.txt", mail),
        ("templates/mail/base.txt", "a\n"),
        ("urls.py", "urlpatterns = [path('', a, name='show')]\n"),
    ];
    check_users(&files, files[1].0, &["templates/mail/new.txt:1"]);
    let mail = mail.replace("'show", "'show‸");
    check(&[(files[0].0, &mail), files[1], files[2]], &["urls.py:1"]);
    let class = "<?php\nclass ItemList extends Component {}\n";
    let files = [("app/View/Components/ItemList.php", class), ("a.blade.php", "<x-item-list />\n")];
    check_users(&files, files[0].0, &["a.blade.php:1"]);
}

#[test]
fn a_file_with_too_many_places_gives_those_that_come_first() {
    let page = format!("<template>\n{}</template>\n", "<Shop />\n".repeat(5000));
    let files = [("Page.vue", &*page), ("components/Shop.vue", CARD)];
    let expect: Vec<String> = (2..4002).map(|it| format!("Page.vue:{it}")).collect();
    check_users(&files, files[1].0, &expect.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn any_byte_of_any_text_can_be_asked_for() {
    let text = "<x-é.ß</ü-ä> 'é/ö' `🦀` :ä render 'ü' @include('ß.🦀') <É-é";
    for path in ["a.vue", "a.blade.php", "a.html.erb", "a.rb", "a.py", "a.ts", "a.tf"] {
        let snapshot = snapshot_of(&[(path, text)]);
        let file = snapshot.file(path).unwrap();
        for at in 0..text.len() + 4 {
            definitions_at(&snapshot, file, at);
        }
    }
}

#[test]
fn a_word_that_is_no_name_of_a_file_means_what_it_did() {
    let files = [
        ("app/Shop.php", "<?php\nreturn trans('shop.it‸em');\n"),
        ("resources/views/shop/item.blade.php", "<p>a</p>\n"),
    ];
    check(&files, &[]);
    check(&[("a.py", "say('item.html‸')\n"), ("templates/other.html", "<p>a</p>\n")], &[]);
}

#[test]
fn names_of_routes_of_django_lead_to_their_declarations() {
    let urls = "from django.urls import path\n\napp_name = 'shop'\n\nurlpatterns = [\n    path('', views.show, name='show'),\n    path(\n        'a/', views.Edit.as_view(open=1),\n        name='edit',\n    ),\n]\n";
    let other = "from django.urls import path\n\nurlpatterns = [\n    path('', home, name='show'),\n]\nTab(name='edit')\n";
    let check = |path: &str, text: &str, expect: &[&str]| {
        check(&[(path, text), ("shop/urls.py", urls), ("site/urls.py", other)], expect);
    };
    check("a.py", "reverse('shop:sho‸w')\n", &["shop/urls.py:6"]);
    check("a.py", "HttpResponseRedirect(reverse(\n    'show‸', args=(1,)))\n", &["site/urls.py:4"]);
    check("a.py", "x = reverse_lazy(\"shop:edi‸t\")\n", &["shop/urls.py:9"]);
    check("a.html", "<a href=\"{% url 'shop:edit‸' it.pk %}\">a</a>\n", &["shop/urls.py:9"]);
    check("a.py", "reverse('admin:show‸')\n", &[]);
    check("a.py", "say('show‸')\n", &[]);
}

#[test]
fn names_of_routes_of_laravel_have_the_prefixes_of_their_groups() {
    let routes = "<?php\nRoute::name('admin.')->prefix('a')->group(function () {\n    Route::get('/{id}', [A::class, 'show'])->name('show');\n    Route::group(['as' => 'shop.'], function () {\n        Route::resource('a/items', ItemController::class);\n    });\n    Route::get('/b', fn () => 1)->name('late');\n});\nRoute::get('/', 'B@show')->name('show');\n";
    let check = |path: &str, text: &str, expect: &[&str]| {
        let provider = "<?php\nRoute::name('all.')->group(base_path('routes/web.php'));\n";
        check(&[(path, text), ("routes/web.php", routes), ("app/Provider.php", provider)], expect);
    };
    check(
        "a.blade.php",
        "<a href=\"{{ route('admin.sho‸w', 1) }}\">a</a>\n",
        &["routes/web.php:3"],
    );
    check("A.php", "<?php\nreturn redirect()->route('sho‸w');\n", &["routes/web.php:9"]);
    check("A.php", "<?php\nto_route('admin.shop.items.edit‸');\n", &["routes/web.php:5"]);
    check("A.php", "<?php\nroute('admin.late‸');\n", &["routes/web.php:7"]);
    check("A.php", "<?php\nroute('api.show‸');\n", &[]);
    check("A.php", "<?php\nroute('all.admin.late‸');\n", &["routes/web.php:7"]);
}

#[test]
fn helpers_of_routes_of_rails_lead_to_their_resources() {
    let routes = "Rails.application.routes.draw do\n  root to: 'a#b'\n  namespace :admin do\n    resources :companies, only: %i[index edit] do\n      member do\n        post :close\n      end\n      get :open, on: :collection\n      resources :people,\n                except: [:new]\n    end\n  end\n  resource :session\n  get 'about/us', to: 'a#c'\n  get 'b', to: 'a#d', as: :help\n  scope as: 'api' do\n    resources :news\n  end\nend\n";
    let check = |word: &str, expect: &[&str]| {
        let text = format!("redirect_to {word}‸(1)\n");
        check(&[("app/a.rb", &text), ("config/routes.rb", routes)], expect);
    };
    for (word, line) in [
        ("root_path", 2),
        ("admin_companies_url", 4),
        ("edit_admin_company_path", 4),
        ("close_admin_company_path", 6),
        ("open_admin_companies_path", 8),
        ("admin_company_people_path", 9),
        ("admin_company_person_path", 9),
        ("new_session_path", 13),
        ("about_us_url", 14),
        ("help_path", 15),
        ("api_news_index_path", 17),
    ] {
        check(word, &[&format!("config/routes.rb:{line}")]);
    }
    check("admin_company_path", &[]);
    check("new_admin_company_person_path", &[]);
    check("b_path", &[]);
}

#[test]
fn settings_and_texts_are_keys_of_the_files_that_their_names_begin_with() {
    let p = "<?php\nreturn [\n    'a' => ['open' => 1],\n];\n";
    let check_php = |text: &str, path: &str, expect: &[&str]| {
        check(
            &[("app/A.php", &format!("<?php\n{text}\n")), (path, p), ("config/other.php", p)],
            expect,
        );
    };
    check_php("config('shop.a.open‸');", "config/shop.php", &["config/shop.php:3"]);
    check_php("config()->get('shop.a‸', 1);", "config/shop.php", &["config/shop.php:3"]);
    check_php("config('shop.open‸');", "config/shop.php", &[]);
    check_php("__('shop.a.open‸');", "lang/en/shop.php", &["lang/en/shop.php:3"]);
    check_php(
        "trans('big/shop.a‸');",
        "resources/lang/en-US/big/shop.php",
        &["resources/lang/en-US/big/shop.php:3"],
    );
    check_php("__('store::shop.a‸');", "Store/lang/en/shop.php", &["Store/lang/en/shop.php:3"]);
    check_php("__('other::shop.a‸');", "Store/lang/en/shop.php", &[]);
    check(
        &[("a.blade.php", "@lang('Open‸ it')\n"), ("lang/en.json", "{\n  \"Open it\": \"\"\n}\n")],
        &["lang/en.json:2"],
    );
}

#[test]
fn texts_are_keys_in_the_first_language() {
    let yaml =
        "en:\n  users:\n    show:\n      title: a\n    create:\n      done: b\n  label_it: c\n";
    let german = yaml.replace("en:", "de:");
    let rails = |path: &str, text: &str, expect: &[&str]| {
        check(
            &[(path, text), ("config/locales/de.yml", &german), ("config/locales/en.yml", yaml)],
            expect,
        );
    };
    rails("app/views/users/_show.html.erb", "<%= t('.titl‸e') %>\n", &["config/locales/en.yml:4"]);
    rails("app/a.rb", "I18n.t 'users.show‸', a: 1\n", &["config/locales/en.yml:3"]);
    rails("app/a.rb", "x = l(:label_it‸)\n", &["config/locales/en.yml:7"]);
    let controller = "class UsersController\n  def create\n    say t('.done‸')\n  end\nend\n";
    rails("app/controllers/users_controller.rb", controller, &["config/locales/en.yml:6"]);
    let json = "{\n  \"way\": { \"open\": \"a\" },\n  \"item_other\": \"b\"\n}\n";
    let scripts = |text: &str, expect: &[&str]| {
        let files = [
            ("a.tsx", text),
            ("public/locales/de/shop.json", json),
            ("public/locales/en/shop.json", json),
        ];
        check(&files, expect);
    };
    scripts("<p>{t('way.open‸')}</p>\n", &["public/locales/en/shop.json:2"]);
    scripts("const a = i18n.t(b ? 'shop:way.open‸' : 'c');\n", &["public/locales/en/shop.json:2"]);
    scripts("t('item‸', { count: 1 });\n", &["public/locales/en/shop.json:3"]);
    scripts("t('open‸');\n", &[]);
    scripts("say('way.open‸');\n", &[]);
}

#[test]
fn paths_of_terraform_lead_to_the_blocks_of_their_module() {
    let main = "locals {\n  zone = var.zone\n}\n\ndata \"aws_ami\" \"this\" {\n  zone = local.zone\n}\n\nresource \"aws_vpc\" \"this-one\" {\n  ami  = data.aws_ami.this.id\n}\n\nmodule \"zone\" {\n  source = \"../b\"\n  vpc    = aws_vpc.this-one.id\n}\n";
    let variables =
        "variable \"zone\" {\n  default = module.zone.id\n}\n\noutput \"id\" {\n  value = 1\n}\n";
    let check_at = |mark: &str, expect: &[&str]| {
        let main = main.replacen(mark, &format!("{mark}‸"), 1);
        let files =
            [("a/main.tf", &*main), ("a/variables.tf", variables), ("b/variables.tf", variables)];
        check(&files, expect);
    };
    check_at("var.zone", &["a/variables.tf:1"]);
    check_at("local.zo", &["a/main.tf:2"]);
    check_at("data.aws_ami.this", &["a/main.tf:5"]);
    check_at("aws_vpc.this-o", &["a/main.tf:9"]);
    let module = variables.replace("module.zone", "module.zone‸");
    check(&[("a/variables.tf", &module), ("a/main.tf", main)], &["a/main.tf:13"]);
    let output = variables.replace("module.zone.id", "module.zone[0].id‸");
    let files = [("a/variables.tf", &*output), ("a/main.tf", main), ("b/variables.tf", variables)];
    check(&files, &["b/variables.tf:5"]);
}

#[test]
fn variables_of_the_environment_are_set_in_examples() {
    let env = "# The name.\nAPP_NAME=a\n#APP_PORT=80\nexport APP_KEY=\n";
    let check = |path: &str, text: &str, expect: &[&str]| {
        let more = [(".env.dusk.example", env), ("docker/.env.example", env)];
        check(&[(path, text), (".env.example", env), more[0], more[1]], expect);
    };
    check(
        "config/app.php",
        "<?php\nreturn ['name' => env('APP_NA‸ME', 'a')];\n",
        &[".env.example:2"],
    );
    check("a.ts", "run(process.env.APP_PO‸RT);\n", &[".env.example:3"]);
    check("a.py", "x = os.environ.get(\"APP_KEY‸\", 1)\n", &[".env.example:4"]);
    check("a.rb", "x = ENV['APP‸_KEY']\n", &[".env.example:4"]);
    check("a.ts", "run(process.env.APP‸);\n", &[]);
}

#[test]
fn endpoints_of_flask_are_functions_of_their_blueprint() {
    let auth = "bp = Blueprint('auth', __name__)\n\n\n@bp.route('/login', methods=['GET'])\n@other\ndef login():\n    pass\n\n\ndef help():\n    pass\n";
    let site = "@app.get('/login')\ndef login():\n    pass\n";
    let check = |path: &str, text: &str, expect: &[&str]| {
        check(&[(path, text), ("shop/auth.py", auth), ("shop/site/views.py", site)], expect);
    };
    check("a.html", "<a href=\"{{ url_for('auth.log‸in') }}\">a</a>\n", &["shop/auth.py:6"]);
    check("a.py", "redirect(url_for('site.login‸', a=1))\n", &["shop/site/views.py:2"]);
    // No route: what it did.
    check("a.py", "url_for('auth.help‸')\n", &["shop/auth.py:10?"]);
    check("a.py", "url_for('shop.log‸in')\n", &["shop/auth.py:6?", "shop/site/views.py:2?"]);
}
