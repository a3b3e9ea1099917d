//! Chunks cover the file: in every language, for any bytes, at any size.

use foreword_chunk::{Chunk, Config, Granularity, Language, analyze};
use proptest::prelude::*;

use crate::snippets::snippet;

/// Checks the chunks of a text and returns them.
pub(crate) fn check(text: &[u8], language: Option<Language>, config: &Config) -> Vec<Chunk> {
    let analysis = analyze(text, language, config);
    check_chunks(text, &analysis.chunks, config);
    let definitions = analysis.symbols.definitions.len();
    assert!(
        analysis.chunks.iter().all(|it| it.scope.is_none_or(|it| (it as usize) < definitions)),
        "scopes are there"
    );
    assert_eq!(analyze(text, language, config), analysis, "the same text gives the same chunks");
    analysis.chunks
}

/// Checks that chunks cover the text and respect the configuration.
pub(crate) fn check_chunks(text: &[u8], chunks: &[Chunk], config: &Config) {
    let bounded = !matches!(config.granularity, Granularity::File | Granularity::Lines(_));
    let (mut end, mut line) = (0, 1);
    for chunk in chunks {
        let bytes = &text[chunk.span.range()];
        assert_eq!(chunk.span.start, end, "chunks follow each other");
        end = chunk.span.end;
        assert!(!chunk.span.is_empty(), "no chunk is empty");
        assert!(
            chunk.overlap <= chunk.span.start
                && (chunk.overlap == chunk.span.start || config.overlap_lines > 0)
        );
        assert!(
            !bounded || chunk.size <= config.max_size.max(1),
            "{chunk:?} is no larger than {}",
            config.max_size
        );
        assert_eq!(chunk.size, size(bytes), "sizes are true");
        assert_eq!(chunk.start_line, line, "lines are true");
        assert_eq!(chunk.end_line, line + newlines(&bytes[..bytes.len() - 1]), "lines are true");
        line += newlines(bytes);
    }
    assert_eq!(end as usize, text.len(), "the chunks reach to the end");
}

fn newlines(text: &[u8]) -> u32 {
    memchr::memchr_iter(b'\n', text).count() as u32
}

fn size(text: &[u8]) -> u32 {
    let counted = |it: &char| !matches!(it, ' ' | '\t'..='\r');
    let sizes = text
        .utf8_chunks()
        .map(|it| it.valid().chars().filter(counted).count() + it.invalid().len());
    sizes.sum::<usize>() as u32
}

fn configs() -> impl Strategy<Value = Config> {
    let granularity = prop_oneof![
        4 => Just(Granularity::Cast),
        1 => Just(Granularity::CastSiblings),
        1 => Just(Granularity::CastUnmerged),
        2 => Just(Granularity::Definition),
        2 => Just(Granularity::Method),
        1 => Just(Granularity::File),
        1 => (0..5u32).prop_map(Granularity::Lines),
    ];
    let max_size = prop_oneof![1..60u32, 60..400u32, Just(0), Just(2000), Just(u32::MAX)];
    (max_size, granularity, 0..4u32).prop_map(|(max_size, granularity, overlap_lines)| Config {
        max_size,
        granularity,
        overlap_lines,
    })
}

fn languages() -> impl Strategy<Value = Language> {
    proptest::sample::select(Language::ALL)
}

/// A snippet cut short at both ends, with bytes replaced, inserted and removed, and sometimes repeated.
fn mutated() -> impl Strategy<Value = (Vec<u8>, Language)> {
    let edits =
        proptest::collection::vec((any::<prop::sample::Index>(), 0..4u8, any::<u8>()), 0..12);
    let ends = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>());
    (languages(), languages(), edits, ends, 1..4usize).prop_map(
        |(written, read, edits, ends, times)| {
            let mut text = snippet(written).repeat(times).into_bytes();
            for (at, edit, byte) in edits {
                let at = at.index(text.len());
                match edit {
                    0 => text[at] = byte,
                    1 => text.insert(at, byte),
                    2 => text.insert(at, b"{}()[]\"'`\n\t #/<>:;"[byte as usize % 18]),
                    _ => drop(
                        text.drain(at..(at + 1 + byte as usize % 8).min(text.len() - 1).max(at)),
                    ),
                }
            }
            if ends.2 {
                let (a, b) = (ends.0.index(text.len()), ends.1.index(text.len()));
                text = text[a.min(b)..a.max(b)].to_vec();
            }
            (text, if times == 3 { read } else { written })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_are_covered(
        text in proptest::collection::vec(any::<u8>(), 0..600),
        language in proptest::option::of(languages()),
        config in configs(),
    ) {
        check(&text, language, &config);
    }

    #[test]
    fn arbitrary_text_is_covered(text in "(\\PC|[ \t\n{}()\";:#/]){0,300}", language in languages(), config in configs()) {
        check(text.as_bytes(), Some(language), &config);
    }

    #[test]
    fn broken_code_is_covered((text, language) in mutated(), config in configs()) {
        check(&text, Some(language), &config);
    }
}

#[test]
fn every_language_parses_its_snippet_and_covers_it_at_every_size() {
    for &language in Language::ALL {
        let text = snippet(language).as_bytes();
        assert!(
            analyze(text, Some(language), &Config::default()).outcome.is_parsed(),
            "{language:?} has a tree"
        );
        for max_size in [1, 7, 40, 100, 2000] {
            for granularity in [Granularity::Cast, Granularity::Definition, Granularity::Method] {
                check(text, Some(language), &Config { max_size, granularity, overlap_lines: 1 });
            }
        }
    }
}

#[test]
fn every_prefix_of_a_snippet_is_covered() {
    let config = Config { max_size: 50, ..Config::default() };
    for &language in Language::ALL {
        let text = snippet(language).as_bytes();
        for end in (0..text.len()).step_by(7) {
            check(&text[..end], Some(language), &config);
        }
    }
}

#[test]
fn an_empty_file_has_no_chunks() {
    assert_eq!(check(b"", Some(Language::Python), &Config::default()), []);
    assert_eq!(check(b"", None, &Config::default()), []);
}

#[test]
fn a_blank_file_is_one_chunk() {
    for language in [None, Some(Language::Python)] {
        assert_eq!(
            check(b"\n \t\r\n\n", language, &Config { max_size: 1, ..Config::default() }).len(),
            1
        );
    }
}

#[test]
fn granularity_may_be_the_file_or_a_number_of_lines() {
    let text = b"a\nb\nc\nd\ne";
    let count = |granularity| {
        check(text, None, &Config { max_size: 1, granularity, overlap_lines: 0 }).len()
    };
    assert_eq!(count(Granularity::File), 1);
    assert_eq!(count(Granularity::Lines(2)), 3);
    assert_eq!(count(Granularity::Lines(0)), 5);
}
