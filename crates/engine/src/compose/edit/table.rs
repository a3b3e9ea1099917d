//! Formats of next-edit models.

use super::format::EditStep::{
    Above, After, Before, Below, Diff, EndLine, FromCursor, History, IfHistory, Lines, Mark,
    Original, Parts, Path, Plain, Text, ToCursor,
};
use super::format::{EditFormat, HistoryOrder};
use super::region::RegionLines;
use crate::compose::format::Evidence;
use crate::compose::table::tokens;

impl EditFormat {
    /// All formats.
    pub const ALL: &'static [Self] = &[ZETA, ZETA2, SWEEP, SWEEP2, MERCURY, INSTINCT];

    /// The format with this name, ignoring case.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|it| it.name.eq_ignore_ascii_case(name))
    }
}

/// As Zed prompts its first model.
const ZETA: EditFormat = EditFormat {
    name: "zeta",
    title: "Zeta 1 (Qwen2.5-Coder-7B)",
    template: &[
        Plain(
            "### Instruction:\nYou are a code completion assistant and your task is to analyze user edits and then rewrite an excerpt that the user provides, suggesting the appropriate edits within the excerpt, taking into account the cursor location.\n\n### User Edits:\n\n",
        ),
        History,
        Plain("\n\n### User Excerpt:\n\n```"),
        Path,
        Plain("\n"),
        Above,
        Mark("<|editable_region_start|>"),
        Plain("\n"),
        ToCursor,
        Mark("<|user_cursor_is_here|>"),
        FromCursor,
        EndLine,
        Mark("<|editable_region_end|>"),
        Plain("\n"),
        Below,
        EndLine,
        Plain("```\n\n### Response:\n"),
    ],
    part: &[],
    past: &[Plain("User edited \""), Path, Plain("\":\n```diff\n"), Diff, Plain("\n```")],
    between: "\n\n",
    order: HistoryOrder::OldestFirst,
    lines: RegionLines { before: 8, after: 12, around: 12 },
    stop: &["<|editable_region_end|>"],
    evidence: Evidence::Confirmed,
    note: "as in Zed's source and in logs of servers that stand in for Zed's; it has no place for pieces of other files, and \
        the mark `<|start_of_file|>` of a file's beginning is left out. The answer is the region between its two marks.",
    specials: tokens!(
        "<|start_of_file|>" "<|editable_region_start|>" "<|editable_region_end|>"
        "<|user_cursor_is_here|>" "<|im_start|>" "<|im_end|>" "<|endoftext|>"
    ),
    line_guards: &["```", "###"],
};

/// As Zed's source renders `V0211SeedCoder`, also called Zeta2.
const ZETA2: EditFormat = EditFormat {
    name: "zeta2",
    title: "Zeta 2 (Seed-Coder-8B)",
    template: &[
        Mark("<[fim-suffix]>"),
        Below,
        EndLine,
        Mark("<[fim-prefix]>"),
        Parts,
        IfHistory(&[Mark("<filename>"), Plain("edit_history\n"), History, Plain("\n")]),
        Mark("<filename>"),
        Path,
        Plain("\n"),
        Above,
        Plain("<<<<<<< CURRENT\n"),
        ToCursor,
        Mark("<|user_cursor|>"),
        FromCursor,
        EndLine,
        Plain("=======\n"),
        Mark("<[fim-middle]>"),
    ],
    part: &[Mark("<filename>"), Path, Plain("\n"), Text, EndLine, Plain("\n")],
    past: &[Plain("--- a/"), Path, Plain("\n+++ b/"), Path, Plain("\n"), Diff],
    between: "",
    order: HistoryOrder::OldestFirst,
    lines: RegionLines { before: 8, after: 12, around: 12 },
    stop: &[">>>>>>> UPDATED"],
    evidence: Evidence::Confirmed,
    note: "Zed's source (`V0211SeedCoder`, alias Zeta2) and a port of it. The answer is the region's new text. Zeta 2.1, with \
        numbered marks between blocks, is not here: how it cuts blocks was not checked.",
    specials: tokens!(
        "<[fim-suffix]>" "<[fim-prefix]>" "<[fim-middle]>" "<filename>" "<|user_cursor|>"
        "<[end▁of▁sentence]>"
    ),
    line_guards: &["<<<<<<< CURRENT", "=======", ">>>>>>> UPDATED"],
};

/// For Sweep's models of 0.5B and 1.5B.
const SWEEP: EditFormat = EditFormat {
    name: "sweep",
    title: "Sweep next-edit 0.5B and 1.5B (Qwen2.5-Coder)",
    template: &[
        Parts,
        History,
        Mark("<|file_sep|>"),
        Plain("original/"),
        Path,
        Plain("\n"),
        Original,
        EndLine,
        Mark("<|file_sep|>"),
        Plain("current/"),
        Path,
        Plain("\n"),
        ToCursor,
        FromCursor,
        EndLine,
        Mark("<|file_sep|>"),
        Plain("updated/"),
        Path,
        Plain("\n"),
    ],
    part: &[Mark("<|file_sep|>"), Path, Plain("\n"), Text, EndLine],
    past: &[
        Mark("<|file_sep|>"),
        Path,
        Plain(".diff\noriginal:\n"),
        Before,
        EndLine,
        Plain("updated:\n"),
        After,
        EndLine,
    ],
    between: "",
    order: HistoryOrder::LatestFirst,
    lines: RegionLines { before: 10, after: 10, around: 0 },
    stop: &["<|file_sep|>", "<|endoftext|>"],
    evidence: Evidence::Confirmed,
    note: "several programs that use the models, among them Tabby's, render it so. The answer is the window's new text.",
    specials: tokens!(
        "<|file_sep|>" "<|repo_name|>" "<|fim_prefix|>" "<|fim_middle|>" "<|fim_suffix|>"
        "<|fim_pad|>" "<|endoftext|>" "<|im_start|>" "<|im_end|>" "<|cursor|>"
    ),
    line_guards: &[],
};

/// For Sweep's second models, by ports of their `inference.py`.
const SWEEP2: EditFormat = EditFormat {
    name: "sweep2",
    title: "Sweep next-edit v2 (Qwen2.5-Coder)",
    template: &[
        Parts,
        Mark("<|file_sep|>"),
        Path,
        Plain("\n"),
        Above,
        ToCursor,
        FromCursor,
        Below,
        EndLine,
        History,
        Mark("<|file_sep|>"),
        Plain("original/"),
        Path,
        Lines,
        Plain("\n"),
        Original,
        EndLine,
        Mark("<|file_sep|>"),
        Plain("current/"),
        Path,
        Lines,
        Plain("\n"),
        ToCursor,
        Mark("<|cursor|>"),
        FromCursor,
        EndLine,
        Mark("<|file_sep|>"),
        Plain("updated/"),
        Path,
        Lines,
        Plain("\n"),
    ],
    past: &[
        Mark("<|file_sep|>"),
        Path,
        Plain("\noriginal:\n"),
        Before,
        EndLine,
        Plain("updated:\n"),
        After,
        EndLine,
    ],
    order: HistoryOrder::OldestFirst,
    lines: RegionLines { before: 2, after: 5, around: 50 },
    evidence: Evidence::SecondHand,
    note: "unconfirmed: from two ports of `inference.py`, which was not read; they differ in the headers of edits, which here \
        are those without line numbers. The answer is the region's new text.",
    ..SWEEP
};

/// As Zed prompts Mercury; the text is the user's only message.
const MERCURY: EditFormat = EditFormat {
    name: "mercury",
    title: "Mercury Edit (Inception, `/v1/edit/completions`)",
    template: &[
        Mark("<|recently_viewed_code_snippets|>"),
        Plain("\n"),
        Parts,
        EndLine,
        Mark("<|/recently_viewed_code_snippets|>"),
        Plain("\n\n"),
        Mark("<|current_file_content|>"),
        Plain("\ncurrent_file_path: "),
        Path,
        Plain("\n"),
        Above,
        Mark("<|code_to_edit|>"),
        Plain("\n"),
        ToCursor,
        Mark("<|cursor|>"),
        FromCursor,
        EndLine,
        Mark("<|/code_to_edit|>"),
        Plain("\n"),
        Below,
        EndLine,
        Mark("<|/current_file_content|>"),
        Plain("\n\n"),
        Mark("<|edit_diff_history|>"),
        Plain("\n"),
        History,
        EndLine,
        Mark("<|/edit_diff_history|>"),
        Plain("\n"),
    ],
    part: &[
        Mark("<|recently_viewed_code_snippet|>"),
        Plain("\ncode_snippet_file_path: "),
        Path,
        Plain("\n"),
        Text,
        EndLine,
        Mark("<|/recently_viewed_code_snippet|>"),
        Plain("\n"),
    ],
    past: &[Plain("--- "), Path, Plain("\n+++ "), Path, Plain("\n"), Diff],
    between: "\n",
    order: HistoryOrder::OldestFirst,
    lines: RegionLines { before: 5, after: 10, around: 60 },
    stop: &[],
    evidence: Evidence::Confirmed,
    note: "Zed's source and several other clients. They differ in blank lines between the parts. The answer is the region's new \
        text, in a Markdown fence.",
    specials: tokens!(
        "<|recently_viewed_code_snippets|>" "<|/recently_viewed_code_snippets|>"
        "<|recently_viewed_code_snippet|>" "<|/recently_viewed_code_snippet|>"
        "<|current_file_content|>" "<|/current_file_content|>" "<|code_to_edit|>"
        "<|/code_to_edit|>" "<|edit_diff_history|>" "<|/edit_diff_history|>" "<|cursor|>"
    ),
    line_guards: &[],
};

/// As Continue prompts Instinct; the text is the user's only message.
const INSTINCT: EditFormat = EditFormat {
    name: "instinct",
    title: "Instinct (Continue; Qwen2.5-Coder-7B)",
    template: &[
        Plain(
            "Reference the user excerpt, user edits, and the snippets to understand the developer's intent. Update the editable region of the user excerpt by predicting and completing the changes they would have made next. This may be a deletion, addition, or modification of code.\n\n### Context:\n",
        ),
        Parts,
        Plain("\n### User Edits:\n\n"),
        History,
        Plain("\n\n### User Excerpt:\n"),
        Path,
        Plain("\n\n"),
        Above,
        Mark("<|editable_region_start|>"),
        Plain("\n"),
        ToCursor,
        Mark("<|user_cursor_is_here|>"),
        FromCursor,
        EndLine,
        Mark("<|editable_region_end|>"),
        Plain("\n"),
        Below,
        Plain("```\n### Response:"),
    ],
    part: &[
        Mark("<|context_file|>"),
        Plain(": "),
        Path,
        Plain("\n"),
        Mark("<|snippet|>"),
        Plain("\n"),
        Text,
        EndLine,
    ],
    past: &[Plain("User edited file \""), Path, Plain("\"\n\n```diff\n"), Diff, Plain("```")],
    between: "\n",
    order: HistoryOrder::LatestFirst,
    lines: RegionLines { before: 1, after: 5, around: 25 },
    stop: &["<|editable_region_end|>"],
    evidence: Evidence::SecondHand,
    note: "unconfirmed: from a program that ports Continue's template. Continue sends a long system message beside it, which is \
        not here. The answer is the region's new text.",
    specials: tokens!(
        "<|editable_region_start|>" "<|editable_region_end|>" "<|user_cursor_is_here|>"
        "<|context_file|>" "<|snippet|>" "<|im_start|>" "<|im_end|>" "<|endoftext|>"
    ),
    line_guards: &["```", "###"],
};
