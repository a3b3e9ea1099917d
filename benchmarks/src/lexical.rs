//! BM25 alone, beside tantivy: the same chunks, the same terms, the same parameters, the same queries.
//!
//! All four of our fields weigh 1, which makes them one field; tantivy's only field has the terms of all four. Its k1 and b
//! are constants (1.2 and 0.75), which we use here, too. The remaining difference is its length norm of one byte.

use foreword_chunk::Kind;
use foreword_engine::index::bm25::{Bm25, WeightedTerm};
use foreword_engine::index::terms::{identifiers, terms_of};
use foreword_engine::index::{ChunkId, FileRecord, Snapshot};
use tantivy::query::BooleanQuery;

use crate::arguments::{Arguments, bytes};
use crate::collection::{Collection, Words};
use crate::measure::{self, least, median, quantile, seconds};
use crate::random::Random;
use crate::tantivy_index::{Builder, LIMIT, Tantivy};

/// tantivy's constants.
const ONE_FIELD: Bm25 = Bm25 { k1: 1.2, b: 0.75, weights: [1.0; 4] };

/// Terms in a query.
const SIZES: [usize; 4] = [10, 30, 60, 100];

/// `foreword-bench lexical DIR`.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let root = arguments.directory()?;
    let scratch = arguments.scratch()?;
    let chunks: u32 = arguments.number("chunks", 20_000)?;
    let batch = bytes(arguments.text("batch", "96M"))?;
    let collection = Collection::build(&root, scratch.path(), chunks, batch)?;
    let snapshot = &collection.snapshot;
    let ids: Vec<ChunkId> = snapshot.files().flat_map(|it| snapshot.chunks(it)).collect();
    let tantivy = tantivy_of(snapshot, &ids)?;
    measure::begin(arguments)?;
    println!(
        "{} chunks of {} files (each file {} times), {} segments; best {LIMIT}\n",
        ids.len(),
        snapshot.totals().files,
        collection.copies,
        snapshot.segments().len()
    );
    let bench = Bench { snapshot, ids: &ids, tantivy: &tantivy, arguments };
    bench.check()?;
    bench.table("near", Words::Telling)?;
    bench.table("all", Words::All)?;
    measure::end();
    Ok(())
}

fn tantivy_of(snapshot: &Snapshot, ids: &[ChunkId]) -> anyhow::Result<Tantivy> {
    let mut builder = Builder::new()?;
    let mut stream = String::new();
    for (number, id) in ids.iter().enumerate() {
        let (text, record) = (snapshot.text(id.file), snapshot.record(id.file));
        stream.clear();
        write_terms(snapshot.path(id.file), &text, &record, id.idx, &mut stream);
        builder.add(number as u64, &stream)?;
    }
    builder.finish()
}

/// The terms of a chunk in all fields, as the index counts them.
fn write_terms(path: &str, text: &str, record: &FileRecord, idx: u32, out: &mut String) {
    let mut scratch = String::new();
    let mut put = |text: &str| {
        identifiers(text, |start, end| {
            terms_of(&text[start..end], &mut scratch, |term, _| {
                out.push_str(term);
                out.push(' ');
            });
        });
    };
    let chunk = &record.chunks[idx as usize];
    put(chunk.span.of(text));
    for it in record
        .symbols
        .definitions
        .iter()
        .filter(|it| chunk.span.contains_byte(it.name.start as usize))
    {
        put(it.name.of(text));
    }
    let dot = path.rfind('.').filter(|&dot| dot > path.rfind('/').map_or(0, |slash| slash + 1));
    put(&path[..dot.unwrap_or(path.len())]);
    for it in record.symbols.ancestors(chunk.scope).filter(|it| it.kind != Kind::Section) {
        put(it.name.of(text));
    }
}

struct Bench<'b> {
    snapshot: &'b Snapshot,
    ids: &'b [ChunkId],
    tantivy: &'b Tantivy,
    arguments: &'b Arguments,
}

/// The times of one query, each the least of all rounds.
#[derive(Clone, Copy)]
struct Times {
    ours: f64,
    theirs: f64,
    overlap: f64,
}

impl Bench<'_> {
    /// Checks that both hold the same collection: without equal document frequencies the comparison means nothing.
    fn check(&self) -> anyhow::Result<()> {
        let mut random = Random(7);
        let mut checked = 0;
        for _ in 0..200 {
            let Some(terms) = self.sample(&mut random, 10, Words::All) else { continue };
            for term in &terms {
                let (ours, theirs) = (
                    self.snapshot.document_frequency(term),
                    self.tantivy.document_frequency(term)?,
                );
                anyhow::ensure!(
                    u64::from(ours) == theirs,
                    "{term}: {ours} and {theirs} chunks have it"
                );
                checked += 1;
            }
        }
        println!("{checked} terms checked: both have each in the same number of chunks\n");
        Ok(())
    }

    fn sample(&self, random: &mut Random, n: usize, words: Words) -> Option<Vec<String>> {
        let id = self.ids[random.below(self.ids.len())];
        crate::collection::half_chunk_terms(self.snapshot, id, n, words)
    }

    fn table(&self, name: &str, words: Words) -> anyhow::Result<()> {
        let queries: usize = self.arguments.number("queries", 200)?;
        println!(
            "| {name} | p50 ms, ours | tantivy | ratio | p95 ms, ours | tantivy | ratio | postings p50 | same of the best 10 |\n\
             |---|---|---|---|---|---|---|---|---|"
        );
        for n in SIZES {
            let mut random = Random(n as u64);
            let mut sampled = Vec::new();
            for _ in 0..queries * 50 {
                if sampled.len() < queries {
                    sampled.extend(self.sample(&mut random, n, words));
                }
            }
            if sampled.is_empty() {
                println!("| {n} terms | no chunk has as many around it | | | | | | | |");
                continue;
            }
            self.row(n, &sampled)?;
        }
        println!();
        Ok(())
    }

    fn row(&self, n: usize, queries: &[Vec<String>]) -> anyhow::Result<()> {
        let times =
            queries.iter().map(|it| self.times(it)).collect::<anyhow::Result<Vec<Times>>>()?;
        let ours: Vec<f64> = times.iter().map(|it| it.ours * 1e3).collect();
        let theirs: Vec<f64> = times.iter().map(|it| it.theirs * 1e3).collect();
        let overlap = times.iter().map(|it| it.overlap).sum::<f64>() / times.len() as f64;
        let postings = |it: &Vec<String>| {
            it.iter().map(|it| f64::from(self.snapshot.document_frequency(it))).sum()
        };
        let postings = median(&queries.iter().map(postings).collect::<Vec<f64>>());
        let (p50, p95) = (|it: &[f64]| quantile(it, 0.5), |it: &[f64]| quantile(it, 0.95));
        println!(
            "| {n} terms | {:.3} | {:.3} | {:.1} | {:.3} | {:.3} | {:.1} | {postings:.0} | {:.0} % |",
            p50(&ours),
            p50(&theirs),
            p50(&theirs) / p50(&ours),
            p95(&ours),
            p95(&theirs),
            p95(&theirs) / p95(&ours),
            overlap * 100.0
        );
        Ok(())
    }

    /// Both answer in turns; the least time of all rounds counts.
    fn times(&self, terms: &[String]) -> anyhow::Result<Times> {
        let rounds: usize = self.arguments.number("rounds", 5)?;
        let weighted: Vec<WeightedTerm> =
            terms.iter().map(|it| WeightedTerm { term: it.clone(), weight: 1.0 }).collect();
        let query = self.tantivy.query(terms);
        let ours = || {
            self.snapshot.lexical(&self.snapshot.weighted_query(&weighted, &ONE_FIELD), None, LIMIT)
        };
        let (mut our_times, mut their_times) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            our_times.push(seconds(ours));
            their_times.push(seconds(|| self.tantivy.search(&query)));
        }
        let overlap = self.overlap(&weighted, &query)?;
        Ok(Times { ours: least(&our_times), theirs: least(&their_times), overlap })
    }

    /// The share of tantivy's best 10 that by our score are as good as our tenth. Scores and not places are compared,
    /// since the order of equal chunks (copies of a file) is arbitrary.
    fn overlap(&self, terms: &[WeightedTerm], query: &BooleanQuery) -> anyhow::Result<f64> {
        let found = self.tantivy.search(query);
        let numbers = self.tantivy.numbers(&found[..found.len().min(10)])?;
        let weighed = self.snapshot.weighted_query(terms, &ONE_FIELD);
        let ours = self.snapshot.lexical(&weighed, None, 1000);
        let Some(tenth) = ours.get(ours.len().min(10).wrapping_sub(1)) else { return Ok(1.0) };
        let good: Vec<ChunkId> = ours
            .iter()
            .take_while(|it| it.score >= tenth.score * (1.0 - 1e-5))
            .map(|it| it.chunk)
            .collect();
        let same = numbers.iter().filter(|it| good.contains(&self.ids[**it as usize])).count();
        Ok(same as f64 / numbers.len().max(1) as f64)
    }
}
