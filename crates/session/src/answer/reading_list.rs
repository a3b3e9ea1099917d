//! Code to read before an edit: the code itself, the definitions that it uses, its callers, its tests, and related code.

use foreword_chunk::{Kind, LineIndex, ReferenceKind};
use foreword_engine::evidence::{Reason, Signal};
use foreword_engine::index::{FileId, FileRole, Snapshot};
use foreword_engine::order::Truncation;
use foreword_engine::pipeline::{Control, CursorRetrieval};
use foreword_engine::preset;
use foreword_engine::retrieve::Certainty;
use foreword_engine::scope::{Cursor, View};
use foreword_engine::search::name_of;
use foreword_engine::sorting::sort_by_key;
use foreword_engine::trim::{Count, Piece, Window};

use super::excerpt::{beginning, of_result};
use super::search::{Question, ranked};
use super::symbols::{self, Definition, Use};
use crate::activity::ActivityElsewhere;
use crate::custom::Adjustments;
use crate::filter::Filter;

/// Share of the budget for the code itself, or for the matches of a task.
const EDITED_SHARE: f32 = 0.4;

/// Share for callers, and for tests.
const USES_SHARE: f32 = 0.12;

/// Number of shown matches of a task.
const MAX_MATCHES: usize = 4;

/// Number of names whose callers and tests are searched, from the first anchors.
const MAX_NAMES: usize = 3;

/// Maximum number of shown callers, and of tests.
const MAX_USES: usize = 12;

/// Maximum number of examined uses of one name.
const MAX_EXAMINED_USES: usize = 200;

/// Tokens of a part's heading.
const HEADING_TOKENS: usize = 60;

/// A repository's state, and what the user or the agent did in files other than a given one.
#[derive(Clone, Copy)]
pub(crate) struct SessionView<'s> {
    /// The state of the repository.
    pub(crate) snapshot: &'s Snapshot,
    /// The session, seen from a file.
    pub(crate) elsewhere: &'s dyn Fn(&str) -> ActivityElsewhere,
}

/// Role of a part of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is the code to be edited.
    Here,
    /// It matches the task.
    Match,
    /// It defines a name that the code uses.
    Definition,
    /// It uses the code.
    Caller,
    /// It is a test that uses the code.
    Test,
    /// It was found by the ranking for a cursor at the code.
    Related,
}

impl Role {
    /// The name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Here => "here",
            Self::Match => "match",
            Self::Definition => "definition",
            Self::Caller => "caller",
            Self::Test => "test",
            Self::Related => "related",
        }
    }
}

/// One part to read.
pub struct Part {
    /// Why the part is on the list.
    pub role: Role,
    /// The file, relative to the root.
    pub path: String,
    /// The first line, from 1.
    pub start_line: u32,
    /// The last line, inclusive.
    pub end_line: u32,
    /// The kind of the definition.
    pub kind: Option<Kind>,
    /// The dotted name of the definition; empty without one.
    pub symbol: String,
    /// Reasons of the ranking; empty for other parts.
    pub reasons: Vec<Reason>,
    /// The name that a caller or test uses, how, and how sure that is.
    pub uses: Option<(String, ReferenceKind, Certainty)>,
    /// The lines.
    pub text: String,
}

/// Code that the list is about.
struct Anchor {
    file: FileId,
    start: usize,
    end: usize,
    /// Offset of the assumed cursor.
    at: usize,
    /// The name of the definition, if it is one.
    name: Option<String>,
    /// The task, in words; empty without one.
    intent: String,
}

impl Anchor {
    fn contains(&self, snapshot: &Snapshot, it: &Definition) -> bool {
        snapshot.file(&it.path) == Some(self.file)
            && self.start < it.span.end as usize
            && (it.span.start as usize) < self.end
    }
}

/// The list for a line of a file or for the whole file, and for a task there, which may be empty.
pub(crate) fn around_line(
    session: SessionView<'_>,
    (file, line): (FileId, Option<u32>),
    task: &str,
    tokens: usize,
    count: Count<'_>,
) -> anyhow::Result<Vec<Part>> {
    let snapshot = session.snapshot;
    let mut anchor = anchor_at(snapshot, file, line);
    task.clone_into(&mut anchor.intent);
    let here = anchor_part(snapshot, &anchor, line, share(tokens, EDITED_SHARE), count);
    let names = anchor_names(snapshot, &anchor);
    gather(session, vec![here], &[anchor], &names, tokens, count)
}

/// The list for a task in words; empty if nothing matches.
pub(crate) fn for_task(
    session: SessionView<'_>,
    task: &str,
    tokens: usize,
    count: Count<'_>,
) -> anyhow::Result<Vec<Part>> {
    let snapshot = session.snapshot;
    let question = Question {
        query: task,
        limit: MAX_MATCHES,
        tokens: None,
        meanings: None,
        adjustments: &Adjustments::default(),
    };
    let answer = ranked(snapshot, &question, &Filter::default())?;
    let mut matches = Vec::new();
    let mut anchors = Vec::new();
    let mut left = share(tokens, EDITED_SHARE);
    for (n, it) in answer.results.iter().enumerate() {
        let Some(file) = snapshot.file(&it.path) else { continue };
        let (start_line, end_line) = it.focus_lines();
        let mut anchor = anchor_at(snapshot, file, Some(start_line));
        task.clone_into(&mut anchor.intent);
        anchor.name = it.symbol.rsplit('.').next().filter(|it| !it.is_empty()).map(str::to_owned);
        // Each match gets half of the remaining tokens for matches.
        let most = if n + 1 == answer.results.len() { left } else { left / 2 };
        let text = fitting(it.focus_text().1, most, count, |n| of_result(it, n));
        left = left.saturating_sub(count(&text));
        matches.push(Part {
            role: Role::Match,
            path: it.path.clone(),
            start_line,
            end_line,
            kind: it.kind,
            symbol: it.symbol.clone(),
            reasons: it.reasons.clone(),
            uses: None,
            text,
        });
        anchors.push(anchor);
    }
    let names = anchors.iter().filter_map(|it| it.name.clone()).take(MAX_NAMES).collect::<Vec<_>>();
    gather(session, matches, &anchors, &names, tokens, count)
}

/// Adds the definitions that the anchors use, their callers, their tests, and related code.
fn gather(
    session: SessionView<'_>,
    mut parts: Vec<Part>,
    anchors: &[Anchor],
    names: &[String],
    tokens: usize,
    count: Count<'_>,
) -> anyhow::Result<Vec<Part>> {
    let Some(first) = anchors.first() else { return Ok(parts) };
    let snapshot = session.snapshot;
    let is_test = |file| snapshot.role(file) == FileRole::Test;
    let callers = uses(snapshot, names, anchors, Role::Caller, &|it| !is_test(it));
    let tests = uses(snapshot, names, anchors, Role::Test, &is_test);
    let most = share(tokens, USES_SHARE);
    let callers = within(callers, most, count);
    let tests = within(tests, most, count);
    let cost =
        |parts: &[Part]| parts.iter().map(|it| count(&it.text) + HEADING_TOKENS).sum::<usize>();
    let left = tokens.saturating_sub(cost(&parts) + cost(&callers) + cost(&tests));
    let (definitions, related) = near(session, first, &parts, left, count)?;
    for more in [definitions, callers, tests, related] {
        parts.extend(more);
    }
    Ok(parts)
}

/// The innermost definition at a line, else the chunk that contains it; the whole file without a line.
fn anchor_at(snapshot: &Snapshot, file: FileId, line: Option<u32>) -> Anchor {
    let (text, record) = snapshot.contents(file);
    let Some(line) = line else {
        return Anchor {
            file,
            start: 0,
            end: text.len(),
            at: text.len(),
            name: None,
            intent: String::new(),
        };
    };
    let lines = LineIndex::new(text.as_bytes());
    let start = lines.start_of(line).min(text.len());
    let at = start + text[start..].lines().next().map_or(0, str::len);
    let inner =
        (start..=at).find(|it| !text[*it..].starts_with(char::is_whitespace)).unwrap_or(start);
    if let Some(idx) = record.symbols.enclosing(inner) {
        let it = &record.symbols.definitions[idx as usize];
        let start = it.doc.map_or(it.span.start, |doc| doc.start.min(it.span.start)) as usize;
        let name = Some(it.name.of(&text).to_owned());
        return Anchor { file, start, end: it.span.end as usize, at, name, intent: String::new() };
    }
    let holds = |it: &&foreword_chunk::Chunk| {
        it.span.start as usize <= start && start < it.span.end as usize
    };
    let span = record.chunks.iter().find(holds).map_or(start..at, |it| it.span.range());
    Anchor { file, start: span.start, end: span.end, at, name: None, intent: String::new() }
}

/// The name of the anchor; for a file, the names of its top-level definitions.
fn anchor_names(snapshot: &Snapshot, anchor: &Anchor) -> Vec<String> {
    if let Some(name) = &anchor.name {
        return vec![name.clone()];
    }
    let (text, record) = snapshot.contents(anchor.file);
    let inside = |it: &&foreword_chunk::Definition| {
        it.parent.is_none()
            && anchor.start <= it.span.start as usize
            && it.span.end as usize <= anchor.end
    };
    let names = record.symbols.definitions.iter().filter(inside);
    names.map(|it| it.name.of(&text).to_owned()).take(MAX_NAMES).collect()
}

fn anchor_part(
    snapshot: &Snapshot,
    anchor: &Anchor,
    line: Option<u32>,
    most: usize,
    count: Count<'_>,
) -> Part {
    let (text, record) = snapshot.contents(anchor.file);
    let lines = LineIndex::new(text.as_bytes());
    let start = text[..anchor.start].rfind('\n').map_or(0, |at| at + 1);
    let span = foreword_chunk::Span::new(start, anchor.end.max(start));
    let (start_line, end_line) = lines.lines_of(span);
    let around =
        anchor.name.as_ref().and_then(|_| record.symbols.enclosing(anchor.start.max(start)));
    // A long definition is shown from near the requested line on.
    let whole = &text[start..anchor.end.max(start)];
    let too_long = count(whole) > most;
    let from =
        line.filter(|_| too_long).map_or(start_line, |it| it.saturating_sub(5).max(start_line));
    let shown = &text[lines.start_of(from)..anchor.end.max(start)];
    Part {
        role: Role::Here,
        path: snapshot.path(anchor.file).to_owned(),
        start_line,
        end_line,
        kind: around.map(|idx| record.symbols.definitions[idx as usize].kind),
        symbol: around.map(|idx| record.dotted_name(&text, idx)).unwrap_or_default(),
        reasons: Vec::new(),
        uses: None,
        text: fitting(shown, most, count, |n| beginning(shown, from, n)),
    }
}

/// The lines of a text that fit.
fn fitting(text: &str, most: usize, count: Count<'_>, excerpt: impl Fn(usize) -> String) -> String {
    let mut lines = text.lines().count();
    loop {
        let shown = excerpt(lines);
        let tokens = count(&shown);
        if tokens <= most || lines == 0 {
            return shown;
        }
        lines = (lines * most / tokens).min(lines - 1);
    }
}

/// Uses of the names outside of the anchors, nearest directories first.
fn uses(
    snapshot: &Snapshot,
    names: &[String],
    anchors: &[Anchor],
    role: Role,
    keep: &dyn Fn(FileId) -> bool,
) -> Vec<Part> {
    let Some(first) = anchors.first() else { return Vec::new() };
    let home = snapshot.path(first.file);
    let mut res: Vec<Part> = Vec::new();
    for name in names {
        let all = symbols::definitions(snapshot, name, &|_| true).found;
        let is_anchor =
            |it: &&Definition| anchors.iter().any(|anchor| anchor.contains(snapshot, it));
        let own: Vec<Definition> = all.iter().filter(is_anchor).cloned().collect();
        let targets = if own.is_empty() { &all } else { &own };
        let found = symbols::uses(snapshot, name, targets, keep, MAX_EXAMINED_USES);
        // Possible callers are shown where there are no sure ones.
        let is_shown = |it: &Use| it.certainty == Certainty::Sure || found.sure == 0;
        // Only syntax tells how a name is used.
        let shown = found.found.into_iter().filter(|it| is_shown(it) && it.kind.is_some());
        for it in shown.filter(|it| !is_inside(snapshot, anchors, it)) {
            // One use in each definition is enough to name the caller; `symbols` lists the others.
            let known = |part: &Part| part.path == it.path && part.symbol == it.symbol;
            if !res.iter().any(known) {
                res.push(use_part(role, name, it));
            }
        }
    }
    // The sort is stable: ties stay in order of path and line.
    sort_by_key(&mut res, |it| std::cmp::Reverse(nearness(home, &it.path)));
    res.truncate(MAX_USES);
    res
}

fn use_part(role: Role, name: &str, it: Use) -> Part {
    Part {
        role,
        path: it.path,
        start_line: it.line,
        end_line: it.line,
        kind: None,
        symbol: it.symbol,
        reasons: Vec::new(),
        uses: it.kind.map(|kind| (name.to_owned(), kind, it.certainty)),
        text: it.text,
    }
}

fn is_inside(snapshot: &Snapshot, anchors: &[Anchor], it: &Use) -> bool {
    let Some(file) = snapshot.file(&it.path) else { return true };
    let at = it.start;
    anchors.iter().any(|it| it.file == file && it.start <= at && at < it.end)
}

/// Number of common directories of two paths.
fn nearness(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count()
}

/// The first parts that fit into `tokens`.
fn within(parts: Vec<Part>, tokens: usize, count: Count<'_>) -> Vec<Part> {
    let mut left = tokens;
    let fits = |it: &Part| {
        let cost = count(&it.text) + HEADING_TOKENS;
        let fits = cost <= left;
        left = left.saturating_sub(cost);
        fits
    };
    parts.into_iter().take_while(fits).collect()
}

/// Ranked parts for a cursor at the anchor: definitions of the names used there, and related code.
fn near(
    session: SessionView<'_>,
    anchor: &Anchor,
    known: &[Part],
    tokens: usize,
    count: Count<'_>,
) -> anyhow::Result<(Vec<Part>, Vec<Part>)> {
    let snapshot = session.snapshot;
    let text = snapshot.text(anchor.file).to_string();
    let offset = anchor.at.min(text.len());
    let path = snapshot.path(anchor.file).to_owned();
    let shown = text[anchor.start..anchor.end].to_owned();
    let elsewhere = (session.elsewhere)(&path);
    let cursor = Cursor::new(path, text, offset)?.with_intent(anchor.intent.clone());
    let (cursor, activity) = elsewhere.at(cursor);
    let window = Window {
        prefix: shown,
        suffix: String::new(),
        visible: std::iter::once(anchor.start..anchor.end).collect(),
    };
    let preset = preset::context();
    let view = View::new(snapshot, &cursor)?.with_activity(activity);
    let retrieval = CursorRetrieval::new(view, &cursor, &preset, count, &mut Control::default());
    let selection = retrieval.select_beside(&window, tokens, Truncation::Right, count);
    let overlaps = |it: &Piece| {
        let same = |part: &Part| {
            part.path == it.path && part.start_line <= it.end_line && it.start_line <= part.end_line
        };
        known.iter().any(same)
    };
    let (mut definitions, mut related) = (Vec::new(), Vec::new());
    for it in selection.pieces.iter().filter(|it| !overlaps(it)) {
        let defines = it.signals[Signal::Symbol].is_some();
        let (role, list) = match defines {
            true => (Role::Definition, &mut definitions),
            false => (Role::Related, &mut related),
        };
        let Some(part) = piece_part(&retrieval, it, role) else { continue };
        list.push(part);
    }
    Ok((definitions, related))
}

/// A piece as a part named by its best definition; `None` for a single field, which is little help alone.
fn piece_part(retrieval: &CursorRetrieval<'_>, it: &Piece, role: Role) -> Option<Part> {
    let snapshot = retrieval.view.snapshot();
    let name = |idx| name_of(snapshot, it.position.chunk().file, idx);
    let (symbol, kind) = retrieval.title(it).map(name).unwrap_or_default();
    if kind == Some(Kind::Field) && it.start_line == it.end_line {
        return None;
    }
    Some(Part {
        role,
        path: it.path.clone(),
        start_line: it.start_line,
        end_line: it.end_line,
        kind,
        symbol,
        reasons: it.reasons.clone(),
        uses: None,
        text: it.text.clone(),
    })
}

fn share(tokens: usize, share: f32) -> usize {
    (tokens as f32 * share) as usize
}
