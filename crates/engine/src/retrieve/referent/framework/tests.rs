//! Tests of all of them, by framework.

use foreword_chunk::LineIndex;

use super::super::at::definitions_at;
use super::super::at::tests::check;
use super::*;
use crate::index::{IndexConfig, Snapshot};
use crate::source::Source;

/// The places that lead to a file, as `path:line`, possible ones with a question mark.
#[track_caller]
fn check_users(files: &[(&str, &str)], path: &str, expect: &[&str]) {
    let source =
        |(path, text): &(&str, &str)| Source { path: (*path).into(), text: (*text).into() };
    let sources = files.iter().map(source).collect();
    let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
    let found = users_of_file(&snapshot, snapshot.file(path).unwrap(), &|_| true);
    let shown = |it: &FileUser| {
        let line =
            LineIndex::new(snapshot.text(it.file).as_bytes()).line_of(it.name.start as usize);
        let mark = if it.certainty == Certainty::Possible { "?" } else { "" };
        format!("{}:{line}{mark}", snapshot.path(it.file))
    };
    assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), expect);
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
fn a_file_with_too_many_places_gives_those_that_come_first() {
    let page = format!("<template>\n{}</template>\n", "<Shop />\n".repeat(5000));
    let files = [("Page.vue", &*page), ("components/Shop.vue", CARD)];
    let expect: Vec<String> = (2..4002).map(|it| format!("Page.vue:{it}")).collect();
    check_users(&files, files[1].0, &expect.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn any_byte_of_any_text_can_be_asked_for() {
    let text = "<x-é.ß</ü-ä> 'é/ö' `🦀` :ä render 'ü' @include('ß.🦀') <É-é";
    for path in ["a.vue", "a.blade.php", "a.html.erb", "a.rb", "a.py", "a.ts"] {
        let source = Source { path: path.into(), text: text.into() };
        let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
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
