//! All formats, in the order in which model names are matched: special cases before general ones.
//!
//! To add a format: a constant in one of the files below, its line here, and its exact prompt in `golden.rs`.
//! `CONTRIBUTING.md` has the recipe.

mod established;
mod plain;
mod recent;
mod shared;

pub(super) use self::shared::tokens;
use crate::compose::format::Format;

pub(super) static FORMATS: &[Format] = &[
    established::QWEN2_5_CODER,
    established::STARCODER2,
    established::STARCODER,
    established::CODELLAMA,
    established::DEEPSEEK_CODER,
    established::CODESTRAL,
    established::CODEGEMMA,
    recent::GRANITE_4,
    recent::MELLUM2,
    recent::MELLUM,
    recent::SEED_CODER,
    recent::GLM_4,
    recent::AIXCODER,
    recent::CODEGEEX4,
    plain::COMMENT,
    plain::NONE,
];

/// Every format states the fields that `FIM` leaves empty.
const _: () = {
    let mut i = 0;
    while i < FORMATS.len() {
        let it = &FORMATS[i];
        let is_named = !it.name.is_empty() && !it.title.is_empty() && !it.note.is_empty();
        assert!(is_named, "a format lacks its name, title or note");
        assert!(!it.template.is_empty() && it.window > 0, "a format lacks its template or window");
        i += 1;
    }
};
