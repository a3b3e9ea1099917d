//! What a prompt format is: the order of its parts, its special tokens, what is known about it and from where.

/// How a family of models wants to be asked: a row of the table.
#[derive(Debug, PartialEq)]
pub struct Format {
    /// The name in configuration, such as `qwen2.5-coder`.
    pub name: &'static str,
    /// Other names that configuration may use.
    pub aliases: &'static [&'static str],
    /// For people: which models.
    pub title: &'static str,
    /// Names of models that are asked in this format; see [`Format::of_model`].
    pub models: &'static [Model],
    /// Patterns of names that look like `models` but were not trained to fill a hole.
    pub not: &'static [&'static str],
    /// What stands first, the text before the cursor or the text after it.
    pub order: Order,
    /// The whole prompt.
    pub template: &'static [Step],
    /// One piece of context, where the template says [`Step::Parts`].
    pub part: &'static [Step],
    /// What ends a completion.
    pub stop: &'static [&'static str],
    /// The context window in tokens, where the server cannot be asked.
    pub window: usize,
    /// What the usual servers keep of a prompt that is too long.
    pub keep: Keep,
    /// What stands for a suffix that is empty: many models fill better before a line feed than before nothing.
    pub empty_suffix: &'static str,
    /// How well the template is known.
    pub evidence: Evidence,
    /// What to know about it, in a sentence or two.
    pub note: &'static str,
    /// What the tokenizer reads as one special token, as spelled in text. The first character of each occurs nowhere
    /// else in it, which is why one pass of [`crate::compose::neutralise`] is enough.
    pub specials: &'static [&'static str],
    /// What reads as structure at the start of a line, though it is ordinary text to the tokenizer.
    pub line_guards: &'static [&'static str],
}

/// A pattern of model names and the context window of the models that match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// Words in a row; `*` stands for any words between.
    pub pattern: &'static str,
    /// In tokens.
    pub window: usize,
}

/// The order of the text around the hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Prefix, suffix, middle (PSM).
    PrefixFirst,
    /// Suffix, prefix, middle (SPM).
    SuffixFirst,
    /// The prefix alone, last; the suffix is not shown.
    PrefixOnly,
}

/// The end of a prompt that a server keeps when the prompt is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The beginning is cut: the most valuable piece belongs last.
    End,
    /// The end is cut: the most valuable piece belongs first.
    Start,
}

/// How well a format is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Read in the model's own documentation or paper, or in several programs that use it.
    Confirmed,
    /// Stated by other programs.
    SecondHand,
    /// Not checked against a source.
    Memory,
}

impl Evidence {
    /// In words.
    pub fn as_str(self) -> &'static str {
        match self {
            Evidence::Confirmed => "confirmed",
            Evidence::SecondHand => "second-hand",
            Evidence::Memory => "from memory",
        }
    }
}

/// One step of a template.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Special tokens.
    Mark(&'static str),
    /// Ordinary text.
    Plain(&'static str),
    /// The start of a comment line and this text.
    Comment(&'static str),
    /// The name of the repository.
    Repository,
    /// The path: of the piece within a piece, else of the file being edited.
    Path,
    /// The language of the file being edited.
    Language,
    /// All pieces.
    Parts,
    /// The piece's text.
    Text,
    /// The piece's text, each line a comment.
    CommentedText,
    /// A line feed, unless the prompt ends in one.
    EndLine,
    /// A Markdown fence longer than any in the text, with the extension of the path.
    OpenFence,
    /// Its end.
    CloseFence,
    /// The text before the cursor.
    Prefix,
    /// The text after the cursor.
    Suffix,
    /// Steps for when there are pieces.
    IfParts(&'static [Step]),
    /// Steps for when the repository has a name.
    IfRepository(&'static [Step]),
    /// Steps for when the language is known.
    IfLanguage(&'static [Step]),
}

impl Format {
    /// The special tokens that the template writes.
    pub fn marks(&self) -> Vec<&'static str> {
        let mut marks = Vec::new();
        collect_marks(self.template, &mut marks);
        collect_marks(self.part, &mut marks);
        let used = |special: &&str| marks.iter().any(|mark| mark.contains(special));
        self.specials.iter().copied().filter(used).collect()
    }

    /// Whether the text after the cursor is part of the prompt.
    pub fn shows_suffix(&self) -> bool {
        self.order != Order::PrefixOnly
    }
}

fn collect_marks(steps: &[Step], into: &mut Vec<&'static str>) {
    for step in steps {
        match *step {
            Step::Mark(mark) => into.push(mark),
            Step::IfParts(steps) | Step::IfRepository(steps) | Step::IfLanguage(steps) => {
                collect_marks(steps, into);
            }
            _ => {}
        }
    }
}
