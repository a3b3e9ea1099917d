//! Evidence for questions: how much of each kind, and what makes it enough.

/// Places, pasted or named by their path. First guess, like every number of pieces below, by reading answers;
/// `benchmarks/results/ask.md` has what each kind of evidence is worth.
pub(crate) const PLACES: usize = 8;

/// Definitions of each name in the question.
pub(crate) const NAMED_DEFINITIONS: usize = 3;

/// Search results.
pub(crate) const MATCHES: usize = 7;

/// Search results after these, of which only the beginning is shown. Run `benchmarks/results/ask.md`, "Any piece".
pub(crate) const FURTHER: usize = 9;

/// Search results beside definitions that the question names.
pub(crate) const MATCHES_BESIDE_NAMED: usize = 3;

/// Search results that are tests.
pub(crate) const MATCHED_TESTS: usize = 3;

/// Results for what a model wrote beside the question.
pub(crate) const MODEL_TEXT_RESULTS: usize = 4;

/// Definitions that a match uses.
pub(crate) const USED_DEFINITIONS: usize = 4;

/// Callers of a match.
pub(crate) const CALLERS: usize = 5;

/// Subtypes of a match.
pub(crate) const SUBTYPES: usize = 4;

/// Tests that use a match.
pub(crate) const TESTS: usize = 3;

/// Documents.
pub(crate) const DOCUMENTS: usize = 2;

/// Documents for a question about how to do something.
pub(crate) const GUIDES: usize = 4;

/// Plain words with more definitions than this are not treated as symbol names. First guess.
pub(crate) const COMMON_NAME_DEFINITIONS: usize = 24;

/// Search results considered for a question. First guess.
pub(crate) const RESULTS: usize = 24;

/// Passages that a model may put in order: about 50, of which 10 are shown, in the seed on reranking by a model.
pub(crate) const PASSAGES: usize = 50;

/// Lines of a passage shown to that model. First guess.
pub(crate) const PASSAGE_LINES: usize = 24;

/// Lines shown of the best match. First guess, by reading answers.
pub(crate) const FIRST_MATCH_LINES: u32 = 40;

/// Lines shown of the other leading matches. First guess, by reading answers.
pub(crate) const LATER_MATCH_LINES: u32 = 16;

/// Lines shown of every match after the leading ones. Run `benchmarks/results/ask.md`, "Any piece", like the five below.
pub(crate) const BRIEF_MATCH_LINES: u32 = 8;

/// Lines shown of each definition of a further match.
pub(crate) const FURTHER_LINES: u32 = 6;

/// Definitions of a leading match, after the first, whose lines it shows.
pub(crate) const LIKELY_DEFINITIONS: usize = 3;

/// Those of them that answer at least this much of the best one.
pub(crate) const LIKELY_SHARE: f32 = 0.3;

/// Lines shown of each.
pub(crate) const LIKELY_LINES: u32 = 16;

/// First places of the search that lead the answer to a question in words: documents among them, the first with all
/// lines of its chunk. Run `benchmarks/results/search.md`.
pub(crate) const LEADING_MATCHES: usize = 3;

/// Lines shown before and after a place that the question names. First guess.
pub(crate) const PLACE_MARGIN_LINES: u32 = 6;

/// Matches whose definitions, callers and tests are added. First guess.
pub(crate) const ANCHORS: usize = 2;

/// Lines shown of a definition that a match uses. First guess.
pub(crate) const USED_DEFINITION_LINES: u32 = 10;

/// Lines shown of a document. First guess.
pub(crate) const DOCUMENT_LINES: usize = 14;

/// Documents that are read for a question about what people do with the project: the likeliest by their places. First guess.
pub(crate) const ACTIVITY_DOCUMENTS: usize = 64;

/// Sections of documents that answer such a question. First guess.
pub(crate) const ACTIVITY_GUIDES: usize = 4;

/// Lines shown of such a section. First guess.
pub(crate) const ACTIVITY_LINES: u32 = 14;

/// Scores of such sections. Chosen on 36 repositories (benchmarks/results/ask.md).
pub(crate) const ACTIVITY: ActivityWorth = ActivityWorth {
    least: 2.5,
    title: 3.0,
    near_title: 1.2,
    other_word: 0.2,
    parent: 0.5,
    command: 2.0,
    with: 2.0,
    named: 1.5,
    readme: 1.0,
    near_name: 0.7,
    other_guide: 0.3,
    root: 1.0,
    docs: 0.6,
    docs_of_developers: 0.9,
    docs_of_others: -0.2,
    deeper: 0.1,
    code: -2.5,
    deeper_in_code: 0.3,
    examples: -4.0,
};

/// Parts of the score of a section that may answer a question about what people do with the project.
pub(crate) struct ActivityWorth {
    /// The least of one that answers.
    pub(crate) least: f32,
    /// A title that names the activity, and one that is near it.
    pub(crate) title: f32,
    pub(crate) near_title: f32,
    /// Share that each other word of a title takes away.
    pub(crate) other_word: f32,
    /// Share of the best title around it.
    pub(crate) parent: f32,
    /// A command that does it.
    pub(crate) command: f32,
    /// A word of the question that says where or with what.
    pub(crate) with: f32,
    /// A document by its name: after the activity, the README, near the activity, a guide for others.
    pub(crate) named: f32,
    pub(crate) readme: f32,
    pub(crate) near_name: f32,
    pub(crate) other_guide: f32,
    /// A document by its directory: the root, documents for who asks, for developers, for others.
    pub(crate) root: f32,
    pub(crate) docs: f32,
    pub(crate) docs_of_developers: f32,
    pub(crate) docs_of_others: f32,
    /// The loss for each level of directories.
    pub(crate) deeper: f32,
    /// A directory of code, with what each level takes away, and one of examples or tests.
    pub(crate) code: f32,
    pub(crate) deeper_in_code: f32,
    pub(crate) examples: f32,
}

/// Uncovered lines at most this far apart form one place. First guess.
pub(crate) const COVERAGE_GAP_LINES: u32 = 2;

/// Tokens of the map from which an overview takes directories and definitions. First guess.
pub(crate) const OVERVIEW_MAP_TOKENS: usize = 3_000;

/// Most used definitions in an overview. First guess.
pub(crate) const CENTRAL_DEFINITIONS: usize = 6;

/// Lines shown of each of them. First guess.
pub(crate) const CENTRAL_DEFINITION_LINES: u32 = 12;

/// Most directories in an overview. Like all numbers of an overview, chosen by reading those of ten foreign
/// repositories (`benchmarks/results/ask.md`, "Read by a stranger").
pub(crate) const OVERVIEW_DIRECTORIES: usize = 12;

/// With fewer directories than this, the largest is always split.
pub(crate) const FEW_DIRECTORIES: usize = 4;

/// A directory with more than this share of the weight is split into its own directories.
pub(crate) const SPLIT_SHARE: f64 = 0.25;

/// A directory with less than this share of the weight is merged into its parent.
pub(crate) const MERGE_SHARE: f64 = 0.005;

/// The root itself, which holds build and configuration files, is listed from this share of the weight.
pub(crate) const ROOT_SHARE: f64 = 0.05;

/// Weight of a file's share of all lines, relative to its rank in the map.
pub(crate) const SIZE_WEIGHT: f64 = 0.25;

/// Names listed for a directory without documentation.
pub(crate) const DIRECTORY_NAMES: usize = 5;

/// The same where there are few directories.
pub(crate) const FEW_DIRECTORIES_NAMES: usize = 10;

/// Words that the first line of a paragraph, or a heading that describes the project, has at least. First guess.
pub(crate) const PARAGRAPH_START_WORDS: usize = 4;

/// Definitions up to this many lines are shown in full, without key lines. First guess.
pub(crate) const KEY_LINES_FROM: u32 = 10;

/// Key lines of a definition. First guess.
pub(crate) const KEY_LINES: usize = 5;

/// Characters of a summary.
pub(crate) const SUMMARY_CHARS: usize = 400;

/// Characters of a signature.
pub(crate) const SIGNATURE_CHARS: usize = 160;

/// Members listed as the key lines of a type. First guess.
pub(crate) const KEY_MEMBERS: usize = 8;

/// Weight of a line that returns or raises something: that of an average query word. First guess.
pub(crate) const OUTCOME_LINE_WEIGHT: f32 = 1.0;

/// Strength from which the evidence counts as enough. The weights below are fitted to this threshold: there, one in
/// twenty of semble's fitted questions is refused, run `benchmarks/results/ask.md`.
pub const ENOUGH: f32 = 0.5;

/// Weight of a word that occurs in the repository, but not in the best evidence, which may use a synonym; relative to a
/// word that occurs there. First guess.
pub(crate) const SCATTERED_WORD: f32 = 0.3;

/// Least strength where the question names a definition by a name that only code has. First guess.
pub(crate) const NAMED_DEFINITION: f32 = 0.6;

/// Results by which the strength is judged. First guess.
pub(crate) const JUDGED_RESULTS: usize = 10;

/// Weight of a word that most repositories have, relative to a rare one; run `benchmarks/results/ask.md`.
pub(crate) const COMMON_WORD: f32 = 0.6;

/// Weight of an absent word with the ending of a verb, an adjective or an adverb, relative to another absent word: it
/// says how, not what. Run `benchmarks/results/ask.md`.
pub(crate) const ABSENT_INFLECTED_WORD: f32 = 0.5;

/// Words that occur nowhere and have less than this share of the question's weight are phrasing, not its subject. Chosen by
/// reading questions that were refused, run `benchmarks/results/search.md`.
pub(crate) const ABSENT_SHARE: f32 = 0.2;

/// Share of a word's weight that a text covers which has another form of it, or has it within a longer name. First
/// guess.
pub(crate) const OTHER_FORM: f32 = 0.8;

/// A misspelled word stands for variants of more than this weight: those one typing error away.
pub(crate) const TYPO_WEIGHT: f32 = 0.5;

/// Weights of the logistic regression on six shares of the question's weight (the score's six features and its
/// intercept). Fitted to questions about things that are not there (halves a and b of `benchmarks/ask/absent.tsv`) and
/// to those of semble and SWE-QA over the repositories at even places, run `benchmarks/results/ask.md`.
pub(crate) const DEFINED_WEIGHT: f32 = 5.924;

/// Words in the best path and name.
pub(crate) const TITLED_WEIGHT: f32 = 2.441;

/// Words written as names that only comments, tests, documents or data have.
pub(crate) const MENTIONED_NAME_WEIGHT: f32 = -7.203;

/// Rare words that only these have.
pub(crate) const MENTIONED_RARE_WEIGHT: f32 = -2.524;

/// The heaviest word.
pub(crate) const HEAVIEST_WEIGHT: f32 = -3.314;

/// One by the number of words.
pub(crate) const FEW_WORDS_WEIGHT: f32 = -4.986;

/// The score without any.
pub(crate) const INTERCEPT: f32 = 1.894;

/// Share of a question's weight that a page, issue or commit covers at least to be evidence. First guess, tried on five
/// repositories (docs/customise.md).
pub(crate) const STATEMENT_COVERAGE: f32 = 0.6;

/// The same for a team's answer, whose question has few words.
pub(crate) const FAQ_COVERAGE: f32 = 0.5;

/// Answers, pages and discussions as evidence, at most. First guess.
pub(crate) const STATEMENTS: [usize; 3] = [2, 2, 3];

/// Places of an answer shown with it. First guess.
pub(crate) const FAQ_PLACES: usize = 3;

/// Lines of each place. First guess.
pub(crate) const FAQ_PLACE_LINES: u32 = 16;

/// Characters of an answer or summary that a team wrote.
pub(crate) const STATEMENT_CHARS: usize = 2_000;

/// Tokens reserved for the path and number of each piece. First guess.
pub(crate) const HEADING_TOKENS: usize = 20;

/// Candidates that count as found after the lists were merged, in the evaluation by stages.
pub const FUSED: usize = 50;

/// Lines shown of the README and other guides of an overview, after the first. First guess.
pub(crate) const GUIDE_LINES: u32 = 20;

/// Guides in an overview. First guess.
pub(crate) const OVERVIEW_GUIDES: usize = 3;

/// A repository with this many times more example code than own code is an example as a whole. First guess.
pub(crate) const EXAMPLE_FACTOR: usize = 4;

/// Letters and digits of a key line, at least. First guess.
pub(crate) const KEY_LINE_LETTERS: usize = 4;

/// Longer lines, in bytes, are no key lines. First guess.
pub(crate) const KEY_LINE_BYTES: usize = 200;

/// Shorter words, in characters, have other words within one typing error. First guess.
pub(crate) const TYPO_CHARS: usize = 7;

/// Places that get their tokens in one turn of the selection. First guess, like the two below.
pub(crate) const PLACES_PER_TURN: usize = 3;

/// Matches in one turn.
pub(crate) const MATCHES_PER_TURN: usize = 2;

/// Further matches in one turn.
pub(crate) const FURTHER_PER_TURN: usize = 4;

/// Guides and directories in one turn.
pub(crate) const GUIDES_PER_TURN: usize = 4;

/// Places that read environment variables. First guess, like the numbers below, by reading answers about 40 repositories.
pub(crate) const ENVIRONMENT_PLACES: usize = 12;

/// Lines between accesses that are shown together, at most.
pub(crate) const ENVIRONMENT_GAP: u32 = 20;

/// Lines of accesses that are shown together, at most.
pub(crate) const ENVIRONMENT_LINES: u32 = 80;

/// Accesses that are looked at, the first by path.
pub(crate) const ENVIRONMENT_MATCHES: usize = 4_000;

/// Characters of a word of the question that a place must have: the stem of `mirrors`.
pub(crate) const ENVIRONMENT_WORD: usize = 6;

/// Lines shown of such a place.
pub(crate) const ENVIRONMENT_KEY_LINES: usize = 12;

/// Bytes that are read for such places at most where contents are elsewhere.
pub(crate) const ENVIRONMENT_BYTES: u64 = 4 << 20;
