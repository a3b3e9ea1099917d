//! Code blocks of an answer: each line must stand in what the block is said to quote, or else in the evidence.

use super::inert::{Fence, fence};
use super::references::{self, Prose, What};
use super::sources::Target;
use super::{LineCheck, Problem, Verifier, claims, resolve};

/// A code block that is being read.
pub(super) struct CodeBlock {
    fence: Fence,
    /// What it quotes; empty if nothing beside it says so.
    targets: Vec<Target>,
}

/// Lines of a block that a citation after it is compared with, at most.
const MAX_LINES: usize = 500;

/// Letters and digits of a line that says something, at least.
const MIN_LETTERS: usize = 2;

/// What comments begin with.
const COMMENTS: [&str; 7] = ["#", "//", "--", "/*", "<!--", ";", "*"];

impl Verifier<'_> {
    /// Checks a line that belongs to a code block; false if it is prose.
    pub(super) fn in_block(&mut self, text: &str, res: &mut LineCheck) -> bool {
        let Some(block) = &self.block else {
            let Some((mark, length)) = fence(text) else { return false };
            // The text after the fence may name a place.
            let title = references::read(&text[length..]);
            self.references(&title, res);
            let mut targets = self.targets_of(&title);
            if targets.is_empty() {
                targets.clone_from(&self.lead);
            }
            self.quoted.clear();
            self.block = Some(CodeBlock { fence: Fence { mark, length, indent: 0 }, targets });
            return true;
        };
        if block.fence.is_closed_by(text) {
            self.block = None;
            self.lead.clear();
        } else {
            self.quoted_line(text, res);
        }
        true
    }

    fn quoted_line(&mut self, text: &str, res: &mut LineCheck) {
        let (number, code) = numbered(text);
        if code.chars().filter(|it| it.is_alphanumeric()).count() < MIN_LETTERS {
            return;
        }
        let targets = self.block.as_ref().map(|it| it.targets.clone()).unwrap_or_default();
        let all = self.sources.all();
        let known = if targets.is_empty() { &all } else { &targets };
        if self.has_line(known, text) || self.has_line(known, code) {
            self.line_number(number, code, &all, res);
            if self.quoted.len() < MAX_LINES {
                self.quoted.push(code.to_owned());
            }
        } else if self.has_line(&all, code) {
            let place = claims::named(&targets);
            res.problems.push(Problem::NotThere("this line".to_owned(), place));
        } else if !self.label(code, res) && !self.has_gap(known, code) {
            res.problems.push(Problem::NotQuoted(text.to_owned()));
        }
    }

    /// The number before a line must be that of the line.
    fn line_number(&self, number: Option<u32>, code: &str, all: &[Target], res: &mut LineCheck) {
        let Some(n) = number else { return };
        if !all.iter().any(|it| self.sources.has_line(it.at(n, n), code)) {
            let place = format!("line {n}");
            res.problems.push(Problem::NotThere("this code".to_owned(), place));
        }
    }

    /// A comment that names the place of the next lines, or says that lines are omitted.
    fn label(&mut self, code: &str, res: &mut LineCheck) -> bool {
        let Some(mark) = COMMENTS.iter().find(|it| code.starts_with(**it)) else { return false };
        let text = &code[mark.len()..];
        let prose = references::read(text);
        let targets = self.targets_of(&prose);
        let is_reference = |it: &What<'_>| matches!(it, What::Citation(..) | What::Place(..));
        let refers = prose.items.iter().any(|it| is_reference(&it.what));
        if !refers && !has_ellipsis(text) {
            return false;
        }
        self.references(&prose, res);
        self.names(&prose, res);
        if let Some(block) = self.block.as_mut().filter(|_| !targets.is_empty()) {
            block.targets = targets;
        }
        true
    }

    /// Whether a line of the targets has all that an ellipsis leaves of this one.
    fn has_gap(&mut self, targets: &[Target], code: &str) -> bool {
        let says = |it: &&str| it.chars().filter(|it| it.is_alphanumeric()).count() >= MIN_LETTERS;
        let parts: Vec<&str> = code.split("...").flat_map(|it| it.split('…')).collect();
        let is_there = |verifier: &mut Self, part: &str| {
            let mut targets = targets.iter();
            targets.any(|it| verifier.sources.has_text(*it, part, super::sources::Comparison::Code))
        };
        parts.len() > 1 && parts.into_iter().filter(says).all(|it| is_there(self, it))
    }

    /// A line after a block that begins with a citation says where the block is from.
    pub(super) fn attribution_of_block(&mut self, prose: &Prose<'_>, res: &mut LineCheck) {
        let quoted = std::mem::take(&mut self.quoted);
        let is_name = |it: &What<'_>| matches!(it, What::Name(..) | What::Code(_));
        let first = prose.items.first().is_some_and(|it| !is_name(&it.what));
        let targets = self.targets_of(prose);
        if !first || targets.is_empty() || prose.items.iter().any(|it| is_name(&it.what)) {
            return;
        }
        if quoted.iter().any(|it| !self.has_line(&targets, it)) {
            let place = claims::named(&targets);
            res.problems.push(Problem::NotThere("the code above".to_owned(), place));
        }
    }

    fn targets_of(&mut self, prose: &Prose<'_>) -> Vec<Target> {
        let items = prose.items.iter();
        items.flat_map(|it| resolve(&mut self.sources, &it.what)).collect()
    }

    fn has_line(&self, targets: &[Target], line: &str) -> bool {
        let bare = line.strip_prefix("$ ").unwrap_or(line);
        targets.iter().any(|it| [line, bare].iter().any(|line| self.sources.has_line(*it, line)))
    }
}

fn has_ellipsis(text: &str) -> bool {
    text.contains("...") || text.contains('…')
}

/// The line number that evidence is shown with, and the code: `12| code`.
fn numbered(text: &str) -> (Option<u32>, &str) {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[digits..];
    match rest.strip_prefix('|').or_else(|| rest.strip_prefix('│')).filter(|_| digits > 0) {
        Some(code) => (Some(text[..digits].parse().unwrap_or(u32::MAX)), code.trim()),
        None => (None, text),
    }
}
