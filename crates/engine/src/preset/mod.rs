//! All numbers that decide an answer: configurations of the pipeline here, other numbers in `constants`. Each names the
//! run that chose it (`benchmarks/results/`), or is marked as a first guess.

pub(crate) mod constants;

use serde::{Deserialize, Serialize};

use crate::evidence::{PerSignal, Signal};
use crate::fuse::{FuseConfig, Method};
use crate::index::bm25::Bm25;
use crate::order::Order;
use crate::rerank::RerankConfig;
use crate::retrieve::{NameConfig, QueryConfig};
use crate::trim::{Budget, Trim};

/// All settings that decide an answer, apart from the index.
///
/// A preset is written as JSON, with the names of fields and signals as keys; [`Self::text`] is its canonical form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// How queries are built.
    pub query: QueryConfig,
    /// Weights of names at a cursor.
    pub names: NameConfig,
    /// Parameters of the lexical score.
    pub bm25: Bm25,
    /// Hits per list.
    pub list: usize,
    /// How lists are merged.
    pub fuse: FuseConfig,
    /// Weights of features.
    pub rerank: RerankConfig,
    /// The token budget.
    pub budget: Budget,
}

impl Preset {
    /// The settings as JSON without white space, in the order of the fields; equal settings give equal bytes.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("numbers and names are always JSON")
    }

    /// Identifier of these settings: the first 12 hexadecimal digits of the BLAKE3 hash of [`Self::text`].
    pub fn fingerprint(&self) -> String {
        blake3::hash(self.text().as_bytes()).to_hex()[..12].to_owned()
    }
}

/// Weights of signals; others have weight 0.
fn weights<const N: usize>(pairs: [(Signal, f32); N]) -> PerSignal<f32> {
    pairs.into_iter().collect()
}

/// Weight of an embedding model's similarity, relative to words. It has no effect without a model. Chosen on the dev
/// half of semble's questions with all-MiniLM-L6-v2, `benchmarks/results/search.md`: nDCG@10 .875 → .879, the interval
/// touches 0.
const EMBEDDED: f32 = 0.8;

/// The preset for questions and symbols.
///
/// Chosen one setting at a time on the dev half of semble's questions (12 repositories, 242 questions),
/// `benchmarks/results/search.md`: nDCG@10 0.793 → 0.856 there, 0.892 → 0.919 on the other half. The 15 lines of a
/// result within a token budget were chosen there, too: recall in 2,000 tokens 0.893 → 0.975. `same_file` and `prose`
/// were chosen by the lines that answer 120 questions over 20 repositories, in the same page: further chunks of a good
/// file often have the answer, and so have the documents. So were `data`, `no_function` and `defines_words`.
/// `answers_by_name` and `answers_by_text` were chosen on 33 other repositories and held on 44 (in the same page).
pub fn search() -> Preset {
    Preset {
        query: QueryConfig {
            max_terms: 48,
            sub_word: 0.7,
            lines_before: 0,
            lines_after: 0,
            half_life: 1.0,
            after: 0.0,
            changed: 0.0,
            scope: 0.0,
            callee: 0.0,
            intent: 0.0,
            max_share: 1.0,
        },
        names: names(),
        bm25: Bm25 { k1: 1.2, b: 0.5, weights: [1.0, 2.0, 4.0, 1.0] },
        list: 150,
        fuse: FuseConfig {
            weights: weights([
                (Signal::Lexical, 1.0),
                (Signal::Symbol, 0.1),
                (Signal::Dense, EMBEDDED),
            ]),
            method: Method::Scores,
            whole_name: 0.0,
        },
        rerank: search_rerank(),
        budget: Budget { excerpt: 15, ..budget(4096) },
    }
}

/// Weights of features for questions.
fn search_rerank() -> RerankConfig {
    RerankConfig {
        depth: 150,
        defines_words: 1.3,
        defines_name: 1.5,
        named_file: 1.5,
        stem: 2.0,
        path: 1.4,
        coherence: 0.1,
        same_file: 0.8,
        tests: 0.4,
        periphery: 0.5,
        third_party: 0.3,
        re_export: 0.5,
        gathering: 1.0,
        prose: 0.4,
        data: 0.35,
        no_function: 0.8,
        answers_by_name: 2.7,
        answers_by_text: 1.65,
        alike: 0.0,
        own_file: 0.0,
    }
}

/// The preset for a cursor.
///
/// From `benchmarks/results/cursor.md`: `half_life` and `scope` were chosen on commits of flask, axum and express,
/// `alike` and `own_file` on eleven development repositories; `max_terms`, `sub_word`, `max_share`, the weight of
/// recent files and that of tests on 16 others. The other constants are first guesses that no single change improved.
/// The weight of the diff cannot be evaluated on tasks whose state is a commit.
pub fn context() -> Preset {
    Preset {
        query: QueryConfig {
            max_terms: 100,
            sub_word: 0.7,
            lines_before: 60,
            lines_after: 20,
            half_life: 4.0,
            after: 0.7,
            changed: 2.0,
            scope: 0.4,
            callee: 2.0,
            intent: 1.0,
            max_share: 1.0,
        },
        names: names(),
        bm25: Bm25 { k1: 1.2, b: 0.5, weights: [1.0, 1.0, 0.5, 0.7] },
        list: 60,
        fuse: FuseConfig {
            weights: weights([
                (Signal::Lexical, 1.0),
                (Signal::Symbol, 1.0),
                (Signal::Graph, 0.4),
                (Signal::Package, 0.3),
                (Signal::Recent, 0.8),
                (Signal::Diff, 0.5),
                (Signal::Head, 2.0),
            ]),
            method: Method::Scores,
            whole_name: 2.0,
        },
        rerank: context_rerank(),
        budget: budget(4096),
    }
}

/// Weights of names at a cursor.
fn names() -> NameConfig {
    NameConfig { plain: 0.5, unbound: 0.3, misfit: 0.3, rarity: 1.0, unused: 1.0, usual: 0.5 }
}

/// Weights of features at a cursor.
fn context_rerank() -> RerankConfig {
    RerankConfig {
        depth: 100,
        defines_words: 1.0,
        defines_name: 1.0,
        named_file: 1.0,
        stem: 1.0,
        path: 1.0,
        coherence: 0.1,
        same_file: 0.9,
        tests: 0.35,
        periphery: 0.8,
        third_party: 0.5,
        re_export: 1.0,
        gathering: 0.8,
        prose: 0.4,
        data: 0.5,
        no_function: 1.0,
        answers_by_name: 1.0,
        answers_by_text: 1.0,
        alike: 0.7,
        own_file: 0.3,
    }
}

/// Maximum tokens of a prompt: more than any model reads, and few enough that no sum or product of tokens overflows.
pub const MAX_BUDGET: usize = 1 << 24;

/// The budget of a prompt of `total` tokens: at most two fifths before the cursor, a seventh after it.
pub fn budget(total: usize) -> Budget {
    Budget {
        total,
        prefix: 0.4,
        suffix: 0.15,
        piece: 0.4,
        excerpt: 40,
        likeness: 4.0,
        known: 0.3,
        news: 0.2,
        max_pieces: 48,
        least_score: 0.05,
        order: Order::Auto,
        trim: Trim::Scope,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_is_read_as_it_was_written() {
        for preset in [search(), context()] {
            assert_eq!(serde_json::from_str::<Preset>(&preset.text()).unwrap(), preset);
        }
        assert!(search().text().starts_with(r#"{"query":{"max_terms":48,"sub_word":0.7,"#));
    }

    #[test]
    fn any_other_setting_has_another_fingerprint() {
        let mut other = context();
        other.fuse.weights[Signal::Package] = 0.31;
        assert_ne!(other.fingerprint(), context().fingerprint());
        assert_eq!(context().fingerprint(), context().fingerprint());
    }
}
