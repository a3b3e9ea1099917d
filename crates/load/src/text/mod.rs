//! Reads a file as text: checks its size, detects its encoding, rejects minified or generated text, masks secrets.
//!
//! No failure ends the run. A file without usable text has a [`SkipReason`]; other files are not affected.

mod detect;
mod handwritten;

use std::io::{self, Read};
use std::path::Path;

pub use handwritten::minified;

use foreword_engine::custom::readable_export;
use foreword_engine::index::CUSTOMISATION_FOLDER;
use foreword_engine::secret;

use crate::root::{Root, open_regular};
use crate::skip::SkipReason;
use crate::stamp::Stamp;
use crate::walk::{FileEntry, Inclusion, Masking, name_rules};

/// Default maximum size in bytes. Larger source files are nearly always data or generated; they are not read.
pub const DEFAULT_MAX_FILE_SIZE: u64 = 1 << 20;

/// Maximum size of a customisation file of a team, in bytes: some thousand issues.
const MAX_CUSTOMISATION: u64 = 8 << 20;

/// Number of bytes searched for a NUL byte, as in git: enough for the header of every binary format.
const SNIFF_BYTES: usize = 8 << 10;

/// Accepted texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of a file, in bytes. For a notebook it applies to the text without outputs; the file may be 16
    /// times as large.
    pub max_file_size: u64,
    /// Whether to accept minified text.
    pub keep_minified: bool,
    /// Whether to accept generated text.
    pub keep_generated: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_file_size: DEFAULT_MAX_FILE_SIZE, keep_minified: false, keep_generated: false }
    }
}

/// The encoding of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// UTF-8: offsets in the text are offsets in the file.
    #[default]
    Utf8,
    /// UTF-8 with a byte order mark of three bytes, which is not part of the text.
    Utf8Bom,
    /// UTF-16, little-endian, with a byte order mark. Offsets in the text are not offsets in the file.
    Utf16Le,
    /// UTF-16, big-endian, with a byte order mark. Offsets in the text are not offsets in the file.
    Utf16Be,
    /// UTF-8 with invalid bytes; each run becomes a replacement character in the text. Offsets in the text are not
    /// offsets in the file.
    Utf8Broken,
    /// A detected older encoding, by its name in the WHATWG's standard (`windows-1252`). Offsets in the text are not
    /// offsets in the file.
    Detected(&'static str),
}

impl Encoding {
    /// Whether the file begins with a byte order mark, which is not part of the text; editors do not count it either.
    pub const fn bom(self) -> bool {
        !matches!(self, Self::Utf8 | Self::Utf8Broken | Self::Detected(_))
    }

    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf8Bom => "UTF-8 with a byte order mark",
            Self::Utf16Le => "UTF-16, low byte first",
            Self::Utf16Be => "UTF-16, high byte first",
            Self::Utf8Broken => "UTF-8 with broken bytes, which are replaced",
            Self::Detected(name) => name,
        }
    }
}

/// The text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text without a byte order mark, with secrets masked and line ends unchanged.
    pub text: String,
    /// The encoding of the file.
    pub encoding: Encoding,
    /// The stamp of the open file. Unlike the stamp of the walk it is certain to belong to this content or an older
    /// one.
    pub stamp: Stamp,
    /// Number of masked secrets.
    pub masked: u32,
}

/// Reads a file returned by a walk below `root`. Follows no link, even if one has replaced a directory since.
pub fn read(root: &Root, file: &FileEntry, limits: &Limits) -> Result<Text, SkipReason> {
    let limits = &limits_of(&file.path, limits);
    let most = max_file_bytes(&file.path, limits.max_file_size);
    check_size(file.stamp.size, most)?;
    let (bytes, stamp) = read_bytes(root, &file.path, most)?;
    let (text, encoding) = decode(bytes)?;
    let mut text = readable_within(&file.path, text, limits.max_file_size)?;
    if file.inclusion == Inclusion::Default {
        check_handwritten(&file.path, &text, limits)?;
    }
    let masked = match file.masking {
        Masking::On => mask(&file.path, &mut text)?,
        Masking::Off => 0,
    };
    Ok(Text { text, encoding, stamp, masked })
}

/// The limits for a file. Customisation files of a team are read on purpose: exports have long lines and may be larger.
fn limits_of(path: &str, limits: &Limits) -> Limits {
    match path.starts_with(CUSTOMISATION_FOLDER) {
        true => Limits {
            max_file_size: limits.max_file_size.max(MAX_CUSTOMISATION),
            keep_minified: true,
            keep_generated: true,
        },
        false => limits.clone(),
    }
}

fn check_handwritten(path: &str, text: &str, limits: &Limits) -> Result<(), SkipReason> {
    if let Some(why) = (!limits.keep_minified).then(|| handwritten::minified(path, text)).flatten()
    {
        return Err(SkipReason::Minified { why });
    }
    if let Some(why) = (!limits.keep_generated).then(|| handwritten::generated(text)).flatten() {
        return Err(SkipReason::Generated { why });
    }
    Ok(())
}

/// Masks the secrets in the text of a file and returns their number. A file that is only a secret is skipped.
fn mask(path: &str, text: &mut String) -> Result<u32, SkipReason> {
    if name_rules::extension(path) == "json" && secret::is_service_account(text) {
        return Err(SkipReason::Secret { rule: "the key of a service account" });
    }
    Ok(secret::mask(text) as u32)
}

/// Reads a file named by a user, following links. Only its size can exclude it: callers [`admit`](crate::admit) its name.
/// Returns a notebook as JSON.
pub fn read_named(
    path: &Path,
    most: u64,
    masking: Masking,
) -> Result<(String, Encoding), SkipReason> {
    let metadata = path.metadata().map_err(|error| SkipReason::unreadable(&error))?;
    if metadata.is_dir() {
        return Err(SkipReason::unreadable(&io::ErrorKind::IsADirectory.into()));
    }
    if !metadata.is_file() {
        return Err(SkipReason::SpecialFile);
    }
    let file = open_regular(path).map_err(|error| SkipReason::unreadable(&error))?;
    check_size(metadata.len(), most)?;
    let (text, encoding) = decode(bytes_of(file, metadata.len(), most)?)?;
    Ok((masking.apply(text), encoding))
}

/// Reads a file of a workspace named by a user, relative to the root. Only its size can exclude it: callers
/// [`admit`](crate::admit) its name. Follows no link.
pub fn read_below(
    root: &Root,
    path: &str,
    most: u64,
    masking: Masking,
) -> Result<(String, Encoding), SkipReason> {
    let (bytes, _) = read_bytes(root, path, max_file_bytes(path, most))?;
    let (text, encoding) = decode(bytes)?;
    Ok((masking.apply(readable_within(path, text, most)?), encoding))
}

/// Like [`read_below`], but returns a notebook as JSON, as [`read_named`] does.
pub fn read_as_stored(
    root: &Root,
    path: &str,
    most: u64,
    masking: Masking,
) -> Result<(String, Encoding), SkipReason> {
    let (text, encoding) = decode(read_bytes(root, path, most)?.0)?;
    Ok((masking.apply(text), encoding))
}

/// The text for display and indexing: the code of a notebook's cells, line by line, instead of its JSON; likewise for
/// exports of issues in a team's customisation folder.
pub fn readable(path: &str, text: String) -> String {
    if path.starts_with(CUSTOMISATION_FOLDER)
        && matches!(&*name_rules::extension(path), "json" | "jsonl" | "ndjson")
    {
        return readable_export(&text).unwrap_or(text);
    }
    is_notebook(path).then(|| foreword_chunk::notebook_text(&text)).flatten().unwrap_or(text)
}

/// Like [`readable`], but fails above `most` bytes.
fn readable_within(path: &str, text: String, most: u64) -> Result<String, SkipReason> {
    let text = readable(path, text);
    if is_notebook(path) {
        check_size(text.len() as u64, most)?;
    }
    Ok(text)
}

fn is_notebook(path: &str) -> bool {
    name_rules::extension(path) == "ipynb"
}

/// Maximum ratio between a notebook file and its code: a few images may be many times as large.
const MAX_NOTEBOOK_RATIO: u64 = 16;

/// Maximum size of a file whose readable text has at most `most` bytes.
pub(crate) fn max_file_bytes(path: &str, most: u64) -> u64 {
    if is_notebook(path) { most.saturating_mul(MAX_NOTEBOOK_RATIO) } else { most }
}

/// Decodes `bytes`: UTF-8 with or without a byte order mark, UTF-16 with one, UTF-8 with a few broken bytes, else a
/// detected older encoding.
pub fn decode(mut bytes: Vec<u8>) -> Result<(String, Encoding), SkipReason> {
    match bytes.as_slice() {
        // The byte order mark of UTF-32 begins like that of UTF-16.
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Err(not_text("UTF-32")),
        [0xff, 0xfe, rest @ ..] => Ok((utf16(rest, u16::from_le_bytes)?, Encoding::Utf16Le)),
        [0xfe, 0xff, rest @ ..] => Ok((utf16(rest, u16::from_be_bytes)?, Encoding::Utf16Be)),
        all if has_early_nul(all) => Err(SkipReason::Binary),
        [0xef, 0xbb, 0xbf, ..] => {
            bytes.drain(..3);
            Ok((utf8(bytes)?, Encoding::Utf8Bom))
        }
        _ => utf8_or_detected(bytes),
    }
}

fn check_size(size: u64, limit: u64) -> Result<(), SkipReason> {
    if size > limit { Err(SkipReason::TooLarge { size, limit }) } else { Ok(()) }
}

/// The bytes of a file, and its stamp from before the first read.
fn read_bytes(root: &Root, path: &str, most: u64) -> Result<(Vec<u8>, Stamp), SkipReason> {
    let file = root.file(path, most).map_err(|error| SkipReason::unreadable(&error))?;
    check_size(file.size, most)?;
    Ok((bytes_of(file.bytes, file.size, most)?, file.stamp))
}

/// The bytes of an open file of about `size` bytes; fails above `most`.
fn bytes_of(mut file: impl Read, size: u64, most: u64) -> Result<Vec<u8>, SkipReason> {
    let mut bytes = Vec::with_capacity(size as usize + 1);
    // The first bytes suffice to reject most binaries. `decode` checks again for callers that have bytes.
    file.by_ref()
        .take(SNIFF_BYTES as u64)
        .read_to_end(&mut bytes)
        .map_err(|error| SkipReason::unreadable(&error))?;
    if !is_utf16(&bytes) && has_early_nul(&bytes) {
        return Err(SkipReason::Binary);
    }
    // A log may grow during the read.
    let left = most.saturating_add(1).saturating_sub(bytes.len() as u64);
    file.take(left).read_to_end(&mut bytes).map_err(|error| SkipReason::unreadable(&error))?;
    check_size(bytes.len() as u64, most)?;
    Ok(bytes)
}

fn is_utf16(bytes: &[u8]) -> bool {
    matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..])
}

fn has_early_nul(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(SNIFF_BYTES)].contains(&0)
}

fn utf8(bytes: Vec<u8>) -> Result<String, SkipReason> {
    String::from_utf8(bytes).map_err(|error| {
        not_text(&format!("invalid UTF-8 at byte {}", error.utf8_error().valid_up_to()))
    })
}

fn utf8_or_detected(bytes: Vec<u8>) -> Result<(String, Encoding), SkipReason> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok((text, Encoding::Utf8)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            if let Some(text) = detect::mostly_utf8(error.as_bytes()) {
                return Ok((text, Encoding::Utf8Broken));
            }
            let (text, name) = detect::decode(error.as_bytes())
                .ok_or_else(|| not_text(&format!("invalid UTF-8 at byte {at}")))?;
            Ok((text, Encoding::Detected(name)))
        }
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, SkipReason> {
    let (units, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(not_text("UTF-16 of an odd length"));
    }
    let text: String = char::decode_utf16(units.iter().map(|pair| unit(*pair)))
        .collect::<Result<_, _>>()
        .map_err(|_| not_text("invalid UTF-16"))?;
    // Some binary formats begin like a byte order mark.
    if has_early_nul(text.as_bytes()) { Err(SkipReason::Binary) } else { Ok(text) }
}

fn not_text(why: &str) -> SkipReason {
    SkipReason::NotText { why: why.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(bytes: &[u8], expect: Result<(&str, Encoding), &str>) {
        let decoded = decode(bytes.to_vec());
        match expect {
            Ok((text, encoding)) => assert_eq!(decoded, Ok((text.to_string(), encoding))),
            Err(message) => assert_eq!(decoded.unwrap_err().to_string(), message),
        }
    }

    #[test]
    fn marks_are_not_part_of_the_text() {
        check(b"a\r\n", Ok(("a\r\n", Encoding::Utf8)));
        check(b"\xef\xbb\xbfa", Ok(("a", Encoding::Utf8Bom)));
        check(b"\xff\xfea\0\xe9\0", Ok(("a\u{e9}", Encoding::Utf16Le)));
        check(b"\xfe\xff\0a\xd8\x3d\xde\x00", Ok(("a\u{1f600}", Encoding::Utf16Be)));
    }

    #[test]
    fn what_is_no_text_says_what_it_is() {
        check(b"a\0b", Err("binary"));
        check(b"caf\xe9\x01\x02", Err("not text: invalid UTF-8 at byte 3"));
        check(b"\xff\xfea", Err("not text: UTF-16 of an odd length"));
        check(b"\xff\xfe\x00\xd8", Err("not text: invalid UTF-16"));
        check(b"\xff\xfe\0\0a\0\0\0", Err("not text: UTF-32"));
    }

    #[test]
    fn an_empty_file_is_an_empty_text() {
        check(b"", Ok(("", Encoding::Utf8)));
    }

    #[test]
    fn a_nul_far_into_a_text_is_text() {
        let mut bytes = vec![b'a'; SNIFF_BYTES];
        bytes.push(0);
        assert!(decode(bytes).is_ok());
    }

    proptest! {
        #[test]
        fn any_bytes_are_text_or_have_a_reason(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok((text, Encoding::Utf8)) = decode(bytes.clone()) {
                prop_assert_eq!(text.as_bytes(), &bytes[..]);
            }
        }

        #[test]
        fn utf_16_gives_back_the_text(text in "[^\0]{0,50}") {
            let bytes: Vec<u8> = std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
            prop_assert_eq!(decode(bytes), Ok((text, Encoding::Utf16Le)));
        }
    }
}
