//! How strong the evidence is, from what is known of the words of the question: a logistic regression on six shares of their
//! weight.

use super::{Standing, WordStrength};

/// What each share counts for, and the score without any. Fitted to questions about things that are not there (halves a and b
/// of `benchmarks/ask/absent.tsv`) and to those of semble and SWE-QA over the repositories at even places, run
/// `benchmarks/results/ask.md`; 0.5 is where one in twenty of semble's among them is refused.
const DEFINED: f32 = 5.924;
const TITLED: f32 = 2.441;
const NAMED_ASIDE: f32 = -7.203;
const RARE_ASIDE: f32 = -2.524;
const HEAVIEST: f32 = -3.314;
const FEW: f32 = -4.986;
const NONE: f32 = 1.894;

/// The score, 0 to 1.
pub(super) fn score(words: &[WordStrength]) -> f32 {
    let total: f32 = words.iter().map(|it| it.weight).sum();
    let share = |part: &dyn Fn(&WordStrength) -> f32| -> f32 {
        words.iter().map(|it| it.weight * part(it)).sum::<f32>() / total.max(f32::MIN_POSITIVE)
    };
    let is = |it: bool| f32::from(u8::from(it));
    let is_aside = |it: &WordStrength| it.standing <= Standing::Body;
    let defined = share(&|it| it.found * is(it.standing >= Standing::Path));
    let titled = share(&|it| it.titled);
    let named_aside = share(&|it| is(it.is_name && is_aside(it)));
    let rare_aside = share(&|it| is(!it.is_common && is_aside(it)));
    let heaviest = words.first().map_or(0.0, |it| it.weight) / total.max(f32::MIN_POSITIVE);
    let few = 1.0 / words.len().max(1) as f32;
    let sum = DEFINED * defined
        + TITLED * titled
        + NAMED_ASIDE * named_aside
        + RARE_ASIDE * rare_aside
        + HEAVIEST * heaviest
        + FEW * few
        + NONE;
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(standing: Standing, found: f32) -> WordStrength {
        WordStrength {
            word: "w".to_owned(),
            weight: 2.0,
            frequency: 1,
            is_common: false,
            found,
            near: found,
            titled: 0.0,
            standing,
            is_name: false,
        }
    }

    #[test]
    fn what_definitions_are_called_by_is_stronger_than_what_is_mentioned() {
        let both = |standing| score(&[word(standing, 1.0), word(Standing::Definition, 1.0)]);
        assert!(both(Standing::Definition) > both(Standing::Doc));
        assert!(both(Standing::Doc) > both(Standing::Outside));
    }
}
