//! The table of term vectors: its file, and the vectors of texts.

use std::fmt;

use super::vector::{BLOCK, Packed};

/// The beginning of every table.
const MAGIC: &[u8; 8] = b"fwterms1";

/// Fields of a chunk, in the order of the index.
const FIELDS: usize = 4;

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("the table of term vectors {0}; train/terms/README.md says how one is made")]
pub struct TableError(&'static str);

/// A vector for each of many terms, and how much terms and fields weigh.
///
/// The file, in little endian: `fwterms1`; the number of terms and of dimensions (u32); the weights of the fields body,
/// names, path, doc (f32); the length of the terms (u32), and the terms in order of their bytes, each ended by a line
/// break; of each term its weight in a question (f32), then what the numbers of its vector are multiplied by (f32); the
/// vectors, a byte a number.
pub struct TermTable {
    id: [u8; 8],
    dimensions: usize,
    fields: [f32; FIELDS],
    /// The terms, in order of their bytes.
    terms: Vec<Box<str>>,
    weights: Vec<f32>,
    scales: Vec<f32>,
    vectors: Vec<i8>,
}

impl TermTable {
    /// Reads a table.
    pub fn new(bytes: &[u8]) -> Result<Self, TableError> {
        let mut reader = Reader(bytes);
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(TableError("is none, or of another version"));
        }
        let (n, dimensions) = (reader.number()?, reader.number()?);
        if dimensions == 0 || dimensions % BLOCK != 0 {
            return Err(TableError("has a number of dimensions that is no multiple of 64"));
        }
        let fields = reader.floats(FIELDS)?;
        let len = reader.number()?;
        let terms = std::str::from_utf8(reader.take(len)?);
        let terms = terms.map_err(|_| TableError("has terms that are no text"))?;
        let terms: Vec<Box<str>> = terms.lines().map(Box::from).collect();
        if terms.len() != n || !terms.is_sorted_by(|a, b| a < b) {
            return Err(TableError("has terms out of order"));
        }
        let (weights, scales) = (reader.floats(n)?, reader.floats(n)?);
        let vectors = reader.take(n.checked_mul(dimensions).ok_or(ENDS)?)?;
        let id = *blake3::hash(bytes).as_bytes().first_chunk().unwrap_or(&[0; 8]);
        Ok(Self {
            id,
            dimensions,
            fields: std::array::from_fn(|it| fields[it]),
            terms,
            weights,
            scales,
            vectors: vectors.iter().map(|it| it.cast_signed()).collect(),
        })
    }

    /// Equal for equal tables: what is computed with one is of no use for another.
    pub fn id(&self) -> [u8; 8] {
        self.id
    }

    /// How many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The terms, in order of their bytes.
    pub(crate) fn terms(&self) -> &[Box<str>] {
        &self.terms
    }

    /// The weight of a term in a chunk by how often it occurs in the fields: 1 + ln n of each, code and docs taken together.
    pub(crate) fn weight(&self, [body, names, path, doc]: [u8; FIELDS]) -> f32 {
        let damped = |n: u16| if n == 0 { 0.0 } else { 1.0 + f32::from(n).ln() };
        let text = damped(u16::from(body) + u16::from(doc));
        let rest =
            damped(u16::from(names)) * self.fields[1] + damped(u16::from(path)) * self.fields[2];
        text * self.fields[0] + rest
    }

    /// Adds `weight` times the vector of the term with this number.
    pub(crate) fn add(&self, term: usize, weight: f32, sum: &mut [f32]) {
        let vector = &self.vectors[term * self.dimensions..][..self.dimensions];
        let weight = weight * self.scales[term];
        for (to, it) in sum.iter_mut().zip(vector) {
            *to += weight * f32::from(*it);
        }
    }

    /// The number of a term.
    pub(crate) fn number_of(&self, term: &str) -> Option<usize> {
        self.terms.binary_search_by(|it| (**it).cmp(term)).ok()
    }

    /// The vector of a question with the terms of these numbers, each as often as it occurs; `None` if there are none.
    pub(crate) fn question(&self, mut terms: Vec<usize>) -> Option<Packed> {
        terms.sort_unstable();
        let mut sum = vec![0.0; self.dimensions];
        for same in terms.chunk_by(|a, b| a == b) {
            let damped = 1.0 + (same.len() as f32).ln();
            self.add(same[0], damped * self.weights[same[0]], &mut sum);
        }
        Packed::new(&sum)
    }
}

impl fmt::Debug for TermTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TermTable({} terms, {} dimensions)", self.terms.len(), self.dimensions)
    }
}

/// What a table that is too short says.
const ENDS: TableError = TableError("ends too early");

struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn take(&mut self, n: usize) -> Result<&'b [u8], TableError> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or(ENDS)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<usize, TableError> {
        let bytes = self.take(4)?.first_chunk().ok_or(ENDS)?;
        Ok(u32::from_le_bytes(*bytes) as usize)
    }

    fn floats(&mut self, n: usize) -> Result<Vec<f32>, TableError> {
        let bytes = self.take(n.checked_mul(4).ok_or(ENDS)?)?;
        Ok(bytes.as_chunks().0.iter().map(|it| f32::from_le_bytes(*it)).collect())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A table of two dimensions that matter: `parse` and `read` mean the same, `draw` does not.
    pub(crate) fn small() -> Vec<u8> {
        let terms = [("draw", [0_i8, 100]), ("parse", [100, 10]), ("read", [100, 0])];
        let mut res = MAGIC.to_vec();
        res.extend((terms.len() as u32).to_le_bytes());
        res.extend((BLOCK as u32).to_le_bytes());
        [1.0_f32, 2.0, 0.5, 1.0].iter().for_each(|it| res.extend(it.to_le_bytes()));
        let text: String = terms.iter().map(|it| format!("{}\n", it.0)).collect();
        res.extend((text.len() as u32).to_le_bytes());
        res.extend(text.as_bytes());
        (0..terms.len() * 2).for_each(|_| res.extend(1.0_f32.to_le_bytes()));
        for (_, vector) in terms {
            let mut numbers = [0; BLOCK];
            numbers[..2].copy_from_slice(&vector.map(i8::cast_unsigned));
            res.extend(numbers);
        }
        res
    }

    #[test]
    fn texts_that_mean_the_same_are_near() {
        let table = TermTable::new(&small()).unwrap();
        let of = |term| table.question(table.number_of(term).into_iter().collect()).unwrap();
        let near = of("parse").likeness(of("read").view());
        assert!(near > 0.99 && of("draw").likeness(of("read").view()) < 0.01, "{near}");
        assert!(table.number_of("write").is_none() && table.question(Vec::new()).is_none());
    }

    #[test]
    fn a_damaged_table_is_refused() {
        let good = small();
        for len in 0..good.len() {
            assert!(TermTable::new(&good[..len]).is_err(), "{len}");
        }
        let mut swapped = good.clone();
        swapped[36..40].copy_from_slice(b"zraw");
        assert_eq!(TermTable::new(&swapped).err(), Some(TableError("has terms out of order")));
    }
}
