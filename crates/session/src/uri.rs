//! `file:` URIs and their paths, by the rules of the platform (the `url` crate), and percent-encoding of single names.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use url::Url;

/// The characters that [`encode`] leaves as they are, besides letters and digits.
const UNRESERVED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The path of a `file:` URI; `None` for any other text, for a file on another host, and for a path that is not UTF-8.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let url = Url::parse(uri).ok().filter(|it| it.scheme() == "file")?;
    url.to_file_path().ok().filter(|it| it.to_str().is_some())
}

/// The `file:` URI of a path.
pub fn of_path(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // Some paths have no URI, such as a device of Windows.
    let unnamed = |()| format!("file:///{}", encode(&path.to_string_lossy()));
    Url::from_file_path(dunce::simplified(&absolute)).map_or_else(unnamed, String::from)
}

/// Escapes all characters with a meaning in URIs, except slashes.
pub fn encode(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

/// Unescapes a text; `None` if it is not UTF-8.
pub fn decode(text: &str) -> Option<String> {
    Some(percent_decode_str(text).decode_utf8().ok()?.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, uri: &str) {
        assert_eq!(of_path(Path::new(path)), uri);
        assert_eq!(path_of(uri), Some(path.into()));
    }

    #[cfg(unix)]
    #[test]
    fn a_path_and_its_uri_are_turned_into_each_other() {
        check("/a/b.py", "file:///a/b.py");
        check("/with space/100%.py", "file:///with%20space/100%25.py");
        check("/\u{fc}/\u{1f600}.py", "file:///%C3%BC/%F0%9F%98%80.py");
        check("/#/?q", "file:///%23/%3Fq");
        check("/app/[id]/(group)/a+b@c.tsx", "file:///app/[id]/(group)/a+b@c.tsx");
    }

    #[cfg(unix)]
    #[test]
    fn uris_of_clients_are_understood() {
        assert_eq!(path_of("file:///a%20b/%5Bid%5D.tsx"), Some("/a b/[id].tsx".into()));
        assert_eq!(path_of("file:///a/%2541.py"), Some("/a/%41.py".into()));
        assert_eq!(path_of("file:///a/\u{fc}.py"), Some("/a/\u{fc}.py".into()));
        assert_eq!(path_of("file://localhost/a.py"), Some("/a.py".into()));
        assert_eq!(path_of("file:/a.py"), Some("/a.py".into()));
    }

    #[test]
    fn what_is_no_uri_of_a_file_here_has_no_path() {
        for uri in ["untitled:Untitled-1", "a.py", "https://a.b/c.py", "file:///%ff", ""] {
            assert_eq!(path_of(uri), None, "{uri}");
        }
        assert_eq!(path_of("C:\\a.py"), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_on_another_host_is_not_taken_for_one_of_this_machine() {
        assert_eq!(path_of("file://server/share/a.py"), None);
    }

    // The `url` crate follows the rules of its target platform, so these run on Windows only.
    #[cfg(windows)]
    #[test]
    fn drive_letters_and_shares_are_turned_into_uris_and_back() {
        check(r"C:\a b\c.py", "file:///C:/a%20b/c.py");
        check(r"\\server\share\a.py", "file://server/share/a.py");
        assert_eq!(of_path(Path::new(r"\\?\C:\a.py")), "file:///C:/a.py");
        assert_eq!(of_path(Path::new(r"\\?\UNC\server\share\a.py")), "file://server/share/a.py");
        // As VS Code writes it.
        assert_eq!(path_of("file:///c%3A/a.py"), Some(r"c:\a.py".into()));
    }
}
