//! Corrects the words of a question that occur nowhere in the repository.

use super::automaton::EditAutomaton;
use super::parts::{importance, names_with_parts};
use super::{edits_for, terms_near, whole_term};
use crate::index::Snapshot;
use crate::index::bm25::WeightedTerm;
use crate::index::terms::terms_of;
use crate::preset::constants::fuzzy::{
    LONGEST_CORRECTED_QUESTION, LONGEST_SPLIT, ONE_EDIT_WEIGHT, SHORTEST_PART, TWO_EDITS_WEIGHT,
    TWO_WORDS_WEIGHT,
};
use crate::retrieve::query::{FormKind, WordForm, is_code, is_error_code};
use crate::retrieve::words::{is_common, is_stop_word};
use crate::retrieve::{Name, Query, QuestionWord, Reach, UnknownWord};
use crate::sorting::sort_by;

/// Terms that replace an unknown one.
const MAX_VARIANTS: usize = 4;

/// Corrections of one name.
const MAX_CORRECTIONS: usize = 5;

/// Words that are looked up; each reads a part of the index's dictionary.
const MAX_UNKNOWN: usize = 8;

/// Adds similar terms and names for the words of a question that occur nowhere. The definitions of similar names are
/// ranked first: for a word that is the whole query, and for one that is spelled like code.
pub(crate) fn corrected(mut query: Query, snapshot: &Snapshot) -> Query {
    if query.n_words > LONGEST_CORRECTED_QUESTION {
        return query;
    }
    let is_alone = query.words.len() == 1;
    let words = query.names.iter().zip(&query.words);
    let unknown = words.filter(|(name, word)| is_unknown(snapshot, &name.name, word));
    let unknown: Vec<String> = unknown.take(MAX_UNKNOWN).map(|it| it.0.name.clone()).collect();
    for word in unknown {
        if is_error_code(&word) {
            query.unknown.push(UnknownWord { word, similar: Vec::new() });
            continue;
        }
        let names = match is_alone || is_code(&word) {
            true => defined_names_near(snapshot, &word),
            false => Vec::new(),
        };
        let terms = variants(snapshot, &word);
        // What is spelt alike but for one letter is likelier meant than two words.
        let is_near = terms.iter().any(|it| it.weight >= ONE_EDIT_WEIGHT);
        if let Some(parts) = in_two(snapshot, &word).filter(|_| !is_near && names.is_empty()) {
            query.unknown.push(UnknownWord { word, similar: vec![parts.join(" ")] });
            parts.into_iter().for_each(|it| add_part(&mut query, it));
            continue;
        }
        let similar = if names.is_empty() {
            terms.iter().map(|it| it.term.clone()).collect()
        } else {
            names.clone()
        };
        add_corrections(&mut query, &word, &terms);
        terms.into_iter().for_each(|it| add_term(&mut query, it));
        names.into_iter().for_each(|it| add_name(&mut query, it));
        query.unknown.push(UnknownWord { word, similar });
    }
    query
}

/// The two words that somebody wrote as one: `precommit` for `pre-commit`. Of several pairs that occur, the one whose rarer
/// word is commonest.
fn in_two(snapshot: &Snapshot, word: &str) -> Option<[String; 2]> {
    let is_plain = word.bytes().all(|it| it.is_ascii_lowercase());
    if !is_plain || !(2 * SHORTEST_PART..=LONGEST_SPLIT).contains(&word.len()) {
        return None;
    }
    let pair = |at: usize| {
        let (first, second) = word.split_at(at);
        let rarer = snapshot.document_frequency(first).min(snapshot.document_frequency(second));
        (rarer > 0 && !is_stop_word(first) && !is_stop_word(second)).then_some((rarer, at))
    };
    let (_, at) = (SHORTEST_PART..=word.len() - SHORTEST_PART).filter_map(pair).max()?;
    let (first, second) = word.split_at(at);
    Some([first.to_owned(), second.to_owned()])
}

/// Adds a part of an unknown word as a word of the question.
fn add_part(query: &mut Query, part: String) {
    let it = WeightedTerm { term: part, weight: TWO_WORDS_WEIGHT };
    let form = WordForm { term: it.term.clone(), weight: it.weight, kind: FormKind::Other };
    query.words.push(QuestionWord { forms: vec![form], is_light: false });
    add_term(query, it);
}

/// Makes similar terms forms of the word: what is named like them is named like the question.
fn add_corrections(query: &mut Query, word: &str, similar: &[WeightedTerm]) {
    let at = query.names.iter().position(|it| it.name == word);
    let Some(known) = at.and_then(|it| query.words.get_mut(it)) else { return };
    known.forms.extend(similar.iter().map(|it| WordForm {
        term: it.term.clone(),
        weight: it.weight,
        kind: FormKind::Correction,
    }));
}

/// Terms of similar spelling for the terms of `word` that no chunk has, with weights, by weight and term.
pub(crate) fn variants(snapshot: &Snapshot, word: &str) -> Vec<WeightedTerm> {
    let mut res: Vec<WeightedTerm> = Vec::new();
    for term in unknown_terms(snapshot, word) {
        // The first term is the whole word: where something is spelt like it, its parts are right as well.
        if !res.is_empty() {
            break;
        }
        let mut found = terms_near(snapshot, &term);
        found.sort_unstable_by(|a, b| a.key().cmp(&b.key()));
        for it in found.into_iter().take(MAX_VARIANTS) {
            let weight = if it.distance <= 1 { ONE_EDIT_WEIGHT } else { TWO_EDITS_WEIGHT };
            match res.iter_mut().find(|known| known.term == it.name) {
                Some(known) => known.weight = known.weight.max(weight),
                None => res.push(WeightedTerm { term: it.name, weight }),
            }
        }
    }
    sort_by(&mut res, |a, b| b.weight.total_cmp(&a.weight).then_with(|| a.term.cmp(&b.term)));
    res
}

/// Whether no chunk has a word, in any form. A plain word that most repositories have says how, not what, and so does one
/// of everyday English.
fn is_unknown(snapshot: &Snapshot, written: &str, word: &QuestionWord) -> bool {
    let has_letters = written.chars().any(char::is_alphabetic);
    if word.is_light || whole_term(written).is_empty() || !has_letters {
        return false;
    }
    // The parts of a name, which are other forms of it, are words of their own.
    let forms = if is_code(written) { &word.forms[..1] } else { &word.forms[..] };
    let is_known = |it: &WordForm| {
        snapshot.document_frequency(&it.term) > 0 || (!is_code(written) && is_common(&it.term))
    };
    !forms.iter().any(is_known)
}

/// The terms of a word, as a whole and in parts, that no chunk has.
fn unknown_terms(snapshot: &Snapshot, word: &str) -> Vec<String> {
    let mut res: Vec<String> = Vec::new();
    terms_of(word, &mut String::new(), |term, _| {
        if !res.iter().any(|it| it == term) && snapshot.document_frequency(term) == 0 {
            res.push(term.to_owned());
        }
    });
    res
}

fn add_term(query: &mut Query, it: WeightedTerm) {
    if !query.terms.iter().any(|known| known.term == it.term) {
        query.terms.push(it);
    }
}

fn add_name(query: &mut Query, name: String) {
    if !query.names.iter().any(|it| it.name == name) {
        query.names.push(Name {
            name: name.clone(),
            weight: 1.0,
            distance: 0,
            reach: Reach::Anywhere,
        });
    }
    if !query.corrections.contains(&name) {
        query.corrections.push(name);
    }
}

/// The defined names that `word` may mean: by distance, then names with the same first letter, then code before tests,
/// then by frequency. Where nothing is near, names with its parts.
fn defined_names_near(snapshot: &Snapshot, word: &str) -> Vec<String> {
    let Some(near) = EditAutomaton::new(word, edits_for(word)) else { return Vec::new() };
    let first =
        |text: &str| text.trim_start_matches('_').chars().next().map(|it| it.to_ascii_lowercase());
    let own = first(word);
    let ranked = |name: String| {
        let distance = near.distance(&name)?;
        let (is_aside, count) = importance(snapshot, &name)?;
        Some(((distance, first(&name) != own, is_aside, count), name))
    };
    let names = snapshot.names_like(&near.question(), &near, &|_| true);
    let mut res: Vec<_> = names.into_iter().filter_map(ranked).collect();
    if res.is_empty() {
        return names_with_parts(snapshot, word, MAX_CORRECTIONS);
    }
    res.sort_unstable();
    res.into_iter().map(|it| it.1).take(MAX_CORRECTIONS).collect()
}
