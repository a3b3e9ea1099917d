//! The ignore files: which are known, which wins, and what they say about a path.
//!
//! # Precedence
//!
//! Tiers are asked from the first to the last, and the first tier with an opinion decides:
//!
//! 1. rules of the caller ([`WalkConfig::rules`](crate::WalkConfig::rules)), for the user's own configuration;
//! 2. `.forewordignore`; only here and above does `!pattern` also bring back what built-in rules leave out;
//! 3. `.cursorignore`, `.aiignore`, `.aiexclude`, `.continueignore`: if one of them ignores the path it is ignored,
//!    and a `!pattern` in another does not help, because these files are there to keep things from programs like us;
//! 4. `.ignore`;
//! 5. `.gitignore`, then `.git/info/exclude`, then the user's global excludes.
//!
//! Within a tier the deepest directory's file wins, and in a file the last pattern that matches: all as in git. As in
//! git, too, nothing below an ignored directory can be brought back without bringing back the directory first.
//!
//! # Where we differ from git
//!
//! `.gitignore` counts outside of repositories as well, where archives of them are unpacked. Tracked files that match
//! an ignore pattern are ignored: the index of git is not read. `.aiexclude` has no negation (a line that begins with
//! `!` is dropped, which can only hide more), and an empty one hides its whole directory, both as Gemini defines it.
//! A repository inside the tree begins anew with tier 5, as git does; the other tiers reach into it.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, Glob};

use crate::skip::SkipReason;

/// Ignore files are written by hand; past this size the rest of one is not read.
const MAX_IGNORE_FILE: u64 = 1 << 20;

/// How a file with the name is to be read.
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

/// Chains in the order in which they are asked. Those of one tier are asked together.
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
    /// Where they were written, as it is shown.
    source: String,
    /// The text, to find the line of a pattern when somebody asks.
    text: String,
}

/// One ignore file and those that it overrides.
struct Node {
    rules: Rules,
    outer: Chain,
}

type Chain = Option<Arc<Node>>;

/// The ignore files that count in a directory. Cheap to clone: directories without ignore files share their parent's.
#[derive(Clone, Default)]
pub(crate) struct Stack {
    chains: [Chain; CHAINS],
    /// The global excludes alone, with which the git chain of a repository inside begins.
    global: Option<Arc<Path>>,
}

/// What the ignore files say about a path.
pub(crate) enum Verdict<'a> {
    /// Nothing.
    Silent,
    /// Take it.
    Wanted {
        /// By a tier that also overrides built-in rules.
        by_own: bool,
    },
    /// Leave it out.
    Ignored(Cause<'a>),
}

/// The pattern that ignores a path. Its description is made only when it is asked for: a tree may hold a hundred
/// thousand ignored files that nobody asks about.
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

    /// A repository begins in `dir`: what git ignored around it no longer counts, its own excludes do.
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

    /// Adds the ignore files of `dir` that `exists` knows of.
    pub(crate) fn enter(&mut self, dir: &Path, root: &Path, exists: impl Fn(&str) -> bool) {
        for (name, chain, dialect) in NAMES.into_iter().filter(|(name, ..)| exists(name)) {
            self.push(chain, from_file(dir, &dir.join(name), root, dialect));
        }
    }

    /// What the files say about `path` (absolute).
    pub(crate) fn verdict(&self, path: &Path, is_dir: bool) -> Verdict<'_> {
        for (tier, chains) in TIERS.into_iter().enumerate() {
            let mut wanted = false;
            for chain in &self.chains[chains] {
                match matched(chain, path, is_dir) {
                    Some((rules, glob)) if !glob.is_whitelist() => {
                        return Verdict::Ignored(Cause { rules, glob });
                    }
                    Some(_) => wanted = true,
                    None => {}
                }
            }
            if wanted {
                return Verdict::Wanted { by_own: tier <= OWN };
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

fn matched<'a>(chain: &'a Chain, path: &Path, is_dir: bool) -> Option<(&'a Rules, &'a Glob)> {
    let mut next = chain;
    while let Some(node) = next {
        match node.rules.matcher.matched(path, is_dir) {
            Match::None => next = &node.outer,
            Match::Ignore(glob) | Match::Whitelist(glob) => return Some((&node.rules, glob)),
        }
    }
    None
}

impl Cause<'_> {
    /// The pattern, for people.
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
        // The last pattern that matches decides, so of several equal lines it was the last.
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
    // Not `File::open` at once: it would wait for ever on a pipe that somebody named `.gitignore`.
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

    /// The verdict in a word: what each tier's text says about `path` below `/r`.
    fn check(files: &[(&str, &str)], path: &str, expect: &str) {
        let root = Path::new("/r");
        let mut stack = Stack::default();
        for (name, text) in files {
            let (_, chain, dialect) = *NAMES.iter().find(|(known, ..)| known == name).unwrap();
            stack.push(chain, from_text(root, (*name).to_string(), (*text).to_string(), dialect));
        }
        let word = match stack.verdict(&root.join(path), false) {
            Verdict::Silent => "silent".to_string(),
            Verdict::Wanted { by_own: true } => "wanted by own".to_string(),
            Verdict::Wanted { by_own: false } => "wanted".to_string(),
            Verdict::Ignored(cause) => cause.reason().to_string(),
        };
        assert_eq!(word, expect);
    }

    #[test]
    fn the_last_pattern_of_a_file_wins() {
        check(&[(".gitignore", "*.a\n!x.a\n")], "x.a", "wanted");
        check(&[(".gitignore", "!x.a\n# c\n*.a\n")], "x.a", "ignored by .gitignore:3: *.a");
        check(&[(".gitignore", "*.a\n")], "x.b", "silent");
    }

    #[test]
    fn our_own_file_wins_over_all_others() {
        check(
            &[(".forewordignore", "!x"), (".gitignore", "x"), (".cursorignore", "x")],
            "x",
            "wanted by own",
        );
    }

    #[test]
    fn among_the_files_for_programs_like_us_the_strictest_wins() {
        check(&[(".cursorignore", "!x"), (".aiignore", "x")], "x", "ignored by .aiignore:1: x");
        check(&[(".cursorignore", "!x"), (".gitignore", "x")], "x", "wanted");
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
    fn a_pattern_that_cannot_be_parsed_does_not_spoil_the_file() {
        check(&[(".gitignore", "a[\nx\n")], "x", "ignored by .gitignore:2: x");
    }
}
