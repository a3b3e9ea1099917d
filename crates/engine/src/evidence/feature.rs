//! The features of a candidate: what reranking measures beside the signals, as numbers with names.
//!
//! Measuring is separate from combining: a combiner turns signals and features into one score and into reasons, and
//! another combiner can be put in its place without measuring anything anew. To add a feature: a variant here and in
//! [`Feature::ALL`], its name and label, where `rerank` measures it, and what the combiner makes of it.

/// A property of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// The share, 0 to 1, of the query's words that the names have which the chunk defines.
    DefinesWords,
    /// 1 if the chunk defines a name of the question exactly.
    DefinesName,
    /// The share, 0 to 1, of the words of the file's stem that are in the query.
    FileName,
    /// 1 if the file is a test.
    Test,
    /// 1 for examples, benchmarks, compatibility layers, vendored and generated code.
    Periphery,
    /// 1 for files that only gather names (`__init__.py`, `mod.rs`, `index.ts`) or declare them (`.d.ts`).
    Gathering,
    /// 1 for prose.
    Prose,
    /// 1 for data.
    Data,
    /// The sum of the scores of the file's other candidates; measured for the best candidate of each file.
    OtherHits,
    /// How many better candidates are of the same file.
    BetterHits,
    /// Likeness, 0 to 1, of the lines before the cursor and the most similar lines of the chunk.
    Likeness,
    /// 1 if the chunk is of the cursor's file.
    OwnFile,
}

impl Feature {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::DefinesWords,
        Self::DefinesName,
        Self::FileName,
        Self::Test,
        Self::Periphery,
        Self::Gathering,
        Self::Prose,
        Self::Data,
        Self::OtherHits,
        Self::BetterHits,
        Self::Likeness,
        Self::OwnFile,
    ];

    /// The name in data.
    pub fn name(self) -> &'static str {
        match self {
            Self::DefinesWords => "defines_words",
            Self::DefinesName => "defines_name",
            Self::FileName => "file_name",
            Self::Test => "test",
            Self::Periphery => "periphery",
            Self::Gathering => "gathering",
            Self::Prose => "prose",
            Self::Data => "data",
            Self::OtherHits => "other_hits",
            Self::BetterHits => "better_hits",
            Self::Likeness => "likeness",
            Self::OwnFile => "own_file",
        }
    }

    /// What a reason says of it, for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::DefinesWords => "defines the words",
            Self::DefinesName => "defines the name",
            Self::FileName => "named by the file",
            Self::Test => "a test",
            Self::Periphery => "an example, copy or leftover",
            Self::Gathering => "gathers names only",
            Self::Prose => "prose",
            Self::Data => "data",
            Self::OtherHits => "the file has other hits",
            Self::BetterHits => "the file is shown above",
            Self::Likeness => "written like the lines at the cursor",
            Self::OwnFile => "of the cursor's file",
        }
    }
}

/// The value of every feature of one candidate; a feature that was not measured has none.
#[derive(Clone, Copy, Debug)]
pub struct Features([f32; Feature::COUNT]);

impl Features {
    /// The value of a feature, if it was measured.
    pub fn get(&self, feature: Feature) -> Option<f32> {
        Some(self.0[feature as usize]).filter(|it| !it.is_nan())
    }

    /// The value of a feature, 0 if it was not measured.
    pub fn value(&self, feature: Feature) -> f32 {
        self.get(feature).unwrap_or(0.0)
    }

    /// Notes the value of a feature.
    pub fn set(&mut self, feature: Feature, value: f32) {
        self.0[feature as usize] = value;
    }

    /// The features that were measured, with their values.
    pub fn iter(&self) -> impl Iterator<Item = (Feature, f32)> {
        Feature::ALL.into_iter().zip(self.0).filter(|it| !it.1.is_nan())
    }
}

/// Nothing is measured yet.
impl Default for Features {
    fn default() -> Self {
        Self([f32::NAN; Feature::COUNT])
    }
}

impl PartialEq for Features {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_that_was_not_measured_has_no_value() {
        let mut features = Features::default();
        features.set(Feature::Likeness, 0.0);
        assert_eq!(features.iter().collect::<Vec<_>>(), [(Feature::Likeness, 0.0)]);
        assert_eq!(features.get(Feature::Test), None);
        assert_eq!(features, features);
        assert_ne!(features, Features::default());
    }

    #[test]
    fn a_feature_stands_at_its_place_among_all() {
        for (at, feature) in Feature::ALL.into_iter().enumerate() {
            assert_eq!(feature as usize, at);
        }
    }
}
