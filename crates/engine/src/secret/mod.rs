//! Finds secrets in texts by their shape and masks them before anything is indexed or shown.
//!
//! Ignore rules exclude files such as `.env`; keys pasted into source files or pages are found here: private key
//! blocks, tokens with a vendor's prefix, and passwords in addresses. Each character of a secret is replaced by an
//! asterisk, so that offsets, lines and columns stay. The introduction (`ghp_`, `-----BEGIN`) stays, too, to show what
//! was there.
//!
//! The result depends on the text alone. Examples and placeholders are kept: a secret is long, of the alphabet of its
//! kind, and looks random (see `plausible`). Secrets without a recognisable shape, such as most passwords, are not
//! found.

mod addresses;
mod blocks;
mod plausible;
mod runs;
mod shapes;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use self::shapes::SHAPES;

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Its kind, in a few words.
    pub kind: &'static str,
    /// Byte ranges to mask, in order: a key block has one for each run of Base64.
    pub spans: Vec<Range<usize>>,
}

impl Secret {
    fn of(kind: &'static str, span: Range<usize>) -> Self {
        Self { kind, spans: vec![span] }
    }

    fn end(&self) -> usize {
        self.spans.last().map_or(0, |it| it.end)
    }
}

/// Searches all anchors in one pass.
static ANCHORS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let anchors = SHAPES.iter().map(|it| it.anchor);
    let built = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(anchors);
    built.expect("a few dozen short words are no large automaton")
});

/// Returns the secrets of a text, in order.
pub fn find(text: &str) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let mut secrets: Vec<Secret> = Vec::new();
    let mut done = 0;
    for anchor in ANCHORS.find_iter(bytes).filter(|it| it.end() > 0) {
        if anchor.start() < done {
            continue;
        }
        let shape = &SHAPES[anchor.pattern().as_usize()];
        if let Some(secret) = shape.secret_at(bytes, anchor.range()) {
            done = secret.end();
            secrets.push(secret);
        }
    }
    secrets
}

/// Masks every character of the secrets in a text and returns the number of secrets. The length of the text and the
/// starts of its lines and characters do not change; the function is idempotent.
pub fn mask(text: &mut String) -> usize {
    let mut n = 0;
    loop {
        // Masking may end a word that hid another anchor.
        let secrets = find(text);
        if secrets.is_empty() {
            return n;
        }
        n += secrets.len();
        let mut bytes = std::mem::take(text).into_bytes();
        for span in secrets.into_iter().flat_map(|it| it.spans) {
            bytes[span].fill(b'*');
        }
        *text =
            String::from_utf8(bytes).expect("letters of ASCII were replaced by letters of ASCII");
    }
}

/// Returns the text with its secrets masked.
pub fn masked(mut text: String) -> String {
    mask(&mut text);
    text
}

/// Whether the text is a Google service account key (JSON).
pub fn is_service_account(text: &str) -> bool {
    let has = |what: &str| memchr::memmem::find(text.as_bytes(), what.as_bytes()).is_some();
    has("\"service_account\"") && has("\"private_key\"") && !find(text).is_empty()
}
