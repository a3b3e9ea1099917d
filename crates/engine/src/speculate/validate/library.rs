//! Names of standard libraries and common packages, which a forecast may be the first of its repository to use.

use std::sync::LazyLock;

use foreword_chunk::Language;

use crate::preset::constants::speculate::{FEWEST_LETTERS_OF_A_LIBRARY, FILTER_HASHES};

/// The names that at least three of 61 public repositories call or access, sorted, one a line (`train/library_names`).
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| include_str!("library.txt").lines().collect());

/// A Bloom filter of the 135,000 names that the standard libraries of fifteen languages declare (`train/library_names`).
/// It takes one in a hundred other names for one of them. As a list they would be eight times as long.
static STANDARD: &[u8] = include_bytes!("standard.bin");

/// Whether code of many repositories uses a name, or the language's standard library declares it, or its compiler has it
/// built in.
pub(super) fn is_library_name(language: Language, name: &str) -> bool {
    NAMES.binary_search(&name).is_ok()
        || is_reserved(language, name)
        || name.len() >= FEWEST_LETTERS_OF_A_LIBRARY
            && libraries(language).iter().any(|it| declares(it, name))
}

/// Whether a name has the form that a language reserves for itself: `__fspath__` in Python, `__builtin_ctz` in C.
fn is_reserved(language: Language, name: &str) -> bool {
    match language {
        Language::Python => name.len() > 4 && name.starts_with("__") && name.ends_with("__"),
        Language::C | Language::Cpp => {
            ["__builtin_", "__sync_", "__atomic_"].iter().any(|it| name.starts_with(it))
        }
        _ => false,
    }
}

/// The standard libraries that code of a language can use, as the filter names them.
fn libraries(language: Language) -> &'static [&'static str] {
    match language {
        Language::C => &["c"],
        Language::Cpp => &["cpp", "c"],
        Language::CSharp => &["csharp"],
        Language::JavaScript | Language::TypeScript | Language::Tsx => &["ecmascript"],
        Language::Elixir => &["elixir"],
        Language::Go => &["go"],
        Language::Haskell => &["haskell"],
        Language::Java => &["java"],
        Language::Kotlin => &["kotlin", "java"],
        Language::Php | Language::Blade => &["php"],
        Language::Python => &["python"],
        Language::Ruby => &["ruby"],
        Language::Rust => &["rust"],
        Language::Scala => &["scala", "java"],
        Language::Swift => &["swift"],
        _ => &[],
    }
}

/// Whether the filter has a name of a library: the bits of FNV-1a of both, by double hashing with its two halves.
fn declares(library: &str, name: &str) -> bool {
    let bytes = library.bytes().chain([b':']).chain(name.bytes());
    let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, it| {
        (hash ^ u64::from(it)).wrapping_mul(0x100_0000_01B3)
    });
    let (low, high) = (hash & 0xFFFF_FFFF, hash >> 32 | 1);
    let bits = STANDARD.len() as u64 * 8;
    (0..FILTER_HASHES).all(|it| {
        let bit = (low + it * high) % bits;
        STANDARD[(bit / 8) as usize] & 1 << (bit % 8) != 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_libraries_are_found_and_others_are_not() {
        assert!(NAMES.is_sorted());
        for (language, name) in [
            (Language::Lua, "utf8"),
            (Language::C, "strncmp"),
            (Language::Cpp, "strncmp"),
            (Language::C, "__builtin_ctz"),
            (Language::Kotlin, "buildString"),
            (Language::Python, "__fspath__"),
            (Language::Ruby, "dummy?"),
            (Language::Tsx, "MutationRecord"),
            (Language::Php, "localeconv"),
            (Language::Rust, "is_some_and"),
        ] {
            assert!(is_library_name(language, name), "{} {name}", language.name());
        }
        assert!(!is_library_name(Language::C, "frobnicate"));
        assert!(!is_library_name(Language::Python, "MutationRecord"));
        assert!(!is_library_name(Language::Python, "____"));
        assert!(!is_library_name(Language::C, ""));
    }

    #[test]
    fn the_filter_takes_few_other_names_for_those_of_libraries() {
        let taken = (0..10_000).filter(|it| declares("go", &format!("name{it}"))).count();
        assert!(taken < 150, "{taken}");
    }
}
