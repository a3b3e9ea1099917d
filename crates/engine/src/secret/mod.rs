//! Secrets in texts, found by their shape and replaced before anything is indexed or shown.
//!
//! A name tells that `.env` holds secrets; a key that was pasted into a source file or a page of documentation is found
//! by its content only: private key blocks, tokens whose maker gave them a prefix to be found by, passwords in the
//! addresses of databases. Each letter of such a secret is replaced by an asterisk, so that offsets, lines and columns
//! stay as they are. What introduces it (`ghp_`, `-----BEGIN`) stays, too: a reader should see what was there.
//!
//! Whether a place is a secret depends on the text alone. Examples and placeholders are left as they are: a secret is
//! long, of the alphabet of its kind, and looks random (see `plausible`). What has no shape of its own, like most
//! passwords, is not found.

mod addresses;
mod blocks;
mod plausible;
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
    /// What it is, in a few words.
    pub kind: &'static str,
    /// The bytes that are replaced, in order: a key block has a span for each run of its letters.
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

/// Finds what introduces a secret. A text is read once, whatever the number of shapes.
static ANCHORS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let anchors = SHAPES.iter().map(|it| it.anchor);
    let built = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(anchors);
    built.expect("a few dozen short words are no large automaton")
});

/// The secrets in a text, in order.
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

/// Replaces every letter of the secrets in a text by an asterisk; gives how many secrets there are. The length of the
/// text, and where its lines and characters begin, stay the same, and a second call changes nothing.
pub fn mask(text: &mut String) -> usize {
    let mut n = 0;
    loop {
        // What is masked may end a word that hid another anchor.
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

/// The text with its secrets masked.
pub fn masked(mut text: String) -> String {
    mask(&mut text);
    text
}

/// Whether the text is the key of a service account: Google's credentials for programs, a file of JSON.
pub fn is_service_account(text: &str) -> bool {
    let has = |what: &str| memchr::memmem::find(text.as_bytes(), what.as_bytes()).is_some();
    has("\"service_account\"") && has("\"private_key\"") && !find(text).is_empty()
}
