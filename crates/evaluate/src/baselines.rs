//! Context selection of other systems for a cursor. Each baseline is implemented from its published behaviour, never
//! from its code, and gets the same snapshot, cursor and token estimate as the engine.
//!
//! A baseline returns an [`Offer`]: pieces by priority with their overflow behaviour ([`Overflow`]), the order of the
//! prompt, and the baseline's own budget if it has one. [`Offer::cut`] cuts an offer to a budget, so that all can be
//! compared at the same number of tokens, or each at its own.
//!
//! All see the cursor's file with the hole blanked. Earlier commits replace an editor's open files and recent
//! edits, along with the edits since the commit where a task lists them ([`session`](crate::tasks::session)). Without a
//! history, baselines that depend on it offer nothing, and a run reports that.

mod aider;
mod bm25;
mod changes;
mod competition;
mod continuing;
mod files;
mod input;
mod llama_vim;
mod offer;
mod realise;
mod repocoder;
mod tabby;
mod words;

use anyhow::{Result, bail};

use files::Query;
pub use input::BaselineInput;
pub use offer::{Count, Offer, Order, Overflow, Piece};
pub use words::WordCache;

/// A context selection method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Baseline {
    /// Only the text around the cursor.
    None,
    /// Random files of the language, whole.
    Random,
    /// Recently edited files, whole, newest first.
    Recent,
    /// Edits since the commit, newest first.
    Changes,
    /// Whole files by BM25, with the whole of prefix and suffix as query.
    Bm25Files,
    /// Blocks of 40 lines by BM25, with the lines before the cursor as query.
    Bm25Lines,
    /// cAST chunks by BM25, with the lines before the cursor as query.
    Bm25Cast,
    /// Blocks of 40 lines by BM25, with the lines before and after the cursor as query.
    Bm25LinesAround,
    /// cAST chunks by BM25, with the lines before and after the cursor as query.
    Bm25CastAround,
    /// Windows of lines by Jaccard similarity (RepoCoder's first iteration).
    RepoCoder,
    /// A random file (context collection competition of 2025).
    CompetitionRandom,
    /// The best file by BM25, including the cursor's own (same competition).
    CompetitionBm25,
    /// A random recently edited file (same competition).
    CompetitionRecent,
    /// The 5 best top-level definitions by BM25 (REALISE Lab's Python setting in the same competition).
    RealisePython,
    /// The 5 best functions by BM25, and 3 more when these are short (its Kotlin setting).
    RealiseKotlin,
    /// The ring buffer of llama.vim.
    LlamaVim,
    /// Tabby's code search.
    Tabby,
    /// Continue's autocomplete, as shipped.
    Continue,
    /// Continue's ranking by Jaccard similarity, unused in its code.
    ContinueJaccard,
    /// aider's repository map.
    Aider,
}

impl Baseline {
    /// All baselines, in the order of reports.
    pub const ALL: [Self; 20] = [
        Self::None,
        Self::Random,
        Self::Recent,
        Self::Changes,
        Self::Bm25Files,
        Self::Bm25Lines,
        Self::Bm25Cast,
        Self::Bm25LinesAround,
        Self::Bm25CastAround,
        Self::RepoCoder,
        Self::CompetitionRandom,
        Self::CompetitionBm25,
        Self::CompetitionRecent,
        Self::RealisePython,
        Self::RealiseKotlin,
        Self::LlamaVim,
        Self::Tabby,
        Self::Continue,
        Self::ContinueJaccard,
        Self::Aider,
    ];

    /// Name on command lines and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Random => "random",
            Self::Recent => "recent",
            Self::Changes => "changes",
            Self::Bm25Files => "bm25-files",
            Self::Bm25Lines => "bm25-lines",
            Self::Bm25Cast => "bm25-cast",
            Self::Bm25LinesAround => "bm25-lines-around",
            Self::Bm25CastAround => "bm25-cast-around",
            Self::RepoCoder => "repocoder",
            Self::CompetitionRandom => "competition-random",
            Self::CompetitionBm25 => "competition-bm25",
            Self::CompetitionRecent => "competition-recent",
            Self::RealisePython => "realise-python",
            Self::RealiseKotlin => "realise-kotlin",
            Self::LlamaVim => "llama-vim",
            Self::Tabby => "tabby",
            Self::Continue => "continue",
            Self::ContinueJaccard => "continue-jaccard",
            Self::Aider => "aider",
        }
    }

    /// Returns the baseline with this name.
    pub fn called(name: &str) -> Result<Self> {
        let Some(it) = Self::ALL.into_iter().find(|it| it.name() == name) else {
            bail!(
                "no baseline is called `{name}`; there are: {}",
                Self::ALL.map(Self::name).join(", ")
            );
        };
        Ok(it)
    }

    /// Baselines by name, in the order of reports; `all` means all.
    pub fn named(names: &[String]) -> Result<Vec<Self>> {
        let mut wanted: Vec<Self> = Vec::new();
        for name in names {
            match name.as_str() {
                "all" => wanted.extend(Self::ALL),
                name => wanted.push(Self::called(name)?),
            }
        }
        Ok(Self::ALL.into_iter().filter(|it| wanted.contains(it)).collect())
    }

    /// Whether the baseline depends on a history of edits.
    pub fn needs_session(self) -> bool {
        matches!(
            self,
            Self::Recent
                | Self::Changes
                | Self::CompetitionRecent
                | Self::Continue
                | Self::ContinueJaccard
        )
    }

    /// The context that the baseline proposes.
    pub fn offer(self, words: &mut WordCache, at: &BaselineInput<'_>) -> Offer {
        match self {
            Self::None => Offer::default(),
            Self::Random => files::random(at),
            Self::Recent => files::recent(at),
            Self::Changes => changes::offer(at),
            Self::Bm25Files => files::by_bm25(words, at),
            Self::Bm25Lines => files::lines_by_bm25(words, at, Query::Before),
            Self::Bm25Cast => files::chunks_by_bm25(words, at, Query::Before),
            Self::Bm25LinesAround => files::lines_by_bm25(words, at, Query::Around),
            Self::Bm25CastAround => files::chunks_by_bm25(words, at, Query::Around),
            Self::RepoCoder => repocoder::offer(words, at),
            Self::CompetitionRandom => competition::random(at),
            Self::CompetitionBm25 => competition::bm25(words, at),
            Self::CompetitionRecent => competition::recent(at),
            Self::RealisePython => realise::python(words, at),
            Self::RealiseKotlin => realise::kotlin(words, at),
            Self::LlamaVim => llama_vim::offer(at),
            Self::Tabby => tabby::offer(words, at),
            Self::Continue => continuing::offer(at),
            Self::ContinueJaccard => continuing::jaccard(words, at),
            Self::Aider => aider::offer(at),
        }
    }
}

#[cfg(test)]
mod tests;
