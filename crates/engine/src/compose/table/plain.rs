//! Formats without special tokens: for models without a format of their own, and for readers.

use super::shared::{CURRENT, FIM, K};
use crate::compose::format::Order::PrefixOnly;
use crate::compose::format::Step::{
    CloseFence, EndLine, OpenFence, Parts, Path, Plain, Prefix, Suffix, Text,
};
use crate::compose::format::{Evidence, Format, Keep};

pub(super) const COMMENT: Format = Format {
    name: "comment",
    aliases: &["plain"],
    title: "any model that continues text",
    order: PrefixOnly,
    template: &[Parts, CURRENT, Prefix],
    window: 8 * K,
    empty_suffix: "",
    evidence: Evidence::Confirmed,
    note: "No special tokens; the text after the cursor is not shown. For servers that insert prefix and suffix \
           into a template of their own, send the suffix beside it.",
    ..FIM
};

pub(super) const NONE: Format = Format {
    name: "none",
    aliases: &["markdown"],
    title: "context as Markdown, for readers and chat models",
    template: &[
        Parts,
        Plain("## "),
        Path,
        Plain(" (being edited)\n\n"),
        OpenFence,
        Prefix,
        Plain("<CURSOR>"),
        Suffix,
        EndLine,
        CloseFence,
        Plain("\n"),
    ],
    part: &[Plain("## "), Path, Plain("\n\n"), OpenFence, Text, EndLine, CloseFence, Plain("\n\n")],
    window: 8 * K,
    keep: Keep::Start,
    empty_suffix: "",
    evidence: Evidence::Confirmed,
    note: "The best piece first, the file being edited last, with the cursor marked.",
    specials: &["<CURSOR>"],
    ..FIM
};
