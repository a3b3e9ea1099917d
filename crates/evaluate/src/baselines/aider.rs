//! aider's repository map: the definitions related to the cursor's file, by PageRank, as lines of a map.
//!
//! Files are nodes. Each file that uses a name has an edge to each file that defines it, weighted by the root of the
//! number of uses; times ten for a name of several words and at least 8 characters, a tenth for a private one (`_x`)
//! and for one that more than 5 files define, times fifty for uses in the current file ("in the chat"). A name without
//! uses links its definers to themselves, with 0.1. Restarts go to the current file. A file's rank then flows on to the
//! definitions that its edges lead to, and the best of those in other files are shown: the line of the name, below the
//! first lines of its enclosing definitions, by file, within 1,024 tokens.
//!
//! Three differences: aider's loop takes the root of a count again for each definer, so that the second counts less
//! than the first by an accident of order; here all get the same. aider's map may exceed its budget by 15 %, this one
//! does not. And a completion lacks the user's message, whose words weigh ten times.

use std::collections::BTreeMap;

use foreword_engine::index::{FileId, Snapshot};

use super::input::BaselineInput;
use super::offer::{Offer, Order, Overflow, Piece};

const OWN: usize = 1024;
const DAMPING: f64 = 0.85;
const MAX_ITERATIONS: usize = 100;
const TOLERANCE: f64 = 1e-6;
const IN_CHAT: f64 = 50.0;
const UNUSED: f64 = 0.1;
/// Longer lines are cut.
const LINE_CHARACTERS: usize = 100;
/// Above the capacity of any budget here.
const MOST: usize = 1500;

pub(super) fn offer(at: &BaselineInput<'_>) -> Offer {
    let own = at.snapshot.file(at.cursor.path());
    let names = names(at.snapshot, own);
    let ranks = ranks(at.snapshot.files().len(), &names, own);
    let mut best = definitions(&names, &ranks);
    best.retain(|it| Some(it.1) != own);
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    best.truncate(MOST);
    let mut shown: BTreeMap<FileId, Vec<u32>> = BTreeMap::new();
    let pieces = best.into_iter().filter_map(|(_, file, definition)| {
        piece(at.snapshot, file, definition, shown.entry(file).or_default())
    });
    Offer { pieces: pieces.collect(), order: Order::ByPath, own: Some(OWN), by_file: true }
}

/// A name with its definitions and uses.
struct Name {
    /// Definitions by file.
    definitions: Vec<(FileId, u32)>,
    /// Distinct files that define it.
    definers: Vec<FileId>,
    /// Files that use it, and the weight of each edge.
    users: Vec<(FileId, f64)>,
}

fn names(snapshot: &Snapshot, own: Option<FileId>) -> Vec<Name> {
    let all = snapshot.names_like("", &fst::automaton::AlwaysMatch, &|_| true);
    let of_name = |name: &String| {
        let sites = snapshot.definitions(name).into_iter();
        let definitions: Vec<(FileId, u32)> = sites.map(|it| (it.file, it.definition)).collect();
        let mut definers: Vec<FileId> = definitions.iter().map(|it| it.0).collect();
        definers.dedup();
        if definers.is_empty() {
            return None;
        }
        let weight = weight(name, definers.len());
        let references = snapshot.references(name).into_iter();
        let in_chat = |file: FileId| if Some(file) == own { IN_CHAT } else { 1.0 };
        let user = |(file, n): (FileId, u32)| (file, weight * in_chat(file) * f64::from(n).sqrt());
        Some(Name { definitions, definers, users: references.map(user).collect() })
    };
    all.iter().filter_map(of_name).collect()
}

fn weight(name: &str, definers: usize) -> f64 {
    let has = |what: fn(char) -> bool| name.chars().any(what);
    let is_snake = name.contains('_') && has(char::is_alphabetic);
    let is_camel = has(char::is_uppercase) && has(char::is_lowercase);
    let mut res = 1.0;
    if (is_snake || is_camel) && name.chars().count() >= 8 {
        res *= 10.0;
    }
    if name.starts_with('_') {
        res *= 0.1;
    }
    if definers > 5 {
        res *= 0.1;
    }
    res
}

/// The rank that leaves each file.
struct Ranks {
    /// By file.
    of_file: Vec<f64>,
    /// Total weight of a file's edges.
    out: Vec<f64>,
}

impl Ranks {
    /// The rank that flows along an edge of weight 1.
    fn along(&self, file: FileId) -> f64 {
        let out = self.out[file.0 as usize];
        if out > 0.0 { self.of_file[file.0 as usize] / out } else { 0.0 }
    }

    /// The rank that a name brings to each of its definers.
    fn through(&self, name: &Name) -> f64 {
        name.users.iter().map(|(file, weight)| self.along(*file) * weight).sum()
    }
}

/// PageRank with restarts in `own` only. The edges of a name, its users times its definers, are never stored.
fn ranks(n_files: usize, names: &[Name], own: Option<FileId>) -> Ranks {
    let mut out = vec![0.0; n_files];
    for name in names {
        for (file, weight) in &name.users {
            out[file.0 as usize] += weight * name.definers.len() as f64;
        }
        for file in name.definers.iter().filter(|_| name.users.is_empty()) {
            out[file.0 as usize] += UNUSED;
        }
    }
    let even = 1.0 / n_files.max(1) as f64;
    let start: Vec<f64> = match own {
        Some(own) => (0..n_files).map(|it| f64::from(u8::from(it == own.0 as usize))).collect(),
        None => vec![even; n_files],
    };
    let mut res = Ranks { of_file: vec![even; n_files], out };
    for _ in 0..MAX_ITERATIONS {
        let dangling: f64 =
            res.of_file.iter().zip(&res.out).filter(|it| *it.1 == 0.0).map(|it| it.0).sum();
        let anew = 1.0 - DAMPING + DAMPING * dangling;
        let mut next: Vec<f64> = start.iter().map(|it| it * anew).collect();
        for name in names {
            let through = DAMPING * res.through(name);
            for file in &name.definers {
                let unused =
                    if name.users.is_empty() { DAMPING * UNUSED * res.along(*file) } else { 0.0 };
                next[file.0 as usize] += through + unused;
            }
        }
        let change: f64 = next.iter().zip(&res.of_file).map(|(a, b)| (a - b).abs()).sum();
        res.of_file = next;
        if change < TOLERANCE * n_files as f64 {
            break;
        }
    }
    res
}

/// Definitions with the rank that flows to their names in their files.
fn definitions(names: &[Name], ranks: &Ranks) -> Vec<(f64, FileId, u32)> {
    let mut res = Vec::new();
    for name in names {
        let through = ranks.through(name);
        let of_definition = |(file, definition): &(FileId, u32)| {
            let unused = if name.users.is_empty() { UNUSED * ranks.along(*file) } else { 0.0 };
            (through + unused, *file, *definition)
        };
        res.extend(name.definitions.iter().map(of_definition));
    }
    res
}

/// The line of a definition's name, below those of its enclosing definitions; `None` when the map has it already.
fn piece(
    snapshot: &Snapshot,
    file: FileId,
    definition: u32,
    shown: &mut Vec<u32>,
) -> Option<Piece> {
    let (text, record) = snapshot.contents(file);
    let mut lines: Vec<(u32, &str)> = Vec::new();
    for it in record.symbols.ancestors(Some(definition)) {
        let at = it.name.start as usize;
        let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
        let number = text[..start].matches('\n').count() as u32 + 1;
        lines.push((number, text[start..].lines().next().unwrap_or_default()));
    }
    lines.retain(|it| !shown.contains(&it.0));
    lines.reverse();
    let (start_line, end_line) = (lines.first()?.0, lines.last()?.0);
    shown.extend(lines.iter().map(|it| it.0));
    let mut res = String::new();
    for (_, line) in lines {
        res.extend(line.chars().take(LINE_CHARACTERS));
        res.push('\n');
    }
    let path = snapshot.path(file).to_owned();
    Some(Piece { path, start_line, end_line, text: res, overflow: Overflow::Skip })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_of_several_words_weigh_most() {
        let check = |name: &str, definers: usize, expect: f64| {
            assert!((weight(name, definers) - expect).abs() < 1e-12, "{name}");
        };
        check("parse_url_text", 1, 10.0);
        check("parseUrlText", 1, 10.0);
        check("parseUrl", 1, 10.0);
        check("parse_u", 1, 1.0);
        check("get", 6, 0.1);
        check("_parse_url", 6, 0.1);
    }

    #[test]
    fn rank_flows_from_the_file_at_hand_along_its_uses() {
        let name = |definer: u32, user: u32, weight: f64| Name {
            definitions: vec![(FileId(definer), 0)],
            definers: vec![FileId(definer)],
            users: vec![(FileId(user), weight)],
        };
        // 0 uses 1 (heavy) and 2 (light); no edge leads to 3.
        let names = [name(1, 0, 3.0), name(2, 0, 1.0)];
        let ranks = ranks(4, &names, Some(FileId(0)));
        // r1 = 0.85 × ¾ r0, r2 = 0.85 × ¼ r0, r0 = 0.15 + 0.85 (r1 + r2 + r3), r3 = 0.
        let r0 = 1.0 / 1.85;
        for (file, expect) in [(0, r0), (1, 0.85 * 0.75 * r0), (2, 0.85 * 0.25 * r0), (3, 0.0)] {
            assert!((ranks.of_file[file] - expect).abs() < 1e-4, "{:?}", ranks.of_file);
        }
        let found = definitions(&names, &ranks);
        assert!(found[0].0 > found[1].0);
    }
}
