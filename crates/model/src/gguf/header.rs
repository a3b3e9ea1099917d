//! Checks a file before llama.cpp loads it, for faults that llama.cpp reports badly or crashes on.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use llama_cpp_2::gguf::GgufContext;

use super::duplicates::duplicate_token;
use super::error::GgufError;

/// First bytes of a GGUF file.
const MAGIC: &[u8; 4] = b"GGUF";

/// Number of the string type (`gguf_type`).
const STRING: u32 = 8;

/// Rejects a file that is no model.
pub(super) fn check(path: &Path) -> Result<(), GgufError> {
    let unreadable = |source| GgufError::Unreadable { path: path.to_owned(), source };
    let not = |reason: &str| GgufError::NotAModel { path: path.to_owned(), reason: reason.into() };
    let mut begin = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAGIC.len() as u64).read_to_end(&mut begin).map_err(unreadable)?;
    if begin != MAGIC {
        return Err(not("it is not a GGUF file"));
    }
    let header = GgufContext::from_file(path);
    let header =
        header.ok_or_else(|| not("its header is cut off, damaged or of an unknown version"))?;
    let text = |key: &str| {
        let at = header.find_key(key);
        (at >= 0 && header.kv_type(at) == STRING).then(|| header.val_str(at)).flatten()
    };
    if text("general.architecture").is_none() {
        return Err(not("it does not name the model's architecture"));
    }
    if let Some(kind) = text("general.type").filter(|it| *it != "model") {
        return Err(not(&format!("it has an addition to a model ({kind}), not a model")));
    }
    if header.n_tensors() == 0 {
        return Err(not("it has a vocabulary and no weights"));
    }
    match text("tokenizer.ggml.model") {
        None | Some("none" | "no_vocab") => Err(not("it has no vocabulary")),
        Some(_) => match duplicate_token(path) {
            Ok(None) => Ok(()),
            Ok(Some(token)) => Err(not(&format!("its vocabulary has the token {token:?} twice"))),
            Err(error) => Err(not(&format!("its metadata cannot be read: {error}"))),
        },
    }
}
