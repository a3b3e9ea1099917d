//! The flags that are settings, by the key of the setting. Clap reads their environment variables.

use std::ffi::OsString;

use foreword_session::config::Flags;

use super::super::args::Global;

/// The settings of the command line and the environment.
pub(super) fn flags(global: &Global) -> Flags {
    let text = |it: &Option<String>| it.as_ref().map(OsString::from);
    let number = |it: Option<usize>| it.map(|it| it.to_string().into());
    let all = [
        ("index_dir", global.index_dir.clone().map(Into::into)),
        ("memory", text(&global.memory)),
        ("threads", number(global.threads)),
        ("max_file_size", text(&global.max_file_size)),
        ("model_url", text(&global.model_url)),
        ("model_api", text(&global.model_api)),
        ("gguf", global.gguf.clone().map(Into::into)),
        ("gguf_context", number(global.gguf_context)),
    ];
    all.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}
