//! Answers from a branch on the cluster.

mod facts;

use std::collections::BTreeSet;
use std::sync::Arc;

use foreword_engine::index::{
    Bounds, FileId, IndexConfig, LexicalQuery, NameSites, Needs, Partial, Snapshot,
};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use crate::across::Access;
use crate::client::Cluster;
use crate::error::ClusterError;
use crate::kept::KnownBranch;
use crate::layout::{KeyPage, PageOfKeys, Root, TablePage, VERSION, page_of, unpack};
use crate::push::bm25;
use crate::remove::no_branch;
use crate::repository::BranchState;
pub(crate) use facts::FactsTable;

/// Rounds of answering and getting what was missing.
const MOST_ROUNDS: usize = 40;

/// Files that one list of chunks reads at most. A list has 150 chunks.
const MOST_FILES: usize = 1000;

/// Files that the first search for a query returns; further ones return four times as many as known.
const FIRST_DEPTH: usize = 512;

/// Files that a search returns at most (OpenSearch's `max_result_window`).
const MOST_HITS: usize = 10_000;

/// Features keep 9 binary digits, rounded down; sums are of single precision.
const ROUNDING: f32 = 1.0 + 1.0 / 200.0;

/// A name that no repository has.
const NOBODY: &str = "\n";

/// The cost of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadCost {
    /// Rounds of answering.
    pub rounds: usize,
    /// Files whose contents were read.
    pub files: usize,
    /// Searches.
    pub searches: usize,
    /// Pages.
    pub pages: usize,
    /// Files whose precise facts were read.
    pub facts: usize,
    /// True if a list was cut: more files than it reads could have had chunks that belong on it.
    pub is_cut: bool,
}

/// A branch on a cluster, with what is known of it so far.
pub struct Branch<'c> {
    cluster: &'c Cluster,
    /// Its name.
    pub name: String,
    /// Its state.
    pub state: BranchState,
    known: KnownBranch,
    /// Factor of bounds, for rounding and for averages of earlier pushes.
    slack: f32,
    cost: ReadCost,
}

impl Cluster {
    /// Opens a branch; without a name, the only one, `main` or `master`.
    pub fn open(
        &self,
        repository: &str,
        branch: Option<&str>,
        config: IndexConfig,
    ) -> Result<Branch<'_>, ClusterError> {
        self.open_allowed(repository, branch, &Access::all(), config)
    }

    /// Opens a branch that may be read. Others are answered like those that are not there.
    pub fn open_allowed(
        &self,
        repository: &str,
        branch: Option<&str>,
        access: &Access,
        config: IndexConfig,
    ) -> Result<Branch<'_>, ClusterError> {
        let (name, state) = self.branch(repository, branch, access)?;
        let known = match self.kept.as_ref().and_then(|it| it.take(repository, &state.root)) {
            Some(it) => it,
            None => self.known(repository, (&name, &state), config)?,
        };
        let average = known.snapshot.weighted_query(&[], &bm25()).average_length();
        let slack = ROUNDING * (average / state.least_average).max(1.0);
        Ok(Branch { cluster: self, name, state, known, slack, cost: ReadCost::default() })
    }

    /// A branch of which no contents are known yet.
    fn known(
        &self,
        repository: &str,
        (name, state): (&str, &BranchState),
        config: IndexConfig,
    ) -> Result<KnownBranch, ClusterError> {
        let root = self.root(repository, &state.root)?;
        if root.fingerprint != config.exported_version() || root.version != VERSION {
            let (repository, branch) = (repository.to_owned(), name.to_owned());
            return Err(ClusterError::OtherAnalysis { repository, branch });
        }
        let partial = Arc::new(Partial::new(MOST_FILES));
        let mut pages = self.tables(repository, &root)?;
        let tables: Vec<Vec<u8>> =
            pages.iter_mut().map(|it| std::mem::take(&mut it.table)).collect();
        let bytes = tables.iter().map(Vec::len).sum();
        let snapshot = Snapshot::of_tables(tables, config, Arc::clone(&partial))?;
        let facts = FactsTable::of_pages(&pages, &snapshot);
        partial.described_files(facts.files());
        let snapshot = if root.complete { snapshot } else { snapshot.into_incomplete() };
        let ids: Vec<String> = snapshot
            .files()
            .map(|it| (snapshot.path(it), snapshot.hash(it)))
            .map(|(path, hash)| self.storage.file_id(repository, path, hash, root.fingerprint))
            .collect();
        Ok(KnownBranch {
            repository: repository.to_owned(),
            root_id: state.root.clone(),
            root,
            snapshot,
            partial,
            files: ids.iter().cloned().zip((0..).map(FileId)).collect(),
            ids,
            facts,
            pages: FxHashMap::default(),
            bytes,
            n_read: 0,
        })
    }

    /// The state of a branch, and its name, among those that may be read.
    fn branch(
        &self,
        repository: &str,
        branch: Option<&str>,
        access: &Access,
    ) -> Result<(String, BranchState), ClusterError> {
        let absent = || ClusterError::NoRepository { repository: repository.to_owned() };
        if !self.has_index()? {
            return Err(absent());
        }
        // One that may not be read takes as many requests, and as long, as one that is not there.
        let asked = if access.reads_repository(repository) { repository } else { NOBODY };
        let mut entry = self.state(asked)?;
        entry.state.branches.retain(|it, _| access.reads_branch(repository, it));
        let branches = &entry.state.branches;
        if branches.is_empty() {
            return Err(absent());
        }
        let usual = || ["main", "master"].into_iter().find(|it| branches.contains_key(*it));
        let only = || branches.keys().next().filter(|_| branches.len() == 1).map(String::as_str);
        self.check_key(repository, &entry)?;
        let name = branch.or_else(only).or_else(usual).unwrap_or("main");
        let state = branches.get(name).ok_or_else(|| no_branch(repository, name, &entry))?;
        Ok((name.to_owned(), state.clone()))
    }

    /// The root of a branch.
    pub(crate) fn root(&self, repository: &str, id: &str) -> Result<Root, ClusterError> {
        let data = self.data(repository, &[id])?.pop().unwrap_or_default();
        let damaged =
            || ClusterError::Damaged { repository: repository.to_owned(), what: "a branch" };
        unpack(&data).ok_or_else(damaged)
    }

    /// The pages of a branch's table of files.
    pub(crate) fn tables(
        &self,
        repository: &str,
        root: &Root,
    ) -> Result<Vec<TablePage>, ClusterError> {
        let ids: Vec<&str> = root.tables.iter().map(String::as_str).collect();
        let damaged = || ClusterError::Damaged {
            repository: repository.to_owned(),
            what: "the table of files",
        };
        let pages = self.data(repository, &ids)?;
        pages.iter().map(|it| unpack(it).ok_or_else(damaged)).collect()
    }

    /// A part of a query: files with a term in a field score their feature for it, times a factor.
    pub(crate) fn rank_feature(&self, field: &str, term: &str, boost: f32) -> Value {
        rank_feature(field, &self.storage.feature(term), boost)
    }

    /// The binary fields of documents, which must be there.
    fn data(&self, repository: &str, ids: &[&str]) -> Result<Vec<Vec<u8>>, ClusterError> {
        let found = self.contents(repository, ids)?;
        let missing = found.iter().filter(|it| it.is_none()).count();
        if missing > 0 {
            return Err(ClusterError::Missing { repository: repository.to_owned(), missing });
        }
        let bytes = |(id, it): (&&str, Option<String>)| self.storage.decode(id, &it?);
        let damaged =
            || ClusterError::Damaged { repository: repository.to_owned(), what: "a document" };
        ids.iter().zip(found).map(|it| bytes(it).ok_or_else(damaged)).collect()
    }
}

/// A part of a query: documents with a feature in a field score it, times a factor.
pub(crate) fn rank_feature(field: &str, feature: &str, boost: f32) -> Value {
    let field = format!("{field}.{feature}");
    json!({ "rank_feature": { "field": field, "boost": boost, "linear": {} } })
}

impl Branch<'_> {
    /// The cost of all answers so far.
    pub fn cost(&self) -> ReadCost {
        ReadCost { is_cut: self.cost.is_cut || self.known.partial.is_cut(), ..self.cost }
    }

    /// Keeps what is known for the next question about the same state, if the cluster does
    /// ([`Cluster::keeping`]).
    pub fn release(self) {
        if let Some(kept) = &self.cluster.kept {
            kept.put(self.known);
        }
    }

    /// The snapshot, as far as it is here.
    pub fn snapshot(&self) -> &Snapshot {
        &self.known.snapshot
    }

    /// Does some work over the branch, again and again, until nothing that it asked for is missing.
    pub fn answer<T>(&mut self, mut work: impl FnMut(&Snapshot) -> T) -> Result<T, ClusterError> {
        for _ in 0..MOST_ROUNDS {
            self.known.partial.take_needs();
            self.cost.rounds += 1;
            let res = work(&self.known.snapshot);
            let needs = self.known.partial.take_needs();
            if needs.is_empty() {
                return Ok(res);
            }
            self.fetch(&needs)?;
        }
        Err(ClusterError::Unanswerable { question: "the answer in a bounded number of rounds" })
    }

    fn fetch(&mut self, needs: &Needs) -> Result<(), ClusterError> {
        self.fetch_pages(needs)?;
        for term in &needs.terms {
            let counts = self.counts(&self.known.root.terms, term);
            self.known.partial.add_frequency(term, counts.map_or(0, |it| it[0]));
        }
        self.fetch_names(&needs.names)?;
        self.fetch_words(&needs.words)?;
        self.fetch_bounds(&needs.queries)?;
        self.fetch_facts(&needs.facts)?;
        self.fetch_files(&needs.files)
    }

    /// Finds the files that define and use names.
    fn fetch_names(&mut self, names: &BTreeSet<String>) -> Result<(), ClusterError> {
        let known: Vec<(&String, [u32; 2])> = names
            .iter()
            .map(|it| (it, self.counts(&self.known.root.names, it).unwrap_or_default()))
            .collect();
        let mut searches = Vec::new();
        for (name, counts) in &known {
            let asked = ["definitions", "uses"].into_iter().zip(counts).filter(|it| *it.1 > 0);
            searches.extend(asked.map(|(field, _)| self.search_of_name(field, name)));
        }
        let mut found = self.cluster.searches(&self.known.repository, &searches)?.into_iter();
        self.cost.searches += searches.len();
        for (name, [definitions, users]) in known {
            let mut hits = |n: u32| match n {
                0 => Vec::new(),
                _ => self.hits(&found.next().unwrap_or_default()),
            };
            let (defined, mut uses) = (hits(definitions), hits(users));
            self.cost.is_cut |= defined.len().max(uses.len()) >= MOST_HITS;
            uses.sort_unstable_by_key(|it| it.0);
            let sites = NameSites {
                definitions,
                defined_in: defined.into_iter().map(|it| it.0).collect(),
                uses: uses.into_iter().map(|it| (it.0, it.1.round() as u32)).collect(),
            };
            self.known.partial.add_name(name, sites);
        }
        Ok(())
    }

    /// Finds the files that have terms.
    fn fetch_words(&mut self, words: &BTreeSet<String>) -> Result<(), ClusterError> {
        let searches: Vec<Value> =
            words.iter().map(|it| self.search_of_name("terms", it)).collect();
        let found = self.cluster.searches(&self.known.repository, &searches)?;
        self.cost.searches += searches.len();
        for (word, answer) in words.iter().zip(found) {
            let hits = self.hits(&answer);
            self.cost.is_cut |= hits.len() >= MOST_HITS;
            self.known.partial.add_word(word, hits.into_iter().map(|it| it.0).collect());
        }
        Ok(())
    }

    /// Finds the files with the highest bounds for queries.
    fn fetch_bounds(&mut self, queries: &[LexicalQuery]) -> Result<(), ClusterError> {
        let depth =
            |it: &LexicalQuery| (self.known.partial.depth(it) * 4).clamp(FIRST_DEPTH, MOST_HITS);
        let queries: Vec<(&LexicalQuery, usize)> =
            queries.iter().map(|it| (it, depth(it))).collect();
        let searches: Vec<Value> =
            queries.iter().map(|it| self.search_of_terms(it.0, it.1)).collect();
        let found = self.cluster.searches(&self.known.repository, &searches)?;
        self.cost.searches += searches.len();
        for ((query, depth), answer) in queries.into_iter().zip(found) {
            let n = answer["hits"]["hits"].as_array().map_or(0, Vec::len);
            let mut files = self.hits(&answer);
            files.iter_mut().for_each(|it| it.1 *= self.slack);
            let last = answer["hits"]["hits"][n.wrapping_sub(1)]["_score"].as_f64();
            // Nothing can be asked for beyond that many.
            self.cost.is_cut |= n == MOST_HITS;
            let is_all = n < depth || n == MOST_HITS;
            let rest = if is_all { 0.0 } else { last.unwrap_or_default() as f32 * self.slack };
            self.known.partial.add_bounds(query.clone(), Bounds { files, rest });
        }
        Ok(())
    }

    fn fetch_files(&mut self, files: &BTreeSet<FileId>) -> Result<(), ClusterError> {
        if files.is_empty() {
            return Ok(());
        }
        let ids: Vec<&str> =
            files.iter().map(|it| self.known.ids[it.0 as usize].as_str()).collect();
        let data = self.cluster.data(&self.known.repository, &ids)?;
        self.cost.files += data.len();
        self.known.n_read += data.len();
        self.known.bytes += data.iter().map(Vec::len).sum::<usize>();
        let files = files.iter().copied().zip(data).collect();
        self.known.snapshot = self.known.snapshot.with_exported(files)?;
        Ok(())
    }

    /// Gets the pages of the dictionary that are needed and not here.
    fn fetch_pages(&mut self, needs: &Needs) -> Result<(), ClusterError> {
        let mut wanted: BTreeSet<&str> = BTreeSet::new();
        let Root { terms, names, .. } = &self.known.root;
        if needs.dictionary {
            wanted.extend(terms.iter().chain(names).map(|it| it.id.as_str()));
        }
        wanted.extend(needs.terms.iter().filter_map(|it| page_of(terms, it)).map(|it| &*it.id));
        wanted.extend(needs.names.iter().filter_map(|it| page_of(names, it)).map(|it| &*it.id));
        wanted.retain(|it| !self.known.pages.contains_key(*it));
        let wanted: Vec<&str> = wanted.into_iter().collect();
        let data = self.cluster.data(&self.known.repository, &wanted)?;
        self.cost.pages += data.len();
        self.known.bytes += data.iter().map(Vec::len).sum::<usize>();
        for (id, bytes) in wanted.into_iter().zip(data) {
            let damaged = || ClusterError::Damaged {
                repository: self.known.repository.clone(),
                what: "the dictionary",
            };
            self.known.pages.insert(id.to_owned(), KeyPage::unpack(&bytes).ok_or_else(damaged)?);
        }
        if needs.dictionary {
            let [terms, names] = [terms, names].map(|pages| {
                let keys = pages.iter().filter_map(|it| self.known.pages.get(&it.id));
                keys.flat_map(KeyPage::keys)
            });
            self.known.partial.add_keys(terms, names);
        }
        Ok(())
    }

    /// The counts of a key; `None` for one that does not occur.
    fn counts(&self, pages: &[PageOfKeys], key: &str) -> Option<[u32; 2]> {
        self.known.pages.get(&page_of(pages, key)?.id)?.get(key)
    }

    /// The files with a name or term in a field, by how often or how much.
    fn search_of_name(&self, field: &str, name: &str) -> Value {
        self.search_of_feature("file", field, &self.cluster.storage.feature(name))
    }

    /// The documents of a kind with a feature.
    fn search_of_feature(&self, kind: &str, field: &str, feature: &str) -> Value {
        let feature = rank_feature(field, feature, 1.0);
        self.search(kind, json!({ "must": [feature] }), MOST_HITS)
    }

    /// The files with the highest bounds for a query.
    fn search_of_terms(&self, query: &LexicalQuery, size: usize) -> Value {
        let feature = |(term, weight)| self.cluster.rank_feature("terms", term, weight);
        let terms: Vec<Value> = query.weights().map(feature).collect();
        self.search("file", json!({ "should": terms, "minimum_should_match": 1 }), size)
    }

    fn search(&self, kind: &str, mut query: Value, size: usize) -> Value {
        query["filter"] = json!([
            { "term": { "repository": self.known.repository } },
            { "term": { "kind": kind } },
        ]);
        json!({
            "query": { "bool": query }, "size": size, "track_total_hits": false,
            "_source": false, "stored_fields": "_none_", "docvalue_fields": ["id"],
        })
    }

    /// The files of this branch among the hits, with scores, best first. Other branches' versions of files are hits too.
    fn hits(&self, answer: &Value) -> Vec<(FileId, f32)> {
        let hits = answer["hits"]["hits"].as_array().map(Vec::as_slice).unwrap_or_default();
        let hit = |it: &Value| {
            let file = self.known.files.get(it["fields"]["id"][0].as_str()?)?;
            Some((*file, it["_score"].as_f64()? as f32))
        };
        hits.iter().filter_map(hit).collect()
    }
}
