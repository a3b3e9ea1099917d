//! What a reader should know before the evidence: that something is not there, or why it is uncertain.

use foreword_engine::ask::{EvidenceSet, Weakness};
use foreword_engine::fuzzy;
use foreword_engine::index::Snapshot;

/// Maximum number of similar names proposed for a missing word.
const MAX_SIMILAR: usize = 3;

/// What a reader should know before the evidence, in sentences: that the repository lacks what the question is about, or
/// why the evidence is uncertain; `None` if it is enough.
pub fn missing(snapshot: &Snapshot, gathered: &EvidenceSet) -> Option<String> {
    let weakness = gathered.strength.weakness();
    let files = snapshot.totals().files;
    if gathered.evidence.is_empty() && !matches!(weakness, Some(Weakness::Absent(_))) {
        return Some(format!("Not there: nothing in {files} files matches."));
    }
    let sentence = match weakness? {
        Weakness::Absent(words) => return Some(absent(snapshot, gathered, &words)),
        Weakness::Outside(words) => {
            format!("only tests, documents, examples or data have {}", quoted(&words))
        }
        Weakness::InBodies(words) => {
            format!("{} occurs in lines of code, but names no definition", quoted(&words))
        }
        Weakness::Scattered(words) => {
            format!("nothing has {} together with the rest of the question", quoted(&words))
        }
        Weakness::Vague => "the words are general, and another place may be meant".to_owned(),
    };
    Some(format!("Not sure: {sentence}."))
}

/// That words occur nowhere, with similar names and the nearest places.
fn absent(snapshot: &Snapshot, gathered: &EvidenceSet, words: &[String]) -> String {
    let files = snapshot.totals().files;
    let mut text = format!("Not there: nothing in {files} files has {}.", quoted(words));
    let similar = |it: &String| fuzzy::similar(snapshot, it, MAX_SIMILAR);
    let names: Vec<String> = words.iter().flat_map(similar).map(|it| it.name).collect();
    if !names.is_empty() {
        text.push_str(&format!(" Spelt alike: {}.", names.join(", ")));
    }
    text + &where_to_look(gathered)
}

fn quoted(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|it| format!("\"{it}\"")).collect();
    words.join(" or ")
}

/// The directories of the nearest evidence.
fn where_to_look(gathered: &EvidenceSet) -> String {
    let mut directories: Vec<&str> = Vec::new();
    for it in &gathered.evidence {
        let directory = it.path.rsplit_once('/').map_or("the root", |it| it.0);
        if directories.len() < MAX_SIMILAR && !directories.contains(&directory) {
            directories.push(directory);
        }
    }
    match directories.is_empty() {
        true => " It may be in a dependency, or under another name.".to_owned(),
        false => format!(
            " It may be in a dependency, or under another name; what is nearest is in {}.",
            directories.join(", ")
        ),
    }
}
