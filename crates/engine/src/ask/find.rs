//! Finds the places that a question names, and the code that matches its words and names.

mod further;

use crate::preset::constants::ask::{
    BRIEF_MATCH_LINES, FIRST_MATCH_LINES, FURTHER_LINES, LATER_MATCH_LINES, PASSAGES,
    PLACE_MARGIN_LINES, RESULTS,
};
use crate::sorting::sort_by_key;
use foreword_chunk::{Definition, Kind, LineIndex};

use super::around::{document, is_document};
use super::config::AskConfig;
use super::explain::{Draft, add_key_lines, definition, last_part, lines_of};
use super::search::results;
use super::types::{AskRequest, QuestionKind, Role, Why};
use super::understand::{PlaceMention, SymbolMention, Understanding};
use crate::custom::{Subject, is_test};
use crate::index::bm25::WeightedQuery;
use crate::index::{ChunkId, DefinitionSite, FileId, FileRole, Snapshot};
use crate::rerank::{DefinitionRanker, is_rejected, put_rejected_back};
use crate::retrieve::{Query, question_query};
use crate::search::{SearchResult, name_of};
use crate::trim::Words;

use further::Definitions;

/// Matches of a question.
pub(super) struct Matches {
    /// Pieces of evidence, best first.
    pub(super) drafts: Vec<Draft>,
    /// Search results with their whole chunks, best first; `strength` judges them.
    pub(super) results: Vec<SearchResult>,
    /// The query of the search.
    pub(super) query: Query,
}

impl Matches {
    /// Places that were found by what the question is about: guides, accesses of the environment.
    pub(super) fn without_search(
        snapshot: &Snapshot,
        request: &AskRequest<'_>,
        understood: &Understanding,
        drafts: Vec<Draft>,
    ) -> Self {
        let query = question_query(&understood.query, snapshot, &request.config().search.query);
        Self { drafts, results: Vec::new(), query }
    }
}

/// Returns the places that the question and the pasted text name.
pub(super) fn places(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    understood: &Understanding,
) -> Vec<Draft> {
    let own = |it: &&PlaceMention| snapshot.role(it.file) != FileRole::ThirdParty;
    let own_first = understood.places.iter().filter(own);
    let others = understood.places.iter().filter(|it| !own(it));
    let mut res: Vec<Draft> = Vec::new();
    for it in own_first.chain(others) {
        if res.len() == request.config().places {
            break;
        }
        let draft = place(snapshot, it);
        let is_shown = |known: &Draft| {
            let same = known.item.path == draft.item.path;
            same && known.item.start_line <= draft.item.start_line
                && draft.item.end_line <= known.item.end_line
        };
        if !res.iter().any(is_shown) {
            res.push(draft);
        }
    }
    res
}

/// A place with the lines around it, within its definition.
fn place(snapshot: &Snapshot, it: &PlaceMention) -> Draft {
    let why = vec![it.origin.map_or(Why::Path, Why::Pasted)];
    let Some((first, last)) = it.lines else {
        return lines_of(snapshot, it.file, (1, FIRST_MATCH_LINES), Role::Named, why);
    };
    let exact = lines_of(
        snapshot,
        it.file,
        (first, last.min(first + FIRST_MATCH_LINES)),
        Role::Named,
        Vec::new(),
    );
    if let Some(mut moved) = moved(snapshot, it, &exact) {
        moved.item.why = why;
        return moved;
    }
    let extent = match exact.definition {
        Some(_) => exact.item.extent,
        None => (1, u32::MAX),
    };
    let from = first.saturating_sub(PLACE_MARGIN_LINES).max(extent.0).min(first).max(1);
    let to = (last.min(first + FIRST_MATCH_LINES) + PLACE_MARGIN_LINES).min(extent.1).max(first);
    let mut draft = lines_of(snapshot, it.file, (from, to), Role::Named, why);
    let Draft { item, definition, .. } = exact;
    (draft.item.symbol, draft.item.kind, draft.item.signature) =
        (item.symbol, item.kind, item.signature);
    (draft.item.extent, draft.definition) = (item.extent, definition);
    draft.item.message.clone_from(&it.message);
    draft
}

/// Where other code is at the lines of a place (the traceback may be of another version): the nearest function of the
/// given name in the file.
fn moved(snapshot: &Snapshot, it: &PlaceMention, exact: &Draft) -> Option<Draft> {
    let (function, (line, _)) = (it.function.as_deref()?, it.lines?);
    let name = function.rsplit(['.', ':', '#', '$']).next()?;
    if last_part(&exact.item.symbol) == name {
        return None;
    }
    let (text, record) = snapshot.contents(it.file);
    let index = LineIndex::new(text.as_bytes());
    let all = record.symbols.definitions.iter().enumerate();
    let of_name = all.filter(|it| it.1.name.of(&text) == name);
    let distance =
        |it: &(usize, &Definition)| index.line_of(it.1.span.start as usize).abs_diff(line);
    let nearest = of_name.min_by_key(distance)?.0 as u32;
    definition(snapshot, (it.file, nearest), LATER_MATCH_LINES, Role::Named, Vec::new())
}

/// Returns the matches of the question's names and words.
pub(super) fn matches(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    understood: &Understanding,
) -> Matches {
    let config = request.config();
    let query = question_query(&understood.query, snapshot, &config.search.query);
    let weighed = snapshot.weighted_query(&query.terms, &config.search.bm25);
    let limit = if request.order.is_empty() { RESULTS } else { PASSAGES };
    let results = results(snapshot, request, &understood.query, limit);
    let mut items = match understood.is(QuestionKind::Overview) {
        true => return Matches { drafts: Vec::new(), results, query },
        false => named(snapshot, request, understood),
    };
    let most = if items.is_empty() { config.matches } else { config.beside_named };
    let tests = (!query.asks_for_tests).then_some(config.matched_tests);
    let left = Quota { code: most, further: config.further, tests };
    let leading = understood.leading();
    let definitions = Definitions::new(snapshot, &query, &config.search.rerank);
    let mut taker = EvidencePicker { snapshot, left, leading, definitions, items: &mut items };
    for (n, it) in in_order(&results, request.order).into_iter().enumerate() {
        match n < leading && is_document(snapshot, request, &it.path) {
            true => taker.items.extend(document(snapshot, it, Role::Match).map(|mut draft| {
                widen(snapshot, &mut draft, (it.start_line, it.end_line));
                draft
            })),
            false => taker.take(it),
        }
    }
    drop(taker);
    put_voted_down_back(snapshot, request, &mut items);
    if !query.asks_for_tests {
        set_tests_apart(snapshot, &mut items);
    }
    for it in written(snapshot, request, config) {
        if let Some(draft) = it.filter(|it| !items.iter().any(|known| is_same(known, it))) {
            items.push(draft);
        }
    }
    with_key_lines(snapshot, &mut items, &weighed);
    Matches { drafts: items, results, query }
}

/// Puts places that a person found irrelevant to the same question behind others.
fn put_voted_down_back(snapshot: &Snapshot, request: &AskRequest<'_>, items: &mut [Draft]) {
    let Some(prior) = request.prior else { return };
    put_rejected_back(items, |it| {
        let overlaps = |chunk: &ChunkId| {
            let (info, bytes) = (snapshot.chunk(*chunk), &it.item.bytes);
            (info.start as usize) < bytes.end && bytes.start < info.end as usize
        };
        let mut chunks = snapshot.chunks(it.file).filter(overlaps);
        chunks.any(|chunk| is_rejected(&prior(chunk)))
    });
}

/// The results in the order that a model prefers; the others follow.
fn in_order<'r>(results: &'r [SearchResult], order: &[usize]) -> Vec<&'r SearchResult> {
    let mut at: Vec<usize> = Vec::new();
    for n in order.iter().copied().chain(0..results.len()) {
        if n < results.len() && !at.contains(&n) {
            at.push(n);
        }
    }
    at.into_iter().map(|n| &results[n]).collect()
}

/// Selects results as evidence within a quota.
struct EvidencePicker<'t, 'q> {
    snapshot: &'t Snapshot,
    left: Quota,
    /// Pieces that are shown with all likely lines of their result.
    leading: usize,
    definitions: Definitions<'q>,
    items: &'t mut Vec<Draft>,
}

/// Results that may still be selected.
struct Quota {
    code: usize,
    /// Results after these, of which only the beginning is shown.
    further: usize,
    /// Tests; `None` where tests are ranked like other code.
    tests: Option<usize>,
}

impl Quota {
    fn is_empty(&self) -> bool {
        self.code == 0 && self.further == 0 && self.tests.is_none_or(|it| it == 0)
    }
}

impl EvidencePicker<'_, '_> {
    fn take(&mut self, it: &SearchResult) {
        if self.left.is_empty() || !is_code(self.snapshot, it) {
            return;
        }
        let Some(mut draft) = of_result(self.snapshot, it, self.most()) else { return };
        let at = self.items.len();
        match at < self.leading {
            true if at == 0 => widen(self.snapshot, &mut draft, (it.start_line, it.end_line)),
            true => self.definitions.extend(&mut draft, it),
            false => {}
        }
        let is_test = self.snapshot.role(draft.file) == FileRole::Test;
        let (left, role) = match &mut self.left.tests {
            Some(tests) if is_test => (tests, Role::Test),
            _ if self.left.code == 0 => (&mut self.left.further, Role::Further),
            _ => (&mut self.left.code, Role::Match),
        };
        let is_known = |all: &[Draft], draft: &Draft| all.iter().any(|it| is_same(it, draft));
        if *left == 0 || is_known(self.items, &draft) {
            return;
        }
        *left -= 1;
        draft.item.role = role;
        let is_brief = at >= self.leading && role != Role::Test && self.left.further > 0;
        let second = is_brief.then(|| self.definitions.second(&draft, it)).flatten();
        self.items.push(draft);
        self.items.extend(second.filter(|it| !is_known(self.items, it)));
    }

    /// Lines of the next piece.
    fn most(&self) -> u32 {
        match self.items.len() {
            0 => FIRST_MATCH_LINES,
            at if at < self.leading => LATER_MATCH_LINES,
            _ if self.left.code == 0 => FURTHER_LINES,
            _ => BRIEF_MATCH_LINES,
        }
    }
}

/// Marks tests inside a file of code as tests, where other code of the file was found.
fn set_tests_apart(snapshot: &Snapshot, items: &mut [Draft]) {
    let is_match = |it: &Draft| it.item.role == Role::Match;
    let is_test = |it: &Draft| {
        let bytes = (it.item.bytes.start, it.item.bytes.end);
        is_test(&Subject { snapshot, file: it.file, definition: it.definition, bytes })
    };
    let code: Vec<FileId> =
        items.iter().filter(|it| is_match(it) && !is_test(it)).map(|it| it.file).collect();
    let apart = |it: &&mut Draft| is_match(it) && code.contains(&it.file) && is_test(it);
    items.iter_mut().filter(apart).for_each(|it| it.item.role = Role::Test);
}

/// Results for the texts that a model wrote: the first of each text, then the second of each.
fn written(
    snapshot: &Snapshot,
    request: &AskRequest<'_>,
    config: &AskConfig,
) -> Vec<Option<Draft>> {
    let lists: Vec<Vec<SearchResult>> =
        request.written.iter().map(|it| results(snapshot, request, it, config.written)).collect();
    let all = (0..config.written).flat_map(|n| lists.iter().filter_map(move |it| it.get(n)));
    let draft = |it: &SearchResult| {
        let mut draft = of_result(snapshot, it, LATER_MATCH_LINES)?;
        draft.item.why.insert(0, Why::ModelText);
        Some(draft)
    };
    let is_code = |it: &&SearchResult| is_code(snapshot, it);
    all.filter(is_code).take(config.written).map(draft).collect()
}

fn with_key_lines(snapshot: &Snapshot, items: &mut [Draft], weighed: &WeightedQuery) {
    let words = Words::new(weighed);
    items.iter_mut().for_each(|it| add_key_lines(snapshot, it, &words));
}

/// Whether both show the same definition, or two of one name in one file (a declaration and its definition).
fn is_same(known: &Draft, it: &Draft) -> bool {
    let same = known.definition.is_some() && known.definition == it.definition;
    let named_alike = !it.item.symbol.is_empty() && known.item.symbol == it.item.symbol;
    known.file == it.file && (same || named_alike)
}

/// Whether the result is code; documents are gathered separately.
fn is_code(snapshot: &Snapshot, it: &SearchResult) -> bool {
    snapshot.file(&it.path).is_some_and(|it| snapshot.role(it) != FileRole::Prose)
}

/// A result as evidence: its definition, or its best-matching lines.
fn of_result(snapshot: &Snapshot, it: &SearchResult, most: u32) -> Option<Draft> {
    let file = snapshot.file(&it.path)?;
    let why: Vec<Why> = it.reasons.iter().cloned().map(Why::Ranked).collect();
    let (first, last) = it.focus_lines();
    let at = lines_of(snapshot, file, (first, last), Role::Match, Vec::new());
    let at = titled(snapshot, it, &at).unwrap_or(at);
    let is_whole =
        |it: &Draft| it.definition.is_some() && it.item.extent.1 - it.item.extent.0 < most;
    if let (true, Some(idx)) = (is_whole(&at), at.definition) {
        return definition(snapshot, (file, idx), most, Role::Match, why);
    }
    let excerpt = it.excerpt(most as usize);
    let lines = excerpt.text.lines().count().max(1) as u32;
    let lines = (excerpt.start_line, excerpt.start_line + lines - 1);
    let mut draft = lines_of(snapshot, file, lines, Role::Match, why);
    draft.definition = at.definition;
    (draft.item.symbol, draft.item.kind) = (it.symbol.clone(), it.kind);
    (draft.item.signature, draft.item.extent) = (at.item.signature, at.item.extent);
    Some(draft)
}

/// The definition that the result has as its title, where another one is around its first line: attributes and comments
/// before a method belong to the type around it.
fn titled(snapshot: &Snapshot, it: &SearchResult, at: &Draft) -> Option<Draft> {
    if it.symbol.is_empty() || at.item.symbol == it.symbol {
        return None;
    }
    let (text, record) = snapshot.contents(at.file);
    let (start, end) = (at.item.bytes.start, at.item.bytes.end);
    let is_here = |it: &Definition| (it.span.start as usize) < end && start < it.span.end as usize;
    let all = record.symbols.definitions.iter().enumerate();
    let mut here = all.filter(|it| is_here(it.1)).map(|it| it.0 as u32);
    let idx = here.find(|idx| record.dotted_name(&text, *idx) == it.symbol)?;
    definition(snapshot, (at.file, idx), LATER_MATCH_LINES, Role::Match, Vec::new())
}

/// Extends a piece to lines of its file, 1-based, inclusive: of a result's definitions, another one than the
/// best-matching may answer.
fn widen(snapshot: &Snapshot, draft: &mut Draft, (first, last): (u32, u32)) {
    let item = &mut draft.item;
    let lines = (item.start_line.min(first), item.end_line.max(last));
    let whole = lines_of(snapshot, draft.file, lines, item.role, Vec::new()).item;
    (item.start_line, item.end_line) = (whole.start_line, whole.end_line);
    (item.bytes, item.text) = (whole.bytes, whole.text);
}

/// Returns the definitions that the question names, the likeliest of each name first: those within the qualifier, in
/// files that the question names, in code before tests, types and functions before fields.
fn named(snapshot: &Snapshot, request: &AskRequest<'_>, understood: &Understanding) -> Vec<Draft> {
    let mut res: Vec<Draft> = Vec::new();
    for asked in &understood.names {
        let mut sites = snapshot.definitions(&asked.name);
        let subject = |it: &DefinitionSite| {
            let (file, definition) = (it.file, Some(it.definition));
            Subject { snapshot, file, definition, bytes: (0, 0) }
        };
        let passes =
            |it: &DefinitionSite| request.tags.is_none_or(|tags| tags.passes(&subject(it)));
        let is_kept =
            |it: &DefinitionSite| request.keep.is_none_or(|keep| keep(it.file)) && passes(it);
        sites.retain(|it| it.kind != Kind::Section && is_kept(it));
        let belonging = |it: &DefinitionSite| belongs(snapshot, it, asked);
        if sites.iter().any(belonging) {
            sites.retain(belonging);
        }
        sort_by_key(&mut sites, |it| (importance(snapshot, it, understood), *it));
        for site in sites.iter().take(request.config().named) {
            let most = if res.is_empty() { FIRST_MATCH_LINES } else { LATER_MATCH_LINES };
            let why = vec![Why::Definition(asked.name.clone())];
            let draft = definition(snapshot, (site.file, site.definition), most, Role::Match, why);
            res.extend(draft.filter(|it| !res.iter().any(|known| is_same(known, it))));
        }
    }
    res
}

/// Whether a definition lies within its qualifier: a type, a file or a directory of that name.
fn belongs(snapshot: &Snapshot, it: &DefinitionSite, asked: &SymbolMention) -> bool {
    let Some(qualifier) = &asked.qualifier else { return true };
    let (symbol, _) = name_of(snapshot, it.file, it.definition);
    let path = snapshot.path(it.file);
    let mut around = symbol.split('.').rev().skip(1).chain(path.split(['/', '.']));
    around.any(|it| it == qualifier)
}

/// Sort key: lower is more likely meant.
fn importance(
    snapshot: &Snapshot,
    it: &DefinitionSite,
    understood: &Understanding,
) -> (bool, u8, u8, u32) {
    let is_elsewhere = !understood.places.iter().any(|place| place.file == it.file);
    let role = match snapshot.role(it.file) {
        FileRole::Code => 0,
        FileRole::Gathering => 1,
        FileRole::Periphery => 2,
        FileRole::Test => 3,
        _ => 4,
    };
    let kind = match it.kind {
        Kind::Class | Kind::Interface | Kind::Enum | Kind::Function | Kind::Macro => 0,
        Kind::Method | Kind::Type | Kind::Constructor => 1,
        Kind::Implementation | Kind::Constant | Kind::Module => 2,
        Kind::Field | Kind::Section => 3,
    };
    let record = snapshot.record(it.file);
    // The longer one first: a declaration may be elsewhere.
    let length =
        record.symbols.definitions.get(it.definition as usize).map_or(0, |it| it.span.len());
    (is_elsewhere, role, kind, u32::MAX - length as u32)
}
