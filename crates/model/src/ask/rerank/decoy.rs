//! Passages that are relevant to no question: a ranking that prefers them is rejected.

use foreword_engine::ask::Passage;

const TEXTS: [&str; 3] = [
    "The quick brown fox jumps over the lazy dog. A wizard's job is to vex chumps quickly in fog.",
    "monday: soup\ntuesday: rice with vegetables\nwednesday: noodles\nthursday: potatoes\nfriday: fish",
    "Opening hours: 9 to 17 on weekdays. The car park behind the house is closed in winter.",
];

/// Number of decoys.
pub(super) const DECOYS: usize = TEXTS.len();

/// The decoys as passages.
pub(super) fn decoys() -> [Passage; DECOYS] {
    TEXTS.map(|it| Passage {
        path: "notes.txt".to_owned(),
        start_line: 1,
        symbol: String::new(),
        text: it.to_owned(),
    })
}
