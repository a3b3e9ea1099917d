//! The versions of the index, and the settings by which files are analysed.

use foreword_chunk::Language;

use super::checksum::checksum;

/// The layout of segments and manifests.
///
/// 1: first. 2: long posting lists have a skip table. 3: postings in blocks of codes; references apart; names know chunk
/// and kind. 4: texts in frames. 5: frames end where chunks do; titles apart. 6: a view knows what was masked; older
/// indexes hold secrets of texts. 7: no titles.
pub(super) const FORMAT_VERSION: u32 = 7;

/// What the layout holds: terms, records.
///
/// 1: first. 2: dotted names are found by their last part too.
const FEATURE_VERSION: u32 = 2;

/// The name of the directory that holds a store of this version. Other versions of foreword use other directories, so
/// that several can be installed on one machine.
pub(super) fn version_directory() -> String {
    let content = foreword_chunk::CONTENT_VERSION;
    format!("v{FORMAT_VERSION}.{FEATURE_VERSION}.{content}{}", grammars())
}

/// Tells builds apart that lack grammars: what one of them indexed has no tree, which another would miss. Empty where all
/// are there.
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

/// How files are analysed. Indexes of different configurations do not mix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexConfig {
    /// How files are cut into chunks.
    pub chunk: foreword_chunk::Config,
}

impl IndexConfig {
    /// A number that differs whenever the same text may be analysed differently.
    pub fn fingerprint(&self) -> u32 {
        let content = foreword_chunk::CONTENT_VERSION;
        let text = format!("{FEATURE_VERSION} {content}{} {:?}", grammars(), self.chunk);
        checksum(text.as_bytes()) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_with_other_grammars_have_other_indexes() {
        assert_eq!(named(&[]), "");
        assert_ne!(named(&["cpp"]), named(&["cpp", "zig"]));
        assert!(named(&["cpp"]).starts_with('-'));
    }
}
