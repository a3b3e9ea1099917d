//! Files that change together, by the commits that changed both.
//!
//! Association rules over commits (Zimmermann, Weißgerber, Diehl and Zeller: Mining version histories to guide software
//! changes, ICSE 2004): of the commits that changed a file, the share that also changed the other. Added here: a
//! commit's weight decays with its age, and a prior lowers the shares of files with few commits.

use crate::preset::constants::history::{HALF_LIFE_COMMITS, MOST_FILES, PRIOR_COMMITS};
use crate::sorting::sort_by;
use rustc_hash::FxHashMap;

use super::History;

/// Which commits count, and how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoChangeConfig {
    /// Commits with more files (formatting, renaming, vendoring) are ignored.
    pub most_files: u32,
    /// Half-life of a commit's weight, in commits.
    pub half_life: f32,
    /// Commits added to each file as if it had changed alone in them.
    pub prior: f32,
}

impl CoChangeConfig {
    /// The values in use (`preset/constants/history.rs`).
    pub fn measured() -> Self {
        Self { most_files: MOST_FILES, half_life: HALF_LIFE_COMMITS, prior: PRIOR_COMMITS }
    }
}

/// A file that changed together with another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Companion<'h> {
    /// Its current path.
    pub path: &'h str,
    /// Share of the other file's commits that also changed it, 0 to 1; late commits count more.
    pub weight: f32,
    /// Number of commits that changed both.
    pub commits: u32,
}

/// Files that change together. Holds a number for each file of each commit.
#[derive(Clone, Debug)]
pub struct CoChange {
    config: CoChangeConfig,
    paths: Vec<String>,
    /// Number of each path.
    numbers: FxHashMap<String, u32>,
    /// By commit, the latest first: its files, under their current paths.
    commits: Vec<Vec<u32>>,
    /// By file: the commits that changed it, the latest first.
    of_file: Vec<Vec<u32>>,
}

impl CoChange {
    /// Indexes the commits of a history.
    pub fn new(history: History, config: CoChangeConfig) -> Self {
        let History { commits, paths } = history;
        // Current number of each past path, from the latest commit back.
        let mut now: FxHashMap<u32, u32> = FxHashMap::default();
        let mut counted = Vec::new();
        let mut of_file = vec![Vec::new(); paths.len()];
        for commit in commits {
            let called = |it: u32| now.get(&it).copied().unwrap_or(it);
            let is_told = commit.n_files <= config.most_files;
            let files = commit.files.iter().filter(|_| is_told).map(|it| called(*it));
            let mut files: Vec<u32> = files.filter(|it| (*it as usize) < paths.len()).collect();
            files.sort_unstable();
            files.dedup();
            let moves: Vec<_> =
                commit.moves.iter().map(|(old, new)| (*old, called(*new))).collect();
            now.extend(moves);
            for file in &files {
                of_file[*file as usize].push(counted.len() as u32);
            }
            // Ignored commits still age the others.
            counted.push(files);
        }
        let numbers = (0..).zip(&paths).map(|(at, it)| (it.clone(), at)).collect();
        Self { config, paths, numbers, commits: counted, of_file }
    }

    /// Whether it has no commits.
    pub fn is_empty(&self) -> bool {
        self.commits.is_empty()
    }

    /// Number of commits that changed the file at `path`.
    pub fn commits_of(&self, path: &str) -> usize {
        self.numbers.get(path).map_or(0, |it| self.of_file[*it as usize].len())
    }

    /// Files that changed together with the one at `path`, by descending weight, equal ones by path. They may no longer
    /// exist.
    pub fn companions(&self, path: &str) -> Vec<Companion<'_>> {
        let Some(&own) = self.numbers.get(path) else { return Vec::new() };
        let mut together: FxHashMap<u32, (f32, u32)> = FxHashMap::default();
        let mut all = self.config.prior;
        for &at in &self.of_file[own as usize] {
            let age = 0.5_f32.powf(at as f32 / self.config.half_life);
            all += age;
            let files = &self.commits[at as usize];
            for file in files.iter().filter(|it| **it != own) {
                let entry = together.entry(*file).or_default();
                *entry = (entry.0 + age, entry.1 + 1);
            }
        }
        let companion = |(file, (sum, commits)): (u32, (f32, u32))| Companion {
            path: &self.paths[file as usize],
            weight: sum / all,
            commits,
        };
        let mut res: Vec<Companion<'_>> = together.into_iter().map(companion).collect();
        sort_by(&mut res, |a, b| b.weight.total_cmp(&a.weight).then_with(|| a.path.cmp(b.path)));
        res
    }
}

#[cfg(test)]
mod tests {
    use super::super::PastCommit;
    use super::*;

    /// The files of a commit, and its moves.
    type Commit<'c> = (&'c [&'c str], &'c [(&'c str, &'c str)]);

    /// A history of commits, the latest first.
    fn history(commits: &[Commit<'_>]) -> History {
        let mut res = History::default();
        for (files, moves) in commits {
            let mut number = |path: &str| {
                let known = res.paths.iter().position(|it| it == path);
                known.unwrap_or_else(|| {
                    res.paths.push(path.to_owned());
                    res.paths.len() - 1
                }) as u32
            };
            let files: Vec<u32> = files.iter().map(|it| number(it)).collect();
            let moves = moves.iter().map(|(old, new)| (number(old), number(new))).collect();
            let n_files = files.len() as u32;
            res.commits.push(PastCommit { files, n_files, moves, ..PastCommit::default() });
        }
        res
    }

    fn companions(commits: &[Commit<'_>], path: &str) -> Vec<(String, u32)> {
        let co_change = CoChange::new(history(commits), CoChangeConfig::measured());
        let found = co_change.companions(path);
        found.into_iter().map(|it| (it.path.to_owned(), it.commits)).collect()
    }

    #[test]
    fn what_changed_together_more_often_comes_first_and_equal_ones_by_path() {
        let commits: &[Commit<'_>] =
            &[(&["a", "b", "z"], &[]), (&["a", "b", "c"], &[]), (&["x"], &[])];
        let pair = |it: &str, n| (it.to_owned(), n);
        assert_eq!(companions(commits, "a"), [pair("b", 2), pair("z", 1), pair("c", 1)]);
        assert_eq!(companions(commits, "x"), []);
        assert_eq!(companions(commits, "unknown"), []);
    }

    #[test]
    fn a_commit_of_hundreds_of_files_says_nothing() {
        let names: Vec<String> = (0..100).map(|it| format!("f{it}")).collect();
        let files: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(companions(&[(&files, &[])], "f1"), []);
    }

    #[test]
    fn a_file_keeps_its_past_when_it_is_moved() {
        let commits: &[Commit<'_>] = &[
            (&["new", "test"], &[]),
            (&["new"], &[("old", "new")]),
            (&["old", "doc"], &[]),
            // An older file at the new name's past path.
            (&["old", "doc"], &[]),
        ];
        let pair = |it: &str, n| (it.to_owned(), n);
        assert_eq!(companions(commits, "new"), [pair("doc", 2), pair("test", 1)]);
        assert_eq!(companions(commits, "old"), []);
    }
}
