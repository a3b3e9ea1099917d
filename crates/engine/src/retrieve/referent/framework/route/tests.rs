//! Tests of routes and their calls, by framework.

use super::super::super::at::tests::check;
use super::super::super::reads::tests::check as check_callers;

const URLS: &str = "from django.urls import include, path, re_path\nfrom . import views\n\nitem_urls = [\n    path('', views.item),\n    path('edit/', views.edit),\n]\nurlpatterns = [\n    path('new/', views.new),\n    path('<int:pk>/', include(item_urls)),\n    re_path(r'^old/(?P<year>[0-9]{4})/$', views.old),\n]\n";
const SITE: &str = "from django.urls import include, path\n\nurlpatterns = [\n    path('shop/', include('shop.urls')),\n    path('api/', include([path('shop/', say)])),\n]\n";
const VIEWS: &str = "def item(request):\n    pass\n\n\ndef edit(request):\n    pass\n\n\ndef new(request):\n    pass\n";

#[test]
fn addresses_lead_to_routes_of_django_behind_the_prefixes_of_other_lists_and_files() {
    let check = |text: &str, expect: &[&str]| {
        check(&[("tests.py", text), ("shop/urls.py", URLS), ("site/urls.py", SITE)], expect);
    };
    check("self.client.get('/shop/1/edit‸/')\n", &["shop/urls.py:6"]);
    check("self.client.post(f\"/shop/{it.pk}‸/\", {})\n", &["shop/urls.py:5"]);
    check("self.client.get('/shop/new‸/?a=1')\n", &["shop/urls.py:9"]);
    check("self.client.get('/shop/old‸/2020/?next=http://a.b/c')\n", &["shop/urls.py:11"]);
    check("self.client.get('/api/shop‸/')\n", &["site/urls.py:5"]);
    check("self.client.get('/shop/1/open‸/')\n", &[]);
    check("say('/shop/new‸/')\n", &[]);
    check("self.client.get('https://example.org/shop/new‸/')\n", &[]);
}

#[test]
fn a_handler_is_used_where_its_address_is_asked_for() {
    let tests = "self.client.get('/shop/1/edit/')\nself.client.get('/shop/new/')\nself.client.get(f'/shop/{it.pk}/')\n";
    let page = "fetch(`/shop/${it.pk}/edit/`, { method: 'POST' })\nfetch('/other/edit/')\n";
    let files = [
        ("shop/views.py", VIEWS),
        ("shop/urls.py", URLS),
        ("site/urls.py", SITE),
        ("tests.py", tests),
        ("page.js", page),
    ];
    check_callers(&files, "edit", &["page.js:1", "shop/urls.py:6", "tests.py:1"]);
    check_callers(&files, "item", &["shop/urls.py:5", "tests.py:3"]);
}

#[test]
fn decorated_functions_have_the_prefixes_of_their_routers_and_of_those_that_include_them() {
    let items = "from fastapi import APIRouter\n\nrouter: APIRouter = APIRouter(prefix=\"/items\")\n\n\n@router.get(\"/{item_id}\")\nasync def show(item_id: int):\n    pass\n\n\n@router.post(\"/\", status_code=201)\nasync def add(item: Item):\n    pass\n";
    let app = "from fastapi import APIRouter, FastAPI\nfrom shop import items\n\napp = FastAPI()\napi = APIRouter()\napi.include_router(items.router, tags=[\"a\"])\napp.include_router(api, prefix=\"/api/v1\")\n\n\n@app.get(\"/health\")\ndef health():\n    pass\n";
    let check = |text: &str, expect: &[&str]| {
        let files = [
            ("test_a.py", text),
            ("shop/items.py", items),
            ("shop/app.py", app),
            ("shop/__init__.py", ""),
        ];
        check(&files, expect);
    };
    check("client.get(f\"/api/v1/items/{it}‸\")\n", &["shop/items.py:7"]);
    check("client.post(\"/api/v1/items‸/\", json={})\n", &["shop/items.py:12"]);
    // The method is another one.
    check("client.delete(\"/api/v1/items‸/\")\n", &[]);
    check("client.get(\"/health‸\")\n", &["shop/app.py:11"]);
    check("client.get(\"/api/v1/health‸\")\n", &[]);
    let files = [
        ("shop/items.py", items),
        ("shop/app.py", app),
        ("shop/__init__.py", ""),
        ("test_a.py", "client.get(\"/api/v1/items/1\")\nclient.get(\"/api/v1/items/\")\n"),
    ];
    check_callers(&files, "show", &["test_a.py:1"]);
}

#[test]
fn routes_of_express_are_behind_the_paths_at_which_their_files_are_used() {
    let items = "const express = require('express');\nconst router = express.Router();\nrouter.get('/', list);\nrouter.route('/:id').get(show).delete(auth, remove);\nmodule.exports = router;\n";
    let users = "import { Router } from 'express';\nconst router = Router();\nrouter.get('/:id', (req, res) => res.send(other.get('/items')));\nexport default router;\n";
    let app = "const express = require('express');\nconst app = express();\napp.use('/api/items', auth, require('./items'));\nimport users from './users';\napp.use('/api/users', users);\napp.get('/health', (req, res) => {});\n";
    let check = |text: &str, expect: &[&str]| {
        check(
            &[("page.ts", text), ("items.js", items), ("users.ts", users), ("app.js", app)],
            expect,
        );
    };
    check("axios.get<Item>('/api/items‸')\n", &["items.js:3"]);
    check("axios.delete(`/api/items‸/${id}`)\n", &["items.js:4"]);
    check("fetch('/api/users‸/' + id)\n", &["users.ts:3"]);
    check("fetch(`${base}/health‸`)\n", &["app.js:6"]);
    check("http.get('users‸/1')\n", &["users.ts:3"]);
    check("fetch('/users‸/1')\n", &[]);
    check("map.get('users‸')\n", &[]);
}

#[test]
fn routes_of_laravel_are_behind_the_prefixes_of_groups_and_of_their_files() {
    let api = "<?php\nRoute::prefix('shop')->group(static function (): void {\n    Route::get('items/{item}', [ItemController::class, 'show']);\n    Route::apiResource('carts', CartController::class);\n    Route::group(['prefix' => '/admin'], function () {\n        Route::match(['put', 'patch'], 'open', [A::class, 'open']);\n    });\n});\n";
    let late = "<?php\nRoute::get('/late', fn () => 1);\n";
    let provider =
        "<?php\nRoute::prefix('rest')->middleware('api')->group(base_path('routes/late.php'));\n";
    let check = |path: &str, text: &str, expect: &[&str]| {
        let files = [
            (path, text),
            ("routes/api.php", api),
            ("routes/late.php", late),
            ("app/Providers/RouteProvider.php", provider),
        ];
        check(&files, expect);
    };
    check(
        "tests/A.php",
        "<?php\n$this->getJson(\"/api/shop/items‸/{$it->id}\");\n",
        &["routes/api.php:3"],
    );
    check(
        "tests/A.php",
        "<?php\n$this->deleteJson('api/shop/carts‸/' . $it->id);\n",
        &["routes/api.php:4"],
    );
    check("tests/A.php", "<?php\n$this->patch('/api/shop/admin/open‸');\n", &["routes/api.php:6"]);
    check("tests/A.php", "<?php\n$this->get('/rest/late‸');\n", &["routes/late.php:2"]);
    check("a.ts", "http.get('shop/items‸/1')\n", &["routes/api.php:3"]);
}

#[test]
fn routes_of_rails_have_the_addresses_of_resources_and_blocks() {
    let routes = "Rails.application.routes.draw do\n  namespace :admin do\n    resources :users, only: [:index, :show] do\n      member do\n        post :close\n      end\n      resources :notes\n    end\n  end\n  scope '/api', module: 'inner' do\n    get 'health', to: 'status#show'\n  end\n  get '/about' => 'pages#about'\nend\n";
    let check = |text: &str, expect: &[&str]| {
        check(&[("spec/a_spec.rb", text), ("config/routes.rb", routes)], expect);
    };
    check("get \"/admin/users/#{it.id}‸\"\n", &["config/routes.rb:3"]);
    check("post '/admin/users/1/close‸'\n", &["config/routes.rb:5"]);
    check("patch '/admin/users/1/notes‸/2'\n", &["config/routes.rb:7"]);
    check("get '/api/health‸'\n", &["config/routes.rb:11"]);
    check("get('/about‸')\n", &["config/routes.rb:13"]);
    check("delete '/admin/users‸/1'\n", &[]);
    let files = [
        (
            "app/controllers/inner/status_controller.rb",
            "class StatusController\n  def show\n  end\nend\n",
        ),
        ("config/routes.rb", routes),
        ("spec/a_spec.rb", "get '/api/health'\n"),
    ];
    check_callers(&files, "show", &["spec/a_spec.rb:1"]);
}

#[test]
fn annotated_methods_are_behind_the_paths_of_their_classes() {
    let java = "@RestController\n@RequestMapping(\"/owners\")\nclass OwnerController {\n  @GetMapping(\"/{id}\")\n  public Owner show(@PathVariable(\"id\") int id) {}\n\n  @RequestMapping(value = \"/find\", method = RequestMethod.POST)\n  public Owner find() {}\n}\n";
    let at = |text: &str, expect: &[&str]| {
        check(&[("src/test/ATest.java", text), ("src/A.java", java)], expect);
    };
    at("class A { void f() { mockMvc.perform(get(\"/owners‸/{id}\", 1)); } }\n", &["src/A.java:5"]);
    at("class A { void f() { mockMvc.perform(post(\"/owners/find‸\")); } }\n", &["src/A.java:8"]);
    at("class A { void f() { mockMvc.perform(get(\"/owners/find/all‸\")); } }\n", &[]);
    let base =
        "[ApiController]\n[Route(\"api/[controller]\")]\npublic class Base : ControllerBase {}\n";
    let sharp = "public class ShopController : Base\n{\n    [HttpGet(\"items/{id:int}\")]\n    public Item Show(int id) => null;\n\n    [HttpPost]\n    public Item Add() => null;\n}\n";
    let at = |text: &str, expect: &[&str]| {
        check(&[("Tests/ATests.cs", text), ("Shop.cs", sharp), ("Base.cs", base)], expect);
    };
    at("class A { void F() { client.GetAsync($\"/api/shop/items‸/{id}\"); } }\n", &["Shop.cs:4"]);
    at("class A { void F() { client.PostAsync(\"api/shop‸\", it); } }\n", &["Shop.cs:7"]);
    let nest = "@Controller('items')\nexport class ItemController {\n  @Get(':id')\n  show(@Param('id') id: string) {}\n}\n// nestjs\n";
    check(&[("a.ts", "http.get(`/api/items‸/${id}`)\n"), ("item.ts", nest)], &["item.ts:4"]);
}

#[test]
fn groups_of_go_are_followed_in_their_file() {
    let go = "package shop\n\nfunc Routes(e *echo.Echo) {\n\tg := e.Group(\"/api\")\n\titems := g.Group(\"/items\", auth)\n\titems.GET(\"/:id\", show)\n\tmux.HandleFunc(\"POST /carts/{id}\", add)\n\tr.Route(\"/admin\", func(r chi.Router) {\n\t\tr.Get(\"/users\", list)\n\t})\n}\n";
    let at = |text: &str, expect: &[&str]| {
        let text = format!("package shop\n\nfunc TestA(t *testing.T) {{\n\t{text}\n}}\n");
        check(&[("shop_test.go", &text), ("shop.go", go)], expect);
    };
    at("httptest.NewRequest(\"GET\", \"/api/items‸/1\", nil)", &["shop.go:6"]);
    at("http.NewRequest(http.MethodPost, \"/carts‸/\"+id, nil)", &["shop.go:7"]);
    at("get(\"/admin/users‸\")", &["shop.go:9"]);
    at("httptest.NewRequest(\"POST\", \"/api/items‸/1\", nil)", &[]);
}

#[test]
fn files_are_routes_by_their_place() {
    let next = "export async function GET() {}\nexport async function POST() {}\n";
    let files = |text| {
        [
            ("page.tsx", text),
            ("app/(shop)/api/items/[id]/route.ts", next),
            ("pages/api/teams/[slug]/index.ts", "export default function handler() {}\n"),
            ("src/routes/api/carts/+server.ts", "export const DELETE = async () => {};\n"),
        ]
    };
    let at = |text, expect: &str| check(&files(text), &[expect]);
    at("fetch(`/api/items‸/${id}`)\n", "app/(shop)/api/items/[id]/route.ts:1");
    at("fetch('/api/items‸/1', { method: 'POST' })\n", "app/(shop)/api/items/[id]/route.ts:2");
    at("fetch(`/api/teams‸/${slug}`)\n", "pages/api/teams/[slug]/index.ts");
    at("fetch('/api/carts‸', { method: 'DELETE' })\n", "src/routes/api/carts/+server.ts:1");
    at("http.delete('*/api/carts‸', () => {})\n", "src/routes/api/carts/+server.ts:1");
}

#[test]
fn what_several_routes_answer_is_possible_and_a_test_means_its_own() {
    let own = "const app = express();\napp.get('/items/:id', (req, res) => {});\nrequest(app).get('/items‸/1');\n";
    let other = "const express = require('express');\nconst app = express();\napp.get('/items/:id', (req, res) => {});\n";
    check(&[("test/a.test.js", own), ("app.js", other)], &["test/a.test.js:2"]);
    check(
        &[("page.js", "fetch('/items‸/1')\n"), ("a.js", other), ("b.js", other)],
        &["a.js:3?", "b.js:3?"],
    );
}
