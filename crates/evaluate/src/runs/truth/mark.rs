//! Parses the marks in a file: cursors and unsaved edits.
//!
//! `<CURSOR: places>` or `<CURSOR name: places>` marks the hole; `;` separates locations. `<TYPED>text</TYPED>` is in
//! the editor's buffer only, so the index lacks it; `<GONE>text</GONE>` was deleted in the buffer and is still on disk.
//! `<ADDED>text</ADDED>` is saved and not yet committed; `<REMOVED>text</REMOVED>` is in the commit and no longer on
//! disk.

use anyhow::{Context as _, Result, bail, ensure};

/// A file without its marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedFile {
    pub(crate) committed: String,
    pub(crate) saved: String,
    pub(crate) buffer: String,
    /// The cursors, in the order of the file.
    pub(crate) cursors: Vec<CursorMark>,
}

/// A cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CursorMark {
    /// Its name; may be empty.
    pub(crate) name: String,
    /// Its byte offset in the buffer.
    pub(crate) offset: usize,
    /// The expected locations, as written.
    pub(crate) expect: Vec<String>,
}

/// The places where the current text exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    All,
    Buffer,
    Disk,
    NoCommit,
    Commit,
}

const CURSOR: &str = "<CURSOR";
const TAGS: [(&str, &str, Owner); 4] = [
    ("<TYPED>", "</TYPED>", Owner::Buffer),
    ("<GONE>", "</GONE>", Owner::Disk),
    ("<ADDED>", "</ADDED>", Owner::NoCommit),
    ("<REMOVED>", "</REMOVED>", Owner::Commit),
];

/// Parses a file and removes its marks. Errors name the line.
pub fn read(text: &str) -> Result<ParsedFile> {
    let mut reader = Reader { res: ParsedFile::default(), owner: Owner::All, rest: text };
    while let Some(at) = next_mark(reader.rest) {
        reader.push(at);
        let line = text[..text.len() - reader.rest.len()].matches('\n').count() + 1;
        reader.mark().with_context(|| format!("line {line}"))?;
    }
    ensure!(reader.owner == Owner::All, "a mark is not closed");
    reader.push(reader.rest.len());
    Ok(reader.res)
}

struct Reader<'t> {
    res: ParsedFile,
    owner: Owner,
    rest: &'t str,
}

impl Reader<'_> {
    /// Consumes `len` bytes of text.
    fn push(&mut self, len: usize) {
        let (text, rest) = self.rest.split_at(len);
        self.rest = rest;
        let [committed, saved, buffer] = match self.owner {
            Owner::All => [true, true, true],
            Owner::Buffer => [false, false, true],
            Owner::Disk => [true, true, false],
            Owner::NoCommit => [false, true, true],
            Owner::Commit => [true, false, false],
        };
        let texts = [&mut self.res.committed, &mut self.res.saved, &mut self.res.buffer];
        for (to, _) in texts.into_iter().zip([committed, saved, buffer]).filter(|it| it.1) {
            to.push_str(text);
        }
    }

    /// Parses the mark at the beginning of the rest.
    fn mark(&mut self) -> Result<()> {
        if let Some(inner) = self.rest.strip_prefix(CURSOR) {
            let closed = inner.split_once('>');
            let (inner, after) = closed.with_context(|| format!("a {CURSOR} has no `>`"))?;
            let is_there = !matches!(self.owner, Owner::Disk | Owner::Commit);
            ensure!(is_there, "a cursor is in text that the buffer no longer has");
            self.res.cursors.push(cursor(inner, self.res.buffer.len())?);
            self.rest = after;
        }
        for (open, close, owner) in TAGS {
            if let Some(after) = self.rest.strip_prefix(open) {
                ensure!(self.owner == Owner::All, "{open} is inside another mark");
                (self.owner, self.rest) = (owner, after);
            } else if let Some(after) = self.rest.strip_prefix(close) {
                ensure!(self.owner == owner, "{close} closes nothing");
                (self.owner, self.rest) = (Owner::All, after);
            }
        }
        Ok(())
    }
}

fn next_mark(text: &str) -> Option<usize> {
    let tags = TAGS.iter().flat_map(|it| [it.0, it.1]).chain([CURSOR]);
    tags.filter_map(|it| text.find(it)).min()
}

fn cursor(inner: &str, offset: usize) -> Result<CursorMark> {
    let Some((name, places)) = inner.split_once(':') else {
        bail!("`{CURSOR}{inner}>` should read `{CURSOR}: PLACE>` or `{CURSOR} NAME: PLACE>`");
    };
    let places = places.split(';').map(str::trim).filter(|it| !it.is_empty());
    Ok(CursorMark {
        name: name.trim().to_owned(),
        offset,
        expect: places.map(str::to_owned).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_names_its_places_and_leaves_no_trace() {
        let read =
            read("a = <CURSOR: b.py:f; c.py:g form=signature>\n<CURSOR two: d.py:h>z").unwrap();
        assert_eq!((read.saved.as_str(), read.buffer.as_str()), ("a = \nz", "a = \nz"));
        assert_eq!(read.committed, read.saved);
        let mark = |name: &str, offset, expect: &[&str]| CursorMark {
            name: name.into(),
            offset,
            expect: expect.iter().map(|it| (*it).to_owned()).collect(),
        };
        let expect =
            [mark("", 4, &["b.py:f", "c.py:g form=signature"]), mark("two", 5, &["d.py:h"])];
        assert_eq!(read.cursors, expect);
    }

    #[test]
    fn typed_text_is_not_on_the_disk_and_deleted_text_is() {
        let read = read("a<TYPED>b<CURSOR: x.py></TYPED>c<GONE>d</GONE>e").unwrap();
        assert_eq!((read.saved.as_str(), read.buffer.as_str()), ("acde", "abce"));
        assert_eq!(read.cursors[0].offset, 2);
    }

    #[test]
    fn marks_that_do_not_close_are_errors() {
        for text in ["<CURSOR: a", "<CURSOR>", "<TYPED>a", "a</GONE>", "<GONE><CURSOR: a></GONE>"] {
            assert!(read(text).is_err(), "{text}");
        }
        let error = format!("{:#}", read("a\nb <CURSOR: c").unwrap_err());
        assert!(error.starts_with("line 2: "), "{error}");
    }
}
