//! Pushes a snapshot: what is not there, then the list of branches.

use foreword_engine::index::bm25::Bm25;
use foreword_engine::index::{ExportedFile, FileId, Snapshot};
use foreword_engine::preset;
use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};

use crate::bulk::{BulkItem, BulkWriter};
use crate::client::Cluster;
use crate::error::ClusterError;
use crate::keys::Storage;
use crate::layout::{PageOfKeys, Root, TablePage, VERSION, pack, pages_of_files, pages_of_keys};
use crate::mapping::LayoutVersion;
use crate::repository::{BranchState, StateEntry};

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
        let mut report = PushReport { files: pages.files.len(), ..PushReport::default() };
        for _ in 0..TRIES {
            let check = |it: &StateEntry| {
                self.check_key(request.repository, it)?;
                is_newest(request, it)
            };
            let held = self.unswept(request.repository, &check)?;
            if self.is_done(request, &held, &pages)? {
                report.unchanged = report.sent_files + report.sent_pages == 0;
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
        let mut ids: Vec<&str> = pages.files.iter().map(|it| it.0.as_str()).collect();
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
            let mut document = file_document(&self.storage, (repository, id), exported);
            if layout.has_analysis() {
                document["analysis"] = snapshot.config().exported_version().to_string().into();
            }
            writer.add(BulkItem { id: id.clone(), document: Some(document) }, size)?;
            report.sent_files += 1;
        }
        let ids: Vec<&str> = pages.pages.iter().map(|it| it.0.as_str()).collect();
        let found = self.are_there(repository, &ids)?;
        for ((id, bytes), _) in pages.pages.iter().zip(&found).filter(|it| !it.1) {
            let data = self.storage.encode(id, bytes);
            let document = json!({ "kind": "page", "repository": repository, "data": data });
            let item = BulkItem { id: id.clone(), document: Some(document) };
            writer.add(item, bytes.len() * 4 / 3)?;
            report.sent_pages += 1;
        }
        writer.flush()?;
        watch(PushProgress { done: new.len(), total: new.len() });
        report.bytes += writer.bytes;
        Ok(())
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
        let mut left = res.files.clone().into_iter();
        for n in pages_of_files(snapshot.files().map(|it| snapshot.path(it))) {
            let (ids, files): (Vec<String>, Vec<FileId>) = left.by_ref().take(n).unzip();
            let page = TablePage { ids, table: snapshot.export_table(&files) };
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

/// The document of a file. Its identifier is also a field, because a hit's `_id` is stored beside its data, which would be
/// read and unpacked with it.
fn file_document(storage: &Storage, (repository, id): (&str, &str), file: ExportedFile) -> Value {
    // Features of positive value.
    let features = |all: Vec<(String, f64)>| {
        let positive = all.into_iter().filter(|it| it.1 > 0.0);
        let named = positive.map(|(key, value)| (storage.feature(&key), Value::from(value)));
        named.collect::<Map<String, Value>>()
    };
    let counts = |it: Vec<(String, u32)>| {
        features(it.into_iter().map(|(name, n)| (name, f64::from(n))).collect())
    };
    let terms = file.terms.into_iter().map(|(term, score)| (term, f64::from(score)));
    let mut res = json!({
        "kind": "file", "repository": repository, "id": id,
        "data": storage.encode(id, &file.segment),
    });
    let fields = [
        ("terms", features(terms.collect())),
        ("definitions", counts(file.definitions)),
        ("uses", counts(file.uses)),
    ];
    for (field, features) in fields {
        if !features.is_empty() {
            res[field] = Value::Object(features);
        }
    }
    res
}
