//! Settings without one kind of evidence, to measure its contribution.

use foreword_engine::ask::AskConfig;
use foreword_engine::evidence::Signal;

/// Settings with a name.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The omitted kind.
    pub name: &'static str,
    pub(crate) config: AskConfig,
}

/// An omitted kind, and the change that omits it.
type Change = (&'static str, fn(&mut AskConfig));

const ABLATIONS: [Change; 14] = [
    ("lexical", |it| it.search.fuse.weights[Signal::Lexical] = 0.0),
    ("symbol", |it| it.search.fuse.weights[Signal::Symbol] = 0.0),
    ("paths as a feature", |it| {
        it.search.rerank.path = 1.0;
        it.search.rerank.stem = 1.0;
    }),
    ("names as a feature", |it| {
        it.search.rerank.defines_words = 1.0;
        it.search.rerank.defines_name = 1.0;
    }),
    ("all features", |it| it.search.rerank.depth = 0),
    ("named definitions", |it| it.named = 0),
    ("places", |it| it.places = 0),
    ("definitions used", |it| it.used = 0),
    ("callers", |it| it.callers = 0),
    ("subtypes", |it| it.subtypes = 0),
    ("tests", |it| (it.tests, it.matched_tests) = (0, 0)),
    ("graph", |it| (it.used, it.callers, it.subtypes, it.tests) = (0, 0, 0, 0)),
    ("documents", |it| (it.documents, it.guides) = (0, 0)),
    ("search", |it| (it.matches, it.beside_named, it.matched_tests) = (0, 0, 0)),
];

impl Variant {
    /// One variant per kind of evidence.
    pub fn ablations() -> Vec<Self> {
        let variant = |(name, change): Change| {
            let mut config = AskConfig::in_use().clone();
            change(&mut config);
            Self { name, config }
        };
        ABLATIONS.map(variant).into()
    }
}
