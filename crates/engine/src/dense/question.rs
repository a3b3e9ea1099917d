//! The embedding of a question.

use super::vector::{BLOCK, PackedVector};

/// The vector of a question, of unit length.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionVector {
    pub(crate) packed: PackedVector,
    /// Dimensions of the embedding model.
    dimensions: usize,
}

impl QuestionVector {
    /// Packs an embedding; `None` if it has no direction: empty, all zeros, or with an infinite number or NaN.
    pub fn new(vector: &[f32]) -> Option<Self> {
        let packed = packed(vector)?;
        Some(Self { packed, dimensions: vector.len() })
    }

    /// Dimensions of the embedding model.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }
}

/// Packs a vector of any length, padded with zeros to whole blocks; `None` if it has no direction.
pub(crate) fn packed(vector: &[f32]) -> Option<PackedVector> {
    if vector.is_empty() || vector.iter().any(|it| !it.is_finite()) {
        return None;
    }
    let mut whole = vector.to_vec();
    whole.resize(padded(vector.len()), 0.0);
    PackedVector::new(&whole)
}

/// The length of a vector in whole blocks.
pub(crate) fn padded(dimensions: usize) -> usize {
    dimensions.next_multiple_of(BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_has_no_direction() {
        for wrong in [&[][..], &[0.0, 0.0], &[1.0, f32::NAN], &[f32::INFINITY, 1.0]] {
            assert_eq!(QuestionVector::new(wrong), None);
        }
    }

    #[test]
    fn any_number_of_dimensions_is_packed() {
        let (a, b) = (vec![0.5; 100], vec![0.25; 100]);
        let (a, b) = (QuestionVector::new(&a).unwrap(), QuestionVector::new(&b).unwrap());
        assert_eq!((a.dimensions(), a.packed.numbers.len()), (100, 128));
        assert!((a.packed.likeness(b.packed.view()) - 1.0).abs() < 0.01);
    }
}
