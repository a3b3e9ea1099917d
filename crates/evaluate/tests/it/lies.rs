//! False statements about the base of the truth folders are marked, true ones are not.

use foreword_evaluate::runs::lies::LieCounts;
use foreword_evaluate::runs::truth::default_dir;

#[test]
fn nine_of_ten_lies_are_marked_and_true_statements_are_not() {
    let mut counts = LieCounts::default();
    for language in ["c", "go", "java", "python", "rust", "typescript"] {
        counts.add(&default_dir().join("_base").join(language), 6).unwrap();
    }
    let (lies, truths) = counts.shares();
    let made: usize = counts.lies.values().map(|it| it.made).sum();
    assert!(made >= 200 && counts.lies.len() >= 20, "{made} of {} kinds", counts.lies.len());
    assert!(lies >= 0.9 && truths <= 0.02, "{}", counts.text(3));
}
