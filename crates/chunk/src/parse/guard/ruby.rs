//! Here-documents and interpolation in Ruby.
//!
//! The scanner writes its open literals, five bytes each, and its open here-documents, four bytes and the name each,
//! into a buffer of 1024 bytes. A name of more than 255 characters is written with its length modulo 256, and the
//! process aborts when it is read. A quoted name reaches to the next quote, so a half-typed `x <<"` is enough. The
//! check for room also forgets two bytes: a state of exactly 1025 bytes is written behind the buffer and aborts.
//!
//! So a here-document without an end is not one: while it is typed the rest of the file is not part of it, and `list
//! <<item` appends. Few terminated ones are open at once.

use std::collections::HashMap;

use memchr::memmem;

/// Maximum length of a name, in bytes.
const MAX_NAME_LENGTH: usize = 250;
/// Maximum total size of the open here-documents, in the scanner's bytes. Real code has two or three open. This leaves
/// room for 100 literals.
const MAX_OPEN_SIZE: usize = 500;
/// Maximum number of open interpolations. Real code has three.
const MAX_INTERPOLATIONS: usize = 60;

/// The `<` characters to blank so that no here-document begins there; `None` if interpolations are nested too deep.
pub(super) fn blanks(text: &[u8]) -> Option<Vec<usize>> {
    nests_safely(text).then(|| here_documents(text).without_end())
}

fn nests_safely(text: &[u8]) -> bool {
    if memmem::find_iter(text, b"#{").take(MAX_INTERPOLATIONS + 1).count() <= MAX_INTERPOLATIONS {
        return true;
    }
    let mut nesting = Nesting::default();
    let mut braces = memchr::memchr2_iter(b'{', b'}', text);
    braces.all(|at| match text[..=at] {
        [.., b'#', b'{'] => nesting.begin(),
        _ => {
            nesting.brace(text[at]);
            true
        }
    })
}

/// Finds all here-documents, with their ends.
fn here_documents(text: &[u8]) -> HereDocuments<'_> {
    let mut here_documents = HereDocuments::default();
    let mut line = 0;
    let openings = memchr::memchr_iter(b'<', text).filter(|&at| text[..at].ends_with(b"<"));
    for opening in openings.filter_map(|at| opening(text, at + 1)) {
        line = here_documents.close_lines(text, line, opening.at);
        here_documents.all.push(opening);
    }
    here_documents.close_lines(text, line, text.len() + 1);
    here_documents
}

/// The start of a here-document.
struct Opening<'t> {
    /// Offset of its second `<`.
    at: usize,
    /// The name, truncated if too long.
    name: &'t [u8],
    may_indent: bool,
    /// Offset of the end of its last line; `None` if it is not terminated.
    end: Option<usize>,
}

/// Parses the name after a `<<` that ends at `at`.
fn opening(text: &[u8], mut at: usize) -> Option<Opening<'_>> {
    let (begin, before) = (at - 1, text[..at - 2].trim_ascii_end());
    let may_indent = matches!(text.get(at), Some(b'-' | b'~'));
    at += usize::from(may_indent);
    let quote = text.get(at).copied().filter(|it| matches!(it, b'"' | b'\'' | b'`'));
    at += usize::from(quote.is_some());
    let rest = &text[at..text.len().min(at + MAX_NAME_LENGTH + 1)];
    let ends = |it: u8| quote.map_or_else(|| !is_name(it), |quote| it == quote);
    let name = &rest[..rest.iter().position(|&it| ends(it)).unwrap_or(rest.len())];
    let is_one = !name.is_empty() && !before.ends_with(b"class");
    is_one.then_some(Opening { at: begin, name, may_indent, end: None })
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[derive(Default)]
struct HereDocuments<'t> {
    all: Vec<Opening<'t>>,
    /// Indices of the open ones, by name and whether the end may be indented.
    open: HashMap<(&'t [u8], bool), Vec<usize>>,
    /// Number of here-documents already added to `open`.
    known: usize,
}

impl<'t> HereDocuments<'t> {
    /// Scans the complete lines from `line` to `until` for ends, and returns the start of the next line.
    fn close_lines(&mut self, text: &'t [u8], mut line: usize, until: usize) -> usize {
        // Skip lines before the first here-document.
        if self.all.is_empty() {
            return memchr::memrchr(b'\n', &text[..until.min(text.len())]).map_or(0, |it| it + 1);
        }
        while line <= text.len() {
            let end = memchr::memchr(b'\n', &text[line..]).map_or(text.len(), |it| line + it);
            if end >= until {
                break;
            }
            self.close(&text[line..end], end);
            line = end + 1;
        }
        line
    }

    /// Closes the last one that this line ends.
    fn close(&mut self, line: &'t [u8], end: usize) {
        let name = line.trim_ascii();
        let mut last = |may_indent| self.open.get_mut(&(name, may_indent))?.pop();
        let ended = last(true).or_else(|| if line.starts_with(name) { last(false) } else { None });
        if let Some(at) = ended {
            self.all[at].end = Some(end);
        }
        // The first line of a here-document cannot end it.
        for (at, it) in self.all.iter().enumerate().skip(self.known) {
            self.open.entry((it.name, it.may_indent)).or_default().push(at);
        }
        self.known = self.all.len();
    }

    /// The offsets of here-documents without an end, with too long a name, or inside too many others.
    fn without_end(self) -> Vec<usize> {
        let mut open: Vec<&Opening<'_>> = Vec::new();
        let mut blanks = Vec::new();
        for it in &self.all {
            open.retain(|other| other.end > Some(it.at));
            let bytes: usize = open.iter().map(|it| it.name.len() + 4).sum();
            if it.end.is_some()
                && it.name.len() <= MAX_NAME_LENGTH
                && bytes + it.name.len() + 4 <= MAX_OPEN_SIZE
            {
                open.push(it);
            } else {
                blanks.push(it.at);
            }
        }
        blanks
    }
}

/// The open interpolations, each with its number of open braces.
#[derive(Default)]
struct Nesting(Vec<u32>);

impl Nesting {
    /// Opens an interpolation; `false` beyond the limit.
    fn begin(&mut self) -> bool {
        self.0.push(0);
        self.0.len() <= MAX_INTERPOLATIONS
    }

    fn brace(&mut self, byte: u8) {
        match (byte, self.0.last_mut()) {
            (b'{', Some(braces)) => *braces += 1,
            (b'}', Some(0)) => drop(self.0.pop()),
            (b'}', Some(braces)) => *braces -= 1,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::blanks;

    #[test]
    fn ordinary_documents_are_left_alone() {
        let text =
            "f(<<~A, <<-'B b', <<C)\n  #{x { {} }}\n  A\n  B b\nC\nclass <<self\nend\n1 << a\n";
        assert_eq!(blanks(text.repeat(8).as_bytes()), Some(Vec::new()));
    }

    #[test]
    fn a_document_without_an_end_does_not_begin() {
        assert_eq!(blanks(b"x <<~A\n  b\n"), Some(vec![3]));
        assert_eq!(blanks(b"x <<A\n  A\n"), Some(vec![3]));
        assert_eq!(blanks(b"x <<\"\n"), Some(vec![3]));
        assert_eq!(blanks(b"list <<item\nx = <<A\n\nA"), Some(vec![6]));
    }

    #[test]
    fn long_names_begin_no_document() {
        let name = "a".repeat(256);
        assert_eq!(blanks(format!("x <<\"{name}\"\n{name}\n").as_bytes()), Some(vec![3]));
        assert_eq!(blanks(format!("x <<<{name}\n{name}\n").as_bytes()), Some(vec![4]));
        let name = "a".repeat(200);
        assert_eq!(blanks(format!("x <<\"{name}\"\n{name}\n").as_bytes()), Some(vec![]));
    }

    #[test]
    fn what_is_open_at_once_is_limited() {
        let (begins, ends): (String, String) =
            (0..100).map(|it| (format!("a <<N{it}\n"), format!("N{it}\n"))).unzip();
        assert!(blanks((begins + &ends).as_bytes()).is_some_and(|it| it.len() > 20));
        assert_eq!(blanks("a <<N\nN\n".repeat(100).as_bytes()), Some(Vec::new()));
        assert_eq!(blanks("\"#{".repeat(100).as_bytes()), None);
    }
}
