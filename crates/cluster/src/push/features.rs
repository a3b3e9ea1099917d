//! Features of a document, as many as the cluster can index.

use serde_json::{Map, Value};

/// Most of a field of one document: Lucene keeps a feature's value as a frequency, and adds these up in 31 bits.
const MOST: u64 = i32::MAX as u64;

/// Features of one field with their values.
pub(super) struct Features {
    /// Those to index, by their keys.
    pub(super) values: Map<String, Value>,
    /// The number of those left out.
    pub(super) left_out: usize,
}

/// The features of one field, keys and values. Those that are not positive cannot be indexed. Beyond some 65,000, which
/// only files of data have, those of the lowest values are left out.
pub(super) fn fitting(all: impl Iterator<Item = (String, f32)>) -> Features {
    let mut all: Vec<(String, f32)> = all.filter(|it| it.1 > 0.0).collect();
    let total = all.len();
    if all.iter().map(|it| frequency(it.1)).sum::<u64>() > MOST {
        all.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let mut sum = 0;
        all.retain(|it| {
            sum += frequency(it.1);
            sum <= MOST
        });
    }
    let left_out = total - all.len();
    let values = all.into_iter().map(|(key, value)| (key, Value::from(f64::from(value))));
    Features { values: values.collect(), left_out }
}

/// The frequency that Lucene keeps for a value (`FeatureField`).
fn frequency(value: f32) -> u64 {
    u64::from(value.to_bits() >> 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_values_are_left_out_where_the_cluster_could_not_index_all() {
        let few = fitting([("a".to_owned(), 1.0), ("b".to_owned(), 0.0)].into_iter());
        assert_eq!((few.values.len(), few.left_out), (1, 0));
        let value = |n: u32| if n.is_multiple_of(2) { 1.5 } else { 1.0 };
        let many = fitting((0..80_000).map(|n| (format!("w{n}"), value(n))));
        assert_eq!(many.values.len() + many.left_out, 80_000);
        let sum: u64 = many.values.values().map(|it| frequency(it.as_f64().unwrap() as f32)).sum();
        assert!((MOST - 33_000..=MOST).contains(&sum), "{sum}");
        assert!((0..80_000).step_by(2).all(|n| many.values.contains_key(&format!("w{n}"))));
        assert!(!many.values.contains_key("w79999"), "of equal ones the last by name");
    }
}
