//! The context that a baseline proposes, and its cut to a budget.

use crate::measures::coverage::ContextPiece;

/// Counts the tokens of a text.
pub type Count<'c> = &'c dyn Fn(&str) -> usize;

/// Tokens of the path above a piece besides the path's own, as `foreword_engine::trim` counts them.
const PIECE_OVERHEAD: usize = 6;

/// Treatment of a piece that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// Show its first lines that fit, then stop.
    KeepStart,
    /// Show its last lines that fit, then stop: the prompt is trimmed from the left.
    KeepEnd,
    /// Omit it and all later pieces.
    Stop,
    /// Omit it.
    Skip,
    /// Share the remaining tokens equally with the next `after` pieces, but take at least `least` tokens.
    Share {
        /// Number of later pieces with a share.
        after: usize,
        /// Minimum worth showing.
        least: usize,
    },
}

/// A piece of an offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The file.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The shown text.
    pub text: String,
    /// Treatment when it does not fit.
    pub overflow: Overflow,
}

/// The order of pieces in the prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Highest priority first.
    #[default]
    BestFirst,
    /// Highest priority last, next to the text around the cursor.
    BestLast,
    /// Sorted by path.
    ByPath,
}

/// The context that a baseline proposes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// Pieces by priority.
    pub pieces: Vec<Piece>,
    /// The order of the prompt.
    pub order: Order,
    /// The budget of the original system, if it has one.
    pub own: Option<usize>,
    /// Whether pieces of one file share one path header.
    pub by_file: bool,
}

impl Offer {
    /// The pieces within `tokens` (its own budget if `None`), in the order of the prompt.
    pub fn cut(&self, tokens: Option<usize>, count: Count<'_>) -> Vec<ContextPiece> {
        let tokens = tokens.or(self.own).unwrap_or(usize::MAX);
        let mut cutter = Cutter { left: tokens, count, by_file: self.by_file, res: Vec::new() };
        for piece in &self.pieces {
            if !cutter.take(piece) {
                break;
            }
        }
        let mut res = cutter.res;
        match self.order {
            Order::BestFirst => {}
            Order::BestLast => res.reverse(),
            Order::ByPath => {
                res.sort_by(|a, b| (&a.path, a.start_line).cmp(&(&b.path, b.start_line)));
            }
        }
        res
    }
}

struct Cutter<'c> {
    left: usize,
    count: Count<'c>,
    by_file: bool,
    res: Vec<ContextPiece>,
}

impl Cutter<'_> {
    /// Adds a piece; returns whether the next one may follow.
    fn take(&mut self, piece: &Piece) -> bool {
        let known = self.by_file && self.res.iter().any(|it| it.path == piece.path);
        let header = if known { 0 } else { (self.count)(&piece.path) + PIECE_OVERHEAD };
        let needed = header + (self.count)(&piece.text);
        let fits = needed <= self.left;
        match piece.overflow {
            Overflow::Share { after, least } => {
                let share = (self.left / (after + 1)).max(least).min(self.left);
                self.put(piece, head(piece, share, header, self.count), header);
            }
            _ if fits => self.put(piece, (piece.text.clone(), piece.start_line), header),
            Overflow::KeepStart => {
                self.put(piece, head(piece, self.left, header, self.count), header);
            }
            Overflow::KeepEnd => {
                self.put(piece, tail(piece, self.left, header, self.count), header);
            }
            Overflow::Stop | Overflow::Skip => {}
        }
        fits || matches!(piece.overflow, Overflow::Skip | Overflow::Share { .. })
    }

    fn put(&mut self, piece: &Piece, (text, start_line): (String, u32), header: usize) {
        let lines = text.lines().count() as u32;
        if lines == 0 {
            return;
        }
        let tokens = header + (self.count)(&text);
        self.left -= tokens;
        // A piece with header lines of other definitions keeps its stated last line.
        let end_line = (start_line + lines - 1).min(piece.end_line);
        self.res.push(ContextPiece {
            path: piece.path.clone(),
            start_line,
            end_line,
            text,
            tokens,
        });
    }
}

/// The first lines that fit below the header.
fn head(piece: &Piece, most: usize, header: usize, count: Count<'_>) -> (String, u32) {
    let mut res = String::new();
    for line in piece.text.split_inclusive('\n') {
        let length = res.len();
        res.push_str(line);
        if header + count(&res) > most {
            res.truncate(length);
            break;
        }
    }
    (res, piece.start_line)
}

/// The last lines that fit, and the number of the first one.
fn tail(piece: &Piece, most: usize, header: usize, count: Count<'_>) -> (String, u32) {
    let mut start = piece.text.len();
    let mut skipped = piece.text.lines().count() as u32;
    for line in piece.text.split_inclusive('\n').rev() {
        if header + count(&piece.text[start - line.len()..]) > most {
            break;
        }
        start -= line.len();
        skipped -= 1;
    }
    (piece.text[start..].to_owned(), piece.start_line + skipped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(path: &str, text: &str, overflow: Overflow) -> Piece {
        let end_line = text.lines().count() as u32;
        Piece { path: path.into(), start_line: 1, end_line, text: text.into(), overflow }
    }

    #[track_caller]
    fn check(offer: &Offer, tokens: usize, expect: &[(&str, u32, &str)]) {
        let shown = offer.cut(Some(tokens), &|it: &str| it.len());
        let got: Vec<_> =
            shown.iter().map(|it| (it.path.as_str(), it.start_line, it.text.as_str())).collect();
        assert_eq!(got, expect);
        assert!(shown.iter().map(|it| it.tokens).sum::<usize>() <= tokens);
    }

    fn offer(overflow: Overflow) -> Offer {
        let pieces = vec![piece("a", "one\ntwo\n", overflow), piece("b", "x\n", overflow)];
        Offer { pieces, ..Offer::default() }
    }

    #[test]
    fn what_does_not_fit_is_cut_at_a_line_on_the_side_that_the_baseline_cuts() {
        // A path costs 1 and 6, a line 4.
        check(&offer(Overflow::KeepStart), 12, &[("a", 1, "one\n")]);
        check(&offer(Overflow::KeepEnd), 12, &[("a", 2, "two\n")]);
        check(&offer(Overflow::Stop), 12, &[]);
        check(&offer(Overflow::Skip), 12, &[("b", 1, "x\n")]);
    }

    #[test]
    fn shares_leave_something_for_all() {
        let pieces = vec![
            piece("a", "one\ntwo\nsix\n", Overflow::Share { after: 1, least: 0 }),
            piece("b", "ten\nelf\n", Overflow::Share { after: 0, least: 0 }),
        ];
        let offer = Offer { pieces, ..Offer::default() };
        check(&offer, 22, &[("a", 1, "one\n"), ("b", 1, "ten\n")]);
        check(&offer, 100, &[("a", 1, "one\ntwo\nsix\n"), ("b", 1, "ten\nelf\n")]);
    }

    #[test]
    fn the_best_may_stand_last_and_one_file_may_have_one_header() {
        let mut offer = offer(Overflow::Skip);
        offer.order = Order::BestLast;
        check(&offer, 100, &[("b", 1, "x\n"), ("a", 1, "one\ntwo\n")]);
        let twice = vec![piece("a", "x\n", Overflow::Skip), piece("a", "y\n", Overflow::Skip)];
        let offer = Offer { pieces: twice, by_file: true, ..Offer::default() };
        check(&offer, 11, &[("a", 1, "x\n"), ("a", 1, "y\n")]);
    }

    #[test]
    fn without_a_budget_its_own_counts() {
        let offer = Offer { own: Some(12), ..offer(Overflow::KeepStart) };
        let shown = offer.cut(None, &|it: &str| it.len());
        assert_eq!(shown.len(), 1);
    }
}
