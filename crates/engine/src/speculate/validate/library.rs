//! Names of standard libraries and common packages, which a forecast may be the first of its repository to use.

use std::sync::LazyLock;

/// The names that at least three of 61 public repositories call or access, sorted, one a line (`train/library_names`).
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| include_str!("library.txt").lines().collect());

/// The names of standard libraries that at least two of 104 public repositories use, without those above, sorted, one a line.
static STANDARD: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("standard.txt").lines().collect());

/// Whether code of many repositories uses a name, or a standard library has it.
pub(super) fn is_library_name(name: &str) -> bool {
    NAMES.binary_search(&name).is_ok() || STANDARD.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_libraries_are_found_and_others_are_not() {
        assert!(NAMES.is_sorted() && STANDARD.is_sorted());
        for name in ["utf8", "ValueOf", "raise_for_status", "strncmp", "to_s", "buildString"] {
            assert!(is_library_name(name), "{name}");
        }
        assert!(!is_library_name("frobnicate") && !is_library_name(""));
    }
}
