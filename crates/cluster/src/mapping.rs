//! Layouts of the index, by version.
//!
//! A file of a version never changes. A new version adds fields, and to the one before an update that an index can take
//! while it is in use; documents without the fields stay right. Its `_meta` says which version it is, and the least that
//! may still read and write it (`compatible`). What cannot be added is in new indexes only; the earlier ones are used as they are.

use std::sync::atomic::Ordering;

use reqwest::Method;
use serde_json::Value;

use crate::client::Cluster;
use crate::error::ClusterError;

/// The version that new indexes have.
const VERSION: u64 = 3;

/// The oldest version that can be read and written.
const OLDEST: u64 = 1;

/// The first version whose files say by which version of the analysis they were pushed.
const WITH_ANALYSIS: u64 = 2;

/// The first version in which contents are values beside the documents. An index gets it when it is made: what is stored with
/// documents cannot be taken out of them.
const WITH_CONTENTS: u64 = 3;

/// The settings and mapping of a new index.
const NEW_INDEX: &str = include_str!("mapping/v3.json");

/// Additions of versions to the one before, where an index can take them.
const UPDATES: [(u64, &str); 1] = [(2, include_str!("mapping/v2.update.json"))];

/// The version of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LayoutVersion(u64);

impl LayoutVersion {
    /// True if documents of files have the version of the analysis.
    pub(crate) fn has_analysis(self) -> bool {
        self.0 >= WITH_ANALYSIS
    }

    /// True if contents of documents are values beside them.
    pub(crate) fn has_contents(self) -> bool {
        self.0 >= WITH_CONTENTS
    }

    /// The version in the `_meta` of a mapping; `None` for one that cannot be used.
    fn of_meta(meta: &Value) -> Option<Self> {
        let version = meta["foreword"].as_u64()?;
        let compatible = meta["compatible"].as_u64().unwrap_or(version);
        ((OLDEST..=VERSION).contains(&version) || (version > VERSION && compatible <= VERSION))
            .then_some(Self(version))
    }
}

impl Cluster {
    /// Makes the index if there is none, and brings one of an earlier version up to date; its version. A user who may not
    /// change it writes what it takes.
    pub(crate) fn ensure_index(&self) -> Result<LayoutVersion, ClusterError> {
        if let Some(found) = self.layout(Cluster::write)? {
            return self.updated(found);
        }
        let path = format!("/{}", self.index_name());
        let made = self.write(Method::PUT, &path, Some(NEW_INDEX.as_bytes().to_vec()))?;
        let is_there =
            made.status == 400 && made.body["error"]["type"] == "resource_already_exists_exception";
        if is_there {
            // Another push made it, perhaps one of another version.
            let found = self.layout(Cluster::write)?;
            return found.map_or(Ok(LayoutVersion(VERSION)), |it| self.updated(it));
        }
        made.accepted()?;
        self.layout.store(VERSION, Ordering::Relaxed);
        Ok(LayoutVersion(VERSION))
    }

    /// True if contents of documents are values beside them, by the layout that was seen last.
    pub(crate) fn has_contents_field(&self) -> bool {
        LayoutVersion(self.layout.load(Ordering::Relaxed)).has_contents()
    }

    /// Checks the layout of an index that should be there; `false` if it is not.
    pub(crate) fn has_index(&self) -> Result<bool, ClusterError> {
        if self.kept.as_ref().is_some_and(|it| it.has_index()) {
            return Ok(true);
        }
        let is_there = self.layout(Cluster::read)?.is_some();
        if is_there {
            self.kept.iter().for_each(|it| it.index_is_there());
        }
        Ok(is_there)
    }

    /// The version of the index; `None` if there is none.
    fn layout(&self, ask: Ask) -> Result<Option<LayoutVersion>, ClusterError> {
        let index = self.index_name();
        let found = ask(self, Method::GET, &format!("/{index}/_mapping"), None)?;
        if found.status == 404 {
            return Ok(None);
        }
        let body = found.accepted()?;
        let meta = &body[index]["mappings"]["_meta"];
        let version = LayoutVersion::of_meta(meta);
        version.iter().for_each(|it| self.layout.store(it.0, Ordering::Relaxed));
        version.map(Some).ok_or_else(|| ClusterError::Mapping {
            index: index.to_owned(),
            found: meta["foreword"]
                .as_u64()
                .map_or("none of foreword's".to_owned(), |it| it.to_string()),
            expected: VERSION,
        })
    }

    fn updated(&self, found: LayoutVersion) -> Result<LayoutVersion, ClusterError> {
        let mut res = found;
        for (version, update) in UPDATES.iter().filter(|it| it.0 > found.0) {
            let path = format!("/{}/_mapping", self.index_name());
            match self.write(Method::PUT, &path, Some(update.as_bytes().to_vec())) {
                Err(ClusterError::Rights { .. }) => return Ok(res),
                reply => reply?.accepted()?,
            };
            res = LayoutVersion(*version);
        }
        Ok(res)
    }
}

/// [`Cluster::read`] or [`Cluster::write`].
type Ask =
    fn(&Cluster, Method, &str, Option<Vec<u8>>) -> Result<crate::client::Reply, ClusterError>;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn updates_make_of_the_first_version_the_second() {
        let mut mapping = parsed(include_str!("mapping/v1.json"))["mappings"].clone();
        for (version, update) in UPDATES {
            let update = parsed(update);
            mapping["_meta"] = update["_meta"].clone();
            for (name, field) in update["properties"].as_object().unwrap() {
                let before = mapping["properties"]
                    .as_object_mut()
                    .unwrap()
                    .insert(name.clone(), field.clone());
                assert_eq!(before, None, "version {version} changes {name}");
            }
        }
        assert_eq!(mapping, parsed(include_str!("mapping/v2.json"))["mappings"]);
        assert_eq!(parsed(NEW_INDEX)["mappings"]["_meta"]["foreword"], VERSION);
    }

    /// Indexes of a version are on clusters; what its file says of them must stay true.
    #[test]
    fn the_file_of_a_version_never_changes() {
        let hash = |text: &str| blake3::hash(text.as_bytes()).to_hex()[..16].to_owned();
        let second = include_str!("mapping/v2.json");
        let files = [include_str!("mapping/v1.json"), second, UPDATES[0].1, NEW_INDEX].map(hash);
        let known =
            ["96316fd0ed907e5c", "44745ed7e1537e97", "872b28cf7f20bf6b", "cec95cc8e1808b64"];
        assert_eq!(files, known);
    }

    #[test]
    fn a_newer_index_is_used_if_it_says_so() {
        let found = |meta: Value| LayoutVersion::of_meta(&meta).map(|it| it.0);
        assert_eq!(found(json!({ "foreword": 1 })), Some(1));
        assert_eq!(found(json!({ "foreword": VERSION, "compatible": VERSION })), Some(VERSION));
        assert_eq!(found(json!({ "foreword": 9, "compatible": VERSION })), Some(9));
        assert_eq!(found(json!({ "foreword": 9, "compatible": VERSION + 1 })), None);
        assert_eq!(found(json!({ "foreword": 9 })), None);
        assert_eq!((found(json!({ "foreword": 0 })), found(Value::Null)), (None, None));
    }
}
