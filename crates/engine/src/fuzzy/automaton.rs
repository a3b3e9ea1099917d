//! An automaton that accepts strings within a few edits of a word, ignoring case and underscores: a misspelled name may
//! be `parse_url` or `parseUrl`.
//!
//! It carries a band of the table of optimal string alignment (edits and transpositions of neighbours, none edited
//! twice) along the keys of a sorted set. Unlike a prebuilt Levenshtein automaton it needs no table of states, so the
//! only limit on a word is [`MAX_CHARS`].

use fst::Automaton;

/// Longer words are data.
const MAX_CHARS: usize = 128;

/// The most edits that the band can represent.
const MAX_EDITS: usize = 2;

/// The diagonal and the cells on both sides of it.
const MAX_BAND: usize = 2 * MAX_EDITS + 1;

/// A distance that exceeds every limit.
const MAX_DISTANCE: u8 = 100;

/// Accepts strings within `edits` edits of a word.
#[derive(Clone, Debug)]
pub(super) struct EditAutomaton {
    word: Vec<char>,
    edits: u8,
}

/// The state after some bytes of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// Characters read.
    n_read: usize,
    /// The distances between the characters read and the prefixes of the word of length `n_read - MAX_EDITS + cell`.
    row: [u8; MAX_BAND],
    /// The row of the character before.
    row_before: [u8; MAX_BAND],
    last: char,
    /// The bytes of an incomplete character.
    pending: [u8; 4],
    n_pending: usize,
}

impl EditAutomaton {
    /// `None` for a word without letters or digits and for words that are too long to be names.
    pub(super) fn new(word: &str, edits: u32) -> Option<Self> {
        let word: Vec<char> = word.chars().filter(|it| *it != '_').map(lower).collect();
        let edits = (edits as usize).min(MAX_EDITS) as u8;
        (1..=MAX_CHARS).contains(&word.len()).then_some(Self { word, edits })
    }

    /// Identifies it among the automata that are asked of a snapshot.
    pub(super) fn question(&self) -> String {
        let word: String = self.word.iter().collect();
        format!("near {} {word}", self.edits)
    }

    /// The distance of `text`; `None` if it exceeds the allowed edits.
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
        let mut row = [MAX_DISTANCE; MAX_BAND];
        for cell in 0..MAX_BAND {
            let Some(len) = (n_read + cell).checked_sub(MAX_EDITS) else { continue };
            if len > self.word.len() {
                break;
            }
            if len == 0 {
                row[cell] = n_read.min(MAX_DISTANCE as usize) as u8;
                continue;
            }
            let differs = u8::from(self.word[len - 1] != c);
            let mut best = state.row[cell] + differs;
            best = best.min(state.row.get(cell + 1).copied().unwrap_or(MAX_DISTANCE) + 1);
            best = best.min(if cell > 0 { row[cell - 1] + 1 } else { MAX_DISTANCE });
            let swapped = state.n_read > 0
                && len > 1
                && self.word[len - 1] == state.last
                && self.word[len - 2] == c;
            if swapped {
                best = best.min(state.row_before[cell] + 1);
            }
            row[cell] = best.min(MAX_DISTANCE);
        }
        State { n_read, row, row_before: state.row, last: c, pending: [0; 4], n_pending: 0 }
    }
}

impl Automaton for EditAutomaton {
    type State = State;

    fn start(&self) -> State {
        let mut row = [MAX_DISTANCE; MAX_BAND];
        for (cell, distance) in row.iter_mut().enumerate().skip(MAX_EDITS) {
            *distance = (cell - MAX_EDITS) as u8;
        }
        State {
            n_read: 0,
            row,
            row_before: [MAX_DISTANCE; MAX_BAND],
            last: '\0',
            pending: [0; 4],
            n_pending: 0,
        }
    }

    fn is_match(&self, state: &State) -> bool {
        self.reached(state).is_some()
    }

    fn can_match(&self, state: &State) -> bool {
        state.row.iter().any(|it| *it <= self.edits)
    }

    fn accept(&self, state: &State, byte: u8) -> State {
        if state.n_pending == 0 && byte == b'_' {
            return *state;
        }
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
            // Not a character: no continuation can match.
            return State { row: [MAX_DISTANCE; MAX_BAND], n_pending: 0, ..next };
        }
        next
    }
}

/// The lower case of a character, if that is one character.
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
            let near = EditAutomaton::new(&word, edits).unwrap();
            let expected = table_distance(&word, &text) as u32;
            prop_assert_eq!(near.distance(&text), Some(expected).filter(|it| *it <= edits));
        }

        #[test]
        fn prefixes_of_a_match_can_match(word in "[abé]{1,6}", text in "[abcé]{0,8}") {
            let near = EditAutomaton::new(&word, 2).unwrap();
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
    fn underscores_are_no_edits() {
        let near = EditAutomaton::new("parse_url", 1).unwrap();
        assert_eq!(near.distance("parseUrl"), Some(0));
        assert_eq!(near.distance("__parse_ulr__"), Some(1));
        assert!(EditAutomaton::new("__", 1).is_none());
    }

    #[test]
    fn invalid_utf8_matches_nothing() {
        let near = EditAutomaton::new("abc", 2).unwrap();
        let state = [0xFF, 0xFF, 0xFF, 0xFF]
            .iter()
            .fold(near.start(), |state, it| near.accept(&state, *it));
        assert!(!near.can_match(&state));
    }
}
