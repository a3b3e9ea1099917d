//! Secrets are found where people leave them, and what only looks like one stays.
//!
//! No secret is in this folder: texts are made from published formats and a seed, so every run sees the same.

mod contexts;
mod harmless;
mod makers;
mod samples;
mod unusual;

use std::collections::BTreeMap;

use foreword_engine::secret::find;

use self::samples::{Half, Sample, samples};

#[test]
fn nine_in_ten_secrets_are_masked_in_each_half() {
    for half in [Half::Known, Half::HeldBack] {
        let samples = samples(half);
        let missed: Vec<&Sample> = samples.iter().filter(|it| !it.is_masked()).collect();
        assert_eq!(samples.len(), 150);
        assert!(missed.len() <= 15, "{half:?}: in clear: {missed:#?}");
        table(half, &samples);
    }
}

#[test]
fn nine_in_ten_secrets_in_unusual_places_are_masked() {
    let samples = samples(Half::Unusual);
    let missed: Vec<&Sample> = samples.iter().filter(|it| !it.is_masked()).collect();
    assert!(missed.len() * 10 <= samples.len(), "in clear: {missed:#?}");
    table(Half::Unusual, &samples);
}

/// Prints masked and all samples of each kind of file: `cargo test -p foreword-engine --test it secrets -- --nocapture`.
#[expect(clippy::print_stdout, reason = "the table of docs/security.md")]
fn table(half: Half, samples: &[Sample]) {
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for it in samples {
        let (masked, all) = kinds.entry(it.file_kind).or_default();
        *masked += usize::from(it.is_masked());
        *all += 1;
    }
    let makers: std::collections::BTreeSet<&str> = samples.iter().map(|it| it.maker).collect();
    let masked: usize = kinds.values().map(|it| it.0).sum();
    println!("{half:?}: {masked} of {} masked, {} makers", samples.len(), makers.len());
    kinds.iter().for_each(|(kind, (masked, all))| println!("| {kind} | {masked} | {all} |"));
}

#[test]
fn no_harmless_text_is_masked() {
    let wrong = harmless::TEXTS.iter().filter(|it| !find(it).is_empty());
    assert_eq!(wrong.collect::<Vec<_>>(), [&""; 0]);
}
