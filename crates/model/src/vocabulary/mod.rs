//! Bundled vocabularies: byte-pair encodings with exact counts. The feature `openai-vocabularies` adds those used by
//! the evaluation.
//!
//! A vocabulary is stored as its tokens by rank, compressed (0.6 MB for Qwen2, 1.8 MB for all three). On first use it
//! is unpacked in a few milliseconds into one array with a hash table. The automata of other implementations count
//! faster, but have 20 MB a vocabulary and take longer to load than most commands run. Repeated stretches of text are
//! counted once (`count_cache`).

mod merge;
mod pieces;

use std::borrow::Cow;
use std::sync::LazyLock;

use twox_hash::XxHash3_64;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use self::pieces::Pieces;

/// A vocabulary in the binary, unpacked on first use, once per process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// Of Qwen2, Qwen2.5, Qwen3 and their coder models.
    Qwen2,
    /// `cl100k_base`, of GPT-4.
    #[cfg(any(test, feature = "openai-vocabularies"))]
    Cl100k,
    /// `o200k_base`, of GPT-4o and later.
    #[cfg(any(test, feature = "openai-vocabularies"))]
    O200k,
}

impl Vocabulary {
    /// All vocabularies, indexed by discriminant.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 3] = [Self::Qwen2, Self::Cl100k, Self::O200k];

    /// Number of vocabularies.
    pub(crate) const COUNT: usize =
        if cfg!(any(test, feature = "openai-vocabularies")) { 3 } else { 1 };

    /// The tokenizer, unpacked on first use.
    pub(crate) fn tokenizer(self) -> &'static Tokenizer {
        static KNOWN: [LazyLock<Tokenizer>; Vocabulary::COUNT] = [
            LazyLock::new(|| Tokenizer::new(Vocabulary::Qwen2)),
            #[cfg(any(test, feature = "openai-vocabularies"))]
            LazyLock::new(|| Tokenizer::new(Vocabulary::Cl100k)),
            #[cfg(any(test, feature = "openai-vocabularies"))]
            LazyLock::new(|| Tokenizer::new(Vocabulary::O200k)),
        ];
        &KNOWN[self as usize]
    }

    fn packed(self) -> &'static [u8] {
        match self {
            Self::Qwen2 => include_bytes!(concat!(env!("OUT_DIR"), "/qwen2")),
            #[cfg(any(test, feature = "openai-vocabularies"))]
            Self::Cl100k => include_bytes!(concat!(env!("OUT_DIR"), "/cl100k")),
            #[cfg(any(test, feature = "openai-vocabularies"))]
            Self::O200k => include_bytes!(concat!(env!("OUT_DIR"), "/o200k")),
        }
    }
}

/// Counts the tokens of texts.
pub(crate) struct Tokenizer {
    ranks: Ranks,
    pieces: Pieces,
    /// Whether texts are first normalised to Unicode's composed form (NFC).
    composes: bool,
}

impl Tokenizer {
    fn new(vocabulary: Vocabulary) -> Self {
        Self {
            ranks: Ranks::unpacked(vocabulary.packed()),
            pieces: Pieces::of(vocabulary),
            composes: vocabulary == Vocabulary::Qwen2,
        }
    }

    /// The number of tokens of `text`.
    pub(crate) fn count(&self, text: &str) -> usize {
        self.count_up_to(text, usize::MAX).unwrap_or(usize::MAX)
    }

    /// Number of tokens; `None` if there are more than `limit`.
    pub(crate) fn count_up_to(&self, text: &str, limit: usize) -> Option<usize> {
        let text = self.normalized(text);
        self.pieces.of_text(&text).try_fold(0_usize, |count, piece| {
            let count = count + merge::count(&self.ranks, piece.as_bytes());
            (count <= limit).then_some(count)
        })
    }

    fn normalized<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let is_composed =
            !self.composes || text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes;
        if is_composed { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
    }
}

/// Ranks of tokens; lower ranks merge first.
struct Ranks {
    /// All tokens, concatenated.
    bytes: Vec<u8>,
    /// Start of each token, and the end of the last.
    starts: Vec<u32>,
    /// Hash table of rank + 1, 0 for an empty slot; a power of two, at most half full.
    table: Vec<u32>,
}

impl Ranks {
    /// Reads the build script's output.
    fn unpacked(packed: &[u8]) -> Self {
        const WHOLE: &str = "the vocabulary is as the build script wrote it";
        let list = zstd::decode_all(packed).expect(WHOLE);
        let (count, list) = list.split_first_chunk::<4>().expect(WHOLE);
        let (lengths, bytes) = list.split_at(u32::from_le_bytes(*count) as usize);
        let mut starts = Vec::with_capacity(lengths.len() + 1);
        starts.push(0);
        starts.extend(lengths.iter().scan(0, |end, length| {
            *end += u32::from(*length);
            Some(*end)
        }));
        let table = vec![0; (2 * lengths.len()).next_power_of_two()];
        let mut ranks = Self { bytes: bytes.to_vec(), starts, table };
        for rank in 0..lengths.len() as u32 {
            let slot = ranks.slot(ranks.token(rank));
            ranks.table[slot] = rank + 1;
        }
        ranks
    }

    /// Rank of a token, if it is in the vocabulary.
    fn rank(&self, token: &[u8]) -> Option<u32> {
        self.table[self.slot(token)].checked_sub(1)
    }

    /// Slot of `token`, or the empty slot for it.
    fn slot(&self, token: &[u8]) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = XxHash3_64::oneshot(token) as usize & mask;
        while let Some(rank) = self.table[slot].checked_sub(1) {
            if self.token(rank) == token {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn token(&self, rank: u32) -> &[u8] {
        let range = self.starts[rank as usize] as usize..self.starts[rank as usize + 1] as usize;
        &self.bytes[range]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Vocabulary;

    /// Reference: the automata of the crate that the vocabularies come from.
    fn reference(vocabulary: Vocabulary) -> &'static bpe_openai::Tokenizer {
        match vocabulary {
            Vocabulary::Qwen2 => bpe_openai::voyage3_base(),
            Vocabulary::Cl100k => bpe_openai::cl100k_base(),
            Vocabulary::O200k => bpe_openai::o200k_base(),
        }
    }

    fn check(text: &str) {
        for it in Vocabulary::ALL {
            let expect = reference(it).count(text);
            let tokenizer = it.tokenizer();
            assert_eq!(tokenizer.count(text), expect, "{it:?} {text:?}");
            assert_eq!(tokenizer.count_up_to(text, expect), Some(expect));
            if expect > 0 {
                assert_eq!(tokenizer.count_up_to(text, expect - 1), None);
            }
        }
    }

    #[test]
    fn source_files_have_as_many_tokens_as_by_automata() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../chunk/tests/languages");
        for entry in std::fs::read_dir(folder).unwrap() {
            check(&std::fs::read_to_string(entry.unwrap().path()).unwrap());
        }
    }

    #[test]
    fn long_pieces_have_as_many_tokens_as_by_automata() {
        for unit in [" ", "=", "ab", "\n", "é", "xyzzy", "-+", "日本", "\u{301}e"] {
            for n in [1, 17, 100, 1000] {
                check(&unit.repeat(n));
            }
        }
    }

    #[test]
    fn every_token_counts_as_one_or_as_its_pieces() {
        for it in Vocabulary::ALL {
            let all = &reference(it).bpe;
            for token in (0..all.num_tokens() as u32).step_by(37) {
                if let Ok(text) = std::str::from_utf8(all.token_bytes(token)) {
                    assert_eq!(it.tokenizer().count(text), reference(it).count(text), "{text:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_has_as_many_tokens_as_by_automata(text in "(\\PC|[a-zA-Z0-9_ \n\t(){}.'é日]){0,200}") {
            check(&text);
        }
    }
}
