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
    pub(super) languages: Languages,
    pub(super) callees: Names,
    pub(super) role: Role,
    pub(super) needs: Needs,
    pub(super) syntax: Syntax,
}

const fn row(languages: Languages, callees: Names, role: Role, needs: Needs) -> Row {
    let has_colons = matches!(languages[0], Language::JavaScript | Language::Go);
    let syntax = if has_colons { Syntax::Colons } else { Syntax::Brackets };
    Row { languages, callees, role, needs, syntax }
}

type Languages = &'static [Language];
type Names = &'static [&'static str];

const SCRIPTS: &[Language] = &[Language::JavaScript, Language::TypeScript, Language::Tsx];
const PYTHON: &[Language] = &[Language::Python];
const GO: &[Language] = &[Language::Go];
const PHP: &[Language] = &[Language::Php];
const SHARP: &[Language] = &[Language::CSharp];
const JAVA: &[Language] = &[Language::Java, Language::Kotlin];
const ANNOTATED: &[Language] =
    &[Language::Java, Language::Kotlin, Language::CSharp, Language::TypeScript];

/// By languages the words of which one is in the files that declare routes, as the index has them.
pub(super) const DECLARING: &[(Languages, &str)] = &[
    (PYTHON, "urlpatterns apirouter fastapi blueprint flask starlette namespace"),
    (PYTHON, "includerouter defaultrouter simplerouter addurlrule registerblueprint"),
    (SCRIPTS, "express router fastify koa nestjs routes"),
    (GO, "handlefunc group gin echo chi mux fiber router"),
    (PHP, "route router"),
    (JAVA, "requestmapping getmapping postmapping putmapping deletemapping patchmapping"),
    (SHARP, "httpget httppost httpput httpdelete httppatch route mapget mappost mapgroup"),
    (&[Language::Ruby], "routes draw resources"),
];

/// The calls that declare routes; the first row that fits counts.
pub(super) const ROWS: &[Row] = &[
    // Flask, FastAPI, Starlette and others with decorators.
    row(PYTHON, &["get", "post", "put", "patch", "delete", "head"], Role::Route, Needs::Mark),
    row(PYTHON, &["options", "route", "api_route"], Role::Route, Needs::Mark),
    row(PYTHON, &["add_url_rule", "add_api_route", "add_resource"], Role::Route, Needs::Nothing),
    row(PYTHON, &["Blueprint", "Namespace", "Api"], Role::Router, Needs::Nothing),
    row(PYTHON, &["FastAPI", "Flask", "Starlette"], Role::Root, Needs::Nothing),
    row(PYTHON, &["include_router", "register_blueprint"], Role::Mount, Needs::Nothing),
    row(PYTHON, &["add_namespace"], Role::Mount, Needs::Nothing),
    row(PYTHON, &["mount", "Mount"], Role::Mount, Needs::Nothing),
    // Django.
    row(PYTHON, &["path"], Role::Route, Needs::Bare),
    Row { syntax: Syntax::Regex, ..row(PYTHON, &["re_path", "url"], Role::Route, Needs::Bare) },
    row(PYTHON, &["register"], Role::Resource, Needs::Router),
    // Express, Koa, Fastify.
    row(SCRIPTS, &["get", "post", "put", "patch", "delete", "del"], Role::Route, Needs::Router),
    row(SCRIPTS, &["all", "options", "head"], Role::Route, Needs::Router),
    row(SCRIPTS, &["Router"], Role::Router, Needs::Nothing),
    row(SCRIPTS, &["express", "fastify", "Fastify"], Role::Root, Needs::Bare),
    row(SCRIPTS, &["use", "register", "route"], Role::Mount, Needs::Router),
    row(SCRIPTS, &["mount"], Role::Mount, Needs::Bare),
    row(SCRIPTS, &["route"], Role::Prefix, Needs::Nothing),
    // Go: net/http, gin, echo, chi, gorilla.
    row(GO, &["GET", "POST", "PUT", "PATCH", "DELETE", "Any"], Role::Route, Needs::Router),
    row(GO, &["HandleFunc", "Handle"], Role::Route, Needs::Router),
    row(GO, &["Get", "Post", "Put", "Patch", "Delete", "Method"], Role::Route, Needs::Router),
    row(GO, &["MethodFunc"], Role::Route, Needs::Router),
    row(GO, &["Group", "Route", "PathPrefix"], Role::Prefix, Needs::Nothing),
    row(GO, &["NewServeMux"], Role::Root, Needs::Nothing),
    row(GO, &["Mount"], Role::Mount, Needs::Router),
    // Laravel, and others with an object.
    row(PHP, &["get", "post", "put", "patch", "delete", "any"], Role::Route, Needs::Facade),
    row(PHP, &["match", "view", "redirect", "options"], Role::Route, Needs::Facade),
    row(PHP, &["resource", "apiResource"], Role::Resource, Needs::Facade),
    row(PHP, &["prefix", "group"], Role::Prefix, Needs::Nothing),
    // ASP.NET without controllers.
    row(SHARP, &["MapGet", "MapPost", "MapPut", "MapPatch"], Role::Route, Needs::Router),
    row(SHARP, &["MapDelete"], Role::Route, Needs::Router),
    row(SHARP, &["MapGroup"], Role::Prefix, Needs::Nothing),
];

/// The method that an annotation of a class or method names; an empty one is any, or is named by a key.
pub(super) fn annotated_method(name: &str) -> Option<&str> {
    let plain = name.strip_suffix("Mapping").or_else(|| name.strip_prefix("Http")).unwrap_or(name);
    match plain {
        "Get" | "Post" | "Put" | "Patch" | "Delete" => Some(plain),
        _ => matches!(name, "RequestMapping" | "Route" | "Controller" | "All").then_some(""),
    }
}

/// Calls of this name, in any case, that can declare a route.
pub(super) fn can_declare(callee: &str) -> bool {
    let is_route = |it: &&Row| matches!(it.role, Role::Route | Role::Resource);
    ROWS.iter().filter(is_route).any(|it| is_among(it.callees, callee))
}

/// Decorators and annotations of this name that mark a handler or its class.
pub(super) fn can_mark(name: &str) -> bool {
    let mut marks = ROWS.iter().filter(|it| it.needs == Needs::Mark);
    annotated_method(name).is_some() || marks.any(|it| is_among(it.callees, name))
}

fn is_among(all: Names, name: &str) -> bool {
    all.iter().any(|it| it.eq_ignore_ascii_case(name))
}

/// Whether files of a language declare routes in annotations of classes.
pub(super) fn is_annotated(language: Language) -> bool {
    ANNOTATED.contains(&language)
}

/// Names of objects that have routes, in lower case, or their ends.
pub(super) const ROUTERS: &[&str] = &["app", "router", "routes", "fastify", "route", "routers"];
/// Names of objects of Go with methods of these names that have no routes.
pub(super) const NO_ROUTERS: &[&str] =
    &["http", "client", "req", "resp", "header", "os", "url", "cache", "store", "db"];

/// The rows of calls of a name. Whatever ends with `Router` or `Blueprint` makes an object that has routes.
pub(super) fn rows_of(language: Language, callee: &str) -> impl Iterator<Item = &'static Row> {
    let is_router = ["Router", "Blueprint"].iter().any(|end| callee.ends_with(end));
    let is_it = move |it: &&Row| {
        it.languages.contains(&language)
            && (is_router && it.role == Role::Router || it.callees.contains(&callee))
    };
    ROWS.iter().filter(is_it)
}
