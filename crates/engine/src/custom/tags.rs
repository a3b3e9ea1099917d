//! Tags on definitions and files, by rules that a team writes; some are built in.

use foreword_chunk::{Kind, Language};
use globset::GlobSet;
use grep_matcher::Matcher as _;
use grep_regex::RegexMatcher;

use crate::index::{ChunkId, FileId, FileRole, Snapshot};
use crate::search::name_of;

/// Built-in tags, with a description of each.
pub const BUILT_IN: [(&str, &str); 5] = [
    ("async", "an asynchronous function"),
    ("commented", "a definition with a documentation comment"),
    ("deprecated", "a definition marked as deprecated"),
    ("public", "a public definition"),
    ("test", "test code"),
];

/// Bytes of a definition in which a pattern is searched.
const MAX_TEXT: usize = 64 << 10;

/// Lines above a definition that may be its attributes.
const MAX_ATTRIBUTES: usize = 6;

/// Rule of a tag; all its conditions must hold.
#[derive(Clone, Debug, Default)]
pub struct TagRule {
    /// Its name.
    pub name: String,
    /// Globs of paths; `None` for any path.
    pub paths: Option<GlobSet>,
    /// Pattern in the text of a definition.
    pub text: Option<RegexMatcher>,
    /// Languages; empty for any.
    pub languages: Vec<Language>,
    /// Kinds of definitions; empty for any.
    pub kinds: Vec<Kind>,
    /// Factor on the score of tagged code; 1 for none.
    pub weight: f32,
}

/// A definition, or lines of a file outside of definitions.
#[derive(Clone, Copy)]
pub struct Subject<'s> {
    /// The snapshot with the file.
    pub snapshot: &'s Snapshot,
    /// The file.
    pub file: FileId,
    /// Number of the definition in its file.
    pub definition: Option<u32>,
    /// First and last byte of the lines, where there is no definition.
    pub bytes: (usize, usize),
}

/// Error: the tag does not exist.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown tag {name}; known tags: {known}")]
pub struct UnknownTag {
    /// Its name.
    pub name: String,
    /// Names of the existing tags.
    pub known: String,
}

/// The names of all tags, built-in and the team's.
pub fn names(rules: &[TagRule]) -> Vec<&str> {
    let mut res: Vec<&str> = BUILT_IN.iter().map(|it| it.0).collect();
    for it in rules {
        if !res.contains(&it.name.as_str()) {
            res.push(&it.name);
        }
    }
    res
}

impl TagRule {
    /// A built-in tag that changes no score.
    fn built_in(name: &str) -> Self {
        Self { name: name.to_owned(), weight: 1.0, ..Self::default() }
    }

    pub(super) fn is_neutral(&self) -> bool {
        (self.weight - 1.0).abs() <= f32::EPSILON
    }

    /// Whether the file's path and language allow the tag.
    fn may_be_in(&self, snapshot: &Snapshot, file: FileId) -> bool {
        let by_path = self.paths.as_ref().is_none_or(|it| it.is_match(snapshot.path(file)));
        let has = |it: Language| self.languages.contains(&it);
        by_path && (self.languages.is_empty() || snapshot.language(file).is_some_and(has))
    }

    /// Whether a subject has the tag.
    pub fn is_on(&self, subject: &Subject<'_>) -> bool {
        if !self.may_be_in(subject.snapshot, subject.file) {
            return false;
        }
        let kind_fits =
            self.kinds.is_empty() || subject.kind().is_some_and(|it| self.kinds.contains(&it));
        if !kind_fits {
            return false;
        }
        if BUILT_IN.iter().any(|it| it.0 == self.name) && !built_in(&self.name, subject) {
            return false;
        }
        let Some(pattern) = &self.text else { return true };
        let text = subject.text();
        let end = text.floor_char_boundary(MAX_TEXT);
        pattern.is_match(&text.as_bytes()[..end]).unwrap_or(false)
    }

    /// Whether a definition in a chunk, or around it, has the tag.
    pub(super) fn is_on_chunk(&self, snapshot: &Snapshot, chunk: ChunkId) -> bool {
        let file = chunk.file;
        if !self.may_be_in(snapshot, file) {
            return false;
        }
        let info = snapshot.chunk(chunk);
        let bytes = (info.start as usize, info.end as usize);
        let record = snapshot.record(file);
        let begins = |at: u32| (info.start..info.end).contains(&at);
        let all = record.symbols.definitions.iter().enumerate();
        let inside = all.filter(|it| begins(it.1.span.start)).map(|it| it.0 as u32);
        let around = record.symbols.enclosing(bytes.0);
        let mut subjects: Vec<Option<u32>> = inside.chain(around).map(Some).collect();
        if subjects.is_empty() {
            subjects.push(None);
        }
        let subject = |definition| Subject { snapshot, file, definition, bytes };
        subjects.into_iter().any(|it| self.is_on(&subject(it)))
    }
}

impl Subject<'_> {
    fn kind(&self) -> Option<Kind> {
        let record = self.snapshot.record(self.file);
        record.symbols.definitions.get(self.definition? as usize).map(|it| it.kind)
    }

    /// The whole text: of a definition with its documentation and attributes.
    fn text(&self) -> String {
        let text = self.snapshot.text(self.file);
        let record = self.snapshot.record(self.file);
        let it = self.definition.and_then(|it| record.symbols.definitions.get(it as usize));
        let (start, end) = match it {
            Some(it) => {
                let start = it.doc.map_or(it.span.start, |doc| doc.start.min(it.span.start));
                (attributes_start(&text, start as usize), it.span.end as usize)
            }
            None => self.bytes,
        };
        text.get(start..end).unwrap_or_default().to_owned()
    }

    /// The head of a definition; `None` without one.
    fn head(&self) -> Option<Head> {
        let (text, record) = self.snapshot.contents(self.file);
        let it = record.symbols.definitions.get(self.definition? as usize)?;
        let doc = it.doc.map(|doc| doc.of(&text).to_owned()).unwrap_or_default();
        let start = it.doc.map_or(it.span.start, |doc| doc.start.min(it.span.start));
        let start = attributes_start(&text, start as usize);
        let before = text.get(start..it.signature.start as usize).unwrap_or_default();
        let line = text[..it.signature.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let line = text[line..].lines().next().unwrap_or_default().to_owned();
        let (name, signature) = (it.name.of(&text).to_owned(), it.signature.of(&text).to_owned());
        Some(Head { doc, before: before.to_owned(), line, signature, name })
    }
}

/// The parts of a definition before its body.
struct Head {
    doc: String,
    /// Documentation and attributes before the signature.
    before: String,
    /// The line on which the signature begins.
    line: String,
    signature: String,
    name: String,
}

/// First byte of the attributes on the lines above a definition.
fn attributes_start(text: &str, start: usize) -> usize {
    let mut at = text[..start].rfind('\n').map_or(0, |it| it + 1);
    for _ in 0..MAX_ATTRIBUTES {
        let Some(end) = at.checked_sub(1) else { break };
        let above = text[..end].rfind('\n').map_or(0, |it| it + 1);
        let line = text[above..end].trim_start();
        let is_attribute =
            ["@", "#[", "[", "//", "/*", "*", "#"].iter().any(|it| line.starts_with(it));
        if !is_attribute {
            break;
        }
        at = above;
    }
    at
}

/// Whether a subject has a built-in tag.
fn built_in(name: &str, subject: &Subject<'_>) -> bool {
    let Subject { snapshot, file, .. } = *subject;
    if name == "test" {
        return is_test(subject);
    }
    let Some(head) = subject.head() else { return false };
    match name {
        "async" => {
            let word = |it: &str| has_word(&head.line, it) || has_word(&head.signature, it);
            word("async") || word("suspend") || word("coroutine")
        }
        "commented" => !head.doc.trim().is_empty(),
        "deprecated" => is_deprecated(&head),
        "public" => snapshot.language(file).is_some_and(|it| is_public(it, &head)),
        _ => false,
    }
}

/// Whether it is test code: in a test file, or in a test module of Rust.
pub(crate) fn is_test(subject: &Subject<'_>) -> bool {
    let Subject { snapshot, file, definition, .. } = *subject;
    let in_tests = |idx| {
        let name = name_of(snapshot, file, idx).0;
        name.split('.').any(|it| matches!(it, "tests" | "test"))
    };
    let is_rust = snapshot.language(file) == Language::from_name("rust");
    snapshot.role(file) == FileRole::Test || is_rust && definition.is_some_and(in_tests)
}

fn is_deprecated(head: &Head) -> bool {
    let marks = [
        "@deprecated",
        "@Deprecated",
        "#[deprecated",
        "[Obsolete",
        "[[deprecated",
        "Deprecated:",
        ".. deprecated::",
        "@available(*, deprecated",
        "DEPRECATED",
        "warnings.deprecated",
    ];
    marks.iter().any(|it| head.before.contains(it) || head.doc.contains(it))
}

/// Whether a definition is public, by the keywords and names of its language.
fn is_public(language: Language, head: &Head) -> bool {
    let word = |it: &str| has_word(&head.line, it) || has_word(&head.signature, it);
    let is_hidden =
        ["private", "protected", "fileprivate", "internal", "defp"].iter().any(|it| word(it));
    match language.name() {
        "rust" => head.line.trim_start().starts_with("pub ") || head.signature.starts_with("pub "),
        "go" => head.name.starts_with(char::is_uppercase),
        "java" | "csharp" | "php" => word("public"),
        "javascript" | "typescript" | "tsx" => word("export") || word("public"),
        "c" => !word("static"),
        _ => !is_hidden && !head.name.starts_with('_'),
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').any(|it| it == word)
}

/// Tags that results must have, and tags that they must not have.
#[derive(Clone, Debug, Default)]
pub struct TagFilter {
    wanted: Vec<TagRule>,
    unwanted: Vec<TagRule>,
}

impl TagFilter {
    /// Parses names as given: `async`, `!test`. Built-in tags need no rule.
    pub fn new(given: &[String], rules: &[TagRule]) -> Result<Self, UnknownTag> {
        let mut res = Self::default();
        for text in given {
            let (name, all) = match text.strip_prefix('!') {
                Some(name) => (name, &mut res.unwanted),
                None => (text.as_str(), &mut res.wanted),
            };
            let rule = rules.iter().find(|it| it.name == name).cloned();
            let is_known = BUILT_IN.iter().any(|it| it.0 == name);
            let rule = rule.or_else(|| is_known.then(|| TagRule::built_in(name)));
            let unknown = || UnknownTag { name: name.to_owned(), known: names(rules).join(", ") };
            all.push(rule.ok_or_else(unknown)?);
        }
        Ok(res)
    }

    /// Whether it passes everything.
    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.unwanted.is_empty()
    }

    /// Whether something in the file may pass.
    pub fn may_pass(&self, snapshot: &Snapshot, file: FileId) -> bool {
        self.wanted.iter().all(|it| it.may_be_in(snapshot, file))
    }

    /// Whether a subject passes.
    pub fn passes(&self, subject: &Subject<'_>) -> bool {
        self.wanted.iter().all(|it| it.is_on(subject)) && !self.hides(subject)
    }

    /// Whether a subject has an excluded tag.
    pub fn hides(&self, subject: &Subject<'_>) -> bool {
        self.unwanted.iter().any(|it| it.is_on(subject))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexConfig;
    use crate::source::Source;

    /// The names of the definitions with a tag.
    fn tagged(tag: &str, path: &str, text: &str) -> Vec<String> {
        let source = Source { path: path.to_owned(), text: text.to_owned() };
        let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
        let file = snapshot.file(path).unwrap();
        let filter = TagFilter::new(&[tag.to_owned()], &[]).unwrap();
        let n = snapshot.record(file).symbols.definitions.len() as u32;
        let subject =
            |it| Subject { snapshot: &snapshot, file, definition: Some(it), bytes: (0, 0) };
        let has = (0..n).filter(|it| filter.passes(&subject(*it)));
        has.map(|it| name_of(&snapshot, file, it).0).collect()
    }

    const RUST: &str = "/// Runs it.\n#[deprecated(note = \"no\")]\npub async fn run() {}\n\nfn stop() {}\n\nmod tests {\n    fn check() {}\n}\n";
    const PYTHON: &str = "async def run():\n    '''Runs it.\n\n    .. deprecated:: 2.0\n    '''\n    pass\n\n\ndef _stop():\n    pass\n";
    const GO: &str = "package x\n\n// Run runs it.\n//\n// Deprecated: use Go.\nfunc Run() {}\n\nfunc stop() {}\n";
    const JAVA: &str = "class A {\n    /** Runs it. */\n    @Deprecated\n    public void run() {}\n\n    void stop() {}\n}\n";
    const TYPESCRIPT: &str =
        "/** @deprecated */\nexport async function run() {}\n\nfunction stop() {}\n";

    #[test]
    fn a_tag_is_on_what_its_language_marks_so() {
        for tag in ["async", "deprecated", "commented", "public"] {
            assert_eq!(tagged(tag, "a.rs", RUST), ["run"], "{tag}");
        }
        assert_eq!(tagged("test", "a.rs", RUST), ["tests", "tests.check"]);
        for tag in ["async", "deprecated", "commented", "public"] {
            assert_eq!(tagged(tag, "a.py", PYTHON), ["run"], "{tag}");
        }
        for tag in ["deprecated", "commented", "public"] {
            assert_eq!(tagged(tag, "a.go", GO).last().unwrap(), "Run", "{tag}");
        }
        for tag in ["deprecated", "commented", "public"] {
            assert_eq!(tagged(tag, "A.java", JAVA), ["A.run"], "{tag}");
        }
        for tag in ["async", "deprecated", "public"] {
            assert_eq!(tagged(tag, "a.ts", TYPESCRIPT), ["run"], "{tag}");
        }
        assert_eq!(tagged("!public", "a.ts", TYPESCRIPT), ["stop"]);
    }

    #[test]
    fn an_unknown_tag_is_an_error_that_names_the_known_ones() {
        let error = TagFilter::new(&["hot".to_owned()], &[]).unwrap_err();
        assert!(error.to_string().contains("known tags: async, commented"), "{error}");
    }
}
