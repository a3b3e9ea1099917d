//! Encodes the frequencies of a term in the four fields of a chunk as one byte.
//!
//! Few combinations are common: those of [`COMBINATIONS`] are 97 of 100 (mean) in flask, axum, cobra, commons-lang,
//! libuv, zod, monolog and CPython's library. Others are stored in full, marked by [`ESCAPE`].

use crate::index::fields::Frequencies;

/// Marks a combination without a code.
pub(crate) const ESCAPE: u8 = u8::MAX;

/// Code of a term that occurs once, in the body: two fifths of all postings.
pub(crate) const ONCE_CODE: u8 = 0;

/// Frequencies in symbols, path and docs, and the range of those in the body.
type Combinations = (u8, u8, u8, u8, u8);

/// Combinations with a code, which is their index when all ranges are expanded.
const COMBINATIONS: [Combinations; 23] = [
    (0, 0, 0, 1, 48),
    (0, 0, 1, 0, 16),
    (0, 1, 0, 0, 20),
    (0, 0, 2, 0, 12),
    (0, 0, 3, 0, 10),
    (0, 0, 4, 0, 8),
    (0, 0, 5, 0, 6),
    (0, 2, 0, 0, 9),
    (0, 0, 6, 0, 5),
    (0, 0, 7, 0, 3),
    (0, 0, 8, 0, 2),
    (0, 1, 1, 0, 3),
    (1, 0, 0, 0, 20),
    (2, 0, 0, 0, 12),
    (1, 0, 1, 0, 10),
    (1, 1, 0, 0, 10),
    (3, 0, 0, 0, 9),
    (1, 0, 2, 0, 8),
    (4, 0, 0, 0, 8),
    (1, 0, 3, 0, 5),
    (1, 2, 0, 0, 3),
    (2, 0, 1, 0, 3),
    (1, 1, 1, 0, 3),
];

/// Frequencies of each code; zero for [`ESCAPE`].
pub(crate) const FREQUENCIES: [Frequencies; 256] = {
    let mut res = [[0; 4]; 256];
    let (mut row, mut code) = (0, 0);
    while row < COMBINATIONS.len() {
        let (symbols, path, doc, least, most) = COMBINATIONS[row];
        let mut body = least;
        while body <= most {
            res[code] = [body, symbols, path, doc];
            code += 1;
            body += 1;
        }
        row += 1;
    }
    assert!(code == ESCAPE as usize, "the combinations leave one code for the escape");
    res
};

/// Code of `frequencies`, or [`ESCAPE`].
pub(crate) fn code_of(frequencies: Frequencies) -> u8 {
    let [body, symbols, path, doc] = frequencies;
    let mut first = 0;
    for (row_symbols, row_path, row_doc, least, most) in COMBINATIONS {
        if (row_symbols, row_path, row_doc) == (symbols, path, doc) {
            return if (least..=most).contains(&body) { first + (body - least) } else { ESCAPE };
        }
        first += most - least + 1;
    }
    ESCAPE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip() {
        for (code, frequencies) in FREQUENCIES.iter().enumerate().take(ESCAPE as usize) {
            assert_eq!(usize::from(code_of(*frequencies)), code);
        }
        assert_eq!(FREQUENCIES[ONCE_CODE as usize], [1, 0, 0, 0]);
        assert_eq!((code_of([200, 0, 0, 0]), code_of([0, 9, 9, 9])), (ESCAPE, ESCAPE));
        assert_eq!(FREQUENCIES[ESCAPE as usize], [0; 4]);
    }
}
