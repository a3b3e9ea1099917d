//! An automaton that accepts what is a few edits away from a word, whatever the case.
//!
//! It carries a band of the table of optimal string alignment (edits and transpositions of neighbours, none edited
//! twice) along the keys of a sorted set. Unlike a Levenshtein automaton built beforehand it needs no table of states,
//! so there is no size of a word for which it cannot be made but [`MAX_CHARS`].

use fst::Automaton;

/// Longer words are data.
const MAX_CHARS: usize = 128;

/// The most edits that the band has room for.
const MAX_EDITS: usize = 2;

/// Cells on both sides of the diagonal, and the diagonal.
const BAND: usize = 2 * MAX_EDITS + 1;

/// A distance that is too far, however little is added.
const FAR: u8 = 100;

/// Accepts what is at most so many edits away from a word.
#[derive(Clone, Debug)]
pub(super) struct Near {
    word: Vec<char>,
    edits: u8,
}

/// Where a key is after some of its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// Characters read.
    n_read: usize,
    /// Distances of what was read to the beginnings of the word that are `n_read - MAX_EDITS + cell` long.
    row: [u8; BAND],
    /// The same one character before.
    row_before: [u8; BAND],
    last: char,
    /// The bytes of a character that is not whole yet.
    pending: [u8; 4],
    n_pending: usize,
}

impl Near {
    /// `None` for words too long to be names, and for the empty word.
    pub(super) fn new(word: &str, edits: u32) -> Option<Self> {
        let word: Vec<char> = word.chars().map(lower).collect();
        let edits = (edits as usize).min(MAX_EDITS) as u8;
        (1..=MAX_CHARS).contains(&word.len()).then_some(Self { word, edits })
    }

    /// How many edits `text` is away; `None` when more than are allowed.
    pub(super) fn distance(&self, text: &str) -> Option<u32> {
        let mut state = self.start();
        for byte in text.bytes() {
            state = self.accept(&state, byte);
        }
        self.reached(&state).map(u32::from)
    }

    fn reached(&self, state: &State) -> Option<u8> {
        let cell = (self.word.len() + MAX_EDITS).checked_sub(state.n_read)?;
        let distance = *state.row.get(cell)?;
        (state.n_pending == 0 && distance <= self.edits).then_some(distance)
    }

    /// The row after one more character.
    fn step(&self, state: &State, c: char) -> State {
        let n_read = state.n_read + 1;
        let mut row = [FAR; BAND];
        for cell in 0..BAND {
            let Some(len) = (n_read + cell).checked_sub(MAX_EDITS) else { continue };
            if len > self.word.len() {
                break;
            }
            if len == 0 {
                row[cell] = n_read.min(FAR as usize) as u8;
                continue;
            }
            let differs = u8::from(self.word[len - 1] != c);
            let mut best = state.row[cell] + differs;
            best = best.min(state.row.get(cell + 1).copied().unwrap_or(FAR) + 1);
            best = best.min(if cell > 0 { row[cell - 1] + 1 } else { FAR });
            let swapped = state.n_read > 0
                && len > 1
                && self.word[len - 1] == state.last
                && self.word[len - 2] == c;
            if swapped {
                best = best.min(state.row_before[cell] + 1);
            }
            row[cell] = best.min(FAR);
        }
        State { n_read, row, row_before: state.row, last: c, pending: [0; 4], n_pending: 0 }
    }
}

impl Automaton for Near {
    type State = State;

    fn start(&self) -> State {
        let mut row = [FAR; BAND];
        for (cell, distance) in row.iter_mut().enumerate().skip(MAX_EDITS) {
            *distance = (cell - MAX_EDITS) as u8;
        }
        State { n_read: 0, row, row_before: [FAR; BAND], last: '\0', pending: [0; 4], n_pending: 0 }
    }

    fn is_match(&self, state: &State) -> bool {
        self.reached(state).is_some()
    }

    fn can_match(&self, state: &State) -> bool {
        state.row.iter().any(|it| *it <= self.edits)
    }

    fn accept(&self, state: &State, byte: u8) -> State {
        if state.n_pending == 0 && byte.is_ascii() {
            return self.step(state, byte.to_ascii_lowercase() as char);
        }
        let mut next = *state;
        next.pending[next.n_pending] = byte;
        next.n_pending += 1;
        let whole = std::str::from_utf8(&next.pending[..next.n_pending]).ok();
        if let Some(c) = whole.and_then(|it| it.chars().next()) {
            return self.step(state, lower(c));
        }
        if next.n_pending == next.pending.len() {
            // No character at all: nothing follows that could match.
            return State { row: [FAR; BAND], n_pending: 0, ..next };
        }
        next
    }
}

/// The lower case of a character, where that is one character.
fn lower(c: char) -> char {
    let mut chars = c.to_lowercase();
    match (chars.next(), chars.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Optimal string alignment by the whole table.
    fn table_distance(a: &str, b: &str) -> usize {
        let (a, b): (Vec<char>, Vec<char>) =
            (a.chars().map(lower).collect(), b.chars().map(lower).collect());
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let substituted = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let mut best = substituted.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                    if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                        best = best.min(table[i - 2][j - 2] + 1);
                    }
                    best
                };
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn the_band_holds_the_distances_of_the_table(
            word in "[abAé]{1,9}", text in "[abcAÉ]{0,11}", edits in 0_u32..3,
        ) {
            let near = Near::new(&word, edits).unwrap();
            let expected = table_distance(&word, &text) as u32;
            prop_assert_eq!(near.distance(&text), Some(expected).filter(|it| *it <= edits));
        }

        #[test]
        fn what_matches_is_never_given_up_on_the_way(word in "[abé]{1,6}", text in "[abcé]{0,8}") {
            let near = Near::new(&word, 2).unwrap();
            if near.distance(&text).is_some() {
                let mut state = near.start();
                for byte in text.bytes() {
                    prop_assert!(near.can_match(&state));
                    state = near.accept(&state, byte);
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_match_nothing() {
        let near = Near::new("abc", 2).unwrap();
        let state = [0xFF, 0xFF, 0xFF, 0xFF]
            .iter()
            .fold(near.start(), |state, it| near.accept(&state, *it));
        assert!(!near.can_match(&state));
    }
}
