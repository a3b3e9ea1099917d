//! The same terms in tantivy: one field, frequencies, no positions, one segment, in memory.

use anyhow::Context as _;
use tantivy::collector::TopDocs;
use tantivy::indexer::NoMergePolicy;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, IndexWriter, Searcher, TantivyDocument, Term};

/// How many hits both return.
pub(crate) const LIMIT: usize = 50;

/// An index under construction.
pub(crate) struct Builder {
    index: Index,
    writer: IndexWriter,
    body: Field,
    number: Field,
}

/// An index of one segment.
pub(crate) struct Tantivy {
    searcher: Searcher,
    body: Field,
}

impl Builder {
    pub(crate) fn new() -> anyhow::Result<Self> {
        let mut schema = Schema::builder();
        // The terms are separated by spaces and are indexed as they are.
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("whitespace")
            .set_index_option(IndexRecordOption::WithFreqs);
        let body =
            schema.add_text_field("body", TextOptions::default().set_indexing_options(indexing));
        let number = schema.add_u64_field("number", FAST);
        let index = Index::create_in_ram(schema.build());
        let writer = index.writer_with_num_threads(1, 512 << 20)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(Self { index, writer, body, number })
    }

    pub(crate) fn add(&mut self, number: u64, terms: &str) -> anyhow::Result<()> {
        let mut document = TantivyDocument::new();
        document.add_text(self.body, terms);
        document.add_u64(self.number, number);
        self.writer.add_document(document)?;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> anyhow::Result<Tantivy> {
        self.writer.commit()?;
        let segments = self.index.searchable_segment_ids()?;
        if segments.len() > 1 {
            self.writer.merge(&segments).wait()?;
        }
        self.writer.wait_merging_threads()?;
        let searcher = self.index.reader()?.searcher();
        anyhow::ensure!(searcher.segment_readers().len() == 1, "merged into one segment");
        Ok(Tantivy { searcher, body: self.body })
    }
}

impl Tantivy {
    /// A query for any of the terms.
    pub(crate) fn query(&self, terms: &[String]) -> BooleanQuery {
        let clause = |it: &String| {
            let term = Term::from_field_text(self.body, it);
            let query: Box<dyn Query> =
                Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            (Occur::Should, query)
        };
        BooleanQuery::new(terms.iter().map(clause).collect())
    }

    /// The best documents, by their number in the one segment.
    pub(crate) fn search(&self, query: &BooleanQuery) -> Vec<(f32, u32)> {
        let found = self.searcher.search(query, &TopDocs::with_limit(LIMIT).order_by_score());
        found.unwrap_or_default().into_iter().map(|(score, at)| (score, at.doc_id)).collect()
    }

    /// The numbers under which documents were added.
    pub(crate) fn numbers(&self, found: &[(f32, u32)]) -> anyhow::Result<Vec<u64>> {
        let reader = self.searcher.segment_readers().first().context("one segment")?;
        let numbers = reader.fast_fields().u64("number")?;
        Ok(found.iter().filter_map(|it| numbers.first(it.1)).collect())
    }

    /// In how many documents a term occurs.
    pub(crate) fn document_frequency(&self, term: &str) -> anyhow::Result<u64> {
        Ok(self.searcher.doc_freq(&Term::from_field_text(self.body, term))?)
    }
}
