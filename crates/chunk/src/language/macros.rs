//! Macros used by the table entries.

/// A function that returns the grammar if its feature is on.
macro_rules! grammar {
    ($feature:literal, $grammar:path) => {{
        fn grammar() -> Option<tree_sitter::Language> {
            #[cfg(feature = $feature)]
            return Some($grammar.into());
            #[cfg(not(feature = $feature))]
            None
        }
        grammar
    }};
}

/// An array of words written without commas.
macro_rules! words {
    ($($word:literal)*) => { &[$($word),*] };
}

/// The query files in these folders.
macro_rules! queries {
    ($($folder:literal),*) => {
        &[$(
            include_str!(concat!("../../queries/", $folder, "/tags.scm")),
            include_str!(concat!("../../queries/", $folder, "/imports.scm")),
        )*]
    };
}
