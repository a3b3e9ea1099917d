//! Detects the prompt format of a model from its file's metadata.

use std::path::Path;

use foreword_engine::compose::Format;
use llama_cpp_2::model::LlamaModel;

use super::error::GgufError;
use super::tokens::Tokens;

/// Metadata keys with the model's name, most specific first.
const NAMES: [&str; 4] = [
    "general.name",
    "general.basename",
    "general.base_model.0.name",
    // `starcoder2` and a few others are architectures of a single family.
    "general.architecture",
];

/// Names of the model: from the metadata, and the file name.
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

/// The given format, else that of the first known name; the model must have its tokens.
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
        return Err(GgufError::UnknownFormat { path, names, could: compatible_formats(tokens) });
    };
    match missing(tokens, format) {
        None => Ok(format),
        Some(token) => {
            let (path, format) = (path.to_owned(), format.name);
            Err(GgufError::NoSuchToken { path, format, token, could: compatible_formats(tokens) })
        }
    }
}

/// The first token of the format that the model lacks.
fn missing(tokens: &Tokens, format: &'static Format) -> Option<&'static str> {
    format.marks().into_iter().find(|it| !tokens.has(it))
}

/// The formats whose tokens the model has.
fn compatible_formats(tokens: &Tokens) -> String {
    let has = |it: &&'static Format| !it.marks().is_empty() && missing(tokens, it).is_none();
    let all: Vec<&str> = Format::ALL.iter().filter(has).map(|it| it.name).collect();
    if all.is_empty() { "no known format".to_owned() } else { all.join(", ") }
}
