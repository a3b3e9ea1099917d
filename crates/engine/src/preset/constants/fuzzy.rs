//! Misspelled words: how many edits a word allows, and what its variants weigh.

/// Words of this many characters allow one edit. First guess.
pub(crate) const ONE_EDIT_FROM: usize = 4;

/// Words of this many characters allow two edits. First guess.
pub(crate) const TWO_EDITS_FROM: usize = 8;

/// Weight of a variant at one edit, relative to the word itself. First guess.
pub(crate) const ONE_EDIT_WEIGHT: f32 = 0.8;

/// Weight of a variant at two edits. First guess.
pub(crate) const TWO_EDITS_WEIGHT: f32 = 0.4;

/// Weight of each of two words that were written as one, relative to the word itself. First guess.
pub(crate) const TWO_WORDS_WEIGHT: f32 = 0.8;

/// Letters of the shorter of two words that were written as one, and of both together, at most.
pub(crate) const SHORTEST_PART: usize = 3;
pub(crate) const LONGEST_SPLIT: usize = 24;

/// A longer question, in words, is an issue or a pasted text, whose unknown words are other projects'. First guess.
pub(crate) const LONGEST_CORRECTED_QUESTION: usize = 24;

/// Distance told of a name that is similar only part by part: more than any number of edits.
pub(crate) const BY_PARTS: u32 = 3;

/// Parts of a name beside those that somebody remembers. First guess, by half-remembered names on flask.
pub(crate) const MOST_OTHER_PARTS: usize = 2;

/// More parts are no name that somebody remembers. First guess.
pub(crate) const MOST_PARTS: usize = 8;
