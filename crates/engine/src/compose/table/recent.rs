//! Formats of newer and less common model families.

use super::shared::{CURRENT, FIM, K, model, single_file, tokens};
use crate::compose::format::Order::SuffixFirst;
use crate::compose::format::Step::{
    Comment, EndLine, IfLanguage, IfParts, Language, Mark, Parts, Path, Plain, Prefix, Suffix, Text,
};
use crate::compose::format::{Evidence, Format};

pub(super) const GRANITE_4: Format = Format {
    name: "granite-4",
    aliases: &["granite4", "granite"],
    title: "Granite 4",
    models: &[model("granite-4", 128 * K)],
    template: &single_file("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"),
    stop: &["<|end_of_text|>", "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|fim_pad|>"],
    window: 128 * K,
    evidence: Evidence::SecondHand,
    note: "No form for several files is documented: context is in comments above the code.",
    specials: tokens!(
        "<|end_of_text|>" "<|fim_prefix|>" "<|fim_suffix|>" "<|fim_middle|>" "<|fim_pad|>"
        "<|filename|>" "<|reponame|>" "<|start_of_role|>" "<|end_of_role|>"
    ),
    ..FIM
};

pub(super) const MELLUM2: Format = Format {
    name: "mellum2",
    title: "Mellum2 Base",
    models: &[model("mellum2", 8 * K)],
    not: &["mellum2.1", "mellum2*thinking", "mellum2*instruct"],
    stop: tokens!(
        "<|endoftext|>" "<filename>" "<fim_prefix>" "<fim_suffix>" "<fim_middle>" "<fim_pad>"
        "<|im_end|>"
    ),
    evidence: Evidence::SecondHand,
    note: "As Mellum, according to two other programs. Trained at 8k tokens, said to reach 128k; later Mellum \
           models think and do not fill holes.",
    specials: tokens!(
        "<|endoftext|>" "<fim_prefix>" "<fim_suffix>" "<fim_middle>" "<fim_pad>" "<filename>"
        "<reponame>" "<gh_stars>" "<|im_start|>" "<|im_end|>"
    ),
    ..MELLUM
};

pub(super) const MELLUM: Format = Format {
    name: "mellum",
    title: "Mellum 4B",
    models: &[model("mellum", 8 * K)],
    not: &["mellum2", "mellum-thinking"],
    order: SuffixFirst,
    template: &[
        Parts,
        Mark("<filename>"),
        Path,
        Plain("\n"),
        Mark("<fim_suffix>"),
        Suffix,
        Mark("<fim_prefix>"),
        Prefix,
        Mark("<fim_middle>"),
    ],
    part: &[Mark("<filename>"), Path, Plain("\n"), Text, EndLine],
    stop: tokens!(
        "<|endoftext|>" "<filename>" "<fim_prefix>" "<fim_suffix>" "<fim_middle>" "<fim_pad>"
    ),
    window: 8 * K,
    evidence: Evidence::Confirmed,
    note: "The suffix precedes the prefix, after the header of the file.",
    specials: tokens!(
        "<|endoftext|>" "<fim_prefix>" "<fim_suffix>" "<fim_middle>" "<fim_pad>" "<filename>"
        "<reponame>" "<gh_stars>"
    ),
    ..FIM
};

pub(super) const SEED_CODER: Format = Format {
    name: "seed-coder",
    title: "Seed-Coder 8B Base",
    models: &[model("seed-coder", 32 * K), model("seedcoder", 32 * K)],
    not: &["seed-coder*reasoning"],
    order: SuffixFirst,
    template: &[
        Mark("<[fim-suffix]>"),
        Suffix,
        Mark("<[fim-prefix]>"),
        Parts,
        CURRENT,
        Prefix,
        Mark("<[fim-middle]>"),
    ],
    stop: &["<[end▁of▁sentence]>", "<[fim-suffix]>", "<[fim-prefix]>", "<[fim-middle]>"],
    window: 32 * K,
    evidence: Evidence::Confirmed,
    note: "Suffix first, as in the paper; some programs send the prefix first. Context is in comments.",
    specials: tokens!(
        "<[fim-suffix]>" "<[fim-prefix]>" "<[fim-middle]>" "<[begin▁of▁sentence]>"
        "<[end▁of▁sentence]>" "<[PAD▁TOKEN]>"
    ),
    ..FIM
};

pub(super) const GLM_4: Format = Format {
    name: "glm-4",
    aliases: &["glm"],
    title: "GLM-4 and GLM-4.5",
    models: &[model("glm-4", 128 * K)],
    not: &["glm-4v"],
    template: &single_file("<|code_prefix|>", "<|code_suffix|>", "<|code_middle|>"),
    stop: &["<|endoftext|>", "<|user|>", "<|code_prefix|>", "<|code_suffix|>", "<|code_middle|>"],
    window: 128 * K,
    evidence: Evidence::SecondHand,
    note: "As one editor sends it. No form for several files is known: context is in comments.",
    specials: tokens!(
        "<|code_prefix|>" "<|code_suffix|>" "<|code_middle|>" "<|endoftext|>" "<|user|>"
        "<|assistant|>" "<|system|>" "<|observation|>" "[gMASK]" "<sop>" "<eop>"
    ),
    ..FIM
};

pub(super) const AIXCODER: Format = Format {
    name: "aixcoder",
    title: "aiXcoder 7B",
    models: &[model("aixcoder", 32 * K)],
    order: SuffixFirst,
    template: &[
        Mark("<s>▁<AIX-SPAN-PRE>▁<AIX-SPAN-POST>"),
        Suffix,
        Mark("▁<AIX-SPAN-MIDDLE>"),
        Parts,
        Comment("the file path is: "),
        Path,
        Plain("\n"),
        IfLanguage(&[Comment("the code file is written by "), Language, Plain("\n")]),
        Prefix,
    ],
    stop: &["</s>", "<AIX-SPAN-PRE>", "<AIX-SPAN-POST>", "<AIX-SPAN-MIDDLE>"],
    window: 32 * K,
    evidence: Evidence::SecondHand,
    note: "The prompt begins with <s>: a server that adds it by itself should be told not to. Where pieces of \
           other files stand is our choice.",
    specials: &["<AIX-SPAN-PRE>", "<AIX-SPAN-POST>", "<AIX-SPAN-MIDDLE>", "<s>", "</s>", "<unk>"],
    ..FIM
};

pub(super) const CODEGEEX4: Format = Format {
    name: "codegeex4",
    aliases: &["codegeex"],
    title: "CodeGeeX4",
    models: &[model("codegeex4", 128 * K)],
    order: SuffixFirst,
    template: &[
        Mark("<|user|>"),
        Plain("\n"),
        IfParts(&[Plain("###REFERENCE:\n"), Parts]),
        Plain("###PATH:"),
        Path,
        Plain("\n"),
        IfLanguage(&[Plain("###LANGUAGE:"), Language, Plain("\n")]),
        Plain("###MODE:BLOCK\n"),
        Mark("<|code_suffix|>"),
        Suffix,
        Mark("<|code_prefix|>"),
        Prefix,
        Mark("<|code_middle|><|assistant|>"),
        Plain("\n"),
    ],
    part: &[Plain("###PATH:"), Path, Plain("\n"), Text, EndLine],
    stop: tokens!(
        "<|endoftext|>" "<|user|>" "<|assistant|>" "<|code_prefix|>" "<|code_suffix|>"
        "<|code_middle|>"
    ),
    window: 128 * K,
    evidence: Evidence::SecondHand,
    note: "As another program sends it.",
    specials: tokens!(
        "<|user|>" "<|assistant|>" "<|system|>" "<|observation|>" "<|code_prefix|>"
        "<|code_suffix|>" "<|code_middle|>" "<|endoftext|>"
    ),
    line_guards: &["###REFERENCE:", "###PATH:", "###LANGUAGE:", "###MODE:"],
    ..FIM
};
