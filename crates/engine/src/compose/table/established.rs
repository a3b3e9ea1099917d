//! Formats of model families that appeared by 2024.

use super::shared::{FIM, K, model, single_file, tokens};
use crate::compose::format::Order::SuffixFirst;
use crate::compose::format::Step::{
    EndLine, IfParts, IfRepository, Mark, Parts, Path, Plain, Prefix, Repository, Suffix, Text,
};
use crate::compose::format::{Evidence, Format};

pub(super) const QWEN2_5_CODER: Format = Format {
    name: "qwen2.5-coder",
    aliases: &["qwen", "qwen-coder", "qwen3-coder"],
    title: "Qwen2.5-Coder, Qwen3-Coder",
    models: &[
        model("qwen3-coder", 256 * K),
        model("qwen2.5-coder", 32 * K),
        model("qwen-coder", 32 * K),
    ],
    template: &[
        IfRepository(&[Mark("<|repo_name|>"), Repository, Plain("\n")]),
        Parts,
        Mark("<|file_sep|>"),
        Path,
        Plain("\n"),
        Mark("<|fim_prefix|>"),
        Prefix,
        Mark("<|fim_suffix|>"),
        Suffix,
        Mark("<|fim_middle|>"),
    ],
    part: &[Mark("<|file_sep|>"), Path, Plain("\n"), Text, EndLine],
    stop: tokens!(
        "<|endoftext|>" "<|fim_prefix|>" "<|fim_suffix|>" "<|fim_middle|>" "<|fim_pad|>"
        "<|repo_name|>" "<|file_sep|>" "<|im_start|>" "<|im_end|>"
    ),
    window: 32 * K,
    evidence: Evidence::Confirmed,
    note: "The base models fill best. 7B and larger reach 128k tokens only where the server extends the window.",
    specials: tokens!(
        "<|endoftext|>" "<|fim_prefix|>" "<|fim_suffix|>" "<|fim_middle|>" "<|fim_pad|>"
        "<|repo_name|>" "<|file_sep|>" "<|im_start|>" "<|im_end|>" "<|object_ref_start|>"
        "<|object_ref_end|>" "<|box_start|>" "<|box_end|>" "<|quad_start|>" "<|quad_end|>"
        "<|vision_start|>" "<|vision_end|>" "<|vision_pad|>" "<|image_pad|>" "<|video_pad|>"
    ),
    ..FIM
};

pub(super) const STARCODER2: Format = Format {
    name: "starcoder2",
    title: "StarCoder2",
    models: &[model("starcoder2", 16 * K)],
    template: &[
        IfRepository(&[Mark("<repo_name>"), Repository]),
        Parts,
        Mark("<file_sep><fim_prefix>"),
        Path,
        Plain("\n"),
        Prefix,
        Mark("<fim_suffix>"),
        Suffix,
        Mark("<fim_middle>"),
    ],
    part: &[Mark("<file_sep>"), Path, Plain("\n"), Text, EndLine],
    stop: tokens!(
        "<|endoftext|>" "<file_sep>" "<repo_name>" "<fim_prefix>" "<fim_suffix>" "<fim_middle>"
        "<fim_pad>"
    ),
    window: 16 * K,
    evidence: Evidence::SecondHand,
    note: "After the paper, as other programs quote it: the path follows <fim_prefix>.",
    specials: tokens!(
        "<|endoftext|>" "<fim_prefix>" "<fim_suffix>" "<fim_middle>" "<fim_pad>" "<repo_name>"
        "<file_sep>" "<issue_start>" "<issue_comment>" "<issue_closed>" "<jupyter_start>"
        "<jupyter_text>" "<jupyter_code>" "<jupyter_output>" "<jupyter_script>" "<empty_output>"
        "<code_to_intermediate>" "<intermediate_to_code>"
    ),
    ..FIM
};

pub(super) const STARCODER: Format = Format {
    name: "starcoder",
    aliases: &["granite-code", "stable-code", "refact"],
    title: "StarCoder, Granite Code 3B–34B, Stable Code, Refact",
    models: &[
        model("starcoder", 8 * K),
        model("granite*code*128k", 128 * K),
        model("granite*code", 2 * K),
        model("stable-code", 16 * K),
        model("refact", 4 * K),
    ],
    not: &["granite-4"],
    template: &[
        IfRepository(&[Mark("<reponame>"), Repository]),
        Parts,
        Mark("<filename>"),
        Path,
        Plain("\n"),
        Mark("<fim_prefix>"),
        Prefix,
        Mark("<fim_suffix>"),
        Suffix,
        Mark("<fim_middle>"),
    ],
    part: &[Mark("<filename>"), Path, Plain("\n"), Text, EndLine],
    stop: tokens!(
        "<|endoftext|>" "<filename>" "<reponame>" "<file_sep>" "<fim_prefix>" "<fim_suffix>"
        "<fim_middle>" "<fim_pad>"
    ),
    window: 8 * K,
    note: "The fill-in-the-middle tokens are confirmed, their use with several files is not. Granite Code has the \
           smallest window of its family.",
    specials: tokens!(
        "<|endoftext|>" "<fim_prefix>" "<fim_suffix>" "<fim_middle>" "<fim_pad>" "<reponame>"
        "<filename>" "<gh_stars>" "<repo_name>" "<file_sep>" "<issue_start>" "<issue_comment>"
        "<issue_closed>" "<jupyter_start>" "<jupyter_text>" "<jupyter_code>" "<jupyter_output>"
        "<empty_output>" "<commit_before>" "<commit_msg>" "<commit_after>"
    ),
    ..FIM
};

pub(super) const CODELLAMA: Format = Format {
    name: "codellama",
    aliases: &["code-llama"],
    title: "Code Llama 7B and 13B",
    models: &[model("codellama", 16 * K), model("code-llama", 16 * K)],
    not: &["codellama*34b", "codellama*python", "code-llama*34b", "code-llama*python"],
    template: &single_file("<PRE> ", " <SUF>", " <MID>"),
    stop: &["<EOT>", "<PRE>", "<SUF>", "<MID>", "</s>"],
    window: 16 * K,
    evidence: Evidence::Confirmed,
    note: "The spaces are part of it. Trained on single files: context is in comments above the code.",
    specials: &["<PRE>", "<SUF>", "<MID>", "<EOT>", "<s>", "</s>", "<unk>"],
    ..FIM
};

pub(super) const DEEPSEEK_CODER: Format = Format {
    name: "deepseek-coder",
    aliases: &["deepseek"],
    title: "DeepSeek-Coder and DeepSeek-Coder-V2-Lite",
    models: &[model("deepseek-coder-v2", 128 * K), model("deepseek-coder", 16 * K)],
    not: &["deepseek-coder-v2*236b"],
    template: &[
        Parts,
        IfParts(&[Plain("#"), Path, Plain("\n")]),
        Mark("<｜fim▁begin｜>"),
        Prefix,
        Mark("<｜fim▁hole｜>"),
        Suffix,
        Mark("<｜fim▁end｜>"),
    ],
    part: &[Plain("#"), Path, Plain("\n"), Text, EndLine],
    stop: &[
        "<｜end▁of▁sentence｜>",
        "<｜fim▁begin｜>",
        "<｜fim▁hole｜>",
        "<｜fim▁end｜>",
        "<|EOT|>",
    ],
    window: 16 * K,
    evidence: Evidence::Confirmed,
    note: "The tokens are confirmed; joining files by lines of #path is from memory.",
    specials: tokens!(
        "<｜fim▁begin｜>" "<｜fim▁hole｜>" "<｜fim▁end｜>" "<｜begin▁of▁sentence｜>" "<｜end▁of▁sentence｜>"
        "<｜User｜>" "<｜Assistant｜>" "<|EOT|>"
    ),
    ..FIM
};

pub(super) const CODESTRAL: Format = Format {
    name: "codestral",
    title: "Codestral",
    models: &[
        model("codestral-latest", 250 * K),
        model("codestral-2501", 250 * K),
        model("codestral-2508", 250 * K),
        model("codestral", 32 * K),
    ],
    not: &["codestral*mamba", "mamba*codestral", "codestral-embed"],
    order: SuffixFirst,
    template: &[
        Mark("[SUFFIX]"),
        Suffix,
        Mark("[PREFIX]"),
        Parts,
        IfParts(&[Plain("+++++ "), Path, Plain("\n")]),
        Prefix,
    ],
    part: &[Plain("+++++ "), Path, Plain("\n"), Text, EndLine, Plain("\n")],
    stop: &["</s>", "[PREFIX]", "[SUFFIX]", "[MIDDLE]", "\n+++++ "],
    window: 32 * K,
    evidence: Evidence::Confirmed,
    note: "For servers that take a raw prompt; an API with a field for the suffix writes the tokens itself. \
           Windows are from memory.",
    specials: tokens!(
        "[PREFIX]" "[SUFFIX]" "[MIDDLE]" "[INST]" "[/INST]" "[SYSTEM_PROMPT]" "[/SYSTEM_PROMPT]"
        "[AVAILABLE_TOOLS]" "[/AVAILABLE_TOOLS]" "[TOOL_CALLS]" "[TOOL_RESULTS]" "[/TOOL_RESULTS]"
        "<s>" "</s>" "<unk>"
    ),
    line_guards: &["+++++ "],
    ..FIM
};

pub(super) const CODEGEMMA: Format = Format {
    name: "codegemma",
    title: "CodeGemma 2B and 7B",
    models: &[model("codegemma", 8 * K), model("code-gemma", 8 * K)],
    template: &[
        Parts,
        IfParts(&[Path, Plain("\n")]),
        Mark("<|fim_prefix|>"),
        Prefix,
        Mark("<|fim_suffix|>"),
        Suffix,
        Mark("<|fim_middle|>"),
    ],
    part: &[Path, Plain("\n"), Text, EndLine, Mark("<|file_separator|>")],
    stop: tokens!(
        "<|file_separator|>" "<eos>" "<end_of_turn>" "<|fim_prefix|>" "<|fim_suffix|>"
        "<|fim_middle|>"
    ),
    window: 8 * K,
    evidence: Evidence::Confirmed,
    note: "The tokens are confirmed; the form for several files is from memory.",
    specials: tokens!(
        "<|fim_prefix|>" "<|fim_suffix|>" "<|fim_middle|>" "<|file_separator|>" "<bos>" "<eos>"
        "<pad>" "<unk>" "<mask>" "<start_of_turn>" "<end_of_turn>"
    ),
    ..FIM
};
