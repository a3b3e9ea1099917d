//! The user's own customisation of a repository: a folder in the user's configuration, read without following links.

use std::path::PathBuf;

use foreword_engine::custom::OwnPage;
use foreword_engine::source::ContentHash;
use foreword_load::{Environment, Masking, Root, Workspace, index_dir, read_below};

/// Maximum number of files, bytes of a file, and bytes of all files.
const MAX_FILES: usize = 200;
const MAX_FILE: u64 = 2 << 20;
const MAX_BYTES: usize = 8 << 20;

/// The content of the folder.
#[derive(Default)]
pub(super) struct OwnFiles {
    pub(super) files: Vec<OwnPage>,
    pub(super) problems: Vec<String>,
}

impl OwnFiles {
    /// Identifies the content.
    pub(super) fn digest(&self) -> ContentHash {
        let mut all = String::new();
        for it in &self.files {
            all.push_str(&format!("{}\0{}\0", it.path, ContentHash::of(it.text.as_bytes())));
        }
        ContentHash::of(all.as_bytes())
    }
}

/// The folder: `foreword/repositories/NAME-KEY` in the user's configuration, named like the repository's index.
pub fn folder(workspace: &Workspace) -> Option<PathBuf> {
    let environment = Environment::current();
    let base = environment.config_dir.as_ref()?.join("foreword").join("repositories");
    index_dir(workspace, Some(&base), &environment).ok()
}

/// The files directly in the folder, by name.
pub(super) fn read(workspace: &Workspace) -> OwnFiles {
    let Some(folder) = folder(workspace) else { return OwnFiles::default() };
    let Ok(folder) = Root::open(&folder) else { return OwnFiles::default() };
    let Ok(entries) = std::fs::read_dir(folder.path()) else { return OwnFiles::default() };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|it| it.file_type().is_ok_and(|it| it.is_file()))
        .filter_map(|it| it.file_name().into_string().ok())
        .filter(|it| !it.starts_with('.'))
        .collect();
    names.sort();
    let mut res = OwnFiles::default();
    let mut left = MAX_BYTES;
    for (n, name) in names.iter().enumerate() {
        if n == MAX_FILES {
            let folder = folder.path().display();
            res.problems
                .push(format!("{folder}: more than {MAX_FILES} files; the rest is left out"));
            break;
        }
        take(&mut res, &folder, name, &mut left);
    }
    res
}

fn take(res: &mut OwnFiles, folder: &Root, name: &str, left: &mut usize) {
    let path = folder.path().join(name).display().to_string();
    match read_below(folder, name, MAX_FILE, Masking::On) {
        Ok((text, _)) if text.len() <= *left => {
            *left -= text.len();
            let is_export = ["json", "jsonl", "ndjson"].iter().any(|it| name.ends_with(it));
            let readable = is_export.then(|| foreword_engine::custom::readable_export(&text));
            res.files.push(OwnPage { path, text: readable.flatten().unwrap_or(text) });
        }
        Ok(_) => res
            .problems
            .push(format!("{path}: more than {MAX_BYTES} bytes together; it is left out")),
        Err(reason) => res.problems.push(format!("{path}: {reason}; it is left out")),
    }
}
