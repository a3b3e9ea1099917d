//! Queries about files that need only paths and tables.

use std::sync::Arc;

use foreword_chunk::{Language, ParseOutcome};

use super::third_party::ThirdParty;
use super::{CUSTOMISATION_FOLDER, File, PathEntry, Snapshot};
use crate::index::file_role::FileRole;
use crate::index::generated::root_of_generated;
use crate::index::ids::FileId;
use crate::index::path_features::PathFeatures;
use crate::index::path_names::PathNames;
use crate::source::ContentHash;

impl Snapshot {
    /// All files, sorted by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }

    /// The file at `path`.
    pub fn file(&self, path: &str) -> Option<FileId> {
        let at = self.files.binary_search_by(|it| it.path().cmp(path)).ok()?;
        Some(FileId(at as u32))
    }

    /// The files with paths that begin with `prefix`.
    pub fn files_under(&self, prefix: &str) -> impl Iterator<Item = FileId> + use<> {
        let start = self.files.partition_point(|it| it.path() < prefix);
        let len = self.files[start..].partition_point(|it| it.path().starts_with(prefix));
        (start as u32..(start + len) as u32).map(FileId)
    }

    /// Names by which imports refer to files; computed on first use.
    pub(crate) fn path_names(&self) -> Arc<PathNames> {
        let names = || PathNames::new(self.files.iter().map(File::path));
        Arc::clone(self.path_names.get_or_init(|| Arc::new(names())))
    }

    /// The files with this name before its first dot, and index files of a directory with this name, in order.
    pub fn files_of_stem(&self, stem: &str) -> Vec<FileId> {
        self.path_names().of_stem(stem).to_vec()
    }

    /// The path of a file, relative to the root.
    pub fn path(&self, file: FileId) -> &str {
        self.files[file.0 as usize].path()
    }

    /// Features of a file's path.
    pub fn path_features(&self, file: FileId) -> &PathFeatures {
        let entry = &self.files[file.0 as usize].path;
        entry.features.get_or_init(|| PathFeatures::new(&entry.path, self.language(file)))
    }

    /// The role of a file, by its path, its first lines, the licences in its directories and `.gitattributes`.
    pub fn role(&self, file: FileId) -> FileRole {
        match self.path_features(file).role {
            role @ (FileRole::Prose | FileRole::Data | FileRole::ThirdParty) => role,
            _ if self.copied_project(file).is_some() => FileRole::ThirdParty,
            FileRole::Test => FileRole::Test,
            _ if self.is_generated(file) => FileRole::ThirdParty,
            role => role,
        }
    }

    fn is_generated(&self, file: FileId) -> bool {
        let (segment, ord) = self.locate(file);
        segment.table.generated[ord as usize] || self.third_party().is_marked(self.path(file))
    }

    /// The directory, with trailing slash, of the copied project or the built files that contain a file with the role
    /// [`FileRole::ThirdParty`]; the path of a generated file elsewhere.
    pub(crate) fn third_party_root(&self, file: FileId) -> &str {
        self.copied_project(file).unwrap_or_else(|| root_of_generated(self.path(file)))
    }

    /// The directory, with trailing slash, of the copied project that contains a file.
    pub(crate) fn copied_project(&self, file: FileId) -> Option<&str> {
        self.third_party().root_of(self.path(file))
    }

    fn third_party(&self) -> &ThirdParty {
        let provenance = |it| {
            let (segment, ord) = self.locate(it);
            segment.table.provenance_of(ord)
        };
        let files = || self.files().map(|it| (self.path(it), it));
        self.third_party.get_or_init(|| ThirdParty::new(files(), provenance))
    }

    /// Whether the repository has a customisation folder.
    pub fn is_customised(&self) -> bool {
        !self.customisation.is_empty()
    }

    /// The files of the customisation with their texts, sorted by path.
    pub fn customisation(&self) -> Vec<(&str, Arc<str>)> {
        let all = self.customisation_pages(&|_| true);
        let text = |(at, it)| (File::path(it), all.text(FileId(at as u32)));
        self.customisation.iter().enumerate().map(text).collect()
    }

    /// The pages of the customisation, as a snapshot with paths relative to its folder.
    #[must_use]
    pub fn customisation_pages(&self, is_page: &dyn Fn(&str) -> bool) -> Self {
        let page = |it: &File| File {
            path: PathEntry::new(&it.path()[CUSTOMISATION_FOLDER.len()..]),
            hash: it.hash,
            location: it.location,
        };
        let pages = self.customisation.iter().filter(|it| is_page(it.path())).map(page).collect();
        let mut res = Self::of_files(self.segments(), pages, self.config);
        res.caches = Arc::clone(&self.caches);
        res
    }

    /// The hash of a file's text.
    pub fn hash(&self, file: FileId) -> ContentHash {
        self.files[file.0 as usize].hash
    }

    /// The language of a file.
    pub fn language(&self, file: FileId) -> Option<Language> {
        let (segment, ord) = self.locate(file);
        segment.outcome(ord).0
    }

    /// Whether a file has a syntax tree, and if not, why.
    pub fn outcome(&self, file: FileId) -> ParseOutcome {
        let (segment, ord) = self.locate(file);
        segment.outcome(ord).1
    }

    /// Number of bytes and lines of a file.
    pub fn size(&self, file: FileId) -> (u32, u32) {
        let (segment, ord) = self.locate(file);
        (segment.table.sizes[ord as usize], segment.table.line_counts[ord as usize])
    }
}
