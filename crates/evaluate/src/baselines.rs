//! What others put beside the text around a cursor: each written here from its published behaviour, never from its
//! code, and given the same snapshot, the same cursor and the same estimate of tokens as ours.
//!
//! A baseline makes an [`Offer`]: pieces in the order in which it wants them, each with what happens to it when it no
//! longer fits ([`Overflow`]), the order of the prompt, and its own budget where it has one. [`Offer::cut`] cuts an
//! offer to a budget, so that all can be compared at the same number of tokens, or each at its own.
//!
//! All of them see the cursor's file as it is with the hole blanked. What an editor would know of the hours before
//! (which files were open, where they were edited) is taken from the commits before the task's
//! ([`session`](crate::tasks::session)); where there is no history, baselines that live on it offer nothing, and a run says so.

mod aider;
mod bm25;
mod competition;
mod continuing;
mod files;
mod llama_vim;
mod offer;
mod realise;
mod repocoder;
mod tabby;
mod words;

use std::ops::Range;

use anyhow::{Result, bail};
use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::scope::{Cursor, Scope};
use foreword_engine::trim::Window;

use crate::random::Random;
use crate::tasks::session::EditLocation;
pub use offer::{Count, Offer, Order, Overflow, Piece};
pub use words::WordCache;

/// One way of choosing context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Baseline {
    /// The text around the cursor alone.
    None,
    /// Random files of the language, whole.
    Random,
    /// The files that were touched last, whole, the latest first.
    Recent,
    /// Whole files by BM25 for the whole of prefix and suffix.
    Bm25Files,
    /// Blocks of 40 lines by BM25 for the lines before the cursor.
    Bm25Lines,
    /// cAST chunks by BM25 for the lines before the cursor.
    Bm25Cast,
    /// Windows of lines by Jaccard similarity (RepoCoder's first iteration).
    RepoCoder,
    /// A random file (context collection competition of 2025).
    CompetitionRandom,
    /// The best file by BM25, the cursor's own not left out (the same).
    CompetitionBm25,
    /// A random one of the files touched last (the same).
    CompetitionRecent,
    /// Top-level definitions by BM25, 5 of them (REALISE Lab's Python setting in the same competition).
    RealisePython,
    /// Functions by BM25, 5 of them and 3 more when these are short (its Kotlin setting).
    RealiseKotlin,
    /// The ring buffer of llama.vim.
    LlamaVim,
    /// Tabby's code search.
    Tabby,
    /// Continue's autocomplete, as it is shipped.
    Continue,
    /// Continue's ranking by Jaccard similarity, which is in its code and not called.
    ContinueJaccard,
    /// aider's repository map.
    Aider,
}

impl Baseline {
    /// All of them, in the order of reports.
    pub const ALL: [Self; 17] = [
        Self::None,
        Self::Random,
        Self::Recent,
        Self::Bm25Files,
        Self::Bm25Lines,
        Self::Bm25Cast,
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

    /// The name on command lines and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Random => "random",
            Self::Recent => "recent",
            Self::Bm25Files => "bm25-files",
            Self::Bm25Lines => "bm25-lines",
            Self::Bm25Cast => "bm25-cast",
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

    /// The one with this name.
    pub fn called(name: &str) -> Result<Self> {
        let Some(it) = Self::ALL.into_iter().find(|it| it.name() == name) else {
            bail!(
                "no baseline is called `{name}`; there are: {}",
                Self::ALL.map(Self::name).join(", ")
            );
        };
        Ok(it)
    }

    /// Those that are named, in the order of reports; `all` names all.
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

    /// Whether it has nothing to say where no history is known.
    pub fn needs_session(self) -> bool {
        matches!(
            self,
            Self::Recent | Self::CompetitionRecent | Self::Continue | Self::ContinueJaccard
        )
    }

    /// What it would show.
    pub fn offer(self, words: &mut WordCache, at: &BaselineInput<'_>) -> Offer {
        match self {
            Self::None => Offer::default(),
            Self::Random => files::random(at),
            Self::Recent => files::recent(at),
            Self::Bm25Files => files::by_bm25(words, at),
            Self::Bm25Lines => files::lines_by_bm25(words, at),
            Self::Bm25Cast => files::chunks_by_bm25(words, at),
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

/// What a baseline is asked about.
pub struct BaselineInput<'a> {
    /// The repository, with the cursor's file as it is with the hole blanked.
    pub snapshot: &'a Snapshot,
    /// The cursor.
    pub cursor: &'a Cursor,
    /// What is in reach of it; of this the baselines use what a language server would tell them.
    pub scope: &'a Scope,
    /// What of the cursor's file is shown.
    pub window: &'a Window,
    /// What was touched before, the latest first.
    pub session: &'a [EditLocation],
    /// Names the task: random choices follow from it.
    pub id: &'a str,
    /// How tokens are counted.
    pub count: Count<'a>,
}

impl BaselineInput<'_> {
    /// Files with the extension of the cursor's file, without that file, by path.
    fn others(&self) -> Vec<FileId> {
        let wanted = extension(&self.cursor.path);
        let alike = |it: &FileId| extension(self.snapshot.path(*it)) == wanted;
        let own = self.snapshot.file(&self.cursor.path);
        self.snapshot.files().filter(|it| Some(*it) != own).filter(alike).collect()
    }

    /// Files that were touched, each once, the latest first, without the cursor's own.
    fn touched(&self) -> Vec<FileId> {
        let own = self.snapshot.file(&self.cursor.path);
        let mut res: Vec<FileId> = Vec::new();
        for file in self.session.iter().filter_map(|it| self.snapshot.file(&it.path)) {
            if Some(file) != own && !res.contains(&file) {
                res.push(file);
            }
        }
        res
    }

    /// Those of `touched` with the extension of the cursor's file.
    fn touched_alike(&self) -> Vec<FileId> {
        let wanted = extension(&self.cursor.path);
        let alike = |it: &FileId| extension(self.snapshot.path(*it)) == wanted;
        self.touched().into_iter().filter(alike).collect()
    }

    /// Whether the text around the cursor shows some of these bytes of its file.
    fn is_shown(&self, file: FileId, bytes: &Range<usize>) -> bool {
        let own = self.snapshot.file(&self.cursor.path) == Some(file);
        own && self.window.shown.iter().any(|it| it.start < bytes.end && bytes.start < it.end)
    }

    /// The last `n` lines before the cursor.
    fn lines_before(&self, n: usize) -> &str {
        let prefix = self.cursor.prefix();
        let start = prefix.rmatch_indices('\n').nth(n - 1).map_or(0, |it| it.0 + 1);
        &prefix[start..]
    }

    fn random(&self) -> Random {
        Random::of_name(self.id)
    }

    /// A whole file as a piece.
    fn whole(&self, file: FileId, overflow: Overflow) -> Piece {
        let text = self.snapshot.text(file);
        let end_line = text.lines().count().max(1) as u32;
        let path = self.snapshot.path(file).to_owned();
        Piece { path, start_line: 1, end_line, text: text.to_string(), overflow }
    }
}

/// What follows the last dot of a file's name.
fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |it| it.1)
}

#[cfg(test)]
mod tests;
