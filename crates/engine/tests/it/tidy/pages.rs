//! Links of the pages lead somewhere, and every file of results is linked.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::sources::{crates, rust_files};

/// Where pages are; folders are read with all folders below them.
const PAGES: &[&str] = &[
    "README.md",
    "CHANGELOG.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "STYLE.md",
    "docs",
    "benchmarks",
    "crates",
    "train",
    "editors",
    "packages",
];

/// Folders whose pages are test data or not ours.
const SKIPPED: &[&str] = &["target", "node_modules", "tests", "truth"];

const RESULTS: &str = "benchmarks/results";

#[test]
fn links_lead_to_files_and_headings() {
    let mut broken = Vec::new();
    for page in pages() {
        for link in links(&prose(&read(&page))) {
            if !leads_somewhere(&page, &link) {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn every_file_of_results_is_linked_from_a_page_of_results() {
    let results = root().join(RESULTS);
    let all = files(&results);
    let is_page = |it: &&PathBuf| it.extension().is_some_and(|it| it == "md");
    let linked: BTreeSet<PathBuf> = all
        .iter()
        .filter(is_page)
        .flat_map(|page| links(&prose(&read(page))).into_iter().map(|it| target(page, &it)))
        .filter_map(|it| it.canonicalize().ok())
        .collect();
    let lost: Vec<PathBuf> = all
        .into_iter()
        .filter(|it| *it != results.join("README.md"))
        .filter(|it| !linked.contains(&it.canonicalize().unwrap()))
        .collect();
    assert!(lost.is_empty(), "link these from {RESULTS}/README.md or a topic's page: {lost:?}");
}

/// A row begins with a message, `…` standing for what differs.
#[test]
fn messages_of_the_troubleshooting_page_are_the_programs() {
    let page = read(&root().join("docs/troubleshooting.md"));
    let table = page.split("\n## Messages\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let messages: Vec<&str> = table.lines().filter_map(|it| it.strip_prefix("| `")).collect();
    assert!(messages.len() > 8, "{messages:?}");
    let sources: String = rust_files(&crates()).iter().map(|it| read(it)).collect();
    for message in messages {
        let parts = message
            .split('`')
            .next()
            .unwrap()
            .split('…')
            .map(|it| it.trim_matches([' ', ':', ';']));
        for part in parts.filter(|it| it.len() > 3) {
            assert!(sources.contains(part), "no message has: {part}");
        }
    }
}

/// Comments name the run that chose a number.
#[test]
fn results_that_sources_and_pages_name_exist() {
    let texts = rust_files(&crates()).into_iter().chain(pages());
    let mut gone = Vec::new();
    for path in texts.filter(|it| !is_skipped(it)) {
        let text = read(&path);
        for (at, _) in text.match_indices(RESULTS) {
            let end = text[at..].find(|c: char| !c.is_alphanumeric() && !"/.-_".contains(c));
            let name = end.map_or(&text[at..], |end| &text[at..at + end]).trim_end_matches('.');
            if !root().join(name).exists() {
                gone.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(gone.is_empty(), "results that do not exist:\n{}", gone.join("\n"));
}

#[test]
fn headings_have_the_anchors_of_github() {
    let text = "# One `two`, three!\n```\n# not one\n```\n## A/B: c-d\n";
    assert_eq!(anchors(text), ["one-two-three", "ab-c-d"].map(str::to_owned).into());
}

#[test]
fn the_map_of_architecture_md_stays_short() {
    let text = read(&root().join("ARCHITECTURE.md"));
    let map = text.split("\n## ").find(|it| it.starts_with("The map\n")).unwrap();
    let rows = map.lines().filter(|it| it.starts_with("| `")).count();
    assert!((20..=MAX_ROWS).contains(&rows), "{rows} rows; join or drop some");
}

/// Rows of the map, which a reader takes in at one sitting.
const MAX_ROWS: usize = 40;

#[test]
fn entries_of_the_changelog_are_one_line() {
    let text = read(&root().join("CHANGELOG.md"));
    let entries = text.lines().filter_map(|it| it.strip_prefix("- "));
    let long: Vec<&str> = entries.filter(|it| it.chars().count() > MAX_ENTRY).collect();
    assert!(long.is_empty(), "say it in {MAX_ENTRY} letters: {long:#?}");
}

/// Letters of an entry of the changelog.
const MAX_ENTRY: usize = 100;

fn leads_somewhere(page: &Path, link: &str) -> bool {
    if link.contains("://") || link.starts_with("mailto:") {
        return true;
    }
    let path = target(page, link);
    let Some((_, anchor)) = link.split_once('#') else { return path.exists() };
    path.is_file() && anchors(&read(&path)).contains(anchor)
}

/// The file a link leads to.
fn target(page: &Path, link: &str) -> PathBuf {
    match link.split('#').next().unwrap_or_default() {
        "" => page.to_owned(),
        path => page.parent().unwrap().join(path),
    }
}

fn links(text: &str) -> Vec<String> {
    let starts = text.match_indices("](").map(|(at, it)| at + it.len());
    starts.filter_map(|at| text[at..].find(')').map(|end| text[at..at + end].to_owned())).collect()
}

/// A page without code.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let mut res = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let parts = line.split('`').step_by(2);
            parts.for_each(|it| res.push_str(it));
            res.push('\n');
        }
    }
    res
}

fn anchors(text: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let mut res = BTreeSet::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code && line.starts_with('#') {
            res.insert(anchor(line.trim_start_matches('#').trim()));
        }
    }
    res
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn pages() -> Vec<PathBuf> {
    let all = PAGES.iter().flat_map(|it| files(&root().join(it)));
    all.filter(|it| it.extension().is_some_and(|it| it == "md") && !is_skipped(it)).collect()
}

fn is_skipped(path: &Path) -> bool {
    let below = path.strip_prefix(root()).unwrap_or(path);
    below.iter().any(|part| SKIPPED.iter().any(|it| part == *it))
}

/// The file itself, or all files below a folder.
fn files(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let mut entries: Vec<PathBuf> =
        fs::read_dir(path).unwrap().map(|it| it.unwrap().path()).collect();
    entries.sort();
    entries.retain(|it| !is_skipped(it));
    entries.iter().flat_map(|it| files(it)).collect()
}

fn root() -> PathBuf {
    crates().join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
