//! Cells of notebooks, each of which an editor opens as a document of its own.
//!
//! A cell is treated as an unsaved file beside its notebook, named for its language, that begins with the cells before it.

use std::path::PathBuf;

/// The scheme of a cell in VS Code.
const CELL: &str = "vscode-notebook-cell";

/// The notebook of a cell, and the number that its editor gave the cell; `None` for any other document.
///
/// VS Code numbers the cells of a notebook as they are made: `vscode-notebook-cell:/a/b.ipynb#W2sZmlsZQ%3D%3D` is the third.
pub(super) fn cell(uri: &str) -> Option<(&str, u32)> {
    let (notebook, fragment) = uri.strip_prefix(CELL)?.split_once('#')?;
    let digits = fragment.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    Some((notebook, digits[..end].parse().unwrap_or(u32::MAX)))
}

/// The path of a document; that of a cell, or of a notebook that an editor shows as code, ends as a file of its language.
pub(super) fn path_of(uri: &str, language: &str) -> Option<PathBuf> {
    let Some((notebook, number)) = cell(uri) else {
        let path = foreword_session::uri::path_of(uri)?;
        let is_notebook = path.extension().is_some_and(|it| it == "ipynb");
        return Some(match extension(language).filter(|_| is_notebook) {
            Some(extension) => path.with_extension(extension),
            None => path,
        });
    };
    let path = foreword_session::uri::path_of(&format!("file{notebook}"))?;
    let extension = extension(language).unwrap_or("txt");
    Some(path.with_extension(format!("cell-{number}.{extension}")))
}

/// The ending of files in a language of notebooks, by its identifier in the protocol.
fn extension(language: &str) -> Option<&'static str> {
    Some(match language {
        "python" => "py",
        "r" => "r",
        "julia" => "jl",
        "javascript" => "js",
        "typescript" => "ts",
        "csharp" => "cs",
        "java" => "java",
        "kotlin" => "kt",
        "scala" => "scala",
        "rust" => "rs",
        "go" => "go",
        "sql" => "sql",
        "shellscript" => "sh",
        "powershell" => "ps1",
        "markdown" => "md",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_cell_is_a_file_of_its_language_beside_the_notebook() {
        let path =
            |uri: &str, language: &str| path_of(uri, language).unwrap().display().to_string();
        let uri = "vscode-notebook-cell:/a%20b/c.ipynb#W2sZmlsZQ%3D%3D";
        assert_eq!(path(uri, "python"), "/a b/c.cell-2.py");
        assert_eq!(
            path("vscode-notebook-cell:///a/c.ipynb#X10sZmlsZQ%3D%3D", "r"),
            "/a/c.cell-10.r"
        );
        assert_eq!(path("file:///a/c.ipynb", "python"), "/a/c.py");
        assert_eq!(path("file:///a/c.ipynb", "json"), "/a/c.ipynb");
        assert_eq!(path("file:///a/c.py", "x"), "/a/c.py");
        assert_eq!(path_of("vscode-notebook-cell://ssh-remote/a/c.ipynb#W0", "python"), None);
        assert_eq!(path_of("untitled:Untitled-1", "python"), None);
    }
}
