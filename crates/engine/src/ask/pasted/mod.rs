//! Reads pasted text for places and messages: tracebacks, output of compilers and test runners, diffs, coverage
//! reports.
//!
//! Knows no repository; [`super::resolve`] finds the files. Other text has no places, and its words are still searched.

mod coverage;
mod line;

use self::coverage::Coverage;
use self::line::{called_by_php, message, place};

/// Source of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A frame of a traceback.
    Traceback,
    /// A message of a compiler, a linter or a test runner.
    Message,
    /// A hunk of a diff.
    Diff,
    /// Lines without coverage in a report.
    Coverage,
}

impl Origin {
    /// Name for programs, in one word.
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
    /// First line, 1-based; 0 where only the function is named.
    pub first: u32,
    /// Last line, 1-based, inclusive.
    pub last: u32,
    /// The function at the place, as written: `f`, `com.a.B.run`.
    pub function: Option<String>,
    /// A compiler's message about it.
    pub message: Option<String>,
    /// Where the text names it.
    pub origin: Origin,
}

/// Places and messages of a pasted text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastedText {
    /// Places of messages first, then of tracebacks (innermost first), diffs, and coverage.
    pub places: Vec<Place>,
    /// Error messages, each once.
    pub messages: Vec<String>,
}

/// Lines of a text that are read.
const MAX_LINES: usize = 20_000;

/// Places that are kept.
const MAX_PLACES: usize = 64;

/// Messages that are kept.
const MAX_MESSAGES: usize = 8;

/// Longer lines, in bytes, are data and skipped.
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
    /// The function that each PHP frame calls. It is written beside the line of the call, and is the function of the
    /// frame before.
    called: Vec<(usize, String)>,
    diff: Vec<Place>,
    /// The file of the next hunks.
    diff_file: Option<String>,
    coverage: Coverage,
    messages: Vec<String>,
    /// A message whose place is on a later line, as in rustc and javac.
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

    /// Reads a line of a diff; false if it is not one.
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
            // The first frame calls the function with the message.
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

/// First line and number of lines of the new side of a hunk: `-1,3 +4,5 @@`.
fn new_lines(hunk: &str) -> Option<(u32, u32)> {
    let new = hunk.split(' ').find_map(|it| it.strip_prefix('+'))?;
    let (first, n) = new.split_once(',').unwrap_or((new, "1"));
    Some((first.parse().ok()?, n.parse().ok()?))
}

/// Strips terminal escape sequences: compilers may write colours into pipes.
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
