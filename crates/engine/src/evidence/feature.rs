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
    /// 1 for examples, benchmarks, compatibility layers and generated code.
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
    /// How many directories one goes up and down to the cursor's file.
    PathDistance,
    /// 1 if the file is of the cursor's language.
    SameLanguage,
    /// How many lines the chunk has.
    Lines,
    /// 1 if the chunk is the first of its file.
    FirstChunk,
    /// 1 if a function, method, constructor or macro names the chunk.
    Callable,
    /// 1 if a class, interface, enumeration, implementation or other type names it.
    TypeDefinition,
    /// How many candidates its file has.
    FileHits,
    /// 1 if the cursor's file imports its file.
    Imported,
    /// The reciprocal of its file's place among those opened recently; 0 if it is not among them.
    Recency,
    /// 1 if it is a test and the cursor's file is, or neither.
    SameRole,
    /// 1 if the cursor's file is a test.
    CursorInTest,
    /// How many of its definitions were found by name.
    NamedDefinitions,
    /// Likeness, 0 to 1, of the lines after the cursor and the most similar lines of the chunk.
    LikenessAfter,
    /// The share, 0 to 1, of the names of the lines before the cursor that the chunk has.
    SharedNames,
    /// The share, 0 to 1, of the lines around the cursor that the chunk has.
    SharedLines,
    /// 1 for a copy of another project's code, unless the query or the cursor is in it.
    ThirdParty,
    /// 1 for a short file that only re-exports names.
    ReExport,
    /// Share, 0 to 1, of the question's words in paths that this path has, weighted by rarity.
    PathWords,
    /// Factor from votes on earlier answers.
    Feedback,
    /// Factor from the repository's customisation.
    Customisation,
}

impl Feature {
    /// Number of features.
    pub const COUNT: usize = Self::ALL.len();

    /// All features.
    pub const ALL: [Self; 32] = [
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
        Self::PathDistance,
        Self::SameLanguage,
        Self::Lines,
        Self::FirstChunk,
        Self::Callable,
        Self::TypeDefinition,
        Self::FileHits,
        Self::Imported,
        Self::Recency,
        Self::SameRole,
        Self::CursorInTest,
        Self::NamedDefinitions,
        Self::LikenessAfter,
        Self::SharedNames,
        Self::SharedLines,
        Self::ThirdParty,
        Self::ReExport,
        Self::PathWords,
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
            Self::PathDistance => "path_distance",
            Self::SameLanguage => "same_language",
            Self::Lines => "lines",
            Self::FirstChunk => "first_chunk",
            Self::Callable => "callable",
            Self::TypeDefinition => "type_definition",
            Self::FileHits => "file_hits",
            Self::Imported => "imported",
            Self::Recency => "recency",
            Self::SameRole => "same_role",
            Self::CursorInTest => "cursor_in_test",
            Self::NamedDefinitions => "named_definitions",
            Self::LikenessAfter => "likeness_after",
            Self::SharedNames => "shared_names",
            Self::SharedLines => "shared_lines",
            Self::ThirdParty => "third_party",
            Self::ReExport => "re_export",
            Self::PathWords => "path_words",
            Self::Feedback => "feedback",
            Self::Customisation => "customisation",
        }
    }

    /// Whether the value is a count rather than a share or a flag.
    pub(crate) fn is_count(self) -> bool {
        use Feature::{BetterHits, FileHits, Lines, NamedDefinitions, OtherHits, PathDistance};
        matches!(self, OtherHits | BetterHits | PathDistance | Lines | FileHits | NamedDefinitions)
    }

    /// Label in reasons, for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::DefinesWords => "defines the words",
            Self::DefinesName => "defines the name",
            Self::FileName => "named by the file",
            Self::Test => "a test",
            Self::Periphery => "example, benchmark or generated code",
            Self::Gathering => "only collects names",
            Self::Prose => "prose",
            Self::Data => "data",
            Self::OtherHits => "the file has other hits",
            Self::BetterHits => "the file is listed above",
            Self::Likeness => "written like the lines at the cursor",
            Self::OwnFile => "in the cursor's file",
            Self::PathDistance => "in a distant directory",
            Self::SameLanguage => "in the same language",
            Self::Lines => "long",
            Self::FirstChunk => "start of its file",
            Self::Callable => "a function",
            Self::TypeDefinition => "a type",
            Self::FileHits => "the file has several hits",
            Self::Imported => "in an imported file",
            Self::Recency => "in a recently open file",
            Self::SameRole => "a test like the cursor's file, or code like it",
            Self::CursorInTest => "for a cursor in a test",
            Self::NamedDefinitions => "several definitions found by name",
            Self::LikenessAfter => "written like the lines after the cursor",
            Self::SharedNames => "names of the lines at the cursor",
            Self::SharedLines => "lines like those at the cursor",
            Self::ThirdParty => "third-party code",
            Self::ReExport => "only re-exports names",
            Self::PathWords => "named by the path",
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
