//! Runs of tokens that a text shares with the code before and after a cursor. What follows a long run before the cursor is
//! likely what is about to be written.

use rustc_hash::FxHashMap;

/// Tokens on each side of the cursor that are compared.
const REACH: usize = 40;
/// Bytes on each side of the cursor that are read: tokens are rarely longer than 30.
const REACH_BYTES: usize = 30 * REACH;

/// A number for each distinct token.
#[derive(Default)]
pub(super) struct Numbers<'t>(FxHashMap<&'t str, u32>);

/// A token of a text.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Token {
    pub(super) number: u32,
    pub(super) is_name: bool,
}

impl<'t> Numbers<'t> {
    /// The tokens of a text: names, numbers, and every other character but white space by itself.
    pub(super) fn tokens(&mut self, text: &'t str) -> Vec<Token> {
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        let mut res = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let end = match is_word(first) {
                true => rest.find(|it| !is_word(it)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            res.push(self.token(&rest[..end]));
            rest = rest[end..].trim_start();
        }
        res
    }

    fn token(&mut self, text: &'t str) -> Token {
        let next = self.0.len() as u32;
        let is_name = text.len() >= 2 && !text.starts_with(|it: char| it.is_numeric());
        Token { number: *self.0.entry(text).or_insert(next), is_name }
    }
}

/// The tokens on both sides of a cursor.
pub(super) struct Sides {
    before: Vec<Token>,
    after: Vec<Token>,
}

impl Sides {
    pub(super) fn new<'t>(numbers: &mut Numbers<'t>, prefix: &'t str, suffix: &'t str) -> Self {
        let start = prefix.ceil_char_boundary(prefix.len().saturating_sub(REACH_BYTES));
        let end = suffix.floor_char_boundary(REACH_BYTES.min(suffix.len()));
        let mut before = numbers.tokens(&prefix[start..]);
        before.drain(..before.len().saturating_sub(REACH));
        let mut after = numbers.tokens(&suffix[..end]);
        after.truncate(REACH);
        Self { before, after }
    }

    /// The last name before the cursor.
    pub(super) fn last_name(&self) -> Option<u32> {
        self.before.iter().rev().find(|it| it.is_name).map(|it| it.number)
    }

    /// The lengths of the longest run of a text that ends as the code before the cursor does, and of the longest that begins
    /// as the code after it.
    pub(super) fn longest_runs(&self, text: &[Token]) -> [usize; 2] {
        let ends = (1..=text.len()).map(|end| {
            let back = text[..end].iter().rev().zip(self.before.iter().rev());
            back.take_while(|it| it.0 == it.1).count()
        });
        let begins = (0..text.len()).map(|start| {
            text[start..].iter().zip(&self.after).take_while(|it| it.0 == it.1).count()
        });
        [ends.max().unwrap_or(0), begins.max().unwrap_or(0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_run_on_each_side_counts() {
        let mut numbers = Numbers::default();
        let sides = Sides::new(&mut numbers, "let a = open(path", ");\nclose(a);");
        let text = numbers.tokens("b = open(path); open(path); x); close(b);");
        assert_eq!(sides.longest_runs(&text), [4, 4]);
        assert_eq!(sides.longest_runs(&[]), [0, 0]);
    }

    #[test]
    fn numbers_and_single_letters_are_no_names() {
        let mut numbers = Numbers::default();
        let names = numbers.tokens("f(ab, 12, é_1)").iter().filter(|it| it.is_name).count();
        assert_eq!(names, 2);
    }
}
