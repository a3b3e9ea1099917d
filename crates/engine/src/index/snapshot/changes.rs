//! Derives snapshots by applying changes in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::types::Change;
use super::{File, PathEntry, SegmentView, Snapshot};
use crate::index::analyze::AnalyzedFile;
use crate::index::config::IndexConfig;
use crate::index::ids::{FileId, FileLocation};
use crate::index::segment::{PackedFile, Segment, SegmentBuilder, SegmentError, has_provenance};
use crate::source::{ContentHash, Source};

impl Snapshot {
    /// A snapshot in memory of these sources only.
    pub fn of_sources(sources: Vec<Source>, config: IndexConfig) -> Result<Self, SegmentError> {
        Self::empty(config).with_changes(sources.into_iter().map(Change::Write).collect())
    }

    /// This snapshot with `changes` applied in order, with the new texts in memory.
    pub fn with_changes(&self, changes: Vec<Change>) -> Result<Self, SegmentError> {
        let last = changes.into_iter().map(|it| match it {
            Change::Write(source) => (source.path, Some(source.text)),
            Change::Remove(path) => (path, None),
        });
        // The last change of a path wins. Paths are sorted, so that the result does not depend on hashes.
        let last: BTreeMap<String, Option<String>> = last.collect();
        let analysed = |(path, text): (String, Option<String>)| {
            let analyse = |it| AnalyzedFile::new(path.clone(), it, &self.config.chunk);
            let packed = text.map(|it| Arc::new(PackedFile::plain(analyse(it))));
            (path, packed)
        };
        self.with_packed(&last.into_iter().map(analysed).collect())
    }

    /// Takes what does not depend on the files.
    pub(super) fn inherit(&mut self, other: &Self) {
        self.complete = other.complete;
        self.caches = Arc::clone(&other.caches);
        self.diff = Arc::clone(&other.diff);
        self.facts.clone_from(&other.facts);
    }

    /// This snapshot with analysed files, by path; `None` removes a file.
    pub fn with_packed(
        &self,
        last: &BTreeMap<String, Option<Arc<PackedFile>>>,
    ) -> Result<Self, SegmentError> {
        let mut builder = SegmentBuilder::new(&self.config);
        let mut written = Vec::new();
        for (path, packed) in last {
            let Some(packed) = packed else { continue };
            let location =
                FileLocation { segment: self.segments.len() as u32, ord: written.len() as u32 };
            written.push(File { path: PathEntry::new(path), hash: packed.hash(), location });
            builder.add(packed);
        }
        let segment = match written.is_empty() {
            true => None,
            false => Some(Arc::new(builder.finish_in_memory(&self.config)?)),
        };
        let is_same =
            |(path, packed): (&String, &Option<_>)| packed.is_some() && self.file(path).is_some();
        let same_paths = last.iter().all(is_same);
        let mut res = if same_paths {
            self.with_texts_replaced(written, segment)
        } else {
            let known = self.segments.iter().map(|it| Arc::clone(&it.segment));
            let segments = known.chain(segment).collect();
            let mut files = self.all_files();
            files.retain(|it| !last.contains_key(it.path()));
            files.extend(written);
            files.sort_by(|a, b| a.path().cmp(b.path()));
            Self::of_parts(segments, files, self.config)
        };
        res.inherit(self);
        res.partial = self.partial.as_ref().map(|it| it.after(self, &res));
        if same_paths {
            res.path_names = Arc::clone(&self.path_names);
            if !last.keys().any(|it| has_provenance(it)) {
                res.third_party = Arc::clone(&self.third_party);
            }
        }
        Ok(res)
    }

    /// This snapshot with new texts of some of its files; `segment` has them, in the order of `written`. A keystroke changes
    /// one file: the views and totals of all others stay.
    fn with_texts_replaced(&self, written: Vec<File>, segment: Option<Arc<Segment>>) -> Self {
        let (mut files, mut segments) = (self.files.clone(), self.segments.clone());
        let mut totals = self.totals;
        let (mut owners, mut gone) = (Vec::new(), BTreeMap::<u32, Vec<u32>>::new());
        let mut replaced = BTreeMap::clone(&self.replaced);
        for file in written {
            let at = files.partition_point(|it| it.path() < file.path());
            let id = FileId(at as u32);
            let before = std::mem::replace(&mut files[at], file);
            gone.entry(before.location.segment).or_default().push(before.location.ord);
            replaced.entry(id).or_insert((before.hash, before.location));
            owners.push(Some(id));
        }
        for (segment, ords) in gone {
            let view = &mut segments[segment as usize];
            *view = view.without(&ords, &mut totals);
        }
        if let Some(segment) = segment {
            let view = SegmentView::new(segment, owners);
            view.add_to(&mut totals);
            segments.push(view);
        }
        let (customisation, replaced) = (self.customisation.clone(), Arc::new(replaced));
        Self { customisation, replaced, ..Self::of_views(segments, files, totals, self.config) }
    }

    /// This snapshot with the versions of some files that texts in memory replaced, where those have the given contents; other
    /// files stay as they are. Nothing is analysed.
    pub(crate) fn with_replaced(&self, wanted: &[(FileId, ContentHash)]) -> Self {
        let (mut files, mut segments) = (self.files.clone(), self.segments.clone());
        let mut totals = self.totals;
        for (id, wanted) in wanted {
            let Some((hash, location)) = self.replaced.get(id).filter(|it| it.0 == *wanted) else {
                continue;
            };
            let file = &mut files[id.0 as usize];
            let now = std::mem::replace(&mut file.location, *location);
            file.hash = *hash;
            let view = &mut segments[now.segment as usize];
            *view = view.without(&[now.ord], &mut totals);
            let view = &mut segments[location.segment as usize];
            *view = view.with(location.ord, *id, &mut totals);
        }
        let customisation = self.customisation.clone();
        let mut res =
            Self { customisation, ..Self::of_views(segments, files, totals, self.config) };
        res.inherit(self);
        res.partial = self.partial.as_ref().map(|it| it.after(self, &res));
        res.path_names = Arc::clone(&self.path_names);
        res
    }

    /// This snapshot with what an earlier one of the same repository has computed or decoded and is the same here, so that
    /// the first answer after a change is as fast as others.
    #[must_use]
    pub fn with_known_of(mut self, earlier: &Self) -> Self {
        if earlier.is_damaged() || earlier.config != self.config {
            return self;
        }
        self.caches = Arc::clone(&earlier.caches);
        let mut known = earlier.files.iter().peekable();
        let (mut same_paths, mut same_provenance) = (self.files.len() == earlier.files.len(), true);
        for file in &mut self.files {
            while known.next_if(|it| it.path() < file.path()).is_some() {}
            match known.next_if(|it| it.path() == file.path()) {
                Some(it) if it.hash == file.hash => file.path = Arc::clone(&it.path),
                Some(_) => same_provenance &= !has_provenance(file.path()),
                None => same_paths = false,
            }
        }
        if same_paths {
            self.path_names = Arc::clone(&earlier.path_names);
        }
        if same_paths && same_provenance {
            self.third_party = Arc::clone(&earlier.third_party);
        }
        self
    }

    /// Its files and those of the customisation, sorted by path.
    fn all_files(&self) -> Vec<File> {
        let mut res = self.files.clone();
        if !self.customisation.is_empty() {
            res.extend(self.customisation.iter().cloned());
            res.sort_by(|a, b| a.path().cmp(b.path()));
        }
        res
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::bm25::{Bm25, WeightedTerm};

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.to_owned(), text: text.to_owned() }
    }

    /// Answers of a snapshot: its id, totals, definitions of two names, and the hits of a word.
    fn answers(snapshot: &Snapshot) -> (String, String, Vec<usize>, String) {
        let bm25 = Bm25 { k1: 1.2, b: 0.75, weights: [1.0; 4] };
        let term = WeightedTerm { term: "key".to_owned(), weight: 1.0 };
        let hits = snapshot.lexical(&snapshot.weighted_query(&[term], &bm25), None, 10);
        let found = ["old_lock", "new_lock"].map(|it| snapshot.definitions(it).len());
        let totals = format!("{:?}", snapshot.totals());
        (snapshot.id().to_owned(), totals, found.to_vec(), format!("{hits:?}"))
    }

    #[test]
    fn a_replaced_version_comes_back_without_an_analysis() {
        let old = "def old_lock(key):\n    return key\n";
        let others = [source("b.py", "key = 1\n"), source("c.py", "key = key\n")];
        let files = [&[source("a.py", old)], &others[..]].concat();
        let disk = Snapshot::of_sources(files, IndexConfig::default()).unwrap();
        let write = |text: &str| vec![Change::Write(source("a.py", text))];
        let typed = disk.with_changes(write("def new_lock(key):\n    pass\n")).unwrap();
        let again = typed.with_changes(write("def new_lock():\n    pass\n")).unwrap();
        let file = disk.file("a.py").unwrap();
        for over in [&typed, &again] {
            assert_ne!(answers(over), answers(&disk));
            let back = over.with_replaced(&[(file, disk.hash(file))]);
            assert_eq!(answers(&back), answers(&disk));
            assert_eq!(&*back.text(file), old);
            let other = over.with_replaced(&[(file, ContentHash::of(b"another text"))]);
            assert_eq!(answers(&other), answers(over));
        }
        let untouched = disk.with_replaced(&[(file, disk.hash(file))]);
        assert_eq!(answers(&untouched), answers(&disk));
    }
}
