//! Templates, pages and controllers that code names in strings and tags, by a table of frameworks.

use foreword_chunk::{Import, Language, Span};

use super::super::at::DefinitionPlace;
use super::super::code_file::CodeFile;
use super::super::users::family_of;
use super::super::{Resolution, is_member};
use super::is_component;
use super::tokens::MAX_NAME;
use crate::index::FileId;
use crate::retrieve::names::place::is_name;
use crate::source::directory_of;

/// Bytes before a string that are read for the call around it.
const MAX_CALL: usize = 160;
/// Files of one name that are compared.
const MAX_CANDIDATES: usize = 1024;

/// How a framework writes the name of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `shop/item.html`
    Path,
    /// `shop/item`, or `item` in the directory of the views of the file itself.
    Own,
    /// `shop.item`
    Dotted,
    /// `<x-shop.item>`
    Tag,
    /// `shop#show`
    Action,
}

/// Which strings name which files.
struct Rule {
    /// Languages of the files with the string.
    languages: &'static [Language],
    /// The calls, keys and marks before the string; none where any will do.
    before: &'static [&'static str],
    form: Form,
    /// The ends of the paths that are meant, the first that exists. `{}` is the name, `{dir}` and `{base}` its parts,
    /// `{Class}` the name in camel case; `.*` any extension.
    places: &'static [&'static str],
}

const RULES: &[Rule] = {
    use Language::{
        Blade, Erb, Html, Java, JavaScript, Jinja, Kotlin, Php, Python, Ruby, TypeScript,
    };
    &[
        // Django, Flask, Jinja.
        Rule {
            languages: &[Python, Html, Jinja],
            before: &[],
            form: Form::Path,
            places: &["templates/{}", "jinja2/{}"],
        },
        // Rails.
        Rule {
            languages: &[Erb],
            before: &["render", "partial", "layout"],
            form: Form::Own,
            places: &[
                "views/{dir}/_{base}.*",
                "views/{dir}/{base}.*",
                "views/application/_{base}.*",
            ],
        },
        Rule {
            languages: &[Ruby, Erb],
            before: &["partial"],
            form: Form::Own,
            places: &["views/{dir}/_{base}.*", "views/application/_{base}.*"],
        },
        Rule {
            languages: &[Ruby],
            before: &["render", "template", "action", "render_to_string"],
            form: Form::Own,
            places: &["views/{dir}/{base}.*", "views/{dir}/_{base}.*"],
        },
        Rule {
            languages: &[Ruby],
            before: &["layout"],
            form: Form::Own,
            places: &["views/layouts/{base}.*", "views/{dir}/{base}.*"],
        },
        Rule {
            languages: &[Ruby],
            before: &[],
            form: Form::Action,
            places: &["controllers/{}_controller.rb"],
        },
        Rule {
            languages: &[Ruby],
            before: &["resources", "resource"],
            form: Form::Path,
            places: &["controllers/{}_controller.rb", "controllers/{}s_controller.rb"],
        },
        // Laravel, with Inertia.
        Rule {
            languages: &[Php, Blade],
            before: &[
                "view",
                "make",
                "markdown",
                "extends",
                "include",
                "includeIf",
                "includeWhen",
                "includeUnless",
                "includeFirst",
                "component",
                "each",
                "layout",
            ],
            form: Form::Dotted,
            places: &["views/{}.blade.php", "views/{}.php"],
        },
        Rule {
            languages: &[Blade],
            before: &["<"],
            form: Form::Tag,
            places: &[
                "View/Components/{Class}.php",
                "views/components/{}.blade.php",
                "views/components/{}/index.blade.php",
            ],
        },
        Rule {
            languages: &[Php],
            before: &["render", "inertia"],
            form: Form::Path,
            places: &["Pages/{}.*", "pages/{}.*"],
        },
        // Spring.
        Rule {
            languages: &[Java, Kotlin],
            before: &["return", "ModelAndView", "setViewName", "="],
            form: Form::Path,
            places: &["templates/{}.html"],
        },
        // Express and others.
        Rule {
            languages: &[JavaScript, TypeScript],
            before: &["render", "view"],
            form: Form::Path,
            places: &["views/{}", "views/{}.*"],
        },
    ]
};

/// A name in a string or tag.
#[derive(Clone, Copy)]
struct Literal {
    /// Without quotes.
    name: Span,
    /// The call or key before it, the call around it, or the mark before it.
    before: [Option<Span>; 2],
}

impl Resolution<'_> {
    /// The name in the string or tag around a byte, and the files that it means; `None` where it means none.
    pub(in super::super) fn named_in_literal(
        &self,
        file: &CodeFile,
        at: usize,
    ) -> Option<(Span, Vec<DefinitionPlace>)> {
        let literal = literal_around(file, at)?;
        let found = match self.module_in(file, literal.name) {
            Some(module) => vec![DefinitionPlace::File(module)],
            None => self.by_rules(file, &literal),
        };
        (!found.is_empty()).then_some((literal.name, found))
    }

    /// The file of a module that the string around a byte names.
    pub(super) fn module_at(&self, file: &CodeFile, at: usize) -> Option<FileId> {
        literal_around(file, at).and_then(|it| self.module_in(file, it.name))
    }

    /// The file of a module that a string of JavaScript names: `import('./Shop.vue')`.
    pub(super) fn module_in(&self, file: &CodeFile, name: Span) -> Option<FileId> {
        let module = name.of(&file.text);
        let is_script =
            file.language.map(|it| family_of(it.of_code())) == Some(Language::JavaScript);
        let is_module = ["./", "../", "@/", "~/", "$lib/"].iter().any(|it| module.starts_with(it));
        if !is_script || !is_module {
            return None;
        }
        let (module, names) = (module.to_owned(), Vec::new());
        let import = Import { span: name, module, names, alias: None };
        let path = self.snapshot.path(file.id);
        self.resolver.resolve(self.snapshot, path, file.language, &import).first().copied()
    }

    /// The language of a file; that of pages for texts among templates (`templates/mail.txt`).
    pub(super) fn language_of(&self, file: &CodeFile) -> Option<Language> {
        let is_page = || self.snapshot.path(file.id).contains("templates/");
        file.language.or_else(|| is_page().then_some(Language::Html))
    }

    fn by_rules(&self, file: &CodeFile, literal: &Literal) -> Vec<DefinitionPlace> {
        let text = &*file.text;
        let is_before =
            |word: &&str| literal.before.iter().flatten().any(|it| it.of(text) == *word);
        let language = self.language_of(file);
        let fits = |it: &&Rule| {
            language.is_some_and(|language| it.languages.contains(&language))
                && (it.before.is_empty() || it.before.iter().any(is_before))
        };
        let rules = RULES.iter().filter(fits);
        let mut found = rules.map(|it| self.by_rule(file, it, literal.name.of(text)));
        found.find(|it| !it.is_empty()).unwrap_or_default()
    }

    fn by_rule(&self, file: &CodeFile, rule: &Rule, name: &str) -> Vec<DefinitionPlace> {
        let path = self.snapshot.path(file.id);
        let Some((name, member)) = read(rule.form, name) else { return Vec::new() };
        let (dir, base) = match name.rsplit_once('/') {
            Some((dir, base)) => (dir.to_owned(), base),
            None => (views_of(path).unwrap_or_default().to_owned(), &*name),
        };
        if dir.is_empty() && rule.form == Form::Own {
            return Vec::new();
        }
        let tail = |place: &&str| {
            let place = place.replace("{}", &name).replace("{dir}", &dir).replace("{base}", base);
            if place.contains("{Class}") { place.replace("{Class}", &class(&name)) } else { place }
        };
        let mut found = rule.places.iter().map(|it| self.nearest_with_tail(path, &tail(it)));
        let files = found.find(|it| !it.is_empty()).unwrap_or_default();
        let place = |it: FileId| {
            let all = member.map(|member| self.definitions(member));
            let own = all.iter().flat_map(|it| it.iter()).find(|site| site.file == it).copied();
            own.map_or(DefinitionPlace::File(it), DefinitionPlace::Listed)
        };
        files.into_iter().map(place).collect()
    }

    /// The action of Rails that shows a view unless it says otherwise: its controller and its name there.
    pub(super) fn action_of(&self, view: FileId) -> Option<(FileId, Span)> {
        let (_, inner) = self.snapshot.path(view).split_once("views/")?;
        let (dir, base) = inner.rsplit_once('/')?;
        let action = base.split('.').next()?;
        let tail = format!("controllers/{dir}_controller.rb");
        let found = self.nearest_with_tail(self.snapshot.path(view), &tail);
        let all = self.definitions(action);
        let site = all.iter().find(|it| found.contains(&it.file) && is_member(it.kind))?;
        Some((site.file, self.file(site.file).definition(site.definition).name))
    }

    /// The files whose paths end so, those in the directories next to a path; of several formats that of pages.
    fn nearest_with_tail(&self, from: &str, tail: &str) -> Vec<FileId> {
        let base = tail.rsplit('/').next().unwrap_or(tail);
        let stem = base.split('.').next().unwrap_or(base);
        let any = tail.strip_suffix(".*");
        let is_one = |it: &FileId| {
            let path = self.snapshot.path(*it);
            let whole = match any {
                Some(_) => {
                    let start = directory_of(path).len() + 1;
                    let end = path.get(start..).and_then(|it| it.find('.'));
                    &path[..end.map_or(path.len(), |it| it + start)]
                }
                None => path,
            };
            let rest = whole.strip_suffix(any.unwrap_or(tail));
            rest.is_some_and(|it| it.is_empty() || it.ends_with('/'))
        };
        let candidates = self.snapshot.files_of_stem(stem).into_iter().take(MAX_CANDIDATES);
        let mut found: Vec<FileId> = candidates.filter(is_one).collect();
        let common = |it: &FileId| {
            let parts = self.snapshot.path(*it).split('/').zip(from.split('/'));
            parts.take_while(|(a, b)| a == b).count()
        };
        let most = found.iter().map(common).max();
        found.retain(|it| Some(common(it)) == most);
        let is_page = |it: &FileId| self.snapshot.path(*it).contains(".html");
        if found.iter().any(is_page) {
            found.retain(is_page);
        }
        found
    }
}

/// The name as a path, and the member that it names as well.
fn read(form: Form, name: &str) -> Option<(String, Option<&str>)> {
    let is_path = !name.contains(['#', ':', '@']) && !name.starts_with(['/', '.', '-']);
    match form {
        Form::Path | Form::Own => is_path.then(|| (name.to_owned(), None)),
        Form::Dotted => is_path.then(|| (name.replace('.', "/"), None)),
        Form::Tag => Some((name.strip_prefix("x-")?.replace('.', "/"), None)),
        Form::Action => {
            let (controller, action) = name.split_once('#')?;
            Some((controller.trim_start_matches('/').to_owned(), Some(action)))
        }
    }
}

/// `Forms/TextInput` of `forms/text-input`.
fn class(name: &str) -> String {
    let mut res = String::with_capacity(name.len());
    let mut is_first = true;
    for it in name.chars() {
        match (it, is_first) {
            ('-', _) => {}
            (it, true) => res.extend(it.to_uppercase()),
            (it, false) => res.push(it),
        }
        is_first = matches!(it, '-' | '/');
    }
    res
}

/// The directory below `views` that belongs to a view or a controller of Rails.
fn views_of(path: &str) -> Option<&str> {
    if let Some((_, inner)) = path.split_once("views/") {
        return Some(directory_of(inner));
    }
    let (_, inner) = path.split_once("controllers/")?;
    inner.strip_suffix("_controller.rb")
}

/// The string or tag around a byte that can be the name of a file.
fn literal_around(file: &CodeFile, at: usize) -> Option<Literal> {
    let text = &*file.text;
    let is_part =
        |it: char| is_name(it) || matches!(it, '.' | '/' | '-' | '#' | ':' | '@' | '$' | '~');
    let from = text.ceil_char_boundary(at.saturating_sub(MAX_NAME));
    let mut start = from + text[from..at].trim_end_matches(is_part).len();
    let rest = &text[start..text.floor_char_boundary(text.len().min(at + MAX_NAME))];
    let end = start + rest.find(|it| !is_part(it))?;
    let mark = text[..start].chars().next_back()?;
    let is_string = matches!(mark, '\'' | '"' | '`') && text[end..].starts_with(mark);
    if is_string {
        let name = Span::new(start, end);
        return (start < end).then(|| Literal { name, before: before(text, start - 1) });
    }
    if file.language == Some(Language::Blade) {
        start += usize::from(text[start..end].starts_with('/'));
        let open = text[..start].strip_suffix('/').unwrap_or(&text[..start]);
        let is_tag = open.ends_with('<') && text[start..end].starts_with("x-");
        let mark = Span::new(open.len().saturating_sub(1), open.len());
        let name = Span::new(start, end);
        return is_tag.then_some(Literal { name, before: [Some(mark), None] });
    }
    // A symbol of Ruby.
    let is_symbol = file.language == Some(Language::Ruby) && text[start..end].starts_with(':');
    let name = Span::new(start + 1, end.max(start + 1));
    is_symbol.then(|| Literal { name, before: [before(text, start)[0], None] })
}

/// The word before a string, over marks of calls and keys, and the word before the innermost bracket that is open there.
fn before(text: &str, quote: usize) -> [Option<Span>; 2] {
    let from = text.ceil_char_boundary(quote.saturating_sub(MAX_CALL));
    let before = &text[from..quote];
    let is_mark = |it: char| it.is_whitespace() || matches!(it, '(' | '[' | ':' | '=' | '>');
    let close = before.trim_end_matches(is_mark);
    let own = word_at_end(text, from + close.len());
    let sign = before.trim_end();
    let sign = (sign.ends_with('=') && !sign.ends_with("=="))
        .then(|| Span::new(from + sign.len() - 1, from + sign.len()));
    let mut depth = 0_i32;
    let open = before.char_indices().rev().find(|(_, it)| {
        depth += i32::from(*it == ')') - i32::from(*it == '(');
        depth < 0
    });
    let around = open.and_then(|(it, _)| word_at_end(text, from + it));
    [own, if around == own || around.is_none() { sign.or(around) } else { around }]
}

fn word_at_end(text: &str, end: usize) -> Option<Span> {
    let start = text[..end].trim_end_matches(is_name).len();
    (start < end).then(|| Span::new(start, end))
}

/// Whether a file is the class of a component of Laravel.
pub(super) fn is_tag_of_blade(language: Option<Language>, path: &str) -> bool {
    language == Some(Language::Php) && path.contains("View/Components/")
}

/// Whether a file is a template that other files can name.
pub(super) fn is_template(language: Option<Language>, path: &str) -> bool {
    use Language::{Blade, Eex, Ejs, Erb, Html, Jinja};
    let is_one = matches!(language, Some(Blade | Eex | Ejs | Erb | Jinja | Html));
    is_component(language)
        || is_tag_of_blade(language, path)
        || is_one
        || path.contains("templates/") && language.is_none()
        || path.contains("views/")
            && language.is_none_or(|it| !it.is_code() || it == Language::Ruby)
}
