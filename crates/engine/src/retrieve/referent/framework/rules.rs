//! The table of what strings name, by framework.

use foreword_chunk::Language;

use super::declared::Declaration;

/// Which strings name what.
pub(super) struct Rule {
    /// Languages of the files with the string; none where any will do.
    pub(super) languages: &'static [Language],
    /// The calls and keys before the string.
    pub(super) before: &'static [&'static str],
    pub(super) target: Target,
}

/// How files declare a name.
pub(super) enum Target {
    /// A string that declares the name.
    Declaration(Declaration),
    /// A key of nested data.
    Key(Keys),
    /// A function of Python with a decorator; before its name that of the group of routes.
    Function,
    /// A variable in capital letters, set in a file whose name has this part.
    Variable(&'static str),
}

/// Files whose keys are names.
pub(super) struct Keys {
    /// One of the directories around them.
    pub(super) directories: &'static [&'static str],
    pub(super) extensions: &'static [&'static str],
    /// Before the first key of a name: `{file}.` where a name begins with that of the file, `*.` where the outermost key
    /// of a file is the language of its texts, or nothing.
    pub(super) start: &'static str,
}

/// JavaScript and what has it.
const SCRIPTS: &[Language] = {
    use Language::{Astro, JavaScript, Svelte, Tsx, TypeScript, Vue};
    &[JavaScript, TypeScript, Tsx, Vue, Svelte, Astro]
};

/// All of them; a use has the first rule that finds something.
pub(super) const RULES: &[Rule] = {
    use Language::{Blade, Erb, Html, JavaScript, Jinja, Php, Python, Ruby, Tsx, TypeScript, Vue};
    const PHP: &[Language] = &[Php, Blade, Vue, JavaScript, TypeScript, Tsx];
    const TEXTS: &[&str] = &["__", "trans", "trans_choice", "lang", "choice", "t", "get"];
    &[
        // Variables of the environment.
        Rule {
            languages: &[],
            before: &[
                "env", "getenv", "Getenv", "environ", "ENV", "get", "fetch", "str", "bool", "int",
            ],
            target: Target::Variable(".env"),
        },
        // Django's routes.
        Rule {
            languages: &[Python, Html, Jinja],
            before: &["reverse", "reverse_lazy", "redirect", "resolve_url", "url"],
            target: Target::Declaration(Declaration {
                language: Python,
                path: "",
                before: &["name"],
                calls: &["path", "re_path", "url"],
                several: (&[], &[]),
            }),
        },
        // Flask's endpoints.
        Rule { languages: &[Python, Html, Jinja], before: &["url_for"], target: Target::Function },
        // Laravel's routes, settings and texts.
        Rule {
            languages: PHP,
            before: &["route", "to_route", "routeIs", "signedRoute", "temporarySignedRoute"],
            target: Target::Declaration(Declaration {
                language: Php,
                path: "rout",
                before: &["name", "as"],
                calls: &[],
                several: (
                    &["resource", "apiResource"],
                    &["index", "create", "store", "show", "edit", "update", "destroy"],
                ),
            }),
        },
        Rule {
            languages: &[Php, Blade],
            before: &["config", "get"],
            target: Target::Key(Keys {
                directories: &["config"],
                extensions: &["php"],
                start: "{file}.",
            }),
        },
        Rule {
            languages: PHP,
            before: TEXTS,
            target: Target::Key(Keys {
                directories: &["lang"],
                extensions: &["php"],
                start: "{file}.",
            }),
        },
        Rule {
            languages: PHP,
            before: TEXTS,
            target: Target::Key(Keys { directories: &["lang"], extensions: &["json"], start: "" }),
        },
        // Texts of Rails.
        Rule {
            languages: &[Ruby, Erb],
            before: &["t", "l", "translate"],
            target: Target::Key(Keys {
                directories: &["locales"],
                extensions: &["yml", "yaml"],
                start: "*.",
            }),
        },
        // Texts in scripts.
        Rule {
            languages: SCRIPTS,
            before: &["t", "tc", "te", "translate", "i18nKey", "keypath"],
            target: Target::Key(Keys {
                directories: &[
                    "locales",
                    "locale",
                    "lang",
                    "langs",
                    "languages",
                    "i18n",
                    "translations",
                    "messages",
                ],
                extensions: &["json", "yml", "yaml", "ts", "js"],
                start: "",
            }),
        },
    ]
};
