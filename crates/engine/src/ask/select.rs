//! Selects the evidence within the token budget: overlaps are shown once, the best pieces come first, and the result is
//! in reading order.

use super::explain::{Draft, lines_of};
use super::types::{AskRequest, EvidenceItem, QuestionKind, Role, Why};
use super::understand::Understanding;
use crate::index::Snapshot;
use crate::preset::constants::ask::{
    FURTHER_PER_TURN, GUIDES_PER_TURN, HEADING_TOKENS, MATCHES_PER_TURN, PLACES_PER_TURN,
};
use crate::sorting::sort_by_key;
use crate::trim::Count;

/// Turn of pieces that get the tokens left over.
const LAST_TURN: usize = usize::MAX;

/// Places that earlier answers cited, as drafts.
pub(super) fn earlier(snapshot: &Snapshot, request: &AskRequest<'_>) -> Vec<Draft> {
    let draft = |(path, first, last): &(String, u32, u32)| {
        let file = snapshot.file(path)?;
        Some(lines_of(snapshot, file, (*first, *last), Role::Earlier, vec![Why::Earlier]))
    };
    request.earlier.iter().filter_map(draft).collect()
}

/// Returns the evidence that fits, in reading order.
pub(super) fn select(
    drafts: Vec<Draft>,
    understood: &Understanding,
    tokens: usize,
    count: Count<'_>,
) -> Vec<EvidenceItem> {
    let mut queue: Vec<(usize, usize, EvidenceItem)> = Vec::new();
    let mut seen = [0_usize; Role::ALL.len()];
    for it in drafts {
        let nth = &mut seen[it.item.role as usize];
        // Results for a model's text must not displace those of the question.
        let is_written = it.item.why.first() == Some(&Why::ModelText);
        let turn = if is_written { LAST_TURN } else { turn(it.item.role, *nth) };
        queue.push((turn, queue.len(), it.item));
        *nth += 1;
    }
    // The best matches keep their role.
    let matches = queue.iter().filter(|it| it.2.role == Role::Match).map(|it| it.1);
    let best: Vec<usize> = matches.take(understood.leading().max(1)).collect();
    sort_by_key(&mut queue, |it| (it.0, it.1));
    let mut kept: Vec<(usize, EvidenceItem)> = Vec::new();
    let mut left = tokens;
    for (_, at, mut it) in queue {
        it.tokens = count(&it.text);
        let known = kept.iter_mut().find(|known| overlaps(&known.1, &it));
        let is_known = known.is_some();
        known
            .into_iter()
            .filter(|known| !best.contains(&known.0))
            .for_each(|known| relate(&mut known.1, &it));
        let fits = it.tokens + HEADING_TOKENS <= left;
        if fits && !is_known && !it.text.trim().is_empty() {
            left -= it.tokens + HEADING_TOKENS;
            kept.push((at, it));
        }
    }
    sort_by_key(&mut kept, |(at, it)| (place(it.role, understood), *at));
    kept.into_iter().map(|it| it.1).collect()
}

/// The turn in which the nth piece of a role gets tokens: the first of each role comes before the second, except for
/// matches.
fn turn(role: Role, nth: usize) -> usize {
    match role {
        Role::Named => nth / PLACES_PER_TURN,
        Role::Faq => nth,
        Role::Match => nth / MATCHES_PER_TURN,
        Role::Further => 1 + nth / FURTHER_PER_TURN,
        Role::Guide | Role::Part => nth / GUIDES_PER_TURN,
        Role::Definition | Role::Caller => 1 + nth,
        // Few answers lie in tests and documents: four further matches come first.
        Role::Test | Role::Document | Role::Subtype | Role::Earlier | Role::Discussion => 2 + nth,
    }
}

/// Gives a match found by words the role of a later piece that overlaps it: a caller, a test, a subtype or a
/// definition.
fn relate(known: &mut EvidenceItem, it: &EvidenceItem) {
    let is_by_words = matches!(known.why.first(), Some(Why::Ranked(_)));
    let is_related =
        matches!(it.role, Role::Definition | Role::Caller | Role::Subtype | Role::Test);
    if matches!(known.role, Role::Match | Role::Further) && is_by_words && is_related {
        known.role = it.role;
        known.why.splice(0..0, it.why.iter().cloned());
    }
}

/// Whether half of the shorter piece's lines are in the other.
fn overlaps(a: &EvidenceItem, b: &EvidenceItem) -> bool {
    let first = a.start_line.max(b.start_line);
    let last = a.end_line.min(b.end_line);
    if a.path != b.path || last < first || (a.role == Role::Part) != (b.role == Role::Part) {
        return false;
    }
    let length = |it: &EvidenceItem| it.end_line - it.start_line + 1;
    2 * (last - first + 1) >= length(a).min(length(b))
}

/// Rank of a role in reading order; an overview lists directories after guides.
fn place(role: Role, understood: &Understanding) -> usize {
    let is_overview = understood.is(QuestionKind::Overview);
    match role {
        Role::Part if is_overview => Role::Guide as usize * 2,
        _ => role as usize * 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_has_its_number() {
        for (n, it) in Role::ALL.into_iter().enumerate() {
            assert_eq!(it as usize, n);
        }
    }

    #[test]
    fn tests_and_documents_get_tokens_after_the_first_further_matches() {
        let last_of_first_turn = turn(Role::Further, FURTHER_PER_TURN - 1);
        for role in [Role::Test, Role::Document] {
            assert!(last_of_first_turn < turn(role, 0));
            assert_eq!(turn(role, 0), turn(Role::Further, FURTHER_PER_TURN));
        }
        assert_eq!(turn(Role::Definition, 0), last_of_first_turn);
    }
}
