//! Embeds the chunks of an index that have no vector.

use foreword_engine::index::{
    FileId, FileRole, Snapshot, StoreError, TextKey, VectorStore, VectorWriter, chunk_texts,
};
use foreword_engine::sorting::sort_by_key;

use super::Embedder;
use crate::error::ModelError;

/// Texts per request: the work lost at most when the process is killed, and the wait of a question in between.
const BATCH: usize = 16;

/// Progress of the work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Files without vectors at the start.
    pub files: usize,
    /// Files done.
    pub done: usize,
    /// Chunks embedded.
    pub chunks: usize,
    /// Chunks that the model refused.
    pub refused: usize,
}

/// Reason for missing vectors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FillError {
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Embeds the files that `store` lacks, in batches, code before documents and data, until `goes_on` returns false;
/// finished work is kept. `None` while another process does the same.
pub async fn fill(
    embedder: &Embedder,
    snapshot: &Snapshot,
    store: &VectorStore,
    goes_on: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<Option<Progress>, FillError> {
    let probe = embedder.probe().await?;
    let Some(writer) = store.try_write(&probe)? else { return Ok(None) };
    let mut files = store.load().missing(snapshot);
    sort_by_key(&mut files, |it| matches!(snapshot.role(*it), FileRole::Prose | FileRole::Data));
    let progress = Progress { files: files.len(), ..Progress::default() };
    let dimensions = probe.dimensions();
    let (waiting, texts) = (Vec::new(), Vec::new());
    let mut run = Run { embedder, dimensions, snapshot, writer, progress, files: waiting, texts };
    for file in files {
        run.add(file);
        if run.texts.len() >= BATCH && !run.embed(goes_on).await? {
            break;
        }
    }
    run.embed(goes_on).await?;
    let Run { writer, progress, .. } = run;
    writer.finish(snapshot)?;
    Ok(Some(progress))
}

struct Run<'r> {
    embedder: &'r Embedder,
    /// Dimensions of the probe's vector, which all others must have.
    dimensions: usize,
    snapshot: &'r Snapshot,
    writer: VectorWriter,
    progress: Progress,
    /// Files whose chunks are in `texts` or already have vectors.
    files: Vec<(FileId, Vec<TextKey>)>,
    /// Distinct texts to embed.
    texts: Vec<(TextKey, String)>,
}

impl Run<'_> {
    fn add(&mut self, file: FileId) {
        let texts = chunk_texts(self.snapshot, file);
        let keys: Vec<TextKey> = texts.iter().map(|it| TextKey::of(it)).collect();
        for (key, text) in keys.iter().zip(texts) {
            if !self.writer.has(*key) && self.texts.iter().all(|it| it.0 != *key) {
                self.texts.push((*key, text));
            }
        }
        self.files.push((file, keys));
    }

    /// Embeds the texts and marks the files as done; returns whether to continue.
    async fn embed(
        &mut self,
        goes_on: &(dyn Fn(Progress) -> bool + Sync),
    ) -> Result<bool, FillError> {
        let texts = std::mem::take(&mut self.texts);
        for batch in texts.chunks(BATCH) {
            if !goes_on(self.progress) {
                return Ok(false);
            }
            let sent: Vec<String> = batch.iter().map(|it| it.1.clone()).collect();
            let vectors = self.embedder.texts(&sent, self.dimensions).await?;
            let named = batch.iter().map(|it| it.0).zip(vectors);
            let named: Vec<(TextKey, Vec<f32>)> =
                named.filter_map(|(key, vector)| Some((key, vector?))).collect();
            self.writer.append(&named)?;
            self.progress.chunks += named.len();
            self.progress.refused += batch.len() - named.len();
        }
        for (file, keys) in std::mem::take(&mut self.files) {
            self.writer.append_file(self.snapshot, file, &keys)?;
            self.progress.done += 1;
        }
        Ok(goes_on(self.progress))
    }
}
