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
    /// 1 for examples, benchmarks, compatibility layers and generated code.
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
    /// 1 for a copy of another project's code, unless the query or the cursor is about it.
    ThirdParty,
    /// 1 for a few lines that only pass on names of other files.
    ReExport,
    /// How much, 0 to 1, of the words of the question that paths have this path has; a rare word counts for more.
    PathWords,
    /// The factor that votes on earlier answers give.
    Feedback,
    /// The factor that the repository's customisation gives.
    Customisation,
}

impl Feature {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

    /// All of them.
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

    /// Whether it counts something, and is no share and no yes or no.
    pub(crate) fn is_count(self) -> bool {
        use Feature::{BetterHits, FileHits, Lines, NamedDefinitions, OtherHits, PathDistance};
        matches!(self, OtherHits | BetterHits | PathDistance | Lines | FileHits | NamedDefinitions)
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
            Self::PathDistance => "far in the tree",
            Self::SameLanguage => "of the same language",
            Self::Lines => "long",
            Self::FirstChunk => "the beginning of its file",
            Self::Callable => "a function",
            Self::TypeDefinition => "a type",
            Self::FileHits => "the file has several hits",
            Self::Imported => "of a file that is imported",
            Self::Recency => "of a file that was open",
            Self::SameRole => "a test like the cursor's file, or code like it",
            Self::CursorInTest => "for a cursor in a test",
            Self::NamedDefinitions => "several definitions found by name",
            Self::LikenessAfter => "written like the lines after the cursor",
            Self::SharedNames => "names of the lines at the cursor",
            Self::SharedLines => "lines like those at the cursor",
            Self::ThirdParty => "another project's code",
            Self::ReExport => "passes on names only",
            Self::PathWords => "named by the path",
            Self::Feedback => "voted on before",
            Self::Customisation => "weighed by the team",
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
