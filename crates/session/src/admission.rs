//! Admits a file that a door names before its text is used. A file that is a secret by its name is refused: it is never
//! indexed, and no prompt, answer or record may have its text, even if an editor or a client sends it.

use std::path::{Component, Path, PathBuf};

use foreword_engine::scope::Cursor;
use foreword_load::{Environment, Masking, Workspace};

use crate::setup::Setup;
use crate::usage::usage;

impl Setup {
    /// Whether secrets in the text of the file at `path`, relative to `root`, are masked. Fails if its name is that of a
    /// secret.
    pub fn admit(&self, root: &Path, path: &str) -> anyhow::Result<Masking> {
        foreword_load::admit(root, path, &self.walk).map_err(|it| {
            let directory = Environment::current().config_dir.unwrap_or_default();
            let file = directory.join("foreword").join("config.toml");
            usage(format!("{it}; `not_secret` in {} makes an exception", file.display()))
        })
    }

    /// The same for a file that a user or an editor names. Both the name as written and the file that it leads to count;
    /// outside of a workspace, so do the names of all directories above.
    pub fn admit_file(
        &self,
        workspace: Option<&Workspace>,
        file: &Path,
    ) -> anyhow::Result<Masking> {
        let below = workspace.and_then(|it| Some((it.root.clone(), it.relative(file).ok()?)));
        let (root, path) = below.unwrap_or_else(|| from_top(file));
        let masking = self.admit(&root, &path)?;
        let written = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        let is_link = path.rsplit('/').next() != Some(written);
        if is_link {
            self.admit(file.parent().unwrap_or(Path::new("")), written)?;
        }
        Ok(masking)
    }

    /// A cursor at byte `offset` of the text that a door has for the file at `path`, relative to `root`.
    pub fn cursor(
        &self,
        root: &Path,
        path: impl Into<String>,
        text: impl Into<String>,
        offset: usize,
    ) -> anyhow::Result<Cursor> {
        let path = path.into();
        Ok(match self.admit(root, &path)? {
            Masking::On => Cursor::new(path, text, offset)?,
            Masking::Off => Cursor::unmasked(path, text, offset)?,
        })
    }
}

/// The top of the file system, and the path of a file from there.
fn from_top(file: &Path) -> (PathBuf, String) {
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let resolved = dunce::canonicalize(&absolute).unwrap_or(absolute);
    let top = resolved.ancestors().last().unwrap_or(Path::new("/")).to_owned();
    let names = resolved.components().filter_map(|it| match it {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    (top, names.collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_admitted(workspace: Option<&Workspace>, file: &Path) -> bool {
        Setup::default().admit_file(workspace, file).is_ok()
    }

    #[test]
    fn names_of_the_path_count_below_a_root_and_up_to_the_top_without_one() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join(".aws");
        std::fs::create_dir(&root).unwrap();
        let workspace =
            Workspace { root: root.clone(), git: None, name: "aws".to_owned(), revision: None };
        assert!(is_admitted(Some(&workspace), &root.join("main.py")));
        assert!(!is_admitted(None, &root.join("main.py")));
        assert!(!is_admitted(Some(&workspace), &root.join("new/.env")));
        assert!(!is_admitted(None, Path::new("/nowhere/.env")));
        assert!(is_admitted(None, Path::new("/nowhere/main.py")));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_judged_by_its_own_name_and_by_its_targets() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::write(root.join(".env"), "").unwrap();
        std::fs::write(root.join("notes.txt"), "").unwrap();
        std::os::unix::fs::symlink(".env", root.join("plain.txt")).unwrap();
        std::os::unix::fs::symlink("notes.txt", root.join("id_rsa")).unwrap();
        for name in ["plain.txt", "id_rsa"] {
            assert!(!is_admitted(None, &root.join(name)), "{name}");
        }
        assert!(is_admitted(None, &root.join("notes.txt")));
    }
}
