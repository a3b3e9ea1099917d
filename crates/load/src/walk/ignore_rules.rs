//! The supported ignore files, their precedence, and their verdict on a path.
//!
//! # Precedence
//!
//! The first tier with a matching rule decides:
//!
//! 1. rules of the caller ([`WalkConfig::rules`](crate::WalkConfig::rules)), for the user's own configuration;
//! 2. `.forewordignore`; only here and above does `!pattern` also include paths that built-in rules exclude;
//! 3. `.cursorignore`, `.geminiignore`, `.codeiumignore` and the like: if one of them ignores the path it is ignored, and
//!    a `!pattern` in another does not help, because these files exist to hide things from programs like this one;
//! 4. `.ignore`;
//! 5. `.gitignore`, then `.git/info/exclude`, then the user's global excludes.
//!
//! Within a tier the file in the deepest directory wins, and within a file the last pattern that matches, as in git. Also
//! as in git, nothing below an ignored directory can be included unless the directory is included first.
//!
//! # Differences from git
//!
//! `.gitignore` also applies outside of repositories, for unpacked archives. Tracked files that match an ignore pattern
//! are ignored: git's index is not read. `.aiexclude` has no negation (a line that begins with `!` is dropped, which can
//! only hide more), and an empty one hides its whole directory, both as Gemini defines it. In a repository inside the tree
//! tier 5 starts anew, as in git; the other tiers still apply.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, Glob};

use super::entries::{EntryKind, Inclusion};
use super::ignore_files::{self, IgnoreFile, Quoting};
use crate::skip::SkipReason;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Git,
    /// No negation, and an empty file hides everything: `.aiexclude`.
    Gemini,
}

/// The ignore files in order of precedence. Each has a chain of its own.
const NAMES: [(&str, Dialect); 14] = [
    (".forewordignore", Dialect::Git),
    // Files of programs like this one: Cursor, JetBrains, Gemini Code Assist, Continue, Gemini CLI, Windsurf, Aider,
    // Cline, Roo Code, Kilo Code, and Augment.
    (".cursorignore", Dialect::Git),
    (".aiignore", Dialect::Git),
    (".aiexclude", Dialect::Gemini),
    (".continueignore", Dialect::Git),
    (".geminiignore", Dialect::Git),
    (".codeiumignore", Dialect::Git),
    (".aiderignore", Dialect::Git),
    (".clineignore", Dialect::Git),
    (".rooignore", Dialect::Git),
    (".kilocodeignore", Dialect::Git),
    (".augmentignore", Dialect::Git),
    (".ignore", Dialect::Git),
    (".gitignore", Dialect::Git),
];

/// Chain of the caller's rules.
const CALLER_CHAIN: usize = 0;

/// Chain of `.forewordignore`, the first of [`NAMES`].
const OWN_CHAIN: usize = 1;

/// Chain of `.gitignore`, the last of [`NAMES`].
const GIT_CHAIN: usize = NAMES.len();

const CHAINS: usize = GIT_CHAIN + 1;

/// Maximum size of an ignore file. A pattern may cost as much as 100 lines of source code, so a longer file is not read:
/// it hides everything, as what it was to hide is unknown.
const MAX_LINES: usize = 10_000;
const MAX_BYTES: usize = 512 << 10;

/// Ranges of chains in order of precedence. The chains of one tier are consulted together.
const TIERS: [std::ops::Range<usize>; 5] = [
    CALLER_CHAIN..OWN_CHAIN,
    OWN_CHAIN..OWN_CHAIN + 1,
    OWN_CHAIN + 1..GIT_CHAIN - 1,
    GIT_CHAIN - 1..GIT_CHAIN,
    GIT_CHAIN..CHAINS,
];

/// The names of ignore files.
pub(crate) fn file_names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

/// Whether the name is that of an ignore file.
pub(crate) fn is_ignore_file(name: &str) -> bool {
    name.starts_with('.') && NAMES.iter().any(|(known, _)| *known == name)
}

/// The patterns of one file.
struct Rules {
    matcher: Gitignore,
    /// The name of the file, for messages.
    source: String,
    /// The text, to find the line of a pattern.
    text: String,
    quoting: Quoting,
    /// Why the file hides everything, whatever its lines say.
    everything: Option<&'static str>,
}

/// An ignore file and those that it overrides.
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
    /// Included; explicitly if the tier also overrides built-in rules.
    Included(Inclusion),
    Ignored(Cause<'a>),
}

/// The pattern that ignores a path. Its description is computed on request: a tree may have a hundred thousand ignored
/// files.
pub(crate) struct Cause<'a> {
    rules: &'a Rules,
    glob: &'a Glob,
}

impl Stack {
    /// The stack above all directories: rules of the caller, and the user's excludes for a repository at `top`.
    pub(crate) fn new(top: &Path, root: &Path, rules: &[String], global: Option<&Path>) -> Self {
        let mut stack = Self { global: global.map(Arc::from), ..Self::default() };
        let (source, quoting) = ("configuration".to_string(), Quoting::Allowed);
        let rules = IgnoreFile { source, text: rules.join("\n"), quoting };
        stack.push(CALLER_CHAIN, parsed(root, rules, Dialect::Git));
        stack.push_global(top);
        stack
    }

    /// Enters a repository whose top is `dir`: its own git rules replace those of the enclosing one.
    pub(crate) fn enter_repository(&mut self, dir: &Path, common_dir: Option<&Path>, root: &Path) {
        self.chains[GIT_CHAIN] = None;
        self.push_global(dir);
        if let Some(common_dir) = common_dir {
            let excludes = ignore_files::at(&common_dir.join("info").join("exclude"), root);
            self.push(GIT_CHAIN, excludes.and_then(|it| parsed(dir, it, Dialect::Git)));
        }
    }

    /// Adds the ignore files of `dir` and returns the number of their patterns; `read` returns the text of one if it
    /// exists.
    pub(super) fn enter(&mut self, dir: &Path, read: impl Fn(&str) -> Option<IgnoreFile>) -> u64 {
        let mut patterns = 0;
        for ((name, dialect), chain) in NAMES.into_iter().zip(OWN_CHAIN..) {
            let rules = read(name).and_then(|it| parsed(dir, it, dialect));
            patterns += rules.as_ref().map_or(0, |it| it.matcher.len() as u64);
            self.push(chain, rules);
        }
        patterns
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
                let overrides = tier <= OWN_CHAIN;
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
            let global = ignore_files::at(&global, top);
            self.push(GIT_CHAIN, global.and_then(|it| parsed(top, it, Dialect::Git)));
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
    /// Describes the pattern as a reason.
    pub(crate) fn reason(&self) -> SkipReason {
        let Self { rules, glob } = self;
        let by = rules.source.clone();
        if let Some(why) = rules.everything {
            return SkipReason::Ignored { by, rule: why.to_string(), line: None };
        }
        if rules.quoting == Quoting::Denied {
            let rule = "(a line of the file outside to which it links)".to_string();
            return SkipReason::Ignored { by, rule, line: None };
        }
        // The last matching pattern decides, so of several equal lines report the last.
        let lines = rules.text.lines().enumerate();
        let line = lines.filter(|(_, line)| line.trim_end() == glob.original().trim_end()).last();
        SkipReason::Ignored {
            by,
            rule: glob.original().to_string(),
            line: line.map(|(index, _)| index as u32 + 1),
        }
    }
}

/// Parses the rules of a file, relative to `dir`.
fn parsed(dir: &Path, file: IgnoreFile, dialect: Dialect) -> Option<Rules> {
    let IgnoreFile { source, text, quoting } = file;
    let mut builder = GitignoreBuilder::new(dir);
    let is_long = text.len() > MAX_BYTES || text.lines().nth(MAX_LINES).is_some();
    let is_empty = dialect == Dialect::Gemini && text.trim().is_empty();
    let everything = match (is_long, is_empty) {
        (true, _) => Some("(the file has more than 10,000 lines or 512 KiB: everything)"),
        (_, true) => Some("(the file is empty: everything)"),
        _ => None,
    };
    let lines = if everything.is_some() { "*" } else { &text };
    for line in lines.lines().filter(|line| dialect == Dialect::Git || !line.starts_with('!')) {
        // An invalid pattern matches nothing, as in git; the others still count.
        let _ = builder.add_line(None::<PathBuf>, line);
    }
    let matcher = builder.build().ok()?;
    (!matcher.is_empty()).then_some(Rules { matcher, source, text, quoting, everything })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the verdict of these ignore files on `path` below `/r`.
    fn check(files: &[(&str, &str)], path: &str, expect: &str) {
        let root = Path::new("/r");
        let mut stack = Stack::default();
        for (name, text) in files {
            let at = NAMES.iter().position(|(known, _)| known == name).unwrap();
            let (chain, dialect) = (OWN_CHAIN + at, NAMES[at].1);
            let (source, text) = ((*name).to_string(), (*text).to_string());
            let file = IgnoreFile { source, text, quoting: Quoting::Allowed };
            stack.push(chain, parsed(root, file, dialect));
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
