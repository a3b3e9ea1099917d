//! Versions of the index, and the configuration of analysis.

use foreword_chunk::Language;

use super::checksum::checksum;

/// Version of the layout of segments and manifests.
///
/// 1: first. 2: long posting lists have a skip table. 3: postings in blocks of codes; references apart; names have
/// chunk and kind. 4: texts in frames. 5: frames end at chunks; titles apart. 6: a view records masked secrets; older
/// indexes contain secrets. 7: no titles. 8: files that a program wrote are marked. 9: keys in pages; provenance.
pub(super) const FORMAT_VERSION: u32 = 9;

/// Version of the content: terms, records.
///
/// 1: first. 2: dotted names are also found by their last part. 3: more secrets are masked; older indexes contain them.
/// 4: the same again.
/// 5: secrets by their place in calls, headers, commands and tables. 6: in lists, columns, blocks and structures. 7: the
/// tool that a file is named after (`Dockerfile`) is a term of its path.
const FEATURE_VERSION: u32 = 7;

/// Version of what a file of a snapshot gives away beside its segment.
///
/// 1: first. 2: files with names that are too long to be terms are marked.
const EXPORT_VERSION: u32 = 2;

/// Name of the directory of a store of this version. Each version has its own directory, so several can be installed
/// together.
pub(super) fn version_directory() -> String {
    let content = foreword_chunk::CONTENT_VERSION;
    format!("v{FORMAT_VERSION}.{FEATURE_VERSION}.{content}{}", grammars())
}

/// Identifies builds without some grammars, whose indexes lack syntax trees; empty with all grammars.
fn grammars() -> String {
    let missing = Language::ALL.iter().filter(|it| !it.has_grammar()).map(|it| it.name());
    named(&missing.collect::<Vec<_>>())
}

fn named(missing: &[&str]) -> String {
    match missing {
        [] => String::new(),
        names => format!("-{:08x}", checksum(names.join(" ").as_bytes()) as u32),
    }
}

/// Configuration of analysis; indexes with different configurations are kept apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexConfig {
    /// How files are split into chunks.
    pub chunk: foreword_chunk::Config,
}

impl IndexConfig {
    /// A number that differs if the same text may be analysed differently.
    pub fn fingerprint(&self) -> u32 {
        let content = foreword_chunk::CONTENT_VERSION;
        let text = format!("{FEATURE_VERSION} {content}{} {:?}", grammars(), self.chunk);
        checksum(text.as_bytes()) as u32
    }

    /// A number that differs if this version of the engine could not read what [`crate::index::Snapshot::export`] gave away:
    /// by the analysis ([`Self::fingerprint`]), by the layout of segments or by what is given away beside them.
    pub fn exported_version(&self) -> u32 {
        exported(FORMAT_VERSION, self.fingerprint())
    }
}

fn exported(format: u32, fingerprint: u32) -> u32 {
    checksum(format!("{format} {fingerprint} {EXPORT_VERSION}").as_bytes()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_layout_of_segments_is_another_export() {
        assert_ne!(exported(8, 7), exported(9, 7));
        assert_ne!(exported(8, 7), exported(8, 6));
    }

    #[test]
    fn builds_with_other_grammars_have_other_indexes() {
        assert_eq!(named(&[]), "");
        assert_ne!(named(&["cpp"]), named(&["cpp", "zig"]));
        assert!(named(&["cpp"]).starts_with('-'));
    }
}
