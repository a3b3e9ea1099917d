//! Finds secrets in texts by their shape or name and masks them before anything is indexed or shown.
//!
//! Ignore rules exclude files such as `.env`; keys pasted into source files or pages are found here: private key
//! blocks, tokens in the format of a maker (`makers`), passwords in addresses and headers, and rare values that are
//! assigned to the name of a secret (`names`). Each character of a secret is replaced by an asterisk, so that offsets,
//! lines and columns stay. The introduction (`ghp_`, `-----BEGIN`) stays, too, to show what was there.
//!
//! The result depends on the text alone. Examples and placeholders are kept: a secret is long, of the alphabet of its
//! kind, and looks random (`plausible`, `rarity`). A secret that has neither a format nor a name is not found.

mod addresses;
mod blocks;
mod calls;
mod commands;
mod credentials;
mod cursor;
mod makers;
mod manifests;
mod names;
mod plausible;
mod rarity;
mod shapes;
#[cfg(test)]
mod tests;
mod values;

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::automaton::{Automaton, StateID};
use aho_corasick::dfa::DFA;
use aho_corasick::{Anchored, StartKind};

use self::makers::SHAPES;
use self::shapes::Shape;

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// Its kind, in a few words.
    pub kind: &'static str,
    /// Byte ranges to mask, in order: a key block has one for each run of Base64.
    pub spans: Vec<Range<usize>>,
}

/// Searches all anchors in one pass, also where they overlap: one step of a table for each byte.
static ANCHORS: LazyLock<DFA> = LazyLock::new(|| {
    let anchors = SHAPES.iter().map(|it| it.anchor);
    let built = DFA::builder().start_kind(StartKind::Unanchored).prefilter(false).build(anchors);
    built.expect("some five hundred short words are no large automaton")
});

/// Returns the secrets of a text, in order.
pub fn find(text: &str) -> Vec<Secret> {
    let (text, anchors) = (text.as_bytes(), &*ANCHORS);
    let mut found = Secrets::default();
    let state = anchors.start_state(Anchored::No);
    let mut state = state.expect("the automaton has an unanchored start");
    let mut end = 0;
    while let Some((bytes, at_match)) = next_match(anchors, &text[end..], state) {
        (end, state) = (end + bytes, at_match);
        for it in 0..anchors.match_len(state) {
            found.look(text, end, &SHAPES[anchors.match_pattern(state, it).as_usize()]);
        }
    }
    found.secrets
}

/// The number of bytes up to the end of the next anchors, and the state there. A loop of its own keeps everything in
/// registers: a quarter fewer instructions.
#[inline(never)]
fn next_match(anchors: &DFA, text: &[u8], mut state: StateID) -> Option<(usize, StateID)> {
    for (at, byte) in text.iter().enumerate() {
        state = anchors.next_state(Anchored::No, state, *byte);
        if anchors.is_special(state) && anchors.is_match(state) {
            return Some((at + 1, state));
        }
    }
    None
}

/// The secrets up to an anchor.
#[derive(Default)]
struct Secrets {
    secrets: Vec<Secret>,
    /// End of the last one.
    done: usize,
    /// Start of the last one, if only its name is known.
    named: Option<usize>,
}

impl Secrets {
    /// Adds the secret at the anchor of a shape that ends at `end`, if there is one.
    fn look(&mut self, text: &[u8], end: usize, shape: &Shape) {
        let anchor = end - shape.anchor.len()..end;
        if anchor.start < self.done && self.named.is_none() {
            return;
        }
        let Some(secret) = shape.secret_at(text, anchor.clone()) else { return };
        let (first, last) = (&secret.spans[0], &secret.spans[secret.spans.len() - 1]);
        let start = first.start.min(anchor.start);
        if start < self.done {
            // A maker's format says which part of a named value is secret.
            if shape.is_named() || self.named != Some(start) {
                return;
            }
            self.secrets.pop();
        }
        self.named = shape.is_named().then_some(first.start);
        self.done = last.end;
        self.secrets.push(secret);
    }
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
