//! A vector of unit length, with one byte per number.

/// Numbers that share a factor. Blocks of 64 keep rounding errors small and are summed without a branch.
pub(crate) const BLOCK: usize = 64;

/// Largest magnitude of a packed number.
const MAX_NUMBER: f32 = i8::MAX as f32;

/// A vector of unit length: numbers in bytes, and a factor for each block of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PackedVector {
    pub(crate) numbers: Vec<i8>,
    pub(crate) factors: Vec<f32>,
}

/// A packed vector within a larger buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedView<'v> {
    pub(crate) numbers: &'v [i8],
    pub(crate) factors: &'v [f32],
}

impl PackedVector {
    /// Packs a vector of whole blocks, scaled to unit length; `None` for a vector without length.
    pub(crate) fn new(vector: &[f32]) -> Option<Self> {
        let length = vector.iter().map(|it| it * it).sum::<f32>().sqrt();
        if length <= f32::MIN_POSITIVE {
            return None;
        }
        let (mut numbers, mut factors) = (Vec::with_capacity(vector.len()), Vec::new());
        for block in vector.chunks_exact(BLOCK) {
            let highest = block.iter().fold(0.0_f32, |most, it| most.max(it.abs()));
            let step = if highest > 0.0 { MAX_NUMBER / highest } else { 0.0 };
            numbers.extend(block.iter().map(|it| (it * step).round() as i8));
            factors.push(highest / (MAX_NUMBER * length));
        }
        Some(Self { numbers, factors })
    }

    pub(crate) fn view(&self) -> PackedView<'_> {
        PackedView { numbers: &self.numbers, factors: &self.factors }
    }

    /// The cosine of the angle between two vectors, -1 to 1.
    pub(crate) fn likeness(&self, other: PackedView<'_>) -> f32 {
        let blocks = self.numbers.as_chunks::<BLOCK>().0.iter().zip(other.numbers.as_chunks().0);
        let factors = self.factors.iter().zip(other.factors);
        blocks.zip(factors).map(|((a, b), (x, y))| dot(a, b) as f32 * x * y).sum()
    }
}

impl PackedView<'_> {
    /// The signs of the numbers as bits, 64 to a word. The number of different signs of two vectors approximates the angle
    /// between them (Charikar 2002).
    pub(crate) fn signs(&self) -> impl Iterator<Item = u64> {
        let blocks = self.numbers.as_chunks::<BLOCK>().0.iter();
        blocks.map(|it| it.iter().rev().fold(0, |bits, n| bits << 1 | u64::from(*n < 0)))
    }
}

/// Scalar product of a block. Sums in 32-bit integers, which the compiler vectorises.
#[inline]
fn dot(a: &[i8; BLOCK], b: &[i8; BLOCK]) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(i16::from(*a) * i16::from(*b))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn likeness_is_the_cosine_to_a_hundredth(
            a in prop::collection::vec(-5.0_f32..5.0, 2 * BLOCK),
            b in prop::collection::vec(-5.0_f32..5.0, 2 * BLOCK),
        ) {
            let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
            let expect = dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt();
            let packed = (PackedVector::new(&a).unwrap(), PackedVector::new(&b).unwrap());
            prop_assert!((packed.0.likeness(packed.1.view()) - expect).abs() < 0.01);
        }
    }

    #[test]
    fn nothing_has_no_direction() {
        assert_eq!(PackedVector::new(&[0.0; BLOCK]), None);
    }
}
