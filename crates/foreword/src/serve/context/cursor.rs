//! The engine's cursor for a request, in the located file or in a file of the client's text alone.

use std::path::{Component, Path};

use foreword_engine::scope::Cursor;
use foreword_session::host::large_text;

use super::finder::FileMatch;
use crate::serve::protocols::request::ClientRequest;

/// The cursor in the located file, or in a file made of the client's text; cut to the lines around it if the text has
/// more than `limit` bytes.
pub(super) fn cursor(request: &ClientRequest, found: Option<FileMatch>, limit: usize) -> Cursor {
    let (path, text, offset) = match found {
        Some(it) => (it.path, it.text, it.offset),
        None => {
            let text = format!("{}{}", request.prefix, request.suffix);
            (untitled(request), text, request.prefix.len())
        }
    };
    let offset = text.floor_char_boundary(offset);
    let (text, offset) = large_text::analysable(&text, offset, limit);
    Cursor::new(path, text, offset).expect("the offset is a character boundary of the text")
}

/// A path for a text of an unknown file: the client's own if it is below the root, else one with the language's
/// extension.
fn untitled(request: &ClientRequest) -> String {
    let name = request.file.as_deref().unwrap_or_default().replace('\\', "/");
    let is_below_root = !name.is_empty()
        && !name.contains(':')
        && Path::new(&name).components().all(|it| matches!(it, Component::Normal(_)));
    if is_below_root {
        return name;
    }
    let last = name.rsplit('/').next().filter(|it| it.contains('.') && !it.contains(':'));
    if let Some(extension) = last.and_then(|it| it.rsplit_once('.')) {
        return format!("untitled.{}", extension.1);
    }
    let extension = request.language.as_deref().and_then(extension);
    extension.map_or_else(|| "untitled".to_owned(), |it| format!("untitled.{it}"))
}

/// The file extension of a language by its identifier in editors.
fn extension(language: &str) -> Option<&'static str> {
    Some(match language.to_ascii_lowercase().as_str() {
        "python" => "py",
        "rust" => "rs",
        "javascript" | "javascriptreact" => "js",
        "typescript" => "ts",
        "typescriptreact" => "tsx",
        "go" => "go",
        "java" => "java",
        "kotlin" => "kt",
        "c" => "c",
        "cpp" => "cpp",
        "csharp" => "cs",
        "ruby" => "rb",
        "php" => "php",
        "swift" => "swift",
        "scala" => "scala",
        "lua" => "lua",
        "shellscript" | "bash" | "sh" => "sh",
        _ => return None,
    })
}
