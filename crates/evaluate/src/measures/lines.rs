//! Places that overlap the lines of an answer.

/// Lines of a file: its path, the first and the last line, 1-based and inclusive.
pub type LineSpan<'p> = (&'p str, u32, u32);

/// The rank, from 1, of the first place that has a line of the truth.
pub fn first_hit(truth: &[LineSpan<'_>], places: &[LineSpan<'_>]) -> Option<usize> {
    let overlaps = |a: &LineSpan<'_>, b: &LineSpan<'_>| a.0 == b.0 && a.1 <= b.2 && b.1 <= a.2;
    places.iter().position(|it| truth.iter().any(|gold| overlaps(gold, it))).map(|it| it + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_right_with_a_line_of_the_truth_in_the_same_file() {
        let truth = [("a", 5, 9), ("b", 1, 1)];
        assert_eq!(first_hit(&truth, &[("c", 5, 9), ("a", 1, 4), ("a", 9, 20)]), Some(3));
        assert_eq!(first_hit(&truth, &[("a", 10, 20), ("b", 2, 2)]), None);
    }
}
