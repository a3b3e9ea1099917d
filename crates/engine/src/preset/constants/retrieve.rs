//! Weights of words, names and files in a query and on the list of a signal, and sizes of reasons.

/// Weight of an inflected form relative to the word itself. First guess.
pub(crate) const INFLECTED_FORM: f32 = 0.5;

/// Weight of the singular of a plural in the question: it asks for all `traits`, code defines one `Trait`. With 1, `where are
/// redirects followed` finds the function `redirect` instead of `follow_redirects` (benchmarks/results/search.md).
pub(crate) const SINGULAR: f32 = 0.8;

/// Weight of a word of everyday English in a question.
pub(crate) const CONVERSATIONAL_WORD: f32 = 0.3;

/// Weight of the code of an error in a question: the words around it are those of any error. First guess; with 1,
/// "where is E0108 raised" finds what raises.
pub(crate) const ERROR_CODE: f32 = 3.0;

/// Words with fewer letters are not inflected: `x` is not `xor`, `a` not `aed`. First guess.
pub(crate) const SHORTEST_INFLECTED_WORD: usize = 3;

/// Fraction of its own weight that a further occurrence of a term adds. First guess.
pub(crate) const REPEATED_TERM: f32 = 0.2;

/// Terms in fewer chunks are never too common, however small the repository. First guess.
pub(crate) const ALWAYS_RARE_CHUNKS: f32 = 10.0;

/// Questions of at most this many lines are not split into sentences and pasted text. First guess.
pub(crate) const SHORT_QUESTION_LINES: usize = 2;

/// A text with passages of at most this many words that mentions tests asks for them, as any question of one sentence
/// does. First guess.
pub(crate) const PLAIN_QUESTION_WORDS: usize = 12;

/// Weight of two neighbouring words written as one (`threadpool`). `benchmarks/results/search.md`: nDCG@10 .867
/// → .873.
pub(crate) const JOINED_WORDS: f32 = 0.7;

/// Weight of a word in a sentence below the title, which summarises the rest. First guess; issues of flask, requests,
/// pytest and seaborn did not contradict it, but no run is kept.
pub(crate) const SENTENCE_WORD: f32 = 0.6;

/// Weight of a word in pasted text. First guess, as [`SENTENCE_WORD`].
pub(crate) const PASTED_WORD: f32 = 0.3;

/// Maximum total weight of pasted words relative to that of the sentences. First guess, as [`SENTENCE_WORD`].
pub(crate) const PASTED_SHARE: f32 = 0.5;

/// Terms of pasted text in a query. First guess.
pub(crate) const PASTED_TERMS: usize = 16;

/// Terms of the sentences in a query that has terms of pasted text. First guess.
pub(crate) const SENTENCE_TERMS: usize = 40;

/// Files that a text names, at most: a long log names many. First guess.
pub(crate) const MOST_NAMED_FILES: usize = 24;

/// Frames of a traceback that are read, from the end. First guess.
pub(crate) const TRACEBACK_FRAMES: usize = 8;

/// Weight of a part of a word where words are compared with names and paths. First guess.
pub(crate) const WORD_PART: f32 = 0.7;

/// Weight of a changed line relative to the one that was changed after it. First guess.
pub(crate) const OLDER_CHANGED_LINE: f32 = 0.8;

/// Weight of a line that was changed in another file, relative to one in the cursor's file. First guess: the evaluation
/// has no other buffers.
pub(crate) const CHANGED_ELSEWHERE: f32 = 0.25;

/// Number of chunks assumed in smaller repositories, where every name would otherwise seem common. First guess.
pub(crate) const FEWEST_CHUNKS: f32 = 1000.0;

/// Weight left after one half-life, by definition.
pub(crate) const HALF: f32 = 0.5;

/// Boost for an unused name from a newly added import. First guess.
pub(crate) const NEW_IMPORT: f32 = 2.0;

/// Weight of the share of sibling files that use a name, relative to the share of functions. First guess.
pub(crate) const SIBLING_SHARE: f32 = 0.5;

/// Weight of a definition that an import leads to. First guess.
pub(crate) const IMPORTED_DEFINITION: f32 = 3.0;

/// Weight of definitions with the same name in other files, if one is imported. First guess.
pub(crate) const NOT_IMPORTED_DEFINITION: f32 = 0.3;

/// Weight of a definition in the same directory, if none is imported. First guess.
pub(crate) const PACKAGE_DEFINITION: f32 = 1.5;

/// Weight of a definition in a file that defines the type before the name. First guess.
pub(crate) const OWNER_DEFINITION: f32 = 2.0;

/// Weight of fields, constants and sections relative to types and functions. First guess.
pub(crate) const FIELD_OR_CONSTANT: f32 = 0.6;

/// Weight of an implementation block relative to types and functions. First guess.
pub(crate) const IMPLEMENTATION: f32 = 0.8;

/// Chunks listed of one near file: nearness alone is weak evidence. First guess.
pub(crate) const NEAR_CHUNKS_A_FILE: usize = 3;

/// Weight of a file that imports the cursor's, relative to one that it imports. First guess.
pub(crate) const IMPORTER: f32 = 0.5;

/// Weight of a file with the same bare name (a test and its subject), relative to others of the directory. First guess.
pub(crate) const SIBLING_BY_NAME: f32 = 2.0;

/// Weight of a recent file or position relative to the next more recent one. First guess.
pub(crate) const OLDER_VISIT: f32 = 0.9;

/// Weight of recent files relative to the preset's as long as nothing was edited or visited elsewhere, outside of tests:
/// the files of the last commits tell little about what comes next. `benchmarks/results/cursor.md`.
pub(crate) const RECENT_BEFORE_EDITS: f32 = 0.4;

/// Weight of a visited position: that of the best chunk of an open file ([`NEARNESS`] and a full match). First guess.
pub(crate) const VISITED_CHUNK: f32 = 1.2;

/// Score of a chunk of a near file for nearness, where the best match with the query adds 1. First guess.
pub(crate) const NEARNESS: f32 = 0.2;

/// Score of a near file's first chunk if no chunk matches the query. First guess.
pub(crate) const NEAR_WITHOUT_MATCH: f32 = 0.1;

/// Chunks listed of one changed file; a new file changes all of its chunks. First guess.
pub(crate) const DIFF_CHUNKS_A_FILE: usize = 4;

/// Score of a change without words of the query; a rare word adds about 5. First guess.
pub(crate) const CHANGED_CHUNK: f32 = 1.0;

/// Weight of a changed file relative to the one that was written after it. First guess.
pub(crate) const OLDER_CHANGED_FILE: f32 = 0.9;

/// Score of a head that is similar in nothing. First guess.
pub(crate) const ANY_HEAD: f32 = 0.05;

/// Bonus of a head in the same directory; equal imports give 1. First guess.
pub(crate) const HEAD_IN_DIRECTORY: f32 = 0.3;

/// Bonus of a head whose file name ends in the same word (`UserController`, `PostController`). First guess.
pub(crate) const HEAD_WITH_ROLE: f32 = 0.3;

/// Highest bonus of a head that imports names the cursor's file still has to import. First guess.
pub(crate) const MISSING_IMPORTS: f32 = 1.0;

/// Number of such names that gives half of [`MISSING_IMPORTS`]. First guess.
pub(crate) const HALF_OF_MISSING_IMPORTS: f32 = 2.0;

/// Distance in lines assumed for names from other files. First guess.
pub(crate) const OTHER_FILE_DISTANCE: u32 = 1000;

/// Names listed in the reason of a changed chunk. First guess.
pub(crate) const DIFF_NAMES: usize = 3;

/// Query terms listed in the reason of a lexical hit. First guess.
pub(crate) const LEXICAL_TERMS: usize = 6;

/// Terms with a lower score are not listed: they would be printed as 0.0.
pub(crate) const LEAST_TERM_SCORE: f32 = 0.05;

/// Names listed in the reason of a head. First guess.
pub(crate) const HEAD_NAMES: usize = 3;

/// Uses of a definition on a receiver after which the same receiver is taken for one of its type where nothing declares
/// it. First guess.
pub(crate) const RECEIVER_USES: u32 = 2;

/// Declarations of a receiver's name with a target's type that there are for each with another one, and at least in all, where
/// nothing else says its type: `users`. On 24 repositories with SCIP indexes (27 Nov 2026, `benchmarks/precise.py`) the
/// recall of sure calls rose from .619 to .787 in hono and fell nowhere, at the same precision (.997).
pub(crate) const RECEIVER_RATIO: u32 = 4;
