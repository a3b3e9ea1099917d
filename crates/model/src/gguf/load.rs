//! Loads models from files, for completions or embeddings.

use std::path::Path;
use std::sync::LazyLock;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::{LogOptions, send_logs_to_tracing};

use super::error::GgufError;
use super::log_capture::capturing_errors;

/// llama.cpp's backend, initialised once per process. Logs to `tracing`.
static BACKEND: LazyLock<Result<LlamaBackend, String>> = LazyLock::new(|| {
    send_logs_to_tracing(LogOptions::default());
    LlamaBackend::init().map_err(|it| it.to_string())
});

fn backend(path: &Path) -> Result<&'static LlamaBackend, GgufError> {
    let failed =
        |reason: &String| GgufError::Failed { path: path.to_owned(), reason: reason.clone() };
    BACKEND.as_ref().map_err(failed)
}

/// Loads the completion model of a file that passed [`super::header`].
pub(super) fn load(path: &Path) -> Result<LlamaModel, GgufError> {
    let not = |reason| GgufError::NotAModel { path: path.to_owned(), reason };
    let model = read(path, &not)?;
    match unfit(&model) {
        Some(reason) => Err(not(reason.to_owned())),
        None => Ok(model),
    }
}

/// Loads the embedding model of such a file.
pub(super) fn load_embedder(path: &Path) -> Result<LlamaModel, GgufError> {
    let not = |reason| GgufError::NotAnEmbedder { path: path.to_owned(), reason };
    let model = read(path, &not)?;
    match unfit_to_embed(&model) {
        Some(reason) => Err(not(reason.to_owned())),
        None => Ok(model),
    }
}

fn read(path: &Path, not: &dyn Fn(String) -> GgufError) -> Result<LlamaModel, GgufError> {
    let backend = backend(path)?;
    let load = || LlamaModel::load_from_file(backend, path, &LlamaModelParams::default());
    let (loaded, complaints) = capturing_errors(load);
    loaded.map_err(|error| {
        // The last line only repeats the failure; the first has the cause.
        let why = complaints.first().cloned();
        not(why.map_or_else(|| error.to_string(), |it| format!("llama.cpp: {it}")))
    })
}

/// Creates an inference context; the error is taken from llama.cpp's log.
pub(super) fn context<'m>(
    model: &'m LlamaModel,
    path: &Path,
    params: LlamaContextParams,
) -> Result<LlamaContext<'m>, GgufError> {
    let backend = backend(path)?;
    let (context, complaints) = capturing_errors(|| model.new_context(backend, params));
    context.map_err(|error| {
        let reason = complaints.first().cloned().unwrap_or_else(|| error.to_string());
        GgufError::Failed { path: path.to_owned(), reason }
    })
}

/// Metadata of the model under a key of its architecture.
fn metadata(model: &LlamaModel, key: &str) -> Option<String> {
    let kind = model.meta_val_str("general.architecture").unwrap_or_default();
    model.meta_val_str(&format!("{kind}.{key}")).ok()
}

/// Numbers of the pooling types in the format (`llama_pooling_type`).
const UNPOOLED: &str = "0";
const RANKED: &str = "4";

/// Reason why a model cannot embed texts.
fn unfit_to_embed(model: &LlamaModel) -> Option<&'static str> {
    match metadata(model, "pooling_type").as_deref() {
        None | Some(UNPOOLED) => Some("it has no pooling type, so it is not an embedding model"),
        Some(RANKED) => Some("it ranks pairs of texts and gives no vectors"),
        Some(_) => None,
    }
}

/// Reason why a model cannot complete text.
fn unfit(model: &LlamaModel) -> Option<&'static str> {
    let is_pooled = metadata(model, "pooling_type").is_some_and(|it| it != UNPOOLED);
    if is_pooled || metadata(model, "attention.causal").as_deref() == Some("false") {
        return Some("it is an embedding model, which cannot write");
    }
    if model.decode_start_token().0 >= 0 {
        return Some("it has an encoder, like translation models");
    }
    None
}
