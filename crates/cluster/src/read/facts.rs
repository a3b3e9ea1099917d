//! Precise facts of a branch: what of them an answer needs.

use std::collections::{BTreeMap, BTreeSet};

use foreword_engine::index::{Facts, FactsNeeds, Provenance, Snapshot};
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::{Branch, MOST_HITS};
use crate::error::ClusterError;
use crate::layout::{TablePage, unpack};

/// The precise facts that a branch has.
#[derive(Default)]
pub(crate) struct FactsTable {
    /// By path, the document with the facts of the file.
    documents: BTreeMap<String, String>,
    /// And back.
    paths: FxHashMap<String, String>,
    provenances: Vec<Provenance>,
}

impl FactsTable {
    /// The facts that the pages of a table name; `snapshot` has their files in the same order.
    pub(crate) fn of_pages(pages: &[TablePage], snapshot: &Snapshot) -> Self {
        let mut res = Self::default();
        let mut files = snapshot.files();
        for (page, n) in pages.iter().zip(pages.iter().map(TablePage::n_files)) {
            let files = files.by_ref().take(n);
            let Some(facts) = page.facts() else {
                files.for_each(drop);
                continue;
            };
            for (file, id) in files.zip(facts.ids).filter(|it| !it.1.is_empty()) {
                let path = snapshot.path(file).to_owned();
                res.paths.insert(id.clone(), path.clone());
                res.documents.insert(path, id);
            }
            res.provenances = facts.provenances;
        }
        res
    }

    /// The files with facts.
    pub(crate) fn files(&self) -> BTreeSet<String> {
        self.documents.keys().cloned().collect()
    }
}

impl Branch<'_> {
    /// Finds the files that have what is needed, and gets their facts.
    pub(super) fn fetch_facts(&mut self, needs: &FactsNeeds) -> Result<(), ClusterError> {
        let storage = &self.cluster.storage;
        let defining = needs.names.iter().map(|it| ("definitions", storage.feature_of_defined(it)));
        let having = needs.symbols.iter().map(|it| ("uses", storage.feature(it)));
        let searches: Vec<Value> = defining
            .chain(having)
            .map(|(field, feature)| self.search_of_feature("facts", field, &feature))
            .collect();
        let found = self.cluster.searches(&self.known.repository, &searches)?;
        self.cost.searches += searches.len();
        let mut answered = needs.clone();
        for answer in &found {
            let hits = answer["hits"]["hits"].as_array().map(Vec::as_slice).unwrap_or_default();
            self.cost.is_cut |= hits.len() >= MOST_HITS;
            let ids = hits.iter().filter_map(|it| it["fields"]["id"][0].as_str());
            // Other branches' facts are hits too.
            answered.files.extend(ids.filter_map(|it| self.known.facts.paths.get(it)).cloned());
        }
        answered.files.retain(|it| !self.known.partial.has_precise(it));
        let wanted = answered.files.iter();
        let wanted: Vec<(&String, &str)> = wanted
            .filter_map(|it| Some((it, self.known.facts.documents.get(it)?.as_str())))
            .collect();
        let ids: Vec<&str> = wanted.iter().map(|it| it.1).collect();
        let data = self.cluster.data(&self.known.repository, &ids)?;
        self.cost.facts += data.len();
        self.known.bytes += data.iter().map(Vec::len).sum::<usize>();
        let facts = wanted.iter().zip(data).map(|((path, _), data)| {
            let bytes: Option<Vec<u8>> = unpack(&data);
            bytes.and_then(|it| Facts::of_exported(path, &it, &self.known.facts.provenances))
        });
        let damaged = || ClusterError::Damaged {
            repository: self.known.repository.clone(),
            what: "the precise facts",
        };
        let facts = facts.map(|it| it.ok_or_else(damaged)).collect::<Result<Vec<Facts>, _>>()?;
        self.known.partial.add_precise(facts, answered);
        Ok(())
    }
}
