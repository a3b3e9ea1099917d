//! How rare the letters of a value are: names and sentences fall into few pieces, random letters into many.
//!
//! A piece is a word, a digit or a mark; a word ends at a capital letter, and at a pair of letters that words seldom
//! have. This separates random values from words as well as the tokens of a vocabulary do: of 1,806 values that
//! twenty-four repositories assign to names of secrets, 141 have as many pieces as 99 % of random values, and 126 as many
//! tokens of Qwen2's vocabulary; entropy leaves 1,509.

/// For each letter, those that follow it in more than 1 of 128 pairs, in the words of 40 MB of source code
/// (`train/letter_pairs.py`).
const SUCCESSORS: [&[u8]; 26] = [
    b"bcdgilmnprstuy",
    b"aceijlorstuy",
    b"acefhiklorstu",
    b"adegiloqrsuy",
    b"abcdefglmnpqrstvwxy",
    b"adefgilmnorstu",
    b"aefghilnorstu",
    b"aeiorstu",
    b"abcdefglmnoprstvz",
    b"adeimosu",
    b"aeinsuw",
    b"abdefilostuy",
    b"abeilmopstuy",
    b"acdefgilnostu",
    b"bcdfgklmnoprstuvw",
    b"adeiloprstuy",
    b"lu",
    b"acdegikmnorstuvy",
    b"acehilmopstuy",
    b"acehioprstuy",
    b"abcdefgilmnoprstx",
    b"aeilmo",
    b"aehilnorsw",
    b"acdefhilmptuxy",
    b"mnopst",
    b"adeilmosyz",
];

/// Number of pieces per letter: about 0.15 in names, 0.6 and more in random values.
pub(super) fn pieces(value: &[u8]) -> f64 {
    let is_break = |at: usize| at == 0 || begins(value, at);
    let separators = value.iter().filter(|it| is_separator(**it)).count();
    let pieces = (0..value.len()).filter(|at| is_break(*at)).count() - separators;
    (pieces as f64 + separators as f64 / 2.0) / value.len() as f64
}

fn is_separator(letter: u8) -> bool {
    matches!(letter, b'_' | b'-' | b'.' | b'/' | b':')
}

/// Whether a piece begins at a letter that is not the first.
fn begins(value: &[u8], at: usize) -> bool {
    let (last, this) = (value[at - 1], value[at]);
    if !this.is_ascii_alphabetic() || !last.is_ascii_alphabetic() {
        return true;
    }
    let next_is_lower = value.get(at + 1).is_some_and(u8::is_ascii_lowercase);
    let is_capital = this.is_ascii_uppercase() && (last.is_ascii_lowercase() || next_is_lower);
    is_capital || !is_pair(last, this)
}

fn is_pair(first: u8, second: u8) -> bool {
    let successors = SUCCESSORS[usize::from(first.to_ascii_lowercase() - b'a')];
    successors.contains(&second.to_ascii_lowercase())
}
