//! The files to measure, and a bare parser for them.

use std::path::Path;

use foreword_chunk::Language;
use tree_sitter::Parser;

pub(crate) struct Corpus {
    pub(crate) files: Vec<Vec<u8>>,
    pub(crate) language: Language,
    pub(crate) parser: Parser,
}

/// Reads the files of the command line: `DIRECTORY EXTENSION [EXCLUDED-FOLDER…]`.
pub(crate) fn corpus() -> Option<Corpus> {
    let mut args = std::env::args().skip(1);
    let (Some(root), Some(extension)) = (args.next(), args.next()) else {
        println!("usage: DIRECTORY EXTENSION [EXCLUDED-FOLDER…]");
        return None;
    };
    let Some((language, grammar)) = language(&extension) else {
        println!("no grammar here for .{extension}");
        return None;
    };
    let mut parser = Parser::new();
    parser.set_language(&grammar).expect("the grammar fits the library");
    let mut files = Vec::new();
    collect(Path::new(&root), &extension, &args.collect::<Vec<_>>(), &mut files);
    Some(Corpus { files, language, parser })
}

fn language(extension: &str) -> Option<(Language, tree_sitter::Language)> {
    match extension {
        #[cfg(feature = "python")]
        "py" => Some((Language::Python, tree_sitter_python::LANGUAGE.into())),
        #[cfg(feature = "rust")]
        "rs" => Some((Language::Rust, tree_sitter_rust::LANGUAGE.into())),
        #[cfg(feature = "javascript")]
        "js" => Some((Language::JavaScript, tree_sitter_javascript::LANGUAGE.into())),
        #[cfg(feature = "c")]
        "c" => Some((Language::C, tree_sitter_c::LANGUAGE.into())),
        _ => None,
    }
}

fn collect(path: &Path, extension: &str, excluded: &[String], files: &mut Vec<Vec<u8>>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(path).into_iter().flatten().flatten().map(|it| it.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !path.is_symlink() && !excluded.contains(&name) {
            collect(&path, extension, excluded, files);
        } else if path.extension().is_some_and(|it| it == extension) {
            files.extend(std::fs::read(&path));
        }
    }
}
