//! Strength of the evidence: a logistic regression on six shares of the question's weight.

use super::verdict::{Occurrence, WordStrength};
use crate::preset::constants::ask::{
    DEFINED_WEIGHT, FEW_WORDS_WEIGHT, HEAVIEST_WEIGHT, INTERCEPT, MENTIONED_NAME_WEIGHT,
    MENTIONED_RARE_WEIGHT, TITLED_WEIGHT,
};

/// Returns the score, 0 to 1.
pub(super) fn score(words: &[WordStrength]) -> f32 {
    let total: f32 = words.iter().map(|it| it.weight).sum();
    let share = |part: &dyn Fn(&WordStrength) -> f32| -> f32 {
        words.iter().map(|it| it.weight * part(it)).sum::<f32>() / total.max(f32::MIN_POSITIVE)
    };
    let is = |it: bool| f32::from(u8::from(it));
    let is_aside = |it: &WordStrength| it.occurrence <= Occurrence::Body;
    let defined = share(&|it| it.found * is(it.occurrence >= Occurrence::Path));
    let titled = share(&|it| it.titled);
    let named_aside = share(&|it| is(it.is_name && is_aside(it)));
    let rare_aside = share(&|it| is(!it.is_common && is_aside(it)));
    let heaviest = words.first().map_or(0.0, |it| it.weight) / total.max(f32::MIN_POSITIVE);
    let few = 1.0 / words.len().max(1) as f32;
    let sum = DEFINED_WEIGHT * defined
        + TITLED_WEIGHT * titled
        + MENTIONED_NAME_WEIGHT * named_aside
        + MENTIONED_RARE_WEIGHT * rare_aside
        + HEAVIEST_WEIGHT * heaviest
        + FEW_WORDS_WEIGHT * few
        + INTERCEPT;
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(occurrence: Occurrence, found: f32) -> WordStrength {
        WordStrength {
            word: "w".to_owned(),
            weight: 2.0,
            frequency: 1,
            is_common: false,
            found,
            near: found,
            titled: 0.0,
            occurrence,
            is_name: false,
        }
    }

    #[test]
    fn what_definitions_are_called_by_is_stronger_than_what_is_mentioned() {
        let both = |occurrence| score(&[word(occurrence, 1.0), word(Occurrence::Definition, 1.0)]);
        assert!(both(Occurrence::Definition) > both(Occurrence::Doc));
        assert!(both(Occurrence::Doc) > both(Occurrence::Outside));
    }
}
