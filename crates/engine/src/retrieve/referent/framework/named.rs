//! What strings name and files declare in a string or key: routes, settings, texts in several languages. By the table
//! `rules`.

use foreword_chunk::{Language, Span};

use super::super::Resolution;
use super::super::at::{DefinitionPlace, DefinitionsAt};
use super::super::code_file::{CodeFile, is_function};
use super::declared::{Declaration, declared_in};
use super::nested::key_in;
use super::rails::rails_routes_in;
use super::rules::{Keys, RULES, Rule, Target};
use super::tokens::MAX_NAME;
use crate::index::terms::term_of;
use crate::index::{DefinitionSite, FileId};
use crate::retrieve::names::place::is_name;

/// Bytes before a string that are read for the call around it.
const MAX_CALL: usize = 160;
/// Files that are read for one name.
const MAX_FILES: usize = 2000;
/// Letters of a word that is looked for in the index.
const MIN_WORD: usize = 3;
/// Places that are listed where nothing decides between them.
const MAX_POSSIBLE: usize = 40;

/// The languages in which texts are mostly written first.
const FIRST_LOCALES: &[&str] = &["en", "enus"];
/// The rank of texts in others; before them are those in other kinds of the first, and those in no language.
const MAX_RANK: usize = FIRST_LOCALES.len() + 2;
/// Ends of keys for numbers.
const NUMBERS: &[&str] = &["", "_other", "_one"];
/// Ends of helpers of routes.
const HELPERS: &[&str] = &["_path", "_url"];

impl Resolution<'_> {
    /// The place that declares what the string or symbol around a byte names; `None` where a rule finds none.
    pub(in super::super) fn named_at(&self, file: &CodeFile, at: usize) -> Option<DefinitionsAt> {
        let at = file.text.floor_char_boundary(at.min(file.text.len()));
        let language = self.language_of(file)?;
        if language == Language::Hcl {
            return self.block_at(file, at);
        }
        strings_around(&file.text, file.language, at).into_iter().find_map(|name| {
            let words = words_before(&file.text, name);
            let fits = |it: &&Rule| {
                (it.languages.is_empty() || it.languages.contains(&language))
                    && words.iter().flatten().any(|word| it.before.contains(word))
            };
            let written = self.full_name(file, name)?;
            let mut found = RULES.iter().filter(fits).map(|it| self.declared(file, it, &written));
            let found = found.find(|it| !it.is_empty())?;
            Some(listed(name, found))
        })
    }

    /// The routes of Rails that define a helper.
    pub(in super::super) fn helper_at(&self, file: &CodeFile, name: Span) -> Option<DefinitionsAt> {
        if !matches!(file.language, Some(Language::Ruby | Language::Erb)) {
            return None;
        }
        let word = name.of(&file.text);
        let helper = HELPERS.iter().find_map(|it| word.strip_suffix(it))?;
        let is_one = |it: &FileId| {
            let path = self.snapshot.path(*it);
            self.snapshot.language(*it) == Some(Language::Ruby) && path.contains("config/routes")
        };
        let files = self.snapshot.files().filter(is_one).take(MAX_FILES);
        let in_file = |it: FileId| {
            let mut all = rails_routes_in(&self.snapshot.text(it)).into_iter();
            // A second one adds a way to the same address.
            all.find(|it| it.helper == helper).map(|route| (it, route.at))
        };
        let found = self.nearest(file, files.filter_map(in_file).collect());
        (!found.is_empty()).then(|| listed(name, found))
    }

    /// The name as it stands in a string; of a text of Rails that begins with a dot with the names of its view or action.
    fn full_name(&self, file: &CodeFile, name: Span) -> Option<String> {
        let written = name.of(&file.text);
        if written.is_empty() || written.contains(['{', '$', '\\']) || written.ends_with(['.', ':'])
        {
            return None;
        }
        let Some(rest) = written.strip_prefix('.') else { return Some(written.to_owned()) };
        let path = self.snapshot.path(file.id);
        let scope = match path.split_once("views/") {
            Some((_, view)) => {
                let (directory, base) = view.rsplit_once('/')?;
                let base = base.split('.').next().unwrap_or(base).trim_start_matches('_');
                format!("{directory}/{base}")
            }
            None => {
                let (_, controller) = path.split_once("controllers/")?;
                let method = file.around(name.range().start).find(|it| is_function(it.kind))?;
                let method = method.name.of(&file.text);
                format!("{}/{method}", controller.strip_suffix("_controller.rb")?)
            }
        };
        Some(format!("{}.{rest}", scope.replace('/', ".")))
    }

    fn declared(&self, file: &CodeFile, rule: &Rule, name: &str) -> Vec<(FileId, Span)> {
        match &rule.target {
            Target::Declaration(it) => self.by_declaration(file, it, name),
            Target::Function => self.by_endpoint(file, name),
            Target::Variable(part) => self.by_variable(file, part, name),
            Target::Key(it) => {
                let forms = NUMBERS.iter().map(|end| format!("{name}{end}"));
                let mut found = forms.map(|name| self.by_key(file, it, &name));
                found.find(|it| !it.is_empty()).unwrap_or_default()
            }
        }
    }

    fn by_declaration(
        &self,
        file: &CodeFile,
        rule: &Declaration,
        name: &str,
    ) -> Vec<(FileId, Span)> {
        let (space, name) = match name.rsplit_once(':') {
            Some((space, name)) => (space.rsplit(':').next(), name),
            None => (None, name),
        };
        let is_one = |it: &FileId| {
            self.snapshot.language(*it) == Some(rule.language)
                && self.snapshot.path(*it).to_lowercase().contains(rule.path)
        };
        let mut found = Vec::new();
        for id in self.files_with_words(name).filter(is_one).take(MAX_FILES) {
            let text = self.snapshot.text(id);
            let own = declared_in(&text, rule, name);
            if own.is_empty() {
                continue;
            }
            let fits = space.is_none_or(|it| self.is_of(id, &text, it));
            let is_spaced = space.is_none() && text.contains("app_name =");
            if fits {
                found.extend(own.into_iter().map(|it| ((id, it.at), (!it.is_whole, is_spaced))));
            }
        }
        let best = found.iter().map(|it| it.1).min();
        found.retain(|it| Some(it.1) == best);
        if best.is_some_and(|it| it.0) && !self.has_prefix(rule, name) {
            return Vec::new();
        }
        self.nearest(file, found.into_iter().map(|it| it.0).collect())
    }

    /// The functions of an endpoint of Flask: `auth.login`.
    fn by_endpoint(&self, file: &CodeFile, name: &str) -> Vec<(FileId, Span)> {
        let (space, name) = match name.rsplit_once('.') {
            Some((space, name)) => (space.rsplit('.').next(), name),
            None => (None, name),
        };
        let all = self.definitions(name);
        let place = |it: &DefinitionSite| {
            let theirs = self.file(it.file);
            let definition = theirs.definition(it.definition);
            let text = &*theirs.text;
            let head = &text[..definition.name.range().start];
            let head = &head[head.ceil_char_boundary(head.len().saturating_sub(MAX_CALL))..];
            let is_route = theirs.language == Some(Language::Python)
                && is_function(it.kind)
                && head.rsplit("\n\n").next().is_some_and(|it| it.contains('@'));
            let fits = is_route && space.is_none_or(|it| self.is_of(theirs.id, text, it));
            fits.then_some((it.file, definition.name))
        };
        self.nearest(file, all.iter().filter_map(place).collect())
    }

    /// Whether a file belongs to a group of routes: by a string in it or a part of its path.
    fn is_of(&self, file: FileId, text: &str, space: &str) -> bool {
        let strings = ['"', '\''].map(|it| format!("{it}{space}{it}"));
        let path = self.snapshot.path(file);
        strings.iter().any(|it| text.contains(it.as_str()))
            || path.split(['/', '.']).any(|it| it == space)
    }

    /// Whether a file puts the first part of a name before others: `'admin.'`.
    fn has_prefix(&self, rule: &Declaration, name: &str) -> bool {
        let Some((prefix, _)) = name.split_once('.') else { return false };
        let prefixes = ['"', '\''].map(|it| format!("{it}{prefix}.{it}"));
        let is_one = |it: &FileId| self.snapshot.language(*it) == Some(rule.language);
        self.files_with_words(prefix).filter(is_one).take(MAX_FILES).any(|it| {
            let text = self.snapshot.text(it);
            prefixes.iter().any(|it| text.contains(it.as_str()))
        })
    }

    fn by_variable(&self, file: &CodeFile, part: &str, name: &str) -> Vec<(FileId, Span)> {
        if !name.bytes().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == b'_') {
            return Vec::new();
        }
        let base = |it: FileId| self.snapshot.path(it).rsplit('/').next().unwrap_or_default();
        let is_one = |it: &FileId| {
            let is_code = self.snapshot.language(*it).is_some_and(Language::is_code);
            base(*it).contains(part) && !is_code
        };
        let files = self.files_with_words(name).filter(is_one).take(MAX_FILES);
        let place = |it| Some((it, variable_in(&self.snapshot.text(it), name)?));
        let mut found = self.nearest(file, files.filter_map(place).collect());
        // `.env.example` comes before `.env.testing.example` and `docker/.env.example`.
        let length =
            |it: &(FileId, Span)| (self.snapshot.path(it.0).matches('/').count(), base(it.0).len());
        let shortest = found.iter().map(length).min();
        found.retain(|it| Some(length(it)) == shortest);
        found
    }

    fn by_key(&self, file: &CodeFile, keys: &Keys, name: &str) -> Vec<(FileId, Span)> {
        let (space, name) = match name.split_once("::") {
            Some((space, name)) => (Some(space), name),
            None => (None, name),
        };
        let last = name.rsplit('.').next().unwrap_or(name);
        let plain = |it: &str| it.to_lowercase().replace(['-', '_'], "");
        let mut files = Vec::new();
        for id in self.files_with_words(last) {
            let path = self.snapshot.path(id);
            let Some(place) = KeyFile::of(path, keys) else { continue };
            let is_there = |space: &str| path.split('/').any(|it| plain(it) == plain(space));
            if space.is_none_or(is_there) {
                files.push((id, place));
            }
        }
        for rank in 0..=MAX_RANK {
            let there = files.iter().filter(|it| it.1.rank == rank).take(MAX_FILES);
            let found = there.filter_map(|(id, place)| {
                let language = self.snapshot.language(*id)?;
                let text = self.snapshot.text(*id);
                let paths = place.paths(keys, name);
                let at = paths.iter().find_map(|it| key_in(&text, language, it))?;
                Some((*id, at))
            });
            let found = self.nearest(file, found.collect());
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The files with one of the longer words of a name; all files for a name without any.
    fn files_with_words(&self, name: &str) -> impl Iterator<Item = FileId> {
        let words = name.split(|it: char| !is_name(it));
        let words = words.filter(|it| it.len() >= MIN_WORD);
        let terms: Vec<String> = words.map(term_of).filter(|it| !it.is_empty()).collect();
        let has = if terms.is_empty() { Vec::new() } else { self.snapshot.files_with(&terms) };
        self.snapshot.files().filter(move |it| has.get(it.0 as usize).is_none_or(|it| *it))
    }

    /// Those of the places whose files are nearest to a file.
    fn nearest(&self, file: &CodeFile, mut found: Vec<(FileId, Span)>) -> Vec<(FileId, Span)> {
        let own = self.snapshot.path(file.id);
        let common = |it: &(FileId, Span)| {
            let parts = self.snapshot.path(it.0).split('/').zip(own.split('/'));
            parts.take_while(|(a, b)| a == b).count()
        };
        let most = found.iter().map(common).max();
        found.retain(|it| Some(common(it)) == most);
        found
    }
}

/// What the path of a file with keys says.
pub(super) struct KeyFile {
    /// Its name from the directory on, without the language of its texts: `admin.users` of `lang/en/admin/users.php`.
    name: String,
    /// The order of the language of its texts, the one in which they are written first before others.
    rank: usize,
}

impl KeyFile {
    pub(super) fn of(path: &str, keys: &Keys) -> Option<Self> {
        let (whole, extension) = path.rsplit_once('.')?;
        if !keys.extensions.contains(&extension) {
            return None;
        }
        let parts: Vec<&str> = whole.split('/').collect();
        let is_it = |it: &&str| keys.directories.contains(&&*it.to_lowercase());
        let around = &parts[..parts.len() - 1];
        let at = around.iter().rposition(is_it)?;
        let mut names: Vec<&str> = parts[at + 1..].iter().flat_map(|it| it.split('.')).collect();
        let last = names.len() - 1;
        let locale = [0, last].into_iter().find(|it| is_locale(names[*it]));
        let rank = match locale.map(|it| names.remove(it)) {
            Some(it) => rank_of(it),
            None => FIRST_LOCALES.len() + 1,
        };
        Some(Self { name: names.join("."), rank })
    }

    /// The paths at which a name may stand in the file.
    fn paths(&self, keys: &Keys, name: &str) -> Vec<String> {
        let begins = |own: &str| {
            let (start, rest) = (name.get(..own.len())?, name.get(own.len() + 1..)?);
            let is_end = name[own.len()..].starts_with(['.', ':']);
            (is_end && start.replace('/', ".") == own).then(|| rest.to_owned())
        };
        if keys.start == "{file}." {
            return begins(&self.name).into_iter().collect();
        }
        let stem = self.name.rsplit('.').next().unwrap_or(&self.name);
        let own = begins(&self.name).or_else(|| begins(stem));
        [format!("{}{name}", keys.start)].into_iter().chain(own).collect()
    }
}

/// The order of the language of texts.
fn rank_of(locale: &str) -> usize {
    let plain = locale.to_lowercase().replace(['-', '_'], "");
    let first = FIRST_LOCALES.iter().position(|it| *it == plain);
    let is_kind = locale.split(['-', '_']).next() == FIRST_LOCALES.first().copied();
    first.unwrap_or(if is_kind { FIRST_LOCALES.len() } else { MAX_RANK })
}

/// `en`, `pt-BR`, `zh_Hans`, `kab-KAB`.
fn is_locale(part: &str) -> bool {
    let mut parts = part.split(['-', '_']);
    let is_letters = |it: &str| it.bytes().all(|it| it.is_ascii_alphanumeric());
    let is_first = parts.next().is_some_and(|it| matches!(it.len(), 2 | 3) && is_letters(it));
    let is_more = |it: &str| matches!(it.len(), 2..=4) && is_letters(it);
    is_first && parts.all(is_more) && part.len() != 3
}

/// One place is sure, and several of one file, such as routes of one name with other parameters.
fn listed(name: Span, found: Vec<(FileId, Span)>) -> DefinitionsAt {
    let is_one = found.iter().all(|it| it.0 == found[0].0);
    let place = |(file, name)| DefinitionPlace::Written { file, name, owner: None };
    let places: Vec<_> = found.into_iter().map(place).take(MAX_POSSIBLE).collect();
    let (sure, possible) = if is_one { (places, Vec::new()) } else { (Vec::new(), places) };
    DefinitionsAt { name, sure, possible }
}

/// Where a text of variables sets one, also in a comment: `#PORT=80`.
fn variable_in(text: &str, name: &str) -> Option<Span> {
    let mut start = 0;
    text.split_inclusive('\n').find_map(|line| {
        let from = start;
        start += line.len();
        let inner = line.trim_start_matches(['#', ' ']);
        let inner = inner.strip_prefix("export ").unwrap_or(inner);
        let rest = inner.strip_prefix(name)?.trim_start();
        let at = from + line.len() - inner.len();
        rest.starts_with('=').then(|| Span::new(at, at + name.len()))
    })
}

/// What stands between quotes around a byte, the shortest first, and the symbol of Ruby or the variable of the environment
/// there.
pub(super) fn strings_around(text: &str, language: Option<Language>, at: usize) -> Vec<Span> {
    let from = text.ceil_char_boundary(at.saturating_sub(MAX_NAME));
    let to = text.floor_char_boundary((at + MAX_NAME).min(text.len()));
    let (before, after) = (&text[from..at], &text[at..to]);
    let before = before.rsplit('\n').next().unwrap_or(before);
    let after = after.split('\n').next().unwrap_or(after);
    let between = |quote: char| {
        let start = at - (before.len() - before.rfind(quote)? - 1);
        Some(Span::new(start, at + after.find(quote)?))
    };
    let mut found: Vec<Span> = ['\'', '"', '`'].into_iter().filter_map(between).collect();
    if matches!(language, Some(Language::Ruby | Language::Erb)) {
        let start = at - (before.len() - before.trim_end_matches(is_name).len());
        let end = at + after.find(|it| !is_name(it)).unwrap_or(after.len());
        if text[..start].ends_with(':') && !text[..start].ends_with("::") {
            found.push(Span::new(start, end));
        }
    }
    // `process.env.PORT`.
    let start = at - (before.len() - before.trim_end_matches(is_name).len());
    if text[..start].ends_with("env.") {
        let end = at + after.find(|it| !is_name(it)).unwrap_or(after.len());
        found.push(Span::new(start, end));
    }
    found.sort_unstable_by_key(|it| it.range().len());
    found
}

/// The word before a string over marks of calls and keys, and, where the string is in the first argument, the word before
/// that call.
pub(super) fn words_before(text: &str, name: Span) -> [Option<&str>; 2] {
    let quote = name.range().start.saturating_sub(1);
    let before = &text[text.ceil_char_boundary(quote.saturating_sub(MAX_CALL))..quote];
    let is_mark = |it: char| it.is_whitespace() || matches!(it, '(' | '[' | ':' | '=' | '>');
    let own = last_word(before.trim_end_matches(is_mark));
    let mut depth = 0_i32;
    let open = before.char_indices().rev().find(|(_, it)| {
        depth += i32::from(matches!(it, ')' | ']')) - i32::from(matches!(it, '(' | '['));
        depth < 0 || depth == 0 && *it == ','
    });
    let around = open.filter(|it| it.1 == '(').and_then(|it| last_word(&before[..it.0]));
    [own, around]
}

fn last_word(text: &str) -> Option<&str> {
    let word = &text[text.trim_end_matches(is_name).len()..];
    (!word.is_empty()).then_some(word)
}
