//! Checks documents against the present texts of their files.

use foreword_chunk::LineIndex;
use rustc_hash::FxHashMap;

use super::document::{Document, RawOccurrence, Unit};
use super::facts::Occurrence;
use super::symbol::{descriptors, is_plain, is_word, stored};

/// Percent of the uses of a document that may be at no name; with more, it is of another text. By judgement: no index of
/// another text that passed the check of its definitions was seen.
const MAX_WRONG_PERCENT: usize = 10;
/// Columns of a tab in javac (`TabInc` of its `LayoutCharacters`).
const TAB_CHARS: u64 = 8;

/// The symbols of an import, each read once.
#[derive(Default)]
pub(super) struct Symbols {
    /// The symbols as they are stored.
    pub(super) all: Vec<String>,
    numbers: FxHashMap<String, u32>,
    /// By symbol as written: its number and its name; `None` for what is not looked up by a name.
    read: FxHashMap<String, Option<(u32, String)>>,
}

impl Symbols {
    /// The numbers of pairs of symbols, in order; without those that are not looked up by a name.
    pub(super) fn pairs(&mut self, written: &[(&str, &str)]) -> Vec<(u32, u32)> {
        let pair = |(a, b): &(&str, &str)| Some((self.number(a)?.0, self.number(b)?.0));
        let mut res: Vec<(u32, u32)> = written.iter().filter_map(pair).collect();
        res.sort_unstable();
        res.dedup();
        res
    }

    fn number(&mut self, written: &str) -> Option<(u32, &str)> {
        if !self.read.contains_key(written) {
            let read = self.read_new(written);
            self.read.insert(written.to_owned(), read);
        }
        let (number, name) = self.read.get(written)?.as_ref()?;
        Some((*number, name))
    }

    fn read_new(&mut self, written: &str) -> Option<(u32, String)> {
        let last = descriptors(written)?.pop()?;
        if !last.suffix.is_named() || !is_plain(&last.name) {
            return None;
        }
        let stored = stored(written)?;
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(stored).or_insert_with_key(|it| {
            self.all.push(it.clone());
            next
        });
        Some((number, last.name))
    }
}

/// The occurrences of a document as bytes of `text`, in order; the reason if it describes another text. Columns count what
/// the document states; where it states nothing, what makes it fit, and UTF-16 first, as in scip-python and
/// scip-typescript. scip-java counts tabs in a way of its own ([`Unit::Tabs`]).
pub(super) fn check(
    document: &mut Document<'_>,
    text: &str,
    symbols: &mut Symbols,
) -> Result<Vec<Occurrence>, String> {
    document.occurrences.sort_by_key(|it| it.range.start);
    let lines = LineIndex::new(text.as_bytes());
    let mut units = match document.unit {
        Some(unit) => vec![unit],
        None if text.is_ascii() => vec![Unit::Utf8],
        None => vec![Unit::Utf16, Unit::Utf8, Unit::Utf32],
    };
    if document.unit.is_none() && text.contains('\t') {
        units.push(Unit::Tabs);
    }
    let mut first = None;
    for unit in units {
        let columns = Columns { text, lines: &lines, unit, last: None, leading: 0 };
        match check_in(&document.occurrences, columns, symbols) {
            Ok(found) => return Ok(found),
            Err(reason) => drop(first.get_or_insert(reason)),
        }
    }
    Err(first.unwrap_or_default())
}

fn check_in(
    occurrences: &[RawOccurrence<'_>],
    mut columns: Columns<'_>,
    symbols: &mut Symbols,
) -> Result<Vec<Occurrence>, String> {
    let (mut res, mut uses, mut wrong) = (Vec::new(), 0, 0);
    for it in occurrences {
        let Some((symbol, name)) = symbols.number(it.symbol) else { continue };
        let span = columns.span(it);
        let here = span.and_then(|(start, end)| columns.text.get(start..end));
        if it.is_definition() && here != Some(name) {
            let line = it.range.start.0.saturating_add(1);
            let here = here.map_or("nothing".to_owned(), |it| format!("`{}`", shown(it)));
            return Err(format!(
                "{here} stands in line {line} where `{}` should be defined",
                shown(name)
            ));
        }
        if here.is_some_and(is_operator) {
            continue;
        }
        uses += usize::from(!it.is_definition());
        let is_name = here.is_some_and(|it| !it.is_empty() && it.chars().all(is_word));
        match span.filter(|it| is_name && columns.is_whole(*it)) {
            Some((start, end)) => res.push(Occurrence {
                start: start as u32,
                end: end as u32,
                symbol,
                is_definition: it.is_definition(),
            }),
            None => wrong += 1,
        }
    }
    if wrong * 100 > uses * MAX_WRONG_PERCENT {
        return Err(format!("{wrong} of {uses} uses are at no name"));
    }
    // Some indexers state the same twice.
    res.sort_by_key(|it| (it.start, it.end, it.symbol, !it.is_definition));
    res.dedup_by_key(|it| (it.start, it.end, it.symbol));
    Ok(res)
}

/// True for a use that is written without a name: rust-analyzer notes `add` at `+` and at the spaces around it, `index` at
/// `[`.
fn is_operator(text: &str) -> bool {
    !text.is_empty() && !text.contains(is_word)
}

/// The beginning of some text, on one line.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(40).map(|it| if it.is_control() { ' ' } else { it }).collect()
}

/// Converts columns to bytes. Places come in order, so that a long line is read once.
struct Columns<'t> {
    text: &'t str,
    lines: &'t LineIndex,
    unit: Unit,
    /// The line, column and byte of the last place.
    last: Option<(u64, u64, usize)>,
    /// Tabs with which its line begins.
    leading: u64,
}

impl Columns<'_> {
    /// The bytes of a range on one line; `None` for others and those that lie outside of the text.
    fn span(&mut self, it: &RawOccurrence<'_>) -> Option<(usize, usize)> {
        let ((line, from), (last_line, to)) = (it.range.start, it.range.end);
        let number = u32::try_from(line).ok()?.checked_add(1)?;
        if line != last_line || to < from || number > self.lines.count() {
            return None;
        }
        let beginning = (line, 0, self.lines.start_of(number));
        let known = self.last.filter(|last| last.0 == line && last.1 <= from);
        let (_, column, byte) = known.unwrap_or(beginning);
        if self.unit == Unit::Tabs && known.is_none() {
            let tabs = self.text[beginning.2..].bytes().take_while(|it| *it == b'\t').count();
            self.leading = tabs as u64;
        }
        let start = self.advance(byte, (column, from))?;
        self.last = Some((line, from, start));
        Some((start, self.advance(start, (from, to))?))
    }

    /// The byte at a wanted column, behind another one of known column on the same line.
    fn advance(&self, byte: usize, (known, wanted): (u64, u64)) -> Option<usize> {
        let mut column = known;
        for (at, it) in self.text.get(byte..)?.char_indices() {
            if column == wanted {
                return Some(byte + at);
            }
            if it == '\n' || column > wanted {
                return None;
            }
            column += match self.unit {
                Unit::Utf8 => it.len_utf8() as u64,
                Unit::Tabs if it == '\t' && column >= self.leading => {
                    TAB_CHARS - (column + (TAB_CHARS - 1) * self.leading) % TAB_CHARS
                }
                Unit::Utf16 | Unit::Tabs => it.len_utf16() as u64,
                Unit::Utf32 => 1,
            };
        }
        (column == wanted).then_some(self.text.len())
    }

    /// True for a name with no part of a word before or behind it.
    fn is_whole(&self, (start, end): (usize, usize)) -> bool {
        !self.text[..start].ends_with(is_word) && !self.text[end..].starts_with(is_word)
    }
}
