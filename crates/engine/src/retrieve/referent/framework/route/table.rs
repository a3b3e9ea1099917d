//! The words with which frameworks declare routes.

use foreword_chunk::Language;

use super::pattern::Syntax;

/// What a call does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Its first string is the path of a route.
    Route,
    /// The routes of a resource, as Laravel and Django REST framework make them.
    Resource,
    /// Its first string stands before the paths in it, behind it and of its variable.
    Prefix,
    /// It makes an object that has routes.
    Router,
    /// It makes one before whose routes nothing stands.
    Root,
    /// It puts the routes of another object behind a prefix.
    Mount,
}

/// Where a call must stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    Nothing,
    /// It is a decorator or annotation.
    Mark,
    /// It has no receiver.
    Bare,
    /// Its receiver is an object with routes, and it has a second argument.
    Router,
    /// Its chain begins with `Route`, or its receiver is an object with routes.
    Facade,
}

/// Some calls.
pub(super) struct Row {
    pub(super) languages: &'static [Language],
    pub(super) callees: &'static [&'static str],
    pub(super) role: Role,
    pub(super) needs: Needs,
    pub(super) syntax: Syntax,
}

/// A language of files that declare routes.
pub(super) struct Declaring {
    pub(super) languages: &'static [Language],
    /// One of these words is in the files, as the index has them.
    pub(super) words: &'static [&'static str],
}

const SCRIPTS: &[Language] = &[Language::JavaScript, Language::TypeScript, Language::Tsx];
const PYTHON: &[Language] = &[Language::Python];
const GO: &[Language] = &[Language::Go];
const PHP: &[Language] = &[Language::Php];
const SHARP: &[Language] = &[Language::CSharp];
const ANNOTATED: &[Language] =
    &[Language::Java, Language::Kotlin, Language::CSharp, Language::TypeScript, Language::Php];

/// All of them.
pub(super) const DECLARING: &[Declaring] = &[
    Declaring {
        languages: PYTHON,
        words: &[
            "urlpatterns",
            "apirouter",
            "fastapi",
            "blueprint",
            "flask",
            "starlette",
            "quart",
            "sanic",
            "namespace",
            "includerouter",
            "defaultrouter",
            "simplerouter",
            "addurlrule",
            "registerblueprint",
        ],
    },
    Declaring {
        languages: SCRIPTS,
        words: &["express", "router", "hono", "fastify", "koa", "nestjs", "routes"],
    },
    Declaring {
        languages: GO,
        words: &["handlefunc", "group", "gin", "echo", "chi", "mux", "fiber", "router"],
    },
    Declaring { languages: PHP, words: &["route", "router"] },
    Declaring {
        languages: &[Language::Java, Language::Kotlin],
        words: &[
            "requestmapping",
            "getmapping",
            "postmapping",
            "putmapping",
            "deletemapping",
            "patchmapping",
            "path",
        ],
    },
    Declaring {
        languages: SHARP,
        words: &[
            "httpget",
            "httppost",
            "httpput",
            "httpdelete",
            "httppatch",
            "route",
            "mapget",
            "mappost",
            "mapgroup",
        ],
    },
    Declaring { languages: &[Language::Ruby], words: &["routes", "draw", "resources"] },
];

/// The calls that declare routes; the first row that fits counts.
pub(super) const ROWS: &[Row] = &[
    // Flask, FastAPI, Starlette and others with decorators.
    Row {
        languages: PYTHON,
        callees: &[
            "route",
            "get",
            "post",
            "put",
            "patch",
            "delete",
            "head",
            "options",
            "api_route",
            "websocket",
        ],
        role: Role::Route,
        needs: Needs::Mark,
        syntax: Syntax::Brackets,
    },
    Row {
        languages: PYTHON,
        callees: &[
            "add_url_rule",
            "add_api_route",
            "add_resource",
            "add_route",
            "add_get",
            "add_post",
            "Route",
        ],
        role: Role::Route,
        needs: Needs::Nothing,
        syntax: Syntax::Brackets,
    },
    Row {
        languages: PYTHON,
        callees: &[
            "APIRouter",
            "Blueprint",
            "APIBlueprint",
            "Namespace",
            "Api",
            "DefaultRouter",
            "SimpleRouter",
        ],
        role: Role::Router,
        needs: Needs::Nothing,
        syntax: Syntax::Brackets,
    },
    Row {
        languages: PYTHON,
        callees: &["FastAPI", "Flask", "Starlette", "Quart", "Sanic"],
        role: Role::Root,
        needs: Needs::Nothing,
        syntax: Syntax::Brackets,
    },
    Row {
        languages: PYTHON,
        callees: &["include_router", "register_blueprint", "add_namespace", "mount", "Mount"],
        role: Role::Mount,
        needs: Needs::Nothing,
        syntax: Syntax::Brackets,
    },
    // Django.
    Row {
        languages: PYTHON,
        callees: &["path"],
        role: Role::Route,
        needs: Needs::Bare,
        syntax: Syntax::Brackets,
    },
    Row {
        languages: PYTHON,
        callees: &["re_path", "url"],
        role: Role::Route,
        needs: Needs::Bare,
        syntax: Syntax::Regex,
    },
    Row {
        languages: PYTHON,
        callees: &["register"],
        role: Role::Resource,
        needs: Needs::Router,
        syntax: Syntax::Brackets,
    },
    // Express, Koa, Hono, Fastify.
    Row {
        languages: SCRIPTS,
        callees: &["get", "post", "put", "patch", "delete", "del", "all", "options", "head"],
        role: Role::Route,
        needs: Needs::Router,
        syntax: Syntax::Colons,
    },
    Row {
        languages: SCRIPTS,
        callees: &["Router", "KoaRouter", "Hono", "OpenAPIHono", "PromiseRouter"],
        role: Role::Router,
        needs: Needs::Nothing,
        syntax: Syntax::Colons,
    },
    Row {
        languages: SCRIPTS,
        callees: &["express", "fastify", "Fastify"],
        role: Role::Root,
        needs: Needs::Bare,
        syntax: Syntax::Colons,
    },
    Row {
        languages: SCRIPTS,
        callees: &["use", "register", "route"],
        role: Role::Mount,
        needs: Needs::Router,
        syntax: Syntax::Colons,
    },
    Row {
        languages: SCRIPTS,
        callees: &["mount"],
        role: Role::Mount,
        needs: Needs::Bare,
        syntax: Syntax::Colons,
    },
    Row {
        languages: SCRIPTS,
        callees: &["route", "basePath"],
        role: Role::Prefix,
        needs: Needs::Nothing,
        syntax: Syntax::Colons,
    },
    // Go: net/http, gin, echo, chi, gorilla.
    Row {
        languages: GO,
        callees: &[
            "GET",
            "POST",
            "PUT",
            "PATCH",
            "DELETE",
            "Any",
            "Get",
            "Post",
            "Put",
            "Patch",
            "Delete",
            "HandleFunc",
            "Handle",
            "Method",
            "MethodFunc",
        ],
        role: Role::Route,
        needs: Needs::Router,
        syntax: Syntax::Colons,
    },
    Row {
        languages: GO,
        callees: &["Group", "Route", "PathPrefix"],
        role: Role::Prefix,
        needs: Needs::Nothing,
        syntax: Syntax::Colons,
    },
    Row {
        languages: GO,
        callees: &["NewServeMux"],
        role: Role::Root,
        needs: Needs::Nothing,
        syntax: Syntax::Colons,
    },
    Row {
        languages: GO,
        callees: &["Mount"],
        role: Role::Mount,
        needs: Needs::Router,
        syntax: Syntax::Colons,
    },
    // Laravel, and others with an object.
    Row {
        languages: PHP,
        callees: &[
            "get", "post", "put", "patch", "delete", "any", "match", "view", "redirect", "options",
        ],
        role: Role::Route,
        needs: Needs::Facade,
        syntax: Syntax::Brackets,
    },
    Row {
        languages: PHP,
        callees: &["resource", "apiResource"],
        role: Role::Resource,
        needs: Needs::Facade,
        syntax: Syntax::Brackets,
    },
    Row {
        languages: PHP,
        callees: &["prefix", "group"],
        role: Role::Prefix,
        needs: Needs::Nothing,
        syntax: Syntax::Brackets,
    },
    // ASP.NET without controllers.
    Row {
        languages: SHARP,
        callees: &["MapGet", "MapPost", "MapPut", "MapPatch", "MapDelete"],
        role: Role::Route,
        needs: Needs::Router,
        syntax: Syntax::Brackets,
    },
    Row {
        languages: SHARP,
        callees: &["MapGroup"],
        role: Role::Prefix,
        needs: Needs::Nothing,
        syntax: Syntax::Brackets,
    },
];

/// Annotations of classes and methods, with the method of each; an empty one is any, or is named by a key.
pub(super) const ANNOTATIONS: &[(&str, &str)] = &[
    ("RequestMapping", ""),
    ("GetMapping", "get"),
    ("PostMapping", "post"),
    ("PutMapping", "put"),
    ("PatchMapping", "patch"),
    ("DeleteMapping", "delete"),
    ("Path", ""),
    ("GET", "get"),
    ("POST", "post"),
    ("PUT", "put"),
    ("PATCH", "patch"),
    ("DELETE", "delete"),
    ("Route", ""),
    ("HttpGet", "get"),
    ("HttpPost", "post"),
    ("HttpPut", "put"),
    ("HttpPatch", "patch"),
    ("HttpDelete", "delete"),
    ("Controller", ""),
    ("Get", "get"),
    ("Post", "post"),
    ("Put", "put"),
    ("Patch", "patch"),
    ("Delete", "delete"),
    ("All", ""),
];

/// Calls of this name, in any case, that can declare a route.
pub(super) fn can_declare(callee: &str) -> bool {
    let is_route = |it: &&Row| matches!(it.role, Role::Route | Role::Resource);
    ROWS.iter().filter(is_route).any(|it| is_among(it.callees, callee))
}

/// Decorators and annotations of this name, in any case, that mark a handler or its class.
pub(super) fn can_mark(name: &str) -> bool {
    let mut marks = ROWS.iter().filter(|it| it.needs == Needs::Mark);
    ANNOTATIONS.iter().any(|it| it.0.eq_ignore_ascii_case(name))
        || marks.any(|it| is_among(it.callees, name))
}

fn is_among(all: &[&str], name: &str) -> bool {
    all.iter().any(|it| it.eq_ignore_ascii_case(name))
}

/// Whether files of a language declare routes in annotations of classes.
pub(super) fn is_annotated(language: Language) -> bool {
    ANNOTATED.contains(&language)
}

/// Names of objects that have routes, in lower case, or their ends.
pub(super) const ROUTERS: &[&str] =
    &["app", "router", "routes", "fastify", "hono", "route", "routers"];
/// Names of objects of Go with methods of these names that have no routes.
pub(super) const NO_ROUTERS: &[&str] =
    &["http", "client", "req", "resp", "header", "os", "url", "cache", "store", "db"];

/// The rows of calls of a name. Whatever ends with `Router` makes an object that has routes.
pub(super) fn rows_of(language: Language, callee: &str) -> impl Iterator<Item = &'static Row> {
    let is_it = move |it: &&Row| {
        let is_router = it.role == Role::Router && callee.ends_with("Router");
        it.languages.contains(&language) && (is_router || it.callees.contains(&callee))
    };
    ROWS.iter().filter(is_it)
}
