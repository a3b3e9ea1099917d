//! The index follows the disk: after random edits, renames, removals and branch switches it has the files of a plain
//! map, and answers like a new index.

use std::collections::BTreeMap;
use std::path::Path;

use foreword_engine::index::bm25::{Bm25, WeightedTerm};
use foreword_engine::index::{IndexConfig, Snapshot, Store};
use foreword_load::{Analyzer, Options, Reuse, Workspace, sync};
use proptest::prelude::*;

use crate::git::git;
use crate::{Tree, sync_options};

const PATHS: [&str; 6] = ["a.py", "b.py", "pkg/c.py", "pkg/d.py", "x/y/e.txt", "x/f.md"];

/// Names to define in files; of equal length, so that an edit may keep the size.
const NAMES: [&str; 5] = ["alpha_1", "bravo_2", "gamma_3", "delta_4", "kappa_5"];

#[derive(Clone, Debug)]
enum Step {
    Write(usize, usize),
    Remove(usize),
    Rename(usize, usize),
    /// Commits, and switches to a branch, which is created if necessary.
    Switch(usize),
    Sync,
}

fn step() -> impl Strategy<Value = Step> {
    let file = || 0..PATHS.len();
    prop_oneof![
        4 => (file(), 0..NAMES.len()).prop_map(|(file, name)| Step::Write(file, name)),
        1 => file().prop_map(Step::Remove),
        2 => (file(), file()).prop_map(|(from, to)| Step::Rename(from, to)),
        2 => (0_usize..3).prop_map(Step::Switch),
        3 => Just(Step::Sync),
    ]
}

/// A work tree, and its expected files.
struct Model {
    tree: Tree,
    index: tempfile::TempDir,
    files: BTreeMap<String, String>,
    branches: BTreeMap<usize, BTreeMap<String, String>>,
    branch: usize,
}

impl Model {
    /// `None` without git.
    fn new() -> Option<Self> {
        let tree = Tree::of(&[]);
        tree.write("keep.txt", "keep\n");
        git(&tree.root, &["init", "-q", "-b", "b0"])?;
        let files = BTreeMap::from([("keep.txt".to_owned(), "keep\n".to_owned())]);
        let (index, branches) = (tempfile::tempdir().unwrap(), BTreeMap::new());
        Some(Self { tree, index, files, branches, branch: 0 })
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Write(file, name) => {
                let text = format!("def {}():\n    pass\n", NAMES[name]);
                self.tree.write(PATHS[file], &text);
                self.files.insert(PATHS[file].to_owned(), text);
            }
            Step::Remove(file) => {
                if self.files.remove(PATHS[file]).is_some() {
                    std::fs::remove_file(self.tree.path(PATHS[file])).unwrap();
                }
            }
            Step::Rename(from, to) => {
                let Some(text) = self.files.remove(PATHS[from]) else { return };
                let to_path = self.tree.path(PATHS[to]);
                std::fs::create_dir_all(to_path.parent().unwrap()).unwrap();
                std::fs::rename(self.tree.path(PATHS[from]), to_path).unwrap();
                self.files.insert(PATHS[to].to_owned(), text);
            }
            Step::Switch(branch) => self.switch(branch),
            Step::Sync => self.check(),
        }
    }

    fn switch(&mut self, branch: usize) {
        let git = |arguments: &[&str]| git(&self.tree.root, arguments).unwrap();
        git(&["add", "-A"]);
        git(&["commit", "-q", "--allow-empty", "-m", "step"]);
        self.branches.insert(self.branch, self.files.clone());
        let name = format!("b{branch}");
        match self.branches.get(&branch) {
            Some(files) => {
                git(&["checkout", "-q", &name]);
                self.files.clone_from(files);
            }
            None => drop(git(&["checkout", "-q", "-b", &name])),
        }
        self.branch = branch;
    }

    /// Checks that the index has exactly the files of the model, and answers like a new one.
    fn check(&self) {
        let snapshot = self.synced(self.index.path());
        let texts = snapshot.files().map(|it| (snapshot.path(it).to_owned(), snapshot.text(it)));
        let texts: BTreeMap<String, String> =
            texts.map(|(path, text)| (path, text.to_string())).collect();
        assert_eq!(texts, self.files);
        let fresh = tempfile::tempdir().unwrap();
        let found = answers(&snapshot);
        assert_eq!(found, answers(&self.synced(fresh.path())));
        assert!(found.len() >= self.files.values().filter(|it| it.contains("def")).count());
    }

    fn synced(&self, index: &Path) -> Snapshot {
        let options = Options { root_is_path: true, ..Options::default() };
        let workspace = Workspace::discover(&self.tree.root, &options).unwrap();
        let store = Store::new(index.to_owned(), IndexConfig::default());
        let analyzer = Analyzer::in_process();
        let options = sync_options(&analyzer, 2, Reuse::Stored);
        let synced = sync(&workspace, &store, &options).unwrap();
        assert_eq!(synced.report.unwritten, None);
        synced.snapshot
    }
}

/// Definitions, and ranked results with scores.
fn answers(snapshot: &Snapshot) -> Vec<(String, String, u32)> {
    let bm25 = Bm25 { k1: 1.2, b: 0.75, weights: [1.0, 2.0, 1.0, 1.0] };
    let mut res = Vec::new();
    for name in NAMES {
        for it in snapshot.definitions(name) {
            res.push((name.to_owned(), snapshot.path(it.file).to_owned(), it.definition));
        }
        let term = WeightedTerm { term: name.replace('_', ""), weight: 1.0 };
        let weighed = snapshot.weighted_query(&[term], &bm25);
        for it in snapshot.lexical(&weighed, None, 20) {
            let path = snapshot.path(it.chunk.file).to_owned();
            res.push((format!("words of {name}"), path, it.score.to_bits()));
        }
    }
    res
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_to_the_files_the_index_has_them_as_they_are(
        steps in prop::collection::vec(step(), 1..25),
    ) {
        let Some(mut model) = Model::new() else { return Ok(()) };
        for step in &steps {
            model.take(step);
        }
        model.check();
    }
}
