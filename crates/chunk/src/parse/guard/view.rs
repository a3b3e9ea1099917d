//! A text as a grammar sees it.

/// Number of bytes passed to the lexer at a time.
const PIECE_LENGTH: usize = 8 << 10;

/// A text whose hazardous bytes read as blanks. Offsets are those of the text.
pub(crate) struct View<'t> {
    text: &'t [u8],
    /// Offsets of the blanked bytes, ascending.
    blanks: Vec<usize>,
}

impl<'t> View<'t> {
    pub(super) fn new(text: &'t [u8], blanks: Vec<usize>) -> Self {
        debug_assert!(blanks.is_sorted());
        Self { text, blanks }
    }

    /// The length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// A piece of the text from the offset `at`; empty at the end.
    pub(crate) fn piece(&self, at: usize) -> &[u8] {
        let next = self.blanks.partition_point(|&it| it < at);
        let end = match self.blanks.get(next) {
            Some(&blank) if blank == at => return b" ",
            Some(&blank) => blank,
            None => self.text.len(),
        };
        self.text.get(at..end.min(at + PIECE_LENGTH)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::View;

    #[test]
    fn blanks_replace_bytes_and_move_nothing() {
        let view = View::new(b"val i = 1\n@a@", vec![10, 12]);
        let (mut read, mut at) = (Vec::new(), 0);
        while let piece @ [_, ..] = view.piece(at) {
            read.extend_from_slice(piece);
            at = read.len();
        }
        assert_eq!(read, b"val i = 1\n a ");
    }
}
