//! Pushes a snapshot: what is not there, then the list of branches.
//!
//! * `features`: the words and names of a document, as many as the cluster can index.

mod features;

use foreword_engine::index::bm25::Bm25;
use foreword_engine::index::{ExportedFacts, ExportedFile, FileId, Provenance, Snapshot};
use foreword_engine::preset;
use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use crate::bulk::{BulkItem, BulkWriter};
use crate::client::Cluster;
use crate::error::ClusterError;
use crate::keys::Storage;
use crate::layout::{
    FactsOfPage, PageOfKeys, Root, TablePage, VERSION, pack, pages_of_files, pages_of_keys,
};
use crate::mapping::LayoutVersion;
use crate::repository::{BranchState, StateEntry};
use features::{Features, fitting};

/// Attempts against other pushes.
const TRIES: usize = 5;

/// A snapshot to push, and its place on the cluster.
#[derive(Clone, Copy)]
pub struct PushRequest<'r> {
    /// Name of the repository.
    pub repository: &'r str,
    /// Name of the branch.
    pub branch: &'r str,
    /// The files.
    pub snapshot: &'r Snapshot,
    /// Grows with newer states: nanoseconds since the epoch, of the commit or of now.
    pub version: i64,
    /// Replaces even a newer state.
    pub force: bool,
}

/// Progress of a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PushProgress {
    /// Files sent.
    pub done: usize,
    /// Files to send.
    pub total: usize,
}

/// The result of a push.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PushReport {
    /// Files of the branch.
    pub files: usize,
    /// Files sent.
    pub sent_files: usize,
    /// Pages sent: parts of the table of files and the dictionary.
    pub sent_pages: usize,
    /// Files sent with more words than the cluster can index of one document. Those of the lowest weight are left out of searches.
    pub cut_files: usize,
    /// Files of the branch with precise facts.
    pub described_files: usize,
    /// Documents of such facts sent.
    pub sent_facts: usize,
    /// Bytes sent.
    pub bytes: u64,
    /// Documents removed that no branch has any more.
    pub removed: u64,
    /// True if the branch was at this state already.
    pub unchanged: bool,
}

/// Called as files are sent.
type Watch<'w> = &'w dyn Fn(PushProgress);

impl Cluster {
    /// Pushes a snapshot as a branch. Whatever ends it, the branch is as before or as pushed, and the next push sends what
    /// is missing.
    pub fn push(
        &self,
        request: &PushRequest<'_>,
        watch: Watch<'_>,
    ) -> Result<PushReport, ClusterError> {
        let layout = self.ensure_index()?;
        let pages = Pages::of(request, &self.storage);
        let (files, described_files) = (pages.files.len(), pages.facts.len());
        let mut report = PushReport { files, described_files, ..PushReport::default() };
        for _ in 0..TRIES {
            let check = |it: &StateEntry| {
                self.check_key(request.repository, it)?;
                is_newest(request, it)
            };
            let held = self.unswept(request.repository, &check)?;
            if self.is_done(request, &held, &pages)? {
                report.unchanged = report.sent_files + report.sent_pages + report.sent_facts == 0;
                // A process died while it removed documents.
                if held.state.sweep.is_some() {
                    report.removed = self.sweep(request.repository)?;
                }
                return Ok(report);
            }
            self.send(request, (&pages, layout), &mut report, watch)?;
            self.refresh()?;
            if let Some(leaves_documents) = self.switch(request, held, &pages)? {
                report.removed = if leaves_documents { self.sweep(request.repository)? } else { 0 };
                return Ok(report);
            }
        }
        let repository = request.repository.to_owned();
        Err(ClusterError::Contended { repository, tries: TRIES })
    }

    /// True if the branch is at this state, with all its documents.
    fn is_done(
        &self,
        request: &PushRequest<'_>,
        held: &StateEntry,
        pages: &Pages,
    ) -> Result<bool, ClusterError> {
        let Some(known) = held.state.branches.get(request.branch) else { return Ok(false) };
        if known.root != pages.root {
            return Ok(false);
        }
        let files = pages.files.iter().chain(&pages.facts);
        let mut ids: Vec<&str> = files.map(|it| it.0.as_str()).collect();
        ids.extend(pages.pages.iter().map(|it| it.0.as_str()));
        Ok(self.are_there(request.repository, &ids)?.into_iter().all(|it| it))
    }

    /// Sends files and pages that are not there.
    fn send(
        &self,
        request: &PushRequest<'_>,
        (pages, layout): (&Pages, LayoutVersion),
        report: &mut PushReport,
        watch: Watch<'_>,
    ) -> Result<(), ClusterError> {
        let &PushRequest { repository, snapshot, .. } = request;
        let mut writer = BulkWriter::new(self, repository);
        let ids: Vec<&str> = pages.files.iter().map(|it| it.0.as_str()).collect();
        let found = self.are_there(repository, &ids)?;
        let new = pages.files.iter().zip(&found).filter(|it| !it.1);
        let new: Vec<&(String, FileId)> = new.map(|it| it.0).collect();
        for (done, (id, file)) in new.iter().enumerate() {
            watch(PushProgress { done, total: new.len() });
            let exported = snapshot.export(*file, &bm25())?;
            let size = exported.segment.len() * 4 / 3 + exported.terms.len() * 30;
            let (mut document, left_out) =
                file_document(&self.storage, (repository, id), exported, layout);
            report.cut_files += usize::from(left_out > 0);
            if layout.has_analysis() {
                document["analysis"] = snapshot.config().exported_version().to_string().into();
            }
            writer.add(BulkItem { id: id.clone(), document: Some(document) }, size)?;
            report.sent_files += 1;
        }
        report.sent_facts +=
            self.send_facts((repository, snapshot), (pages, layout), &mut writer)?;
        let ids: Vec<&str> = pages.pages.iter().map(|it| it.0.as_str()).collect();
        let found = self.are_there(repository, &ids)?;
        for ((id, bytes), _) in pages.pages.iter().zip(&found).filter(|it| !it.1) {
            let document = document(&self.storage, ("page", repository, id), bytes, layout);
            let item = BulkItem { id: id.clone(), document: Some(document) };
            writer.add(item, bytes.len() * 4 / 3)?;
            report.sent_pages += 1;
        }
        writer.flush()?;
        watch(PushProgress { done: new.len(), total: new.len() });
        report.bytes += writer.bytes;
        Ok(())
    }

    /// Sends precise facts that are not there; their number.
    fn send_facts(
        &self,
        (repository, snapshot): (&str, &Snapshot),
        (pages, layout): (&Pages, LayoutVersion),
        writer: &mut BulkWriter<'_>,
    ) -> Result<usize, ClusterError> {
        let ids: Vec<&str> = pages.facts.iter().map(|it| it.0.as_str()).collect();
        let found = self.are_there(repository, &ids)?;
        let facts = snapshot.facts();
        let mut sent = 0;
        for ((id, file), _) in pages.facts.iter().zip(&found).filter(|it| !it.1) {
            let (path, hash) = (snapshot.path(*file), snapshot.hash(*file));
            // Those of another import, which came in the meantime, are for the next push.
            let Some(exported) = facts.export(path, hash, &pages.provenances) else { continue };
            if self.storage.facts_id(repository, &exported.bytes) != *id {
                continue;
            }
            let size = exported.bytes.len() + (exported.symbols.len() + exported.names.len()) * 30;
            let document = facts_document(&self.storage, (repository, id), &exported, layout);
            writer.add(BulkItem { id: id.clone(), document: Some(document) }, size)?;
            sent += 1;
        }
        Ok(sent)
    }

    /// Makes the branch what was pushed: whether there are documents now that no branch has; `None` if another push came
    /// first.
    fn switch(
        &self,
        request: &PushRequest<'_>,
        mut held: StateEntry,
        pages: &Pages,
    ) -> Result<Option<bool>, ClusterError> {
        let totals = request.snapshot.totals();
        let branches = held.state.branches.values();
        let new = BranchState {
            root: pages.root.clone(),
            snapshot: request.snapshot.id().to_owned(),
            version: request.version,
            files: totals.files,
            chunks: totals.chunks,
            least_average: branches.map(|it| it.least_average).fold(pages.average, f32::min),
            analysis: Some(request.snapshot.config().exported_version()),
        };
        let before = held.state.branches.insert(request.branch.to_owned(), new);
        let is_replaced = before.is_some_and(|it| it.root != pages.root);
        let leaves_documents = is_replaced || held.state.sweep.is_some();
        held.state.sweep = leaves_documents.then_some(0);
        held.state.key = self.storage.key_id().map(str::to_owned);
        Ok(self.swap(request.repository, &held)?.map(|_| leaves_documents))
    }
}

/// Refuses a push over a newer state.
fn is_newest(request: &PushRequest<'_>, held: &StateEntry) -> Result<(), ClusterError> {
    let known = held.state.branches.get(request.branch);
    match known.is_some_and(|it| it.version > request.version) && !request.force {
        true => Err(ClusterError::Older {
            repository: request.repository.to_owned(),
            branch: request.branch.to_owned(),
        }),
        false => Ok(()),
    }
}

/// The parameters of the score that features are computed with.
pub(crate) fn bm25() -> Bm25 {
    preset::search().bm25
}

/// The documents of a branch.
struct Pages {
    /// Documents of its files.
    files: Vec<(String, FileId)>,
    /// Documents of their precise facts, for files that have some.
    facts: Vec<(String, FileId)>,
    /// Where these come from.
    provenances: Vec<Provenance>,
    /// Its pages, the root last.
    pages: Vec<(String, Vec<u8>)>,
    /// The document of the root.
    root: String,
    /// The average length of a chunk that features are computed with.
    average: f32,
}

impl Pages {
    fn of(request: &PushRequest<'_>, storage: &Storage) -> Self {
        let &PushRequest { repository, snapshot, .. } = request;
        let fingerprint = snapshot.config().exported_version();
        let document = |it: FileId| {
            (storage.file_id(repository, snapshot.path(it), snapshot.hash(it), fingerprint), it)
        };
        let mut res = Self {
            files: snapshot.files().map(document).collect(),
            facts: Vec::new(),
            provenances: Vec::new(),
            pages: Vec::new(),
            root: String::new(),
            average: snapshot.weighted_query(&[], &bm25()).average_length(),
        };
        let mut root = Root {
            version: VERSION,
            fingerprint,
            complete: snapshot.is_complete(),
            ..Root::default()
        };
        let of_files = res.add_facts(request, storage);
        let mut left = res.files.clone().into_iter().zip(of_files);
        for n in pages_of_files(snapshot.files().map(|it| snapshot.path(it))) {
            let (files, facts): (Vec<_>, Vec<String>) = left.by_ref().take(n).unzip();
            let (ids, files): (Vec<String>, Vec<FileId>) = files.into_iter().unzip();
            let facts = FactsOfPage { ids: facts, provenances: res.provenances.clone() };
            let page = TablePage::new(ids, snapshot.export_table(&files), facts);
            root.tables.push(res.add((repository, storage), pack(&page)));
        }
        let dictionary = snapshot.export_dictionary();
        let terms = dictionary.terms.into_iter().map(|(term, n)| (term, [n, 0]));
        root.terms = res.add_keys((repository, storage), terms);
        root.names = res.add_keys((repository, storage), dictionary.names.into_iter());
        res.root = res.add((repository, storage), pack(&root));
        let mut known = FxHashSet::default();
        res.pages.retain(|it| known.insert(it.0.clone()));
        res
    }

    /// Adds the documents of precise facts: for each file its one, or nothing.
    fn add_facts(&mut self, request: &PushRequest<'_>, storage: &Storage) -> Vec<String> {
        let &PushRequest { repository, snapshot, .. } = request;
        let facts = snapshot.facts();
        let all = || snapshot.files().map(|it| (it, snapshot.path(it), snapshot.hash(it)));
        self.provenances = facts.provenances(all().map(|it| (it.1, it.2)));
        let mut res = Vec::new();
        for (file, path, hash) in all() {
            let exported = facts.export(path, hash, &self.provenances);
            let id = exported.map(|it| storage.facts_id(repository, &it.bytes));
            self.facts.extend(id.clone().map(|it| (it, file)));
            res.push(id.unwrap_or_default());
        }
        res
    }

    fn add_keys(
        &mut self,
        of: (&str, &Storage),
        keys: impl Iterator<Item = (String, [u32; 2])>,
    ) -> Vec<PageOfKeys> {
        let page = |it: crate::layout::Keys| {
            let first = it.keys.first().cloned().unwrap_or_default();
            PageOfKeys { first, id: self.add(of, pack(&it)) }
        };
        pages_of_keys(keys).into_iter().map(page).collect()
    }

    fn add(&mut self, (repository, storage): (&str, &Storage), bytes: Vec<u8>) -> String {
        let id = storage.page_id(repository, &bytes);
        self.pages.push((id.clone(), bytes));
        id
    }
}

/// The document of a file's precise facts: found by its symbols, by those that it defines, and by the names of these.
fn facts_document(
    storage: &Storage,
    (repository, id): (&str, &str),
    facts: &ExportedFacts,
    layout: LayoutVersion,
) -> Value {
    let symbols =
        |all: &[String]| -> Vec<String> { all.iter().map(|it| storage.feature(it)).collect() };
    let mut res = document(storage, ("facts", repository, id), &pack(&facts.bytes), layout);
    let mut definitions = symbols(&facts.defined);
    definitions.extend(facts.names.iter().map(|it| storage.feature_of_defined(it)));
    for (field, keys) in [("definitions", definitions), ("uses", symbols(&facts.symbols))] {
        add_features(&mut res, field, keys.into_iter().map(|it| (it, 1.0)));
    }
    res
}

/// A document with contents. Its identifier is also a field, because a hit's `_id` is stored beside its data, which would be
/// read and unpacked with it.
fn document(
    storage: &Storage,
    (kind, repository, id): (&str, &str, &str),
    contents: &[u8],
    layout: LayoutVersion,
) -> Value {
    let field = if layout.has_contents() { "contents" } else { "data" };
    let contents = storage.encode(id, contents);
    json!({ "kind": kind, "repository": repository, "id": id, field: contents })
}

/// The document of a file, and the number of its features that were left out.
fn file_document(
    storage: &Storage,
    (repository, id): (&str, &str),
    file: ExportedFile,
    layout: LayoutVersion,
) -> (Value, usize) {
    let counts = |it: Vec<(String, u32)>| it.into_iter().map(|(name, n)| (name, n as f32));
    let mut res = document(storage, ("file", repository, id), &file.segment, layout);
    let fields: [(&str, Vec<(String, f32)>); 3] = [
        ("terms", file.terms),
        ("definitions", counts(file.definitions).collect()),
        ("uses", counts(file.uses).collect()),
    ];
    let mut left_out = 0;
    for (field, all) in fields {
        let named = all.into_iter().map(|(key, value)| (storage.feature(&key), value));
        left_out += add_features(&mut res, field, named);
    }
    (res, left_out)
}

/// Adds a field of features to a document. Returns the number of those left out.
fn add_features(
    document: &mut Value,
    field: &str,
    features: impl Iterator<Item = (String, f32)>,
) -> usize {
    let Features { values, left_out } = fitting(features);
    if !values.is_empty() {
        document[field] = Value::Object(values);
    }
    left_out
}
