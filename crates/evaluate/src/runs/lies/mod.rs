//! How many false statements about a repository the check of answers marks, and how many true ones.
//!
//! A definition is chosen, the evidence for a question about it is gathered, and statements are made from that evidence:
//! true ones from names, lines and quotations as they are, false ones by one controlled change each (module `statements`).
//! Nothing is random, so the same repository always gives the same statements.

mod statements;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use foreword_chunk::Language;
use foreword_engine::ask::{AskRequest, EvidenceItem, gather, verify};
use foreword_engine::index::{FileId, FileRole, Snapshot};
use serde::Serialize;

use self::statements::{Fact, Statement};
use crate::tasks::corpus::{count_tokens, snapshot};

/// Tokens of the evidence.
const TOKENS: usize = 4_000;

/// Lines of a definition that can be quoted, at least and at most.
const QUOTABLE_LINES: std::ops::RangeInclusive<u32> = 3..=60;

/// Statements of one kind.
#[derive(Clone, Debug, Default, Serialize)]
pub struct KindCount {
    /// Statements.
    pub made: usize,
    /// Of these, marked.
    pub marked: usize,
    /// Those that were judged wrongly: repository and text.
    pub wrong: Vec<String>,
}

/// The statements of all repositories.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LieCounts {
    /// False statements, by the kind of change.
    pub lies: BTreeMap<&'static str, KindCount>,
    /// True statements, by their form.
    pub truths: BTreeMap<&'static str, KindCount>,
}

impl LieCounts {
    /// Checks statements about up to `most` definitions of the repository in `root`.
    pub fn add(&mut self, root: &Path, most: usize) -> Result<()> {
        let snapshot = snapshot(root)?;
        let name = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for (question, evidence, at) in subjects(&snapshot, most) {
            let Some(fact) = Fact::new(&snapshot, &evidence, at, &question) else { continue };
            for it in statements::all(&fact) {
                self.count(&snapshot, &evidence, &it, &name);
            }
        }
        Ok(())
    }

    fn count(
        &mut self,
        snapshot: &Snapshot,
        evidence: &[EvidenceItem],
        it: &Statement,
        repo: &str,
    ) {
        let is_marked = !verify(snapshot, evidence, &it.text).problems.is_empty();
        let kinds = if it.is_true { &mut self.truths } else { &mut self.lies };
        let count = kinds.entry(it.kind).or_default();
        count.made += 1;
        count.marked += usize::from(is_marked);
        if is_marked == it.is_true {
            count.wrong.push(format!("{repo}: {}", it.text));
        }
    }

    /// Share of the false statements that are marked, and of the true ones.
    pub fn shares(&self) -> (f64, f64) {
        (share(&self.lies), share(&self.truths))
    }

    /// A table, with up to `examples` wrongly judged statements of each kind.
    pub fn text(&self, examples: usize) -> String {
        let mut res = String::new();
        for (title, kinds) in [("false", &self.lies), ("true", &self.truths)] {
            let made: usize = kinds.values().map(|it| it.made).sum();
            let _ = writeln!(res, "{title}: {made} statements, {:.3} marked", share(kinds));
            for (kind, it) in kinds {
                let _ = writeln!(res, "  {kind:<44} {:>5} of {:>5}", it.marked, it.made);
                for wrong in it.wrong.iter().take(examples) {
                    let _ = writeln!(res, "      {}", wrong.replace('\n', "\n      "));
                }
            }
        }
        res
    }
}

fn share(kinds: &BTreeMap<&'static str, KindCount>) -> f64 {
    let sum = |of: fn(&KindCount) -> usize| kinds.values().map(of).sum::<usize>();
    sum(|it| it.marked) as f64 / sum(|it| it.made).max(1) as f64
}

/// A question about a definition, the evidence, and the index of the piece with the definition.
type Subject = (String, Vec<EvidenceItem>, usize);

/// Definitions of code that can be asked about, evenly spread over the files.
fn subjects(snapshot: &Snapshot, most: usize) -> Vec<Subject> {
    let is_code = |it: &FileId| {
        snapshot.role(*it) == FileRole::Code
            && snapshot.language(*it).is_some_and(Language::is_code)
    };
    let mut names: Vec<String> = Vec::new();
    for file in snapshot.files().filter(is_code) {
        let (text, record) = snapshot.contents(file);
        let lines = |it: std::ops::Range<usize>| text[it].lines().count() as u32;
        for it in &record.symbols.definitions {
            let name = &text[it.name.range()];
            let is_quotable = QUOTABLE_LINES.contains(&lines(it.span.range()));
            let is_name =
                name.len() > 4 && name.chars().all(|it| it.is_alphanumeric() || it == '_');
            if is_quotable && is_name && snapshot.definitions(name).len() == 1 {
                names.push(name.to_owned());
            }
        }
    }
    let step = (names.len() / most.max(1)).max(1);
    let chosen = names.into_iter().step_by(step).filter_map(|name| {
        let question = format!("what does `{name}` do?");
        let request = AskRequest { question: &question, tokens: TOKENS, ..AskRequest::default() };
        let evidence = gather(snapshot, &request, &count_tokens).evidence;
        let at = evidence.iter().position(|it| it.symbol.rsplit('.').next() == Some(&*name))?;
        Some((name, evidence, at))
    });
    chosen.take(most).collect()
}
