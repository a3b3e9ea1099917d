//! Data flows one way: a stage of the engine names only stages before it, and a room of the session crate only rooms before it.

use std::fs;
use std::path::Path;

use super::sources::{crates, rust_files};

/// The stages in the order in which data flows. Those of one row do not know each other.
const STAGES: &[&[&str]] = &[
    &["secret", "sorting", "visible"],
    &["source"],
    &["history"],
    &["dense"],
    &["index"],
    &["scope"],
    &["evidence"],
    &["retrieve"],
    &["fuse"],
    &["rerank"],
    &["order"],
    &["trim"],
    &["compose"],
    &["preset"],
    &["fuzzy"],
    &["pipeline"],
    &["search"],
    &["feedback"],
    &["custom"],
    &["prompt"],
    &["grep"],
    &["map"],
    &["ask", "next", "speculate"],
];

/// The rooms of the session crate, in the same sense.
const ROOMS: &[&[&str]] = &[
    &["clock", "recurring_error", "shared_cache", "uri", "usage"],
    &["seed"],
    &["setup"],
    &["admission"],
    &["filter"],
    &["feedback"],
    &["custom", "embedding"],
    &["backend"],
    &["config", "speculation"],
    &["activity"],
    &["host"],
    &["answer"],
    &["tools"],
    &["ask"],
];

/// Numbers that every stage may read; they name nothing themselves.
const CONSTANTS: &str = "preset::constants";

#[test]
fn a_stage_names_only_stages_before_it() {
    let engine = climbs(&crates().join("engine/src"), STAGES);
    let session = climbs(&crates().join("session/src"), ROOMS);
    let wrong = [engine, session].concat();
    assert!(wrong.is_empty(), "data flows one way:\n{}", wrong.join("\n"));
}

/// Names of later stages and of those of the same row, with the file that has each.
fn climbs(src: &Path, stages: &[&[&str]]) -> Vec<String> {
    let rank = |stage: &str| stages.iter().position(|it| it.contains(&stage));
    let mut wrong = Vec::new();
    for path in rust_files(src) {
        let relative = path.strip_prefix(src).unwrap();
        let first =
            relative.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
        let own = first.trim_end_matches(".rs");
        let Some(own_rank) = rank(own) else { continue };
        let text = fs::read_to_string(&path).unwrap();
        for (at, _) in text.match_indices("crate::") {
            let rest = &text[at + "crate::".len()..];
            if rest.starts_with(CONSTANTS) {
                continue;
            }
            let group = match rest.strip_prefix('{') {
                Some(inner) => inner.split("};").next().unwrap_or(inner),
                None => rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(""),
            };
            let named = group.split(|c: char| !c.is_alphanumeric() && c != '_');
            let later = named.filter(|it| *it != own && rank(it).is_some_and(|it| it >= own_rank));
            wrong.extend(later.map(|it| format!("{}: {it}", relative.display())));
        }
    }
    wrong
}

#[test]
fn every_room_of_the_session_crate_has_its_place() {
    let entries = fs::read_dir(crates().join("session/src")).unwrap();
    let names = entries.map(|it| it.unwrap().file_name().to_string_lossy().into_owned());
    let rooms: Vec<&str> = ROOMS.concat();
    let is_known = |it: &String| it == "lib.rs" || rooms.contains(&it.trim_end_matches(".rs"));
    let unknown: Vec<String> = names.filter(|it| !is_known(it)).collect();
    assert!(unknown.is_empty(), "not in ROOMS: {unknown:?}");
}

#[test]
fn constants_name_nothing_of_the_crate() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/preset/constants");
    for path in rust_files(&folder) {
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("use crate::"), "{} names another module", path.display());
    }
}
