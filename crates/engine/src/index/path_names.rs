//! Names by which imports refer to files: stems and directories.

use std::collections::HashMap;

use super::ids::FileId;

/// Stems of files that represent their directory.
pub(crate) const INDEX_STEMS: [&str; 6] = ["__init__", "mod", "index", "lib", "main", "init"];

/// The files of a snapshot by stem and by directory name.
#[derive(Debug, Default)]
pub(crate) struct PathNames {
    by_stem: HashMap<String, Vec<FileId>>,
    by_directory: HashMap<String, Vec<FileId>>,
    /// By the whole path of the directory.
    directly_in: HashMap<String, Vec<FileId>>,
}

impl PathNames {
    /// Indexes `paths`, sorted by file number.
    pub(super) fn new<'p>(paths: impl Iterator<Item = &'p str>) -> Self {
        let mut res = Self::default();
        for (file, path) in (0..).map(FileId).zip(paths) {
            let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
            let stem = name.split('.').next().unwrap_or(name);
            let directory_name = directory.rsplit('/').next().unwrap_or(directory);
            if INDEX_STEMS.contains(&stem) {
                add(&mut res.by_stem, directory_name, file);
            }
            // In Rust, the name of a crate's directory refers to its `src/lib.rs`.
            if let (Some(parent), true) = (directory.strip_suffix("/src"), stem == "lib") {
                let name = parent.rsplit('/').next().unwrap_or(parent).replace('-', "_");
                add(&mut res.by_stem, &name, file);
            }
            add(&mut res.by_stem, stem, file);
            add(&mut res.by_directory, directory_name, file);
            add(&mut res.directly_in, directory, file);
        }
        res
    }

    /// Files with this stem, and files that represent a directory or crate with this name.
    pub(crate) fn of_stem(&self, stem: &str) -> &[FileId] {
        self.by_stem.get(stem).map_or(&[], Vec::as_slice)
    }

    /// Files in the directory with this path, not below it.
    pub(crate) fn directly_in(&self, directory: &str) -> &[FileId] {
        self.directly_in.get(directory).map_or(&[], Vec::as_slice)
    }

    /// Files in directories with this name.
    pub(crate) fn in_directory(&self, name: &str) -> &[FileId] {
        self.by_directory.get(name).map_or(&[], Vec::as_slice)
    }
}

fn add(files: &mut HashMap<String, Vec<FileId>>, name: &str, file: FileId) {
    match files.get_mut(name) {
        Some(known) => known.push(file),
        None => drop(files.insert(name.to_owned(), vec![file])),
    }
}
