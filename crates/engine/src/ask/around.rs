//! Adds what explains the matches: definitions that they use, their callers, subtypes and tests, and documents about
//! them.

use crate::preset::constants::ask::{ANCHORS, DOCUMENT_LINES, RESULTS, USED_DEFINITION_LINES};
use crate::sorting::sort_by_key;
use foreword_chunk::{Kind, LineIndex, ReferenceKind};

use super::config::AskConfig;
use super::explain::{Draft, definition, last_part, lines_by, lines_of};
use super::paragraph::first_paragraph;
use super::search::results;
use super::types::{AskRequest, QuestionKind, Role, Why};
use super::understand::Understanding;
use crate::custom::{Subject, is_test};
use crate::index::{DefinitionSite, FileId, FileRole, Snapshot};
use crate::retrieve::{Certainty, UsedDefinition, used_in, users as users_of};
use crate::search::SearchResult;

/// Returns the pieces around the best matches.
pub(super) fn items(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    understood: &Understanding,
    found: &[Draft],
) -> Vec<Draft> {
    let config = request.config();
    let with_definition = found.iter().filter(|it| it.definition.is_some());
    let mut anchors: Vec<&Draft> = with_definition.clone().filter(|it| is_anchor(it)).collect();
    // A question about names is about these, whatever else was found.
    let most = if understood.is(QuestionKind::Symbol) {
        understood.names.len().clamp(1, ANCHORS)
    } else {
        ANCHORS
    };
    anchors.truncate(most);
    let mut res = Vec::new();
    for it in anchors {
        res.extend(used_by(snapshot, config, it));
        res.extend(users(snapshot, config, it));
    }
    res
}

/// Whether a match has surroundings: documents and single fields have few.
fn is_anchor(it: &Draft) -> bool {
    !matches!(it.item.kind, Some(Kind::Section | Kind::Field) | None)
}

/// The definitions that an anchor uses, in the order of its lines, fields and constants last.
fn used_by(snapshot: &Snapshot, config: &AskConfig, anchor: &Draft) -> Vec<Draft> {
    let record = snapshot.record(anchor.file);
    let Some(idx) = anchor.definition else { return Vec::new() };
    let Some(own) = record.symbols.definitions.get(idx as usize) else { return Vec::new() };
    let is_code = |file| matches!(snapshot.role(file), FileRole::Code | FileRole::Gathering);
    let mut used = used_in(snapshot, anchor.file, own.span);
    used.retain(|it| is_code(it.site.file));
    sort_by_key(&mut used, |it| (matches!(it.site.kind, Kind::Field | Kind::Constant), it.at));
    let why = || vec![Why::UsedBy(anchor.item.symbol.clone())];
    let place = |it: &UsedDefinition| (it.site.file, it.site.definition);
    let item = |it| definition(snapshot, place(it), USED_DEFINITION_LINES, Role::Definition, why());
    used.iter().filter_map(item).take(config.used).collect()
}

/// The lines of the file that was read last: a file may have thousands of uses.
#[derive(Default)]
struct LinesOfLast(Option<(FileId, LineIndex)>);

impl LinesOfLast {
    fn of(&mut self, snapshot: &Snapshot, file: FileId) -> &LineIndex {
        let known = self.0.take().filter(|it| it.0 == file);
        let new = || (file, LineIndex::new(snapshot.text(file).as_bytes()));
        &self.0.insert(known.unwrap_or_else(new)).1
    }
}

/// A use of a name.
struct Use {
    file: FileId,
    line: u32,
    /// Number of the enclosing definition.
    within: Option<u32>,
    kind: ReferenceKind,
    certainty: Certainty,
    nearness: usize,
}

/// Callers, subtypes and tests of an anchor, one for each definition, the nearest first.
fn users(snapshot: &Snapshot, config: &AskConfig, anchor: &Draft) -> Vec<Draft> {
    let name = used_name(anchor);
    let mut uses = uses(snapshot, anchor, name);
    sort_by_key(&mut uses, |it| (it.certainty, std::cmp::Reverse(it.nearness)));
    let mut seen = std::collections::BTreeSet::new();
    uses.retain(|it| seen.insert((it.file, it.within, it.kind)));
    let mut sure: Vec<Role> = Vec::new();
    let mut res: Vec<Draft> = Vec::new();
    let mut lines = LinesOfLast::default();
    for it in uses {
        let (file, definition) = (it.file, it.within);
        let is_test = is_test(&Subject { snapshot, file, definition, bytes: (0, 0) });
        let (role, most) = match (is_test, it.kind) {
            (true, _) => (Role::Test, config.tests),
            (_, ReferenceKind::Base) => (Role::Subtype, config.subtypes),
            _ => (Role::Caller, config.callers),
        };
        if res.iter().filter(|known| known.item.role == role).count() == most {
            continue;
        }
        let why = match it.certainty {
            Certainty::Sure => Why::Uses(name.to_owned(), it.kind),
            // Possible ones are shown where there are no sure ones.
            Certainty::Possible if sure.contains(&role) => continue,
            Certainty::Possible => Why::PossiblyUses(name.to_owned()),
        };
        if it.certainty == Certainty::Sure {
            sure.push(role);
        }
        let why = vec![why];
        let of_file = (file, lines.of(snapshot, file));
        let draft = lines_by(snapshot, of_file, (it.line, it.line), role, why);
        let is_known =
            |known: &Draft| known.file == draft.file && known.item.symbol == draft.item.symbol;
        if !res.iter().any(is_known) {
            res.push(draft);
        }
    }
    res
}

/// The name by which an anchor is used: for a constructor, that of its type.
fn used_name(anchor: &Draft) -> &str {
    let symbol = anchor.item.symbol.as_str();
    match (anchor.item.kind, symbol.rsplit_once('.')) {
        (Some(Kind::Constructor), Some((class, _))) => last_part(class),
        _ => last_part(symbol),
    }
}

/// Uses of the anchor outside its definition.
fn uses(snapshot: &Snapshot, anchor: &Draft, name: &str) -> Vec<Use> {
    let all = snapshot.definitions(name);
    let record = snapshot.record(anchor.file);
    let own = anchor.definition.and_then(|it| record.symbols.definitions.get(it as usize));
    let holds = |it: &&DefinitionSite| {
        let definition = record.symbols.definitions.get(it.definition as usize);
        it.file == anchor.file
            && own.zip(definition).is_some_and(|(own, it)| it.span.contains(own.span))
    };
    // The type of a constructor holds it.
    let targets: Vec<DefinitionSite> = all.iter().filter(holds).copied().collect();
    if targets.is_empty() {
        return Vec::new();
    }
    let home = snapshot.path(anchor.file);
    let mut lines = LinesOfLast::default();
    let mut res = Vec::new();
    for it in users_of(snapshot, name, &targets, &|_| true) {
        let at = it.reference.name.start as usize;
        let line = lines.of(snapshot, it.file).line_of(at);
        let (first, last) = anchor.item.extent;
        if it.file != anchor.file || !(first..=last).contains(&line) {
            res.push(Use {
                file: it.file,
                line,
                within: snapshot.record(it.file).symbols.enclosing(at),
                kind: it.reference.kind,
                certainty: it.certainty,
                nearness: nearness(home, snapshot.path(it.file)),
            });
        }
    }
    res
}

/// Returns the documents about the question.
pub(super) fn documents(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    understood: &Understanding,
) -> Vec<Draft> {
    let is_document = |file: FileId| {
        request.keep.is_none_or(|keep| keep(file))
            && is_document(snapshot, request, snapshot.path(file))
    };
    if understood.is(QuestionKind::Overview) || !snapshot.files().any(&is_document) {
        return Vec::new();
    }
    let only =
        AskRequest { keep: Some(&is_document), config: request.config, ..AskRequest::default() };
    let query = understood.query.split("\n\n```").next().unwrap_or(&understood.query);
    let is_guide = understood.is(QuestionKind::HowTo);
    let config = request.config();
    let (role, most) = match is_guide {
        true => (Role::Guide, config.guides),
        false => (Role::Document, config.documents),
    };
    let names = (!understood.names.is_empty() && !is_guide).then_some(&understood.names);
    let mut found = results(snapshot, &only, query, RESULTS);
    // A document without the name is about something else.
    found
        .retain(|it| names.is_none_or(|all| all.iter().any(|asked| it.text.contains(&asked.name))));
    found.iter().take(most).filter_map(|it| document(snapshot, it, role)).collect()
}

/// Whether a file is a document that may answer the question.
pub(super) fn is_document(snapshot: &Snapshot, request: &AskRequest<'_>, path: &str) -> bool {
    let is_prose = snapshot.file(path).is_some_and(|it| snapshot.role(it) == FileRole::Prose);
    // English questions match only names and code in translated documents, so these are left out.
    let is_readable = !request.question.is_ascii() || !is_translation(path);
    is_prose && !is_log(path) && !is_fixture(path) && is_readable
}

/// Whether a document is a text that tests read, and explains nothing. A folder `spec` may hold specifications.
fn is_fixture(path: &str) -> bool {
    let Some((directory, name)) = path.rsplit_once('/') else { return false };
    let of_tests = |it: &str| {
        let word = it.trim_matches('_').rsplit(['-', '_', '.']).next().unwrap_or(it);
        ["test", "tests", "testdata", "testcases", "fixture", "fixtures"].contains(&word)
    };
    let is_guide = name.to_lowercase().starts_with("readme")
        || directory.split('/').any(|it| matches!(it, "doc" | "docs"));
    !is_guide && directory.split('/').any(of_tests)
}

/// The best lines of a document.
pub(super) fn document(snapshot: &Snapshot, it: &SearchResult, role: Role) -> Option<Draft> {
    let file = snapshot.file(&it.path)?;
    let excerpt = it.excerpt(DOCUMENT_LINES);
    let lines = excerpt.text.lines().count().max(1) as u32;
    let why = it.reasons.iter().cloned().map(Why::Ranked).collect();
    let lines = (excerpt.start_line, excerpt.start_line + lines - 1);
    let mut draft = lines_of(snapshot, file, lines, role, why);
    (draft.item.symbol, draft.item.kind) = (it.symbol.clone(), it.kind);
    draft.item.signature.clear();
    draft.item.summary = first_paragraph(&draft.item.text, "").1;
    Some(draft)
}

/// Whether the file is a change log, a licence or the like: it has every word and explains nothing.
fn is_log(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    ["change", "history", "news", "release", "license", "licence", "authors", "code_of_conduct"]
        .iter()
        .any(|it| name.contains(it))
}

/// Whether the path marks a document as a translation: `docs/fr-FR/guide.md`, `README.ja.md`, `README_zh-CN.md`,
/// `i18n/de/guide.md`.
pub(super) fn is_translation(path: &str) -> bool {
    let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |it| it.0);
    let suffix = stem.rsplit_once(['.', '_']).map(|it| it.1);
    let readme = stem.get(..6).filter(|it| it.eq_ignore_ascii_case("readme"));
    let of_readme = readme.map(|it| stem[it.len()..].trim_start_matches(['.', '_', '-']));
    let last = of_readme.or(suffix);
    let in_directory = directories.split('/').any(|it| is_locale(it, LocaleForm::WithRegion));
    let parents = directories.split('/').zip(directories.split('/').skip(1));
    let mut translated = parents.filter(|it| TRANSLATIONS.contains(&it.0));
    in_directory
        || translated.any(|it| is_locale(it.1, LocaleForm::Any))
        || last.is_some_and(|it| is_locale(it, LocaleForm::WithRegion))
        || of_readme.is_some_and(|it| {
            let language = it.split(['-', '_']).next().unwrap_or(it).to_ascii_lowercase();
            is_locale(&language, LocaleForm::Any) || !it.is_ascii()
        })
}

/// Directories of translations.
const TRANSLATIONS: [&str; 6] = ["i18n", "l10n", "locale", "locales", "translations", "translated"];

/// Forms of a locale that are accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LocaleForm {
    /// `pt-BR`, `zh_Hans`.
    WithRegion,
    /// Also `pt`.
    Any,
}

/// Whether a word names a language other than English.
fn is_locale(word: &str, form: LocaleForm) -> bool {
    let (language, region) =
        word.split_once(['-', '_']).map_or((word, None), |it| (it.0, Some(it.1)));
    let is_language = (2..=3).contains(&language.len())
        && language.bytes().all(|it| it.is_ascii_lowercase())
        && language != "en";
    let is_region = region.is_some_and(|it| {
        it.len() == 2 && it.bytes().all(|it| it.is_ascii_uppercase())
            || matches!(it, "Hans" | "Hant")
    });
    is_language && (is_region || region.is_none() && language.len() == 2 && form == LocaleForm::Any)
}

/// Number of leading path components that two paths share; one more for the same file.
fn nearness(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_tests_read_explain_nothing() {
        for path in ["tests/syntax/help.txt", "spec/fixtures/page.html", "a/testdata/b/long.md"] {
            assert!(is_fixture(path), "{path}");
        }
        for path in ["docs/testing/fixtures.md", "tests/README.md", "testing.md", "guide/tests.md"]
        {
            assert!(!is_fixture(path), "{path}");
        }
    }

    #[test]
    fn a_translation_says_in_its_path_that_it_is_one() {
        let check = |path: &str, expect: bool| assert_eq!(is_translation(path), expect, "{path}");
        check("docs/fr-FR/config/README.md", true);
        check("docs/zh_Hans/guide.md", true);
        check("README.ja.md", true);
        check("README_cn.md", true);
        check("README-pt-BR.md", true);
        check("README.zh-cn.md", true);
        check("README_JA.md", true);
        check("README-EN.md", false);
        check("README中文.md", true);
        check("README.Español.md", true);
        check("docs/i18n/de/guide.md", true);
        check("docs/en-US/guide.md", false);
        check("docs/go/guide.md", false);
        check("README.md", false);
        check("readme.txt", false);
        check("docs/setup_py.md", false);
        check("README-VIM.md", false);
        check("öööööö.md", false);
    }
}
