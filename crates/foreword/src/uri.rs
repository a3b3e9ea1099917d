//! `file:` URIs and the paths they mean.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What stands for itself in the path of a URI.
const KEPT: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The path that a `file:` URI means; `None` for any other text.
pub(crate) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file:")?;
    let path = match rest.strip_prefix("//") {
        // The host, if one is named, is this machine: there is no other that we could read.
        Some(rest) => &rest[rest.find('/')?..],
        None => rest,
    };
    let path = decode(path)?;
    // `/c:/x` is a path of Windows behind a slash.
    let is_drive = path.as_bytes().get(2) == Some(&b':') && path.starts_with('/');
    Some(if is_drive && cfg!(windows) { path[1..].into() } else { path.into() })
}

/// The `file:` URI of an absolute path.
pub(crate) fn of_path(path: &Path) -> String {
    let path = path.to_string_lossy().replace('\\', if cfg!(windows) { "/" } else { "\\" });
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", encode(&path))
}

/// A text with everything escaped that has a meaning of its own in a URI; slashes stay.
pub(crate) fn encode(text: &str) -> String {
    utf8_percent_encode(text, KEPT).to_string()
}

/// The text that was escaped; `None` when it is no UTF-8.
pub(crate) fn decode(text: &str) -> Option<String> {
    Some(percent_decode_str(text).decode_utf8().ok()?.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_comes_back_from_its_uri() {
        for path in ["/a/b.py", "/with space/100%/ü\u{1f600}.py", "/#/?q"] {
            assert_eq!(path_of(&of_path(Path::new(path))), Some(path.into()), "{path}");
        }
    }

    #[test]
    fn uris_of_clients_are_understood() {
        assert_eq!(path_of("file:///a%20b/c.py"), Some("/a b/c.py".into()));
        assert_eq!(path_of("file://localhost/a.py"), Some("/a.py".into()));
        assert_eq!(path_of("file:/a.py"), Some("/a.py".into()));
        assert_eq!(path_of("untitled:Untitled-1"), None);
        assert_eq!(path_of("a.py"), None);
        assert_eq!(path_of("file:///%ff"), None);
    }
}
