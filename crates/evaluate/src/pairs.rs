//! Pairs of a text and the code that it is about, from any source: what an embedding is trained on (`train/`).
//!
//! * `doc`: a doc comment, and its definition without the comment.
//! * `commit`: the subject of a commit, and the definitions that it changes, as they were before it.
//! * `test`: the name of a test, and the function that it names.
//!
//! Nothing here is random: the same source and settings give the same rows, in order of the paths and of the history.
//! Code that was copied from elsewhere, or made by a program, is left out; rows of equal code have equal keys.

mod commits;
mod row;
mod tested;
mod units;

use std::path::{Path, PathBuf};

use anyhow::Result;
use foreword_chunk::Language;
use foreword_engine::index::{FileRole, file_role};
use foreword_engine::source::Source;

use crate::tasks::corpus;
use crate::tasks::git::Git;
use crate::tasks::mine::is_copied;

pub use row::{PairKind, Row, TermRow};
use units::units;

/// Where code is read from.
#[derive(Clone, Debug)]
pub enum PairSource {
    /// A directory, as an index would read it.
    Directory(PathBuf),
    /// A state of a bare repository, and so many commits before it.
    History {
        /// The git directory.
        git_dir: PathBuf,
        /// The last commit.
        revision: String,
        /// How many commits are read.
        commits: usize,
    },
}

/// Calls `found` with each pair of a source that is called `name`.
pub fn pairs(name: &str, source: &PairSource, found: &mut dyn FnMut(Row)) -> Result<()> {
    let mut tests = tested::Tests::default();
    each_file(source, &mut |file| {
        for unit in units(file) {
            tests.note(&unit, file);
            if let Some(row) = unit.documented(name) {
                found(row);
            }
        }
    })?;
    tests.pairs(name, found);
    if let PairSource::History { git_dir, revision, commits } = source {
        commits::pairs(name, git_dir, revision, *commits, found)?;
    }
    Ok(())
}

/// Calls `found` with the key of each definition of a source: what must not be trained on.
pub fn keys(source: &PairSource, found: &mut dyn FnMut(String)) -> Result<()> {
    each_file(source, &mut |file| units(file).iter().for_each(|it| found(it.key())))
}

/// Calls `found` with each file of code that was written for the source.
fn each_file(source: &PairSource, found: &mut dyn FnMut(&Source)) -> Result<()> {
    match source {
        PairSource::Directory(root) => each_of_directory(root, found),
        PairSource::History { git_dir, revision, .. } => {
            let mut git = Git::open(git_dir)?;
            for (path, object) in git.files(revision)? {
                if !is_wanted(&path) {
                    continue;
                }
                if let Some(text) = git.text(&object)? {
                    found(&Source { path, text });
                }
            }
            Ok(())
        }
    }
}

fn each_of_directory(root: &Path, found: &mut dyn FnMut(&Source)) -> Result<()> {
    let sources = corpus::sources(root)?;
    sources.iter().filter(|it| is_wanted(&it.path)).for_each(found);
    Ok(())
}

/// Whether a file is code that was written for its repository.
fn is_wanted(path: &str) -> bool {
    let language = Language::of_path(path, "");
    let role = file_role(path, language);
    language.is_some() && !matches!(role, FileRole::Prose | FileRole::Data) && !is_copied(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_of(files: &[(&str, &str)]) -> Vec<Row> {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let mut rows = Vec::new();
        let source = PairSource::Directory(dir.path().to_owned());
        pairs("it", &source, &mut |row| rows.push(row)).unwrap();
        rows
    }

    const STORE: &str = "class Store:\n    def load_config(self, path):\n        \
        \"\"\"Reads the settings from a file.\n\n        Raises when there is none.\"\"\"\n        \
        return parse(open(path).read())\n";

    #[test]
    fn a_doc_comment_is_paired_with_its_definition_without_the_comment() {
        let rows = rows_of(&[("src/store.py", STORE)]);
        let [row] = rows.as_slice() else { panic!("{rows:?}") };
        assert_eq!(row.pair, PairKind::Doc);
        assert_eq!(row.text, "Reads the settings from a file.\n\nRaises when there is none.");
        assert_eq!((row.name.as_str(), row.kind), ("Store.load_config", "method"));
        assert!(row.body.contains("return parse") && !row.body.contains("settings"));
    }

    #[test]
    fn a_test_is_paired_with_the_function_that_it_names() {
        let test =
            "def test_load_config_without_file():\n    assert Store().load_config('x') is None\n";
        let rows = rows_of(&[("src/store.py", STORE), ("tests/test_store.py", test)]);
        let row = rows.iter().find(|it| it.pair == PairKind::Test).unwrap();
        assert_eq!(
            (row.text.as_str(), row.path.as_str()),
            ("load config without file", "src/store.py")
        );
    }

    #[test]
    fn copied_code_gives_no_pair() {
        assert_eq!(rows_of(&[("third_party/store.py", STORE)]), []);
    }

    #[test]
    fn equal_code_has_equal_keys_however_it_is_laid_out() {
        let wide = STORE.replace("    ", "        ");
        let (one, other) = (rows_of(&[("a.py", STORE)]), rows_of(&[("b.py", &wide)]));
        assert_eq!(one[0].key, other[0].key);
    }
}
