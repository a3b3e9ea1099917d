//! What a person pastes beside a question, or pipes in: tracebacks, the output of compilers and test runners, diffs and
//! coverage reports. Each is read for the places that it names.
//!
//! Nothing here knows a repository; [`super::resolve`] says which of its files a path means. Text that is none of this
//! has no places, and is still searched by its words.

mod coverage;
mod line;

use self::coverage::Coverage;
use self::line::{called_by_php, message, place};

/// What a place was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A frame of a traceback.
    Traceback,
    /// A message of a compiler, a linter or a test runner.
    Message,
    /// A hunk of a diff.
    Diff,
    /// Lines that a coverage report says were never run.
    Coverage,
}

impl Origin {
    /// Its name in one word, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Traceback => "traceback",
            Self::Message => "message",
            Self::Diff => "diff",
            Self::Coverage => "coverage",
        }
    }
}

/// Lines of a file that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as written; empty where only the function is named.
    pub path: String,
    /// The first line, 1-based; 0 where only the function is named.
    pub first: u32,
    /// The last line, 1-based, inclusive.
    pub last: u32,
    /// The function that is named with it, as written: `f`, `com.a.B.run`.
    pub function: Option<String>,
    /// What is said of it: the message of a compiler.
    pub message: Option<String>,
    /// What it was read from.
    pub origin: Origin,
}

/// What a pasted text says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastedText {
    /// Those of messages first, then of tracebacks, the innermost first, then of diffs, then of coverage.
    pub places: Vec<Place>,
    /// What went wrong, in the words of the program: the messages of errors, each once.
    pub messages: Vec<String>,
}

/// How many lines of a text are read.
const MAX_LINES: usize = 20_000;

/// How many places are kept.
const MAX_PLACES: usize = 64;

/// How many messages are kept.
const MAX_MESSAGES: usize = 8;

/// The longest line that is read, in bytes; what is longer is data.
const MAX_LINE: usize = 2_000;

/// Reads a pasted text.
pub(super) fn read(text: &str) -> PastedText {
    let mut reader = Reader::default();
    let plain = without_escapes(text);
    for line in plain.lines().take(MAX_LINES).filter(|it| it.len() <= MAX_LINE) {
        reader.read(line);
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    frames: Vec<Place>,
    /// Frames of Python, whose innermost comes last.
    reversed: Vec<Place>,
    said: Vec<Place>,
    /// What each frame of PHP calls: it is written beside the line of the call, and is the function that the frame before
    /// is in.
    called: Vec<(usize, String)>,
    diff: Vec<Place>,
    /// The file of the hunks that follow.
    diff_file: Option<String>,
    coverage: Coverage,
    messages: Vec<String>,
    /// A message whose place comes on a later line, as in rustc and javac.
    pending: Option<String>,
}

impl Reader {
    fn read(&mut self, line: &str) {
        if self.coverage.read(line) || self.read_diff(line) {
            return;
        }
        let said = message(line);
        if let Some(it) = &said
            && self.messages.len() < MAX_MESSAGES
            && !self.messages.contains(it)
        {
            self.messages.push(it.clone());
        }
        match place(line) {
            Some(it) => {
                let called = called_by_php(line).filter(|_| it.origin == Origin::Traceback);
                self.called.extend(called.map(|name| (self.frames.len(), name.to_owned())));
                self.add(it, said);
            }
            None => self.pending = said.or(self.pending.take()),
        }
    }

    fn add(&mut self, mut it: Place, said: Option<String>) {
        let is_python = it.origin == Origin::Traceback && it.function.is_some();
        if it.origin == Origin::Message {
            it.message = said.or_else(|| self.pending.take());
            return self.said.push(it);
        }
        match is_python && it.message.is_some() {
            true => self.reversed.push(Place { message: None, ..it }),
            false => self.frames.push(it),
        }
    }

    /// Whether the line is of a diff.
    fn read_diff(&mut self, line: &str) -> bool {
        if let Some(path) = line.strip_prefix("+++ ") {
            let path = path.split('\t').next().unwrap_or(path).trim();
            let path = path.strip_prefix("b/").unwrap_or(path);
            self.diff_file = Some(path.to_owned()).filter(|it| it != "/dev/null");
            return true;
        }
        let Some(hunk) = line.strip_prefix("@@ ") else { return false };
        let (Some(path), Some((first, n))) = (&self.diff_file, new_lines(hunk)) else {
            return false;
        };
        let last = first + n.saturating_sub(1);
        let origin = Origin::Diff;
        self.diff.push(Place {
            path: path.clone(),
            first,
            last,
            function: None,
            message: None,
            origin,
        });
        true
    }

    fn name_functions_of_php(&mut self) {
        for (at, name) in std::mem::take(&mut self.called) {
            // The first frame calls what the place of the message is in.
            let before = match at.checked_sub(1) {
                Some(before) => self.frames.get_mut(before),
                None => self.said.last_mut().filter(|it| it.path.rsplit('.').next() == Some("php")),
            };
            if let Some(before) = before {
                before.function = Some(name);
            }
        }
    }

    fn finish(mut self) -> PastedText {
        self.reversed.reverse();
        self.name_functions_of_php();
        let mut places: Vec<Place> = Vec::new();
        let all = [self.said, self.reversed, self.frames, self.diff, self.coverage.places()];
        for it in all.into_iter().flatten() {
            let is_known = |known: &Place| {
                let same = known.path == it.path && known.first == it.first;
                same && (it.first > 0 || known.function == it.function)
            };
            if places.len() < MAX_PLACES && !places.iter().any(is_known) {
                places.push(it);
            }
        }
        PastedText { places, messages: self.messages }
    }
}

/// The first new line of a hunk and how many there are: `-1,3 +4,5 @@`.
fn new_lines(hunk: &str) -> Option<(u32, u32)> {
    let new = hunk.split(' ').find_map(|it| it.strip_prefix('+'))?;
    let (first, n) = new.split_once(',').unwrap_or((new, "1"));
    Some((first.parse().ok()?, n.parse().ok()?))
}

/// The text without the escape sequences that terminals read: compilers write colours into pipes when told to.
fn without_escapes(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(it) = rest.next() {
        if it != '\u{1b}' {
            res.push(it);
        } else if rest.next() == Some('[') {
            // Parameters end with a letter.
            rest.by_ref().find(char::is_ascii_alphabetic);
        }
    }
    res
}

#[cfg(test)]
mod tests;
