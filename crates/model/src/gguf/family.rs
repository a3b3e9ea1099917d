//! Detects the prompt format of a model by the metadata of its file.

use std::path::Path;

use foreword_engine::compose::Format;
use llama_cpp_2::model::LlamaModel;

use super::error::GgufError;
use super::tokens::Tokens;

/// What a file may call its model, the most telling first.
const NAMES: [&str; 4] = [
    "general.name",
    "general.basename",
    "general.base_model.0.name",
    // `starcoder2` and a few more are architectures of one family.
    "general.architecture",
];

/// What the model is called: by the file's metadata, and by the file's own name.
pub(super) fn names(model: &LlamaModel, path: &Path) -> Vec<String> {
    let file = path.file_stem().map(|it| it.to_string_lossy().into_owned());
    let [name, rest @ ..] = NAMES.map(|it| model.meta_val_str(it).ok());
    let all = [name, file].into_iter().chain(rest).flatten();
    let mut res: Vec<String> = Vec::new();
    for it in all.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()) {
        if !res.contains(&it) {
            res.push(it);
        }
    }
    res
}

/// The format that is named, else that of the first name that is known; the model must have its tokens.
pub(super) fn format(
    tokens: &Tokens,
    path: &Path,
    named: Option<&str>,
) -> Result<&'static Format, GgufError> {
    let own = names(tokens.model(), path);
    let asked = match named {
        Some(name) => vec![name.to_owned()],
        None => own,
    };
    let known = |it: &String| {
        let by_format = named.and_then(Format::named);
        by_format.or_else(|| Format::of_model(it))
    };
    let Some(format) = asked.iter().find_map(known) else {
        let (path, names) = (path.to_owned(), asked.join(", "));
        return Err(GgufError::UnknownFormat { path, names, could: could(tokens) });
    };
    match missing(tokens, format) {
        None => Ok(format),
        Some(token) => {
            let (path, format) = (path.to_owned(), format.name);
            Err(GgufError::NoSuchToken { path, format, token, could: could(tokens) })
        }
    }
}

/// The first token that the format writes and the model has not.
fn missing(tokens: &Tokens, format: &'static Format) -> Option<&'static str> {
    format.marks().into_iter().find(|it| !tokens.has(it))
}

/// The formats whose tokens the model has.
fn could(tokens: &Tokens) -> String {
    let has = |it: &&'static Format| !it.marks().is_empty() && missing(tokens, it).is_none();
    let all: Vec<&str> = Format::ALL.iter().filter(has).map(|it| it.name).collect();
    if all.is_empty() { "none that foreword knows".to_owned() } else { all.join(", ") }
}
