//! From a request to what the model is to see: the file is found, the context composed, what the client brought is
//! counted in.

use std::sync::Arc;
use std::time::{Duration, Instant};

use foreword_chunk::Language;
use foreword_engine::compose::Format;
use foreword_engine::preset::Preset;
use foreword_engine::scope::Cursor;
use foreword_model::TokenCounter;
use foreword_model::request::{ContextPiece, Fill, RenderedPrompt};

use crate::answer::nearby::nearby;
use crate::host::View;
use crate::serve::app::App;
use crate::serve::context::locate::{Seen, cursor, locate, told};
use crate::serve::context::merge::{self, Merged};
use crate::serve::observation::record::{Context, Place, Snippet};
use crate::serve::protocols::request::{Ask, Kind};

/// How a model is going to be sent what it sees.
#[derive(Clone)]
pub(crate) struct Form {
    /// The format that is rendered, or by which pieces are counted where none is.
    pub(crate) format: &'static Format,
    pub(crate) counter: TokenCounter,
    /// Tokens of the whole prompt.
    pub(crate) budget: usize,
    /// How candidates are ranked.
    pub(crate) preset: Preset,
    /// Whether the model reads whole files instead of a prompt: the embedded one.
    pub(crate) reads_files: bool,
}

/// What a model is to see, and where it comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prepared {
    pub(crate) place: Place,
    pub(crate) context: Context,
    pub(crate) fill: Fill,
    /// The file's text before and after the cursor.
    pub(crate) whole: (String, String),
    /// Files that are likely to be like the cursor's; only where the model reads files.
    pub(crate) nearby: Vec<Arc<str>>,
    /// What of the fill's pieces is shown to people.
    pub(crate) snippets: Arc<[Snippet]>,
    pub(crate) snapshot: Option<String>,
    /// Milliseconds until the file was found, and from there.
    pub(crate) took: (f64, f64),
    pub(crate) notes: Vec<String>,
}

/// Makes the context and hands it over; then, if that says that it is wanted, explains how it came about, as JSON.
/// `patience` is for the look at the disk.
pub(crate) fn prepare(
    app: &App,
    ask: &Ask,
    form: &Form,
    patience: Duration,
    hand_over: impl FnOnce(Prepared) -> bool,
) -> anyhow::Result<Option<String>> {
    let start = Instant::now();
    let mut seen = Vec::new();
    // Half of the time is for looks at the disks; what has not been looked at by then is as it was.
    let look = patience / 2 / app.repositories.len() as u32;
    for repository in &app.repositories {
        seen.push(Seen { repository, view: repository.view(Some(look))? });
    }
    let place = locate(app, ask, &seen);
    let located = ms(start);
    let Seen { repository, view } = &seen[place.repository];
    let mut res = Prepared {
        place: told(repository, &place),
        context: if place.found.is_some() { Context::File } else { Context::Lexical },
        snapshot: Some(view.snapshot.id().to_owned()),
        took: (located, 0.0),
        ..Prepared::default()
    };
    if ask.kind == Kind::Plain && place.found.is_none() {
        res.context = Context::Untouched;
        res.notes.push("the text is of no file here, so it may be no code".to_owned());
        hand_over(res);
        return Ok(None);
    }
    let start = Instant::now();
    let cursor = cursor(ask, place.found);
    res.notes.extend(view.trouble.clone());
    if !view.is_complete() {
        res.notes.push("the index was not up to date".to_owned());
    }
    merge::compose(repository, view, &cursor, ask, form, |merged| {
        fill_in(&mut res, merged, view, &cursor, form);
        res.took.1 = ms(start);
        hand_over(res)
    })
}

/// What there is without any context: what the client brought.
pub(crate) fn bare(ask: &Ask, form: &Form) -> Prepared {
    let cursor = cursor(ask, None);
    let language = Language::of_path(&cursor.path, "");
    let mut fill = fill(&cursor, language, ask.prefix.clone(), ask.suffix.clone());
    if ask.kind == Kind::Plain {
        let prompt = ask.prefix.clone();
        fill.prompt =
            Some(RenderedPrompt { format: form.format.name, text: prompt, stop: Vec::new() });
    } else {
        let merged = merge::render(form.format, "", &cursor.path, language, &fill, &ask.shown);
        fill.prompt = Some(merged.prompt);
    }
    fill.pieces.clone_from(&ask.shown);
    Prepared { fill, whole: (ask.prefix.clone(), ask.suffix.clone()), ..Prepared::default() }
}

/// What the model is to see, of what was composed.
fn fill_in(res: &mut Prepared, merged: Merged, view: &View, cursor: &Cursor, form: &Form) {
    let Merged { prompt, pieces, prefix, suffix, chosen } = merged;
    if form.reads_files {
        res.nearby = nearby(&view.snapshot, cursor, &chosen);
    }
    let score = |it: &ContextPiece| {
        let own = chosen.iter().find(|piece| piece.path == it.path && piece.text == it.text);
        own.map_or(1.0, |it| it.score)
    };
    let snippet = |it: &ContextPiece| Snippet {
        filepath: it.path.clone(),
        body: it.text.clone(),
        score: score(it),
    };
    res.snippets = pieces.iter().map(snippet).collect::<Vec<_>>().into();
    let language = Language::of_path(&cursor.path, "");
    res.fill = Fill { pieces, prompt: Some(prompt), ..fill(cursor, language, prefix, suffix) };
    res.whole = (cursor.prefix().to_owned(), cursor.suffix().to_owned());
}

fn fill(cursor: &Cursor, language: Option<Language>, prefix: String, suffix: String) -> Fill {
    Fill {
        path: cursor.path.clone(),
        language: language.map(Language::name),
        line_comment: language.and_then(Language::line_comment),
        prefix,
        suffix,
        pieces: Vec::new(),
        ..Fill::default()
    }
}

/// Milliseconds since then.
pub(crate) fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// A snippet that says nothing of its file.
pub(crate) fn snippet(path: &str, text: &str) -> Option<ContextPiece> {
    (!text.trim().is_empty()).then(|| ContextPiece { path: path.to_owned(), text: text.to_owned() })
}
