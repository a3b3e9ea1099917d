//! From a file to a model that can write.

use std::path::Path;
use std::sync::LazyLock;

use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::{LogOptions, send_logs_to_tracing};

use super::error::GgufError;
use super::log_capture::capturing_errors;

/// llama.cpp itself, started once a process. Its log goes to `tracing`.
static BACKEND: LazyLock<Result<LlamaBackend, String>> = LazyLock::new(|| {
    send_logs_to_tracing(LogOptions::default());
    LlamaBackend::init().map_err(|it| it.to_string())
});

pub(super) fn backend(path: &Path) -> Result<&'static LlamaBackend, GgufError> {
    let failed =
        |reason: &String| GgufError::Failed { path: path.to_owned(), reason: reason.clone() };
    BACKEND.as_ref().map_err(failed)
}

/// Loads the model of a file that [`super::header`] has seen.
pub(super) fn load(path: &Path) -> Result<LlamaModel, GgufError> {
    let backend = backend(path)?;
    let not = |reason: String| GgufError::NotAModel { path: path.to_owned(), reason };
    let load = || LlamaModel::load_from_file(backend, path, &LlamaModelParams::default());
    let (loaded, complaints) = capturing_errors(load);
    let model = loaded.map_err(|error| {
        // The last line says only that it failed; the first says why.
        let why = complaints.first().cloned();
        not(why.map_or_else(|| error.to_string(), |it| format!("llama.cpp says: {it}")))
    })?;
    match unfit(&model) {
        Some(reason) => Err(not(reason.to_owned())),
        None => Ok(model),
    }
}

/// Why a model cannot complete text.
fn unfit(model: &LlamaModel) -> Option<&'static str> {
    let kind = model.meta_val_str("general.architecture").unwrap_or_default();
    let says = |key: &str| model.meta_val_str(&format!("{kind}.{key}")).ok();
    let is_pooled = says("pooling_type").is_some_and(|it| it != "0");
    if is_pooled || says("attention.causal").as_deref() == Some("false") {
        return Some("it is an embedding model, which reads and does not write");
    }
    if model.decode_start_token().0 >= 0 {
        return Some("it has an encoder, as models have that translate");
    }
    None
}
