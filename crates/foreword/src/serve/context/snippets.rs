//! The client's own snippets: selects those that fit into the prompt and are not duplicates of other text.

use foreword_engine::trim::Count;
use foreword_model::request::ContextPiece;
use rustc_hash::FxHashSet;

use super::prompt::PromptSettings;
use crate::serve::protocols::request::ClientRequest;

/// Maximum share of the token budget for the client's snippets.
const MAX_SHARE: f32 = 0.25;

/// Maximum bytes per remaining token: a longer text does not fit, and is not counted.
const MAX_TOKEN_BYTES: usize = 64;

/// Minimum share of lines found elsewhere that makes a text a duplicate.
const DUPLICATE_SHARE: f32 = 0.8;

/// The client's snippets that go into the prompt, and the tokens that they take.
pub(super) fn fitting_snippets(
    request: &ClientRequest,
    settings: &PromptSettings,
) -> (Vec<ContextPiece>, usize) {
    let most = (settings.own_budget() as f32 * MAX_SHARE) as usize;
    let around = [request.prefix.as_str(), request.suffix.as_str()];
    newest_within(&request.snippets, around, most, &|text| settings.counter.count(text))
}

/// The newest snippets that fit and are not in the text around the cursor, and the tokens that they take.
fn newest_within(
    snippets: &[ContextPiece],
    around: [&str; 2],
    most: usize,
    count: Count<'_>,
) -> (Vec<ContextPiece>, usize) {
    let mut known = KnownLines::of(around);
    let mut taken = 0;
    let mut res = Vec::new();
    for it in snippets.iter().rev() {
        if it.text.len() > most.saturating_mul(MAX_TOKEN_BYTES) {
            continue;
        }
        let tokens = count(&it.text) + count(&it.path);
        if known.has_most_of(&it.text) || taken + tokens > most {
            continue;
        }
        taken += tokens;
        known.add(&it.text);
        res.push(it.clone());
    }
    res.reverse();
    (res, taken)
}

/// The lines of texts, without surrounding blanks and without lines of less than three letters or digits.
pub(super) struct KnownLines<'t>(FxHashSet<&'t str>);

impl<'t> KnownLines<'t> {
    pub(super) fn of(texts: impl IntoIterator<Item = &'t str>) -> Self {
        Self(texts.into_iter().flat_map(significant_lines).collect())
    }

    fn add(&mut self, text: &'t str) {
        self.0.extend(significant_lines(text));
    }

    /// Whether a text is a duplicate of these lines.
    pub(super) fn has_most_of(&self, text: &str) -> bool {
        let (mut all, mut known) = (0, 0);
        for line in significant_lines(text) {
            all += 1;
            known += usize::from(self.0.contains(line));
        }
        all == 0 || known as f32 / all as f32 >= DUPLICATE_SHARE
    }
}

fn significant_lines(text: &str) -> impl Iterator<Item = &str> {
    let is_significant = |it: &&str| it.chars().filter(|c| c.is_alphanumeric()).nth(2).is_some();
    text.lines().map(str::trim).filter(is_significant)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snippet(path: &str, text: &str) -> ContextPiece {
        ContextPiece { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn snippets_in_the_window_or_in_a_newer_snippet_are_left_out() {
        let around = ["def first():\n    return 1\n", ""];
        let snippets = [
            snippet("a.py", "def first():\n    return 1\n"),
            snippet("b.py", "def second():\n    pass\n"),
            snippet("c.py", "def second():\n    pass\n"),
            snippet("d.py", "\n\n"),
        ];
        let (kept, taken) = newest_within(&snippets, around, 100, &|it: &str| it.len());
        assert_eq!(kept, [snippets[2].clone()]);
        assert_eq!(taken, snippets[2].text.len() + 4);
    }

    #[test]
    fn the_newest_snippets_stay_when_there_is_no_room_for_all() {
        let snippets = [snippet("a", "alpha beta\n"), snippet("b", "gamma delta\n")];
        let (kept, _) = newest_within(&snippets, ["", ""], 15, &|it: &str| it.len());
        assert_eq!(kept, snippets[1..]);
    }
}
