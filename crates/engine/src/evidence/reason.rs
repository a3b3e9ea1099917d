//! Why a candidate was found, moved or left out: values with a code for programs, and prose for people in one place.

use std::fmt;

use super::feature::Feature;
use crate::index::Field;

/// Why a chunk was found, or why its score changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It has words of the query: the six heaviest, the heaviest first, each with its part of the score and the field that
    /// gave most of it.
    Lexical {
        /// Term, score, field.
        terms: Vec<(String, f32, Field)>,
    },
    /// It defines a name of the question.
    Defines {
        /// The name.
        name: String,
    },
    /// It defines a name that is used near the hole.
    UsedAtHole {
        /// The name.
        name: String,
        /// How many lines from the hole.
        distance: u32,
        /// Whether an import of the cursor's file leads there.
        imported: bool,
    },
    /// It defines a name that the cursor's file imports and uses nowhere yet.
    ImportedName {
        /// The name.
        name: String,
    },
    /// The cursor's file imports its file.
    Imported {
        /// The module as written.
        module: String,
    },
    /// Its file imports the cursor's file, and uses it here.
    Importer {
        /// The name that it uses.
        name: String,
    },
    /// Its file is in the directory of the cursor's file.
    SameDirectory,
    /// Its file has the same name, apart from what marks tests, headers and the like.
    Sibling,
    /// Its file was opened or edited recently; 0 is the most recent.
    Recent {
        /// How many files were touched since.
        age: u32,
    },
    /// The last commit does not have these lines of it.
    Changed {
        /// The first of them, 1-based.
        first_line: u32,
        /// The last of them, 1-based, inclusive; the line at which others are gone, if none came.
        last_line: u32,
        /// Names that came with the change, those of the query first; none for a new file.
        added: Vec<String>,
        /// Names that went with it.
        removed: Vec<String>,
        /// Whether the commit does not have the file.
        is_new: bool,
    },
    /// It is the head of a file like the cursor's, whose head has the hole.
    Head {
        /// How many modules both import.
        common: u32,
        /// Names that it imports and that the cursor's file uses without importing them.
        wanted: Vec<String>,
    },
    /// It means what the question says, by the user's embedding model.
    Meaning {
        /// The cosine of the angle between the two, 0 to 1.
        likeness: f32,
    },
    /// A plan of the file says that it will be needed.
    Speculated {
        /// The plan's reason.
        why: String,
        /// Whether its file has changed outside of these lines since.
        is_old: bool,
    },
    /// It is a guess of what will be written.
    Forecast {
        /// The lines that support it.
        why: Vec<String>,
    },
    /// A feature changed its score.
    Feature {
        /// Which one.
        feature: Feature,
        /// What the score was multiplied by.
        factor: f32,
    },
    /// The learned combiner changed its score.
    Learned {
        /// By what it knows.
        what: &'static str,
        /// What the score was multiplied by.
        factor: f32,
    },
}

impl Reason {
    /// The kind of reason, in one word, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Lexical { .. } => "lexical",
            Self::Defines { .. } => "defines",
            Self::UsedAtHole { .. } => "used_at_hole",
            Self::ImportedName { .. } => "imported_name",
            Self::Imported { .. } => "imported",
            Self::Importer { .. } => "importer",
            Self::SameDirectory => "same_directory",
            Self::Sibling => "sibling",
            Self::Recent { .. } => "recent",
            Self::Changed { .. } => "changed",
            Self::Head { .. } => "head",
            Self::Meaning { .. } => "dense",
            Self::Speculated { .. } => "speculated",
            Self::Forecast { .. } => "forecast",
            Self::Feature { feature, .. } => feature.name(),
            Self::Learned { .. } => "learned",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lexical { terms } => write_terms(f, terms),
            Self::Defines { name } => write!(f, "defines {name}"),
            Self::UsedAtHole { name, distance, imported } => {
                let imported = if *imported { ", imported" } else { "" };
                write!(f, "defines {name}, used {distance} lines from the hole{imported}")
            }
            Self::ImportedName { name } => {
                write!(f, "defines {name}, which the file imports and does not use yet")
            }
            Self::Imported { module } => write!(f, "imported as {module}"),
            Self::Importer { name } => write!(f, "uses {name} of this file"),
            Self::SameDirectory => f.write_str("same directory"),
            Self::Sibling => f.write_str("sibling of this file"),
            Self::Recent { age } => write!(f, "recently open (#{})", age + 1),
            Self::Changed { first_line, last_line, added, removed, is_new } => {
                let file = if *is_new {
                    "file not in the last commit"
                } else {
                    "changed since the last commit"
                };
                write!(f, "{file}: lines {first_line}-{last_line}")?;
                write_names(f, "with", added)?;
                write_names(f, "without", removed)
            }
            Self::Head { common, wanted } => write_head(f, *common, wanted),
            Self::Meaning { likeness } => write!(f, "means the same {likeness:.2}"),
            Self::Speculated { why, is_old } => {
                let old = if *is_old { " before its file changed elsewhere" } else { "" };
                write!(f, "planned for this file{old}; {why}")
            }
            Self::Forecast { why } => {
                write!(f, "forecast, not in the repository; {}", why.join("; "))
            }
            Self::Feature { feature, factor } => write!(f, "{} ×{factor:.2}", feature.label()),
            Self::Learned { what, factor } => write!(f, "learned: {what} ×{factor:.2}"),
        }
    }
}

/// Names behind a word that says what became of them; nothing if there are none.
fn write_names(f: &mut fmt::Formatter<'_>, word: &str, names: &[String]) -> fmt::Result {
    match names.is_empty() {
        true => Ok(()),
        false => write!(f, ", {word} {}", names.join(" ")),
    }
}

/// At most three of the wanted names.
fn write_head(f: &mut fmt::Formatter<'_>, common: u32, wanted: &[String]) -> fmt::Result {
    f.write_str("head of a file like this one")?;
    if common > 0 {
        write!(f, ", {common} imports in common")?;
    }
    match wanted {
        [] => Ok(()),
        names => write!(f, ", imports {}", names[..names.len().min(3)].join(", ")),
    }
}

/// A term with a smaller score says nothing: it would be printed as 0.0.
const LEAST_SHOWN: f32 = 0.05;

/// The terms, without those that say nothing.
fn write_terms(f: &mut fmt::Formatter<'_>, terms: &[(String, f32, Field)]) -> fmt::Result {
    f.write_str("words")?;
    let shown = terms.iter().enumerate();
    let shown = shown.take_while(|(idx, it)| *idx == 0 || it.1 >= LEAST_SHOWN);
    for (idx, (term, score, field)) in shown {
        let comma = if idx == 0 { ":" } else { "," };
        let field = match field {
            Field::Body => "",
            Field::Symbols => " in a name",
            Field::Path => " in the path or scope",
            Field::Doc => " in docs",
        };
        write!(f, "{comma} {term}{field} {score:.1}")?;
    }
    Ok(())
}

/// Why a candidate is not in the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// The text around the cursor has all of its lines.
    Visible,
    /// It is of the cursor's own file, and the text around the cursor shows all of it but a line or two.
    Beside,
    /// A piece that was selected before shows the same.
    Duplicate {
        /// `path:line` of that piece.
        of: String,
    },
    /// All that it has is a licence and imports, and the hole is among neither.
    Filler,
    /// Not even its signature fits.
    Budget {
        /// Tokens of its shortest form.
        needed: usize,
        /// Tokens that were left.
        left: usize,
    },
    /// There are enough pieces.
    Enough,
    /// Its score is far below the best one's.
    Weak,
}

impl DropReason {
    /// The kind of reason, in one word, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Visible => "shown",
            Self::Beside => "beside",
            Self::Duplicate { .. } => "duplicate",
            Self::Filler => "filler",
            Self::Budget { .. } => "budget",
            Self::Enough => "enough",
            Self::Weak => "weak",
        }
    }
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Visible => f.write_str("all its lines are shown around the cursor"),
            Self::Beside => f.write_str("the text around the cursor shows most of it"),
            Self::Duplicate { of } => write!(f, "same as {of}"),
            Self::Filler => f.write_str("licence and imports only"),
            Self::Budget { needed, left } => write!(f, "needs {needed} tokens, {left} left"),
            Self::Enough => f.write_str("enough pieces"),
            Self::Weak => f.write_str("score too far below the best"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_that_says_nothing_is_not_shown_unless_it_is_the_only_one() {
        let term = |name: &str, score| (name.to_owned(), score, Field::Body);
        let terms = vec![term("parse", 2.0), term("url", 0.06), term("the", 0.04)];
        let reason = Reason::Lexical { terms }.to_string();
        assert_eq!(reason, "words: parse 2.0, url 0.1");
        assert!(!reason.contains("0.0"));
    }

    #[test]
    fn a_change_names_its_lines_and_what_came_and_went() {
        let names = |it: &[&str]| -> Vec<String> { it.iter().map(|it| (*it).to_owned()).collect() };
        let changed = |added: &[&str], removed: &[&str], is_new| Reason::Changed {
            first_line: 3,
            last_line: 5,
            added: names(added),
            removed: names(removed),
            is_new,
        };
        assert_eq!(
            changed(&["fee"], &["late_fee"], false).to_string(),
            "changed since the last commit: lines 3-5, with fee, without late_fee"
        );
        assert_eq!(changed(&[], &[], true).to_string(), "file not in the last commit: lines 3-5");
    }
}
