//! Thresholds that distinguish secrets from examples and words, in bits per character.

/// Entropy of a private key; Base64 of a key has about 5.5 in a line. First guess.
pub(crate) const KEY_LINE_ENTROPY: f64 = 4.0;

/// Entropy of a token of at least 16 characters, which words and patterns seldom reach. Random hexadecimal digits have
/// about 3.4 at 32 characters, other alphabets more. First guess.
pub(crate) const TOKEN_ENTROPY: f64 = 2.9;

/// Entropy of a password in an address. First guess.
pub(crate) const PASSWORD_ENTROPY: f64 = 2.5;

/// Entropy of an Azure storage key (64 bytes in Base64). First guess.
pub(crate) const STORAGE_KEY_ENTROPY: f64 = 4.0;

/// Entropy of the signature of a JSON web token. First guess.
pub(crate) const SIGNATURE_ENTROPY: f64 = 3.5;

/// This many equal or consecutive characters are a pattern: `aaaaa`, `12345`. First guess.
pub(crate) const PATTERN_LENGTH: usize = 5;
