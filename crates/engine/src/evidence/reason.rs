//! Reasons why a candidate was found, moved or dropped: codes for programs, and prose for people in one place.

use std::fmt;

use super::feature::Feature;
use crate::index::Field;
use crate::preset::constants::retrieve::{HEAD_NAMES, LEAST_TERM_SCORE};

/// Why a chunk was found, or why its score changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It contains words of the query: the heaviest, in descending order, each with its part of the score and its best
    /// field.
    Lexical {
        /// Term, score, field.
        terms: Vec<(String, f32, Field)>,
    },
    /// It defines a name of the question.
    Defines {
        /// The name.
        name: String,
    },
    /// It defines a name that is used near the cursor.
    UsedAtHole {
        /// The name.
        name: String,
        /// Lines from the cursor.
        distance: u32,
        /// Whether an import of the cursor's file leads there.
        imported: bool,
    },
    /// It defines a name that the cursor's file imports but does not use yet.
    ImportedName {
        /// The name.
        name: String,
    },
    /// The cursor's file imports its file.
    Imported {
        /// The module as written.
        module: String,
    },
    /// Its file imports the cursor's file and uses it here.
    Importer {
        /// The name that it uses.
        name: String,
    },
    /// Its file is in the same directory as the cursor's.
    SameDirectory,
    /// Its file has the same name as the cursor's, without affixes of tests, headers and the like.
    Sibling,
    /// Its file was opened or edited recently.
    Recent {
        /// Number of files used since; 0 is the most recent.
        age: u32,
    },
    /// These lines are not in the last commit.
    Changed {
        /// First changed line, 1-based.
        first_line: u32,
        /// Last changed line, 1-based, inclusive; for a pure deletion, the line after it.
        last_line: u32,
        /// Added names, those of the query first; empty for a new file.
        added: Vec<String>,
        /// Removed names.
        removed: Vec<String>,
        /// Whether the file is not in the commit.
        is_new: bool,
    },
    /// It is the head of a similar file; the cursor is in the head of its own.
    Head {
        /// Number of modules that both import.
        common: u32,
        /// Names that it imports and that the cursor's file uses without importing them.
        wanted: Vec<String>,
    },
    /// It is similar to the question in meaning, by vectors.
    Meaning {
        /// Cosine similarity, 0 to 1.
        likeness: f32,
    },
    /// A plan for the file cites it.
    Speculated {
        /// The plan's reason.
        why: String,
        /// Whether its file has changed outside of these lines since.
        is_old: bool,
    },
    /// It is code that a model forecasts.
    Forecast {
        /// The lines that support it.
        why: Vec<String>,
    },
    /// A feature changed its score.
    Feature {
        /// The feature.
        feature: Feature,
        /// The factor on the score.
        factor: f32,
    },
}

impl Reason {
    /// Code of the reason, one word, for programs.
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
            Self::Meaning { likeness } => write!(f, "similar in meaning {likeness:.2}"),
            Self::Speculated { why, is_old } => {
                let old = if *is_old { " before its file changed elsewhere" } else { "" };
                write!(f, "planned for this file{old}; {why}")
            }
            Self::Forecast { why } => {
                write!(f, "forecast, not in the repository; {}", why.join("; "))
            }
            Self::Feature { feature, factor } => write!(f, "{} ×{factor:.2}", feature.label()),
        }
    }
}

/// Appends names after a word; nothing if there are none.
fn write_names(f: &mut fmt::Formatter<'_>, word: &str, names: &[String]) -> fmt::Result {
    match names.is_empty() {
        true => Ok(()),
        false => write!(f, ", {word} {}", names.join(" ")),
    }
}

/// Appends up to three of the missing names.
fn write_head(f: &mut fmt::Formatter<'_>, common: u32, wanted: &[String]) -> fmt::Result {
    f.write_str("head of a file like this one")?;
    if common > 0 {
        write!(f, ", {common} imports in common")?;
    }
    match wanted {
        [] => Ok(()),
        names => write!(f, ", imports {}", names[..names.len().min(HEAD_NAMES)].join(", ")),
    }
}

/// The terms, without those of negligible score.
fn write_terms(f: &mut fmt::Formatter<'_>, terms: &[(String, f32, Field)]) -> fmt::Result {
    f.write_str("words")?;
    let shown = terms.iter().enumerate();
    let shown = shown.take_while(|(idx, it)| *idx == 0 || it.1 >= LEAST_TERM_SCORE);
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
    /// The text around the cursor shows all of its lines.
    Visible,
    /// It is in the cursor's file, and the text around the cursor shows all but a line or two.
    Beside,
    /// A selected piece shows the same.
    Duplicate {
        /// `path:line` of that piece.
        of: String,
    },
    /// It consists of a licence and imports, and the cursor is in neither.
    Filler,
    /// Not even its signature fits.
    Budget {
        /// Tokens of its shortest form.
        needed: usize,
        /// Tokens left.
        left: usize,
    },
    /// The maximum number of pieces is reached.
    Enough,
    /// Its score is far below the best.
    Weak,
}

impl DropReason {
    /// Code of the reason, one word, for programs.
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
