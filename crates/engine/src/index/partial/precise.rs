//! Precise facts of a snapshot whose contents are elsewhere, as far as they are here.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::needs::{FactsNeeds, FactsOf};
use crate::index::precise::Facts;

/// What is known, and of what.
#[derive(Default)]
pub(super) struct KnownFacts {
    /// The files that have facts, here or elsewhere.
    described: BTreeSet<String>,
    facts: Arc<Facts>,
    /// The files whose facts are here, and names and symbols whose files are among them.
    known: FactsNeeds,
}

impl KnownFacts {
    pub(super) fn of_files(described: BTreeSet<String>) -> Self {
        Self { described, ..Self::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.described.is_empty()
    }

    pub(super) fn facts(&self) -> Arc<Facts> {
        Arc::clone(&self.facts)
    }

    /// Adds facts, with what they are the whole answer to.
    pub(super) fn add(&mut self, files: Vec<Facts>, answered: FactsNeeds) {
        if !files.is_empty() {
            self.facts = Arc::new(self.facts.joined(files));
        }
        self.known.files.extend(answered.files);
        self.known.names.extend(answered.names);
        self.known.symbols.extend(answered.symbols);
    }

    /// Whether the facts of a file are here.
    pub(super) fn has(&self, path: &str) -> bool {
        self.known.files.contains(path)
    }

    /// Writes down what is not here.
    pub(super) fn need(&self, of: FactsOf<'_>, needs: &mut FactsNeeds) {
        if self.is_empty() {
            return;
        }
        let known = &self.known;
        let (known, needs, key) = match of {
            FactsOf::File(path) if !self.described.contains(path) => return,
            FactsOf::File(path) => (&known.files, &mut needs.files, path),
            FactsOf::Name(name) => (&known.names, &mut needs.names, name),
            FactsOf::Symbol(symbol) => (&known.symbols, &mut needs.symbols, symbol),
        };
        if !known.contains(key) {
            needs.insert(key.to_owned());
        }
    }
}
