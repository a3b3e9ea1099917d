//! What a candidate repeats of the text at the cursor, what it adds to it, and what kind of place the cursor is in.

use foreword_engine::fuse::Candidate;
use foreword_engine::index::{ChunkId, Snapshot};
use foreword_evaluate::runs::completion::retrieval::Retrieval;
use rustc_hash::FxHashSet;

use super::runs::{Numbers, Sides, Token};

/// Ends of the text before a cursor where a block or a list begins.
const OPENING: [char; 6] = ['{', ':', '(', '[', ',', '='];

/// The numbers of one candidate, in the order of [`Copies::NAMES`].
#[derive(Clone, Copy, Default)]
pub(super) struct Copies(pub(super) [f32; Self::NAMES.len()]);

impl Copies {
    /// Names in files of weights.
    pub(super) const NAMES: [&'static str; 11] = [
        "copy_before",
        "copy_after",
        "known_share",
        "new_names",
        "last_name",
        "stem_words",
        "n_definitions",
        "hole_depth",
        "hole_opens",
        "hole_in_head",
        "hole_edits",
    ];

    /// Whether a number is a count, as opposed to a share or a flag.
    pub(super) fn is_count(at: usize) -> bool {
        let shares = ["known_share", "last_name", "stem_words", "hole_opens", "hole_in_head"];
        !shares.contains(&Self::NAMES[at])
    }
}

/// Measures each candidate.
pub(super) fn measure(retrieval: &Retrieval<'_>, candidates: &[Candidate]) -> Vec<Copies> {
    let snapshot = retrieval.view.snapshot();
    let texts: Vec<String> = candidates.iter().map(|it| text_of(retrieval, it.chunk)).collect();
    let mut numbers = Numbers::default();
    let here = Here::new(&mut numbers, retrieval);
    let stem = words_of_stem(retrieval.cursor.path());
    let of = |(it, text): (&Candidate, &str), tokens: &[Token]| {
        let [before, after] = here.sides.longest_runs(tokens);
        let names: FxHashSet<u32> =
            tokens.iter().filter(|it| it.is_name).map(|it| it.number).collect();
        let known = names.intersection(&here.names).count();
        let has_last = here.sides.last_name().is_some_and(|it| names.contains(&it));
        let path = snapshot.path(it.chunk.file);
        let first = [
            before as f32,
            after as f32,
            known as f32 / names.len().max(1) as f32,
            (names.len() - known) as f32,
            f32::from(u8::from(has_last)),
            common_share(&words_of_stem(path), &stem),
            if text.is_empty() { 0.0 } else { n_definitions(snapshot, it.chunk) as f32 },
        ];
        let mut res = Copies::default();
        res.0[..first.len()].copy_from_slice(&first);
        res.0[first.len()..].copy_from_slice(&here.place);
        res
    };
    let pairs = candidates.iter().zip(&texts);
    pairs.map(|(it, text)| of((it, text), &numbers.tokens(text))).collect()
}

/// The text of a chunk; empty for the one at the cursor, which the window shows.
fn text_of(retrieval: &Retrieval<'_>, chunk: ChunkId) -> String {
    let (snapshot, cursor) = (retrieval.view.snapshot(), retrieval.cursor);
    let info = snapshot.chunk(chunk);
    let bytes = info.start as usize..info.end as usize;
    let is_own = Some(chunk.file) == snapshot.file(cursor.path());
    if is_own && (bytes.start..=bytes.end).contains(&cursor.offset()) {
        return String::new();
    }
    snapshot.text(chunk.file).get(bytes).unwrap_or_default().to_owned()
}

/// The text around the cursor.
struct Here {
    sides: Sides,
    /// The names that the window shows.
    names: FxHashSet<u32>,
    /// The last numbers, which are the same for every candidate.
    place: [f32; 4],
}

impl Here {
    fn new<'t>(numbers: &mut Numbers<'t>, retrieval: &'t Retrieval<'_>) -> Self {
        let (cursor, scope) = (retrieval.cursor, &retrieval.scope);
        let sides = Sides::new(numbers, cursor.prefix(), cursor.suffix());
        let mut names = FxHashSet::default();
        for text in [&retrieval.window.prefix, &retrieval.window.suffix] {
            let tokens = numbers.tokens(text);
            names.extend(tokens.iter().filter(|it| it.is_name).map(|it| it.number));
        }
        let flag = |it: bool| f32::from(u8::from(it));
        let place = [
            scope.enclosing.len() as f32,
            flag(cursor.prefix().trim_end().ends_with(OPENING)),
            flag(scope.head.is_some()),
            cursor.recent().len() as f32,
        ];
        Self { sides, names, place }
    }
}

/// Number of definitions that begin in a chunk.
fn n_definitions(snapshot: &Snapshot, chunk: ChunkId) -> usize {
    let (info, record) = (snapshot.chunk(chunk), snapshot.record(chunk.file));
    let all = &record.symbols.definitions;
    let first = all.partition_point(|it| it.span.start < info.start);
    all[first..].iter().take_while(|it| it.span.start < info.end).count()
}

/// The words of a file's name up to its first dot, in lower case: `HttpClient_test.java` has three.
fn words_of_stem(path: &str) -> FxHashSet<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let mut words = vec![String::new()];
    let mut was_upper = true;
    for it in stem.chars() {
        if !it.is_alphanumeric() || (it.is_uppercase() && !was_upper) {
            words.push(String::new());
        }
        was_upper = it.is_uppercase();
        if let Some(last) = words.last_mut().filter(|_| it.is_alphanumeric()) {
            last.extend(it.to_lowercase());
        }
    }
    words.into_iter().filter(|it| it.len() > 1).collect()
}

/// Jaccard similarity of two sets.
fn common_share(a: &FxHashSet<String>, b: &FxHashSet<String>) -> f32 {
    let both = a.intersection(b).count();
    both as f32 / (a.len() + b.len() - both).max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_has_words() {
        let mut words: Vec<String> =
            words_of_stem("src/HttpClient_test.java").into_iter().collect();
        words.sort();
        assert_eq!(words, ["client", "http", "test"]);
        let share = common_share(&words_of_stem("a/http_test.go"), &words_of_stem("http.go"));
        assert!((share - 0.5).abs() < 1e-6);
    }
}
