//! From a file to a model that can write, or embed.

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

/// llama.cpp itself, started once a process. Its log goes to `tracing`.
static BACKEND: LazyLock<Result<LlamaBackend, String>> = LazyLock::new(|| {
    send_logs_to_tracing(LogOptions::default());
    LlamaBackend::init().map_err(|it| it.to_string())
});

fn backend(path: &Path) -> Result<&'static LlamaBackend, GgufError> {
    let failed =
        |reason: &String| GgufError::Failed { path: path.to_owned(), reason: reason.clone() };
    BACKEND.as_ref().map_err(failed)
}

/// Loads the model of a file that [`super::header`] has seen, to complete text.
pub(super) fn load(path: &Path) -> Result<LlamaModel, GgufError> {
    let not = |reason| GgufError::NotAModel { path: path.to_owned(), reason };
    let model = read(path, &not)?;
    match unfit(&model) {
        Some(reason) => Err(not(reason.to_owned())),
        None => Ok(model),
    }
}

/// Loads the model of such a file, to embed texts.
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
        // The last line says only that it failed; the first says why.
        let why = complaints.first().cloned();
        not(why.map_or_else(|| error.to_string(), |it| format!("llama.cpp says: {it}")))
    })
}

/// What a model reads with; the reason why there is none is what llama.cpp logged.
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

/// What a file says of its model under a key of its architecture.
fn says(model: &LlamaModel, key: &str) -> Option<String> {
    let kind = model.meta_val_str("general.architecture").unwrap_or_default();
    model.meta_val_str(&format!("{kind}.{key}")).ok()
}

/// The numbers that the format has for how the vectors of tokens become one (`llama_pooling_type`).
const UNPOOLED: &str = "0";
const RANKED: &str = "4";

/// Why a model cannot embed texts.
fn unfit_to_embed(model: &LlamaModel) -> Option<&'static str> {
    match says(model, "pooling_type").as_deref() {
        None | Some(UNPOOLED) => Some(
            "it does not say how the vectors of tokens become one, so it is no embedding model",
        ),
        Some(RANKED) => Some("it ranks pairs of texts and gives no vectors"),
        Some(_) => None,
    }
}

/// Why a model cannot complete text.
fn unfit(model: &LlamaModel) -> Option<&'static str> {
    let is_pooled = says(model, "pooling_type").is_some_and(|it| it != UNPOOLED);
    if is_pooled || says(model, "attention.causal").as_deref() == Some("false") {
        return Some("it is an embedding model, which reads and does not write");
    }
    if model.decode_start_token().0 >= 0 {
        return Some("it has an encoder, as models have that translate");
    }
    None
}
