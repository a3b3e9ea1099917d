//! Questions taken from the corpus: names that it defines, and the first sentences of its doc comments.

use foreword_engine::index::{FileId, FileRecord, Snapshot};

use crate::random::Random;

/// Names of definitions, each of a randomly drawn file.
pub(crate) fn names(snapshot: &Snapshot, n: usize, random: &mut Random) -> Vec<String> {
    sample(snapshot, n, random, |text, record, random| {
        let all = &record.symbols.definitions;
        let name = all.get(random.below(all.len().max(1)))?.name.of(text);
        (name.len() > 2 && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_'))
            .then(|| name.to_owned())
    })
}

/// First sentences of doc comments, of four words or more.
pub(crate) fn sentences(snapshot: &Snapshot, n: usize, random: &mut Random) -> Vec<String> {
    sample(snapshot, n, random, |text, record, random| {
        let docs: Vec<_> = record.symbols.definitions.iter().filter_map(|it| it.doc).collect();
        sentence(docs.get(random.below(docs.len().max(1)))?.of(text))
    })
}

fn sample(
    snapshot: &Snapshot,
    n: usize,
    random: &mut Random,
    draw: impl Fn(&str, &FileRecord, &mut Random) -> Option<String>,
) -> Vec<String> {
    let files: Vec<FileId> = snapshot.files().collect();
    let mut res: Vec<String> = Vec::new();
    for _ in 0..n * 50 {
        if res.len() == n {
            break;
        }
        let file = files[random.below(files.len())];
        let drawn = draw(&snapshot.text(file), &snapshot.record(file), random);
        res.extend(drawn.filter(|it| !res.contains(it)));
    }
    res
}

/// `/// Reads a file. More.` → `Reads a file`
fn sentence(doc: &str) -> Option<String> {
    let marks: &[char] = &['/', '!', '*', '#', '"', '\'', ' ', '\t', 'r'];
    let mut words = String::new();
    for line in doc.lines() {
        let line = line.trim_start_matches(marks).trim_end_matches(marks).trim();
        if line.is_empty() && !words.is_empty() {
            break;
        }
        words.push_str(line);
        words.push(' ');
    }
    let end = words.find(". ").unwrap_or(words.len());
    let sentence = words[..end].trim();
    (sentence.split(' ').count() >= 4 && sentence.len() <= 200).then(|| sentence.to_owned())
}
