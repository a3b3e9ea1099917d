//! The outline of a file, and a file as a definition of its own.

use foreword_chunk::{Import, Kind, Language, LineIndex, Span};
use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::retrieve;

use super::precise::{Site, Source};
use super::{Definition, OpenFile, Use, one_line, shown};

/// The definitions and imports of a file.
pub struct Outline {
    /// The name of the language, if it is known.
    pub language: Option<&'static str>,
    /// The imports, each on one line.
    pub imports: Vec<String>,
    /// The definitions, in order.
    pub definitions: Vec<Definition>,
}

/// The outline of a file.
pub fn outline(snapshot: &Snapshot, file: FileId) -> Outline {
    let open = OpenFile::new(snapshot, file);
    let symbols = &open.record.symbols;
    let import = |it: &Import| one_line(it.span.of(&open.text));
    Outline {
        language: open.record.language.map(Language::name),
        imports: symbols.imports.iter().map(import).collect(),
        definitions: (0..symbols.definitions.len() as u32)
            .filter_map(|idx| open.definition(idx))
            .collect(),
    }
}

/// Where a component or template is used as a whole; none for other files.
pub fn uses_of_file(snapshot: &Snapshot, file: FileId) -> Vec<Use> {
    if !retrieve::is_whole(snapshot, file) {
        return Vec::new();
    }
    let users = retrieve::users_of_file(snapshot, file, &|_| true);
    shown(snapshot, &users.iter().map(Site::of_file).collect::<Vec<_>>())
}

/// The definition that a file is as a whole.
pub(super) fn whole_file(snapshot: &Snapshot, file: FileId, name: &str) -> Definition {
    let text = snapshot.text(file);
    let path = snapshot.path(file);
    let is_partial = path.rsplit('/').next().is_some_and(|it| it.starts_with('_'));
    let what = match snapshot.language(file) {
        Some(Language::Vue | Language::Svelte | Language::Astro) => "component",
        Some(Language::Erb) if is_partial => "partial template",
        Some(it) if it.is_code() => "file",
        _ => "template",
    };
    Definition {
        path: path.to_owned(),
        start_line: 1,
        end_line: LineIndex::new(text.as_bytes()).count(),
        symbol: name.to_owned(),
        kind: Kind::Class,
        signature: format!("{what} {name}"),
        depth: 0,
        span: Span::new(0, text.len()),
        source: Source::Syntax,
        site: None,
        fact: None,
        whole: Some(file),
    }
}

#[cfg(test)]
mod tests {
    use foreword_engine::index::IndexConfig;
    use foreword_engine::source::Source as File;

    use super::*;

    #[test]
    fn a_template_is_used_where_a_string_names_it_and_other_files_are_not() {
        let file = |(path, text): (&str, &str)| File { path: path.into(), text: text.into() };
        let files = [
            ("shop/views.py", "def item(request):\n    return render(request, 'shop/item.html')\n"),
            ("shop/templates/shop/item.html", "<p>a</p>\n"),
        ];
        let sources = files.into_iter().map(file).collect();
        let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
        let uses = |path| uses_of_file(&snapshot, snapshot.file(path).unwrap());
        let found = uses("shop/templates/shop/item.html");
        assert_eq!(found.len(), 1);
        assert_eq!(
            (&*found[0].path, found[0].line, &*found[0].symbol),
            ("shop/views.py", 2, "item")
        );
        assert!(uses("shop/views.py").is_empty());
    }
}
