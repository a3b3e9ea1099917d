//! Thresholds that distinguish secrets from examples and words, in bits per character.

/// Entropy of a private key; Base64 of a key has about 5.5 in a line. First guess.
pub(crate) const KEY_LINE_ENTROPY: f64 = 4.0;

/// Entropy of a token of at least 16 characters, which words and patterns seldom reach. Random hexadecimal digits have
/// about 3.4 at 32 characters, other alphabets more. First guess.
pub(crate) const TOKEN_ENTROPY: f64 = 2.9;

/// Length of the shortest password that is masked. First guess.
pub(crate) const MIN_PASSWORD: usize = 8;

/// Pieces per letter of a password between quotes; 99 % of random values have 0.57 and more.
pub(crate) const PASSWORD_PIECES: f64 = 0.55;

/// Pieces per letter of a password that is a bare word; names in code have fewer.
pub(crate) const WORD_PIECES: f64 = 0.52;

/// Length and pieces per letter of letters without a digit that are taken for random; names in code have fewer pieces.
pub(crate) const GENERATED: usize = 14;
pub(crate) const GENERATED_PIECES: f64 = 0.6;

/// Pieces per letter of a key without its digits; names in code have fewer. First guess.
pub(crate) const LETTER_PIECES: f64 = 0.45;

/// Entropy of the signature of a JSON web token. First guess.
pub(crate) const SIGNATURE_ENTROPY: f64 = 3.5;

/// This many equal or consecutive characters are a pattern: `aaaaa`, `12345`. First guess.
pub(crate) const PATTERN_LENGTH: usize = 5;
