//! Features of a candidate: numbers that reranking measures in addition to the signals.
//!
//! Measuring is separate from combining, so that another combiner needs no new measurements. To add a feature: a
//! variant here and in [`Feature::ALL`], its name and label, its measurement in `rerank`, and its use in the combiner.

/// A property of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// Share, 0 to 1, of the query's words in the names that the chunk defines.
    DefinesWords,
    /// 1 if the chunk defines a name of the question.
    DefinesName,
    /// Share, 0 to 1, of the words of the file's stem that are in the query.
    FileName,
    /// 1 for a test.
    Test,
    /// 1 for examples, benchmarks and compatibility layers.
    Periphery,
    /// 1 for files that only collect names (`__init__.py`, `mod.rs`, `index.ts`) or declare them (`.d.ts`).
    Gathering,
    /// 1 for prose.
    Prose,
    /// 1 for data files.
    Data,
    /// Sum of the scores of the file's other candidates; measured for its best candidate.
    OtherHits,
    /// Number of better candidates of the same file.
    BetterHits,
    /// Similarity, 0 to 1, of the lines before the cursor and the most similar lines of the chunk.
    Likeness,
    /// 1 if the chunk is in the cursor's file.
    OwnFile,
    /// 1 for a copy of another project's code, more for generated code and build output, which repeat the sources;
    /// unmeasured if the query names it or the cursor is in it.
    ThirdParty,
    /// 1 for a short file that only re-exports names.
    ReExport,
    /// Share, 0 to 1, of the question's words in paths that this path has, weighted by rarity.
    PathWords,
    /// 1 for a chunk of code in which no function begins; measured for the first candidates of a question in words.
    NoFunction,
    /// Share, 0 to 1, of the weight of the question's words that one name has of the chunk's definitions; measured for
    /// the first candidates of a question in words.
    AnswersByName,
    /// The same for the text of one definition, with its comment.
    AnswersByText,
    /// 1 if the question names the file by path or module.
    NamedFile,
    /// Factor from votes on earlier answers.
    Feedback,
    /// Factor from the repository's customisation.
    Customisation,
}

impl Feature {
    /// Number of features.
    pub const COUNT: usize = Self::ALL.len();

    /// All features.
    pub const ALL: [Self; 21] = [
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
        Self::ThirdParty,
        Self::ReExport,
        Self::PathWords,
        Self::NoFunction,
        Self::AnswersByName,
        Self::AnswersByText,
        Self::NamedFile,
        Self::Feedback,
        Self::Customisation,
    ];

    /// Name in data.
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
            Self::ThirdParty => "third_party",
            Self::ReExport => "re_export",
            Self::PathWords => "path_words",
            Self::NoFunction => "no_function",
            Self::AnswersByName => "answers_by_name",
            Self::AnswersByText => "answers_by_text",
            Self::NamedFile => "named_file",
            Self::Feedback => "feedback",
            Self::Customisation => "customisation",
        }
    }

    /// Label in reasons, for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::DefinesWords => "defines the words",
            Self::DefinesName => "defines the name",
            Self::FileName => "named by the file",
            Self::Test => "a test",
            Self::Periphery => "example, migration or the like",
            Self::Gathering => "only collects names",
            Self::Prose => "prose",
            Self::Data => "data",
            Self::OtherHits => "the file has other hits",
            Self::BetterHits => "the file is listed above",
            Self::Likeness => "written like the lines at the cursor",
            Self::OwnFile => "in the cursor's file",
            Self::ThirdParty => "third-party or generated code",
            Self::ReExport => "only re-exports names",
            Self::PathWords => "named by the path",
            Self::NoFunction => "no function begins here",
            Self::AnswersByName => "a definition is named like the question",
            Self::AnswersByText => "one definition has words of the question",
            Self::NamedFile => "the question names the file",
            Self::Feedback => "voted on before",
            Self::Customisation => "weighted by the team",
        }
    }
}

/// Feature values of one candidate; features that were not measured have none.
#[derive(Clone, Copy, Debug)]
pub struct Features([f32; Feature::COUNT]);

impl Features {
    /// The value of a feature, if measured.
    pub fn get(&self, feature: Feature) -> Option<f32> {
        Some(self.0[feature as usize]).filter(|it| !it.is_nan())
    }

    /// The value of a feature; 0 if not measured.
    pub fn value(&self, feature: Feature) -> f32 {
        self.get(feature).unwrap_or(0.0)
    }

    /// Sets the value of a feature.
    pub fn set(&mut self, feature: Feature, value: f32) {
        self.0[feature as usize] = value;
    }

    /// The measured features with their values.
    pub fn iter(&self) -> impl Iterator<Item = (Feature, f32)> {
        Feature::ALL.into_iter().zip(self.0).filter(|it| !it.1.is_nan())
    }
}

/// No feature is measured.
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
