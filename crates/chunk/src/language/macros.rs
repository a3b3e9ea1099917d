//! The macros in which the entries of the table are written.

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

/// Words as an array, without the commas.
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
