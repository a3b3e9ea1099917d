//! Output of every step, from the lists of single retrievers to the evidence, for an evaluation of which step loses the
//! answer.

use super::explain::Draft;
use super::pipeline::{Collection, collect};
use super::types::{AskRequest, EvidenceSet, Role, Why};
use crate::fuse::Candidate;
use crate::index::{ChunkId, Snapshot};
use crate::pipeline::{Control, Ranking, Request, rank};
use crate::preset::constants::ask::{FUSED, RESULTS};
use crate::retrieve::Question;
use crate::trim::Count;

/// Lines of a file, 1-based, inclusive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineRange {
    /// The file.
    pub path: String,
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
}

/// Output of every step.
#[derive(Clone, Debug, PartialEq)]
pub struct AskStages {
    /// Results of each retriever, by its name: the signals of the search, then what ask adds.
    pub retrieved: Vec<(&'static str, Vec<LineRange>)>,
    /// The first [`FUSED`] candidates of the search after fusion, and what ask adds.
    pub fused: Vec<LineRange>,
    /// The results after reranking, and what ask adds.
    pub reranked: Vec<LineRange>,
    /// The evidence.
    pub gathered: EvidenceSet,
}

/// Gathers the evidence for a question, and keeps the output of every step.
pub fn stages(snapshot: &Snapshot, request: &AskRequest<'_>, count: Count<'_>) -> AskStages {
    let collected = collect(snapshot, request, count);
    let question = Question {
        keep: request.keep,
        prior: request.prior,
        ..Question::new(&collected.understood.query)
    };
    let searched = Request::Question { snapshot, question: &question };
    let ranking = rank(&searched, &request.config().search, &mut Control::default());
    let chunks = |all: &mut dyn Iterator<Item = &Candidate>| -> Vec<LineRange> {
        all.map(|it| lines_of(snapshot, it.chunk)).collect()
    };
    let added = added(&collected);
    let beside: Vec<LineRange> = added.iter().flat_map(|it| it.1.iter().cloned()).collect();
    let is_fused = |it: &&Candidate| (1..=FUSED as u32).contains(&it.fused.0);
    let mut fused = chunks(&mut ranking.candidates.iter().filter(is_fused));
    fused.extend(beside.iter().cloned());
    let mut reranked = chunks(&mut ranking.candidates.iter().take(RESULTS));
    reranked.extend(beside);
    let mut retrieved = signals(snapshot, &ranking);
    retrieved.extend(added);
    AskStages { retrieved, fused, reranked, gathered: collected.select(request, count) }
}

/// The lists of the search.
fn signals(snapshot: &Snapshot, ranking: &Ranking) -> Vec<(&'static str, Vec<LineRange>)> {
    let lists = ranking.lists.iter().filter(|it| !it.hits.is_empty());
    let lines = |it: &crate::retrieve::RankedList| {
        it.hits.iter().map(|it| lines_of(snapshot, it.chunk)).collect()
    };
    lists.map(|it| (it.signal.name(), lines(it))).collect()
}

/// Evidence from outside the search, by retriever.
fn added(collected: &Collection) -> Vec<(&'static str, Vec<LineRange>)> {
    let mut res: Vec<(&'static str, Vec<LineRange>)> = Vec::new();
    for it in &collected.drafts {
        let Some(name) = retriever(it) else { continue };
        let lines = LineRange {
            path: it.item.path.clone(),
            first: it.item.start_line,
            last: it.item.end_line,
        };
        match res.iter_mut().find(|known| known.0 == name) {
            Some(known) => known.1.push(lines),
            None => res.push((name, vec![lines])),
        }
    }
    res
}

/// The retriever of a piece; `None` for results of the search.
fn retriever(it: &Draft) -> Option<&'static str> {
    match (it.item.role, it.item.why.first()) {
        _ if it.item.source.is_some() => Some("statements"),
        (_, Some(Why::TeamAnswer)) => Some("statements"),
        (_, Some(Why::ModelText)) => Some("written"),
        (_, Some(Why::Definition(_))) => Some("names"),
        (Role::Match | Role::Further | Role::Test, Some(Why::Ranked(_))) => None,
        (Role::Named, _) => Some("places"),
        (Role::Definition, _) => Some("used"),
        (Role::Caller, _) => Some("callers"),
        (Role::Subtype, _) => Some("subtypes"),
        (Role::Test, _) => Some("tests"),
        (Role::Document | Role::Guide, _) => Some("documents"),
        (Role::Part | Role::Match | Role::Further, _) => Some("overview"),
        (Role::Faq | Role::Discussion, _) => Some("statements"),
        (Role::Earlier, _) => Some("earlier"),
    }
}

fn lines_of(snapshot: &Snapshot, chunk: ChunkId) -> LineRange {
    let info = snapshot.chunk(chunk);
    let path = snapshot.path(chunk.file).to_owned();
    LineRange { path, first: info.start_line, last: info.end_line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::IndexConfig;
    use crate::source::Source;

    #[test]
    fn every_stage_has_what_the_next_one_keeps() {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = vec![
            source(
                "stock.py",
                "from prices import price_of\n\n\ndef take_item(name):\n    return price_of(name)\n",
            ),
            source("prices.py", "def price_of(name):\n    return len(name)\n"),
            source("README.md", "# Shop\n\nTake an item with `take_item`.\n"),
        ];
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let request =
            AskRequest { question: "how is an item taken", tokens: 4000, ..AskRequest::default() };
        let it = stages(&snapshot, &request, &str::len);
        let has = |all: &[LineRange], path: &str| all.iter().any(|it| it.path == path);
        assert_eq!(it.retrieved[0].0, "lexical");
        assert!(has(&it.fused, "stock.py") && has(&it.reranked, "stock.py"));
        assert!(it.retrieved.iter().any(|it| it.0 == "used" && has(&it.1, "prices.py")));
        assert_eq!(it.gathered, super::super::gather(&snapshot, &request, &str::len));
    }
}
