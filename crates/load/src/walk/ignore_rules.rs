//! The ignore files: which are known, their precedence, and their verdict on a path.
//!
//! # Precedence
//!
//! Tiers are consulted from the first to the last; the first one with a matching rule decides:
//!
//! 1. rules of the caller ([`WalkConfig::rules`](crate::WalkConfig::rules)), for the user's own configuration;
//! 2. `.forewordignore`; only here and above does `!pattern` also include what built-in rules exclude;
//! 3. `.cursorignore`, `.aiignore`, `.aiexclude`, `.continueignore`: if one of them ignores the path it is ignored,
//!    and a `!pattern` in another does not help, because these files exist to hide things from programs like this one;
//! 4. `.ignore`;
//! 5. `.gitignore`, then `.git/info/exclude`, then the user's global excludes.
//!
//! Within a tier the file in the deepest directory wins, and within a file the last pattern that matches, as in git. Also
//! as in git, nothing below an ignored directory can be included unless the directory is included first.
//!
//! # Differences from git
//!
//! `.gitignore` applies outside of repositories as well, for unpacked archives of them. Tracked files that match
//! an ignore pattern are ignored: the index of git is not read. `.aiexclude` has no negation (a line that begins with
//! `!` is dropped, which can only hide more), and an empty one hides its whole directory, both as Gemini defines it.
//! A repository inside the tree begins anew with tier 5, as git does; the other tiers reach into it.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, Glob};

use super::entries::{EntryKind, Inclusion};
use crate::skip::SkipReason;

/// Ignore files are written by hand; the rest of a larger one is not read.
const MAX_IGNORE_FILE: u64 = 1 << 20;

/// The syntax of an ignore file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Git,
    /// No negation, and an empty file hides everything.
    Gemini,
}

/// The names, by chain; see [`Stack::chains`].
const NAMES: [(&str, usize, Dialect); 7] = [
    (".forewordignore", OWN, Dialect::Git),
    (".cursorignore", 2, Dialect::Git),
    (".aiignore", 3, Dialect::Git),
    (".aiexclude", 4, Dialect::Gemini),
    (".continueignore", 5, Dialect::Git),
    (".ignore", 6, Dialect::Git),
    (".gitignore", GIT, Dialect::Git),
];

const CALLER: usize = 0;
const OWN: usize = 1;
const GIT: usize = 7;
const CHAINS: usize = 8;

/// The chains in order of precedence. Those of one tier are consulted together.
const TIERS: [std::ops::Range<usize>; 5] = [CALLER..1, OWN..2, 2..6, 6..7, GIT..CHAINS];

/// The names of ignore files.
pub(crate) fn file_names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, ..)| *name)
}

/// Whether the name is that of an ignore file.
pub(crate) fn is_ignore_file(name: &str) -> bool {
    name.starts_with('.') && NAMES.iter().any(|(known, ..)| *known == name)
}

/// The patterns of one file.
struct Rules {
    matcher: Gitignore,
    /// The file in which they were written, for messages.
    source: String,
    /// The text, to find the line of a pattern.
    text: String,
}

/// One ignore file and those that it overrides.
struct Node {
    rules: Rules,
    outer: Chain,
}

type Chain = Option<Arc<Node>>;

/// The ignore files that apply to a directory. Cheap to clone: directories without ignore files share those of their
/// parent.
#[derive(Clone, Default)]
pub(crate) struct Stack {
    chains: [Chain; CHAINS],
    /// The global excludes, with which the git chain of a nested repository begins.
    global: Option<Arc<Path>>,
}

/// The verdict of the ignore files on a path.
pub(crate) enum Verdict<'a> {
    /// No rule matches.
    Silent,
    /// It is included; explicitly if the tier also overrides built-in rules.
    Included(Inclusion),
    /// It is excluded.
    Ignored(Cause<'a>),
}

/// The pattern that ignores a path. Its description is made only on request: a tree may have a hundred thousand ignored
/// files.
pub(crate) struct Cause<'a> {
    rules: &'a Rules,
    glob: &'a Glob,
}

impl Stack {
    /// The stack above all directories: rules of the caller, and the user's excludes for a repository at `top`.
    pub(crate) fn new(top: &Path, root: &Path, rules: &[String], global: Option<&Path>) -> Self {
        let mut stack = Self { global: global.map(Arc::from), ..Self::default() };
        stack.push(
            CALLER,
            from_text(root, "configuration".to_string(), rules.join("\n"), Dialect::Git),
        );
        stack.push_global(top);
        stack
    }

    /// Enters a repository that begins in `dir`: the git rules of the enclosing one no longer apply, its own excludes do.
    pub(crate) fn enter_repository(&mut self, dir: &Path, common_dir: Option<&Path>, root: &Path) {
        self.chains[GIT] = None;
        self.push_global(dir);
        if let Some(common_dir) = common_dir {
            self.push(
                GIT,
                from_file(dir, &common_dir.join("info").join("exclude"), root, Dialect::Git),
            );
        }
    }

    /// Adds those ignore files of `dir` for which `exists` returns true.
    pub(crate) fn enter(&mut self, dir: &Path, root: &Path, exists: impl Fn(&str) -> bool) {
        for (name, chain, dialect) in NAMES.into_iter().filter(|(name, ..)| exists(name)) {
            self.push(chain, from_file(dir, &dir.join(name), root, dialect));
        }
    }

    /// The verdict on `path` (absolute).
    pub(crate) fn verdict(&self, path: &Path, kind: EntryKind) -> Verdict<'_> {
        for (tier, chains) in TIERS.into_iter().enumerate() {
            let mut is_included = false;
            for chain in &self.chains[chains] {
                match matched(chain, path, kind) {
                    Some((rules, glob)) if !glob.is_whitelist() => {
                        return Verdict::Ignored(Cause { rules, glob });
                    }
                    Some(_) => is_included = true,
                    None => {}
                }
            }
            if is_included {
                let overrides = tier <= OWN;
                return Verdict::Included(match overrides {
                    true => Inclusion::Explicit,
                    false => Inclusion::Default,
                });
            }
        }
        Verdict::Silent
    }

    fn push_global(&mut self, top: &Path) {
        if let Some(global) = self.global.clone() {
            self.push(GIT, from_file(top, &global, top, Dialect::Git));
        }
    }

    fn push(&mut self, chain: usize, rules: Option<Rules>) {
        if let Some(rules) = rules {
            let outer = self.chains[chain].take();
            self.chains[chain] = Some(Arc::new(Node { rules, outer }));
        }
    }
}

fn matched<'a>(chain: &'a Chain, path: &Path, kind: EntryKind) -> Option<(&'a Rules, &'a Glob)> {
    let mut next = chain;
    while let Some(node) = next {
        match node.rules.matcher.matched(path, kind.is_dir()) {
            Match::None => next = &node.outer,
            Match::Ignore(glob) | Match::Whitelist(glob) => return Some((&node.rules, glob)),
        }
    }
    None
}

impl Cause<'_> {
    /// The pattern as a reason.
    pub(crate) fn reason(&self) -> SkipReason {
        let Self { rules, glob } = self;
        let by = rules.source.clone();
        if rules.text.trim().is_empty() {
            return SkipReason::Ignored {
                by,
                rule: "(the file is empty: everything)".to_string(),
                line: None,
            };
        }
        // The last pattern that matches decides, so of several equal lines it is the last.
        let lines = rules.text.lines().enumerate();
        let line = lines.filter(|(_, line)| line.trim_end() == glob.original().trim_end()).last();
        SkipReason::Ignored {
            by,
            rule: glob.original().to_string(),
            line: line.map(|(index, _)| index as u32 + 1),
        }
    }
}

/// The rules of the file at `path`, relative to `dir`. A file that cannot be read has no rules; as a file of the tree
/// it is reported like any other that cannot be read.
fn from_file(dir: &Path, path: &Path, root: &Path, dialect: Dialect) -> Option<Rules> {
    // `File::open` would wait forever on a pipe that is named `.gitignore`.
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MAX_IGNORE_FILE).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let source =
        crate::relative::below(root, path).unwrap_or_else(|| path.to_string_lossy().into_owned());
    from_text(dir, source, text.to_string(), dialect)
}

fn from_text(dir: &Path, source: String, text: String, dialect: Dialect) -> Option<Rules> {
    let mut builder = GitignoreBuilder::new(dir);
    let everything = dialect == Dialect::Gemini && text.trim().is_empty();
    let lines = if everything { "*" } else { &text };
    for line in lines.lines().filter(|line| dialect == Dialect::Git || !line.starts_with('!')) {
        // A pattern that cannot be parsed matches nothing, as in git; the others still count.
        let _ = builder.add_line(None::<PathBuf>, line);
    }
    let matcher = builder.build().ok()?;
    (!matcher.is_empty()).then_some(Rules { matcher, source, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the verdict of these ignore files on `path` below `/r`.
    fn check(files: &[(&str, &str)], path: &str, expect: &str) {
        let root = Path::new("/r");
        let mut stack = Stack::default();
        for (name, text) in files {
            let (_, chain, dialect) = *NAMES.iter().find(|(known, ..)| known == name).unwrap();
            stack.push(chain, from_text(root, (*name).to_string(), (*text).to_string(), dialect));
        }
        let word = match stack.verdict(&root.join(path), EntryKind::Other) {
            Verdict::Silent => "silent".to_string(),
            Verdict::Included(Inclusion::Explicit) => "explicitly included".to_string(),
            Verdict::Included(Inclusion::Default) => "included".to_string(),
            Verdict::Ignored(cause) => cause.reason().to_string(),
        };
        assert_eq!(word, expect);
    }

    #[test]
    fn the_last_pattern_of_a_file_wins() {
        check(&[(".gitignore", "*.a\n!x.a\n")], "x.a", "included");
        check(&[(".gitignore", "!x.a\n# c\n*.a\n")], "x.a", "ignored by .gitignore:3: *.a");
        check(&[(".gitignore", "*.a\n")], "x.b", "silent");
    }

    #[test]
    fn forewordignore_overrides_all_other_files() {
        check(
            &[(".forewordignore", "!x"), (".gitignore", "x"), (".cursorignore", "x")],
            "x",
            "explicitly included",
        );
    }

    #[test]
    fn among_the_files_for_programs_like_us_the_strictest_wins() {
        check(&[(".cursorignore", "!x"), (".aiignore", "x")], "x", "ignored by .aiignore:1: x");
        check(&[(".cursorignore", "!x"), (".gitignore", "x")], "x", "included");
    }

    #[test]
    fn an_empty_aiexclude_hides_everything_and_knows_no_negation() {
        check(
            &[(".aiexclude", "\n")],
            "x",
            "ignored by .aiexclude: (the file is empty: everything)",
        );
        check(&[(".aiexclude", "*.a\n!x.a\n")], "x.a", "ignored by .aiexclude:1: *.a");
        check(&[(".cursorignore", "")], "x", "silent");
    }

    #[test]
    fn a_pattern_that_cannot_be_parsed_does_not_affect_the_others() {
        check(&[(".gitignore", "a[\nx\n")], "x", "ignored by .gitignore:2: x");
    }
}
