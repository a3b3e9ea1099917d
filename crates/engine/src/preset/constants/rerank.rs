//! Numbers of reranking beside the weights of `RerankConfig`: similarity to the cursor's lines and corrected names.

/// Candidates whose texts are read. `benchmarks/results/cursor.md`: 40, 60 and 100 changed nothing.
pub(crate) const LIKENESS_DEPTH: usize = 30;

/// Non-blank lines of a window that is compared with the lines before the cursor. `benchmarks/results/cursor.md`.
pub(crate) const LIKENESS_LINES: usize = 12;

/// Lines from one window of a chunk to the next. First guess.
pub(crate) const LIKENESS_STEP: usize = 4;

/// Similarity of two arbitrary places of a repository, which is subtracted: two thirds of all candidates have less.
/// `benchmarks/results/cursor.md`.
pub(crate) const USUAL_LIKENESS: f32 = 0.15;

/// Largest part of its own score that a hit gains by other hits of its file. First guess.
pub(crate) const MAX_COHERENCE: f32 = 1.0;

/// Range of the scores of one corrected name's definitions; 1 is the distance between two names. First guess.
pub(crate) const CORRECTION_SPREAD: f32 = 0.9;

/// First candidates of a question whose definitions are read. `benchmarks/results/search.md`: all of them changed
/// nothing.
pub(crate) const FUNCTION_DEPTH: usize = 60;

/// First candidates of a question whose texts are read. `benchmarks/results/search.md`: 60 and 150 gave the same lines,
/// and semble's questions a little less.
pub(crate) const ANSWER_DEPTH: usize = 30;

/// Share that a definition's name keeps of its part of the question, if most of its words are not the question's.
/// `benchmarks/results/search.md`: .3 to .7 chose the same definitions.
pub(crate) const ANY_NAME: f32 = 0.5;

/// Weight of the logarithm of a definition's lines where one of a chunk is chosen, beside those of the question's words in
/// it: of two that have the same words, the longer one does more. `benchmarks/results/ask.md`, "Any piece".
pub(crate) const ANSWER_LENGTH: f32 = 0.1;

/// Factors this close to 1 are not mentioned: they would be printed as 1.00.
pub(crate) const NEUTRAL_FACTOR: f32 = 0.005;

/// Longer files do more than re-export names. First guess.
pub(crate) const RE_EXPORT_LINES: u32 = 30;

/// How often the factor of other projects' code applies to generated code and build output: they stand behind nearly
/// everything else, as their sources are in the repository too. Of five prompts in axios, whose `dist` is in git, 60 %
/// of the pieces' tokens came from it without a factor, 22 % with a power of 2.
pub(crate) const GENERATED_DEGREE: f32 = 4.0;
