//! Words of a question that tell little: function words, everyday English, and words that most repositories have.

pub(super) mod forms;
mod irregular;
pub(super) mod wish;

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// Function words, which are ignored in questions; sorted.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "been", "between", "by",
    "can", "code", "could", "did", "do", "does", "each", "find", "for", "from", "get", "given",
    "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "me", "of", "on", "or",
    "other", "out", "place", "places", "should", "show", "so", "some", "such", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "to", "up", "used", "uses", "using",
    "was", "we", "were", "what", "when", "where", "which", "while", "who", "why", "will", "with",
    "would", "you",
];

/// Words of everyday English in which questions are asked, without [`STOP_WORDS`]. They say little about the code that
/// answers, even where the code has them rarely. Words of size, time and place are not here: a comment that has
/// them as the question does ("twice as long") is about the same.
const CONVERSATION: &str = "
    able actually again against almost along already also although always am among another anything apart around aside
    ask asked asking asks avoid avoided avoids away back because become becomes behave behaves behind being below
    besides beyond bring brings but came cause causes come comes coming cope copes correctly deal deals decide decided
    decides doing done down due either else elsewhere enough ensure ensures even ever every everything exactly far few
    figure figures found gets getting give gives giving go goes going gone good got had handled handles happen
    happened happening happens hard having help helps her here him his instead itself just keep keeps kept kind know
    known knows least leave leaves less let lets like little look looks made make makes making many may mean means
    meant middle might mine more most much must my myself need needed needs never no nobody nor not nothing now off
    often one ones only onto ours over own part parts people person possible prevent prevented prevents properly put
    puts quite rather really reason responsible say says see seen sees shall since someone something somewhere soon
    still stop stopped stops supposed take taken takes taking tell tells than thing things though through time times
    together told too tried tries try trying turn turned turns under upon us usually very via want wants way ways well
    went whatever whenever wherever whether whose without work worked working works yet your
";

static CONVERSATIONAL_WORDS: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| CONVERSATION.split_whitespace().collect());

/// Whether a lower-case word is one of everyday English.
pub(crate) fn is_conversational(word: &str) -> bool {
    CONVERSATIONAL_WORDS.contains(word)
}

/// Whether a lower-case word is ignored in questions.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Words that at least half of 71 public repositories have (`train/common_words`); their absence means little.
static COMMON_WORDS: LazyLock<FxHashSet<&'static str>> =
    LazyLock::new(|| include_str!("words/common.txt").split_whitespace().collect());

/// Whether most repositories have a lower-case word.
pub(crate) fn is_common(word: &str) -> bool {
    COMMON_WORDS.contains(word)
}
