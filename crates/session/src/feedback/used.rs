//! Reuse of the pieces of a prompt by a completion: identifiers and lines that it has in common with a piece and not with
//! the text around the cursor.

use foreword_engine::index::terms::identifiers;
use rustc_hash::FxHashSet;
use serde::Serialize;

/// How much of a piece the completion reused.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PieceUse {
    /// Distinct identifiers of the completion that are in the piece and not around the cursor.
    pub names: Vec<String>,
    /// Number of lines of the completion that are in the piece, trimmed.
    pub lines: usize,
    /// Fraction (0 to 1) of the completion's new identifiers that are in the piece; without new identifiers, of its lines.
    pub share: f32,
}

/// Maximum bytes of an examined completion, and maximum names listed per piece.
const MAX_BYTES: usize = 16 << 10;
const MAX_NAMES: usize = 12;

/// Minimum length of a name; shorter ones are in every program.
const MIN_NAME_LENGTH: usize = 3;

/// The reuse of each piece; `around` are the texts before and after the cursor.
pub fn of_pieces(completion: &str, around: [&str; 2], pieces: &[&str]) -> Vec<PieceUse> {
    let completion = &completion[..completion.floor_char_boundary(MAX_BYTES)];
    let known: FxHashSet<&str> = around.iter().flat_map(|it| names(it)).collect();
    let mut fresh: Vec<&str> = Vec::new();
    for name in names(completion) {
        if !known.contains(name) && !fresh.contains(&name) {
            fresh.push(name);
        }
    }
    let lines: Vec<&str> =
        completion.lines().map(str::trim).filter(|it| says_something(it)).collect();
    pieces.iter().map(|it| of_piece(&fresh, &lines, it)).collect()
}

fn of_piece(fresh: &[&str], lines: &[&str], piece: &str) -> PieceUse {
    let own: FxHashSet<&str> = names(piece).into_iter().collect();
    let own_lines: FxHashSet<&str> = piece.lines().map(str::trim).collect();
    let taken: Vec<&str> = fresh.iter().copied().filter(|it| own.contains(it)).collect();
    let same = lines.iter().filter(|it| own_lines.contains(*it)).count();
    let share = match fresh.is_empty() {
        true => same as f32 / lines.len().max(1) as f32,
        false => taken.len() as f32 / fresh.len() as f32,
    };
    let names = taken.into_iter().take(MAX_NAMES).map(str::to_owned).collect();
    PieceUse { names, lines: same, share: (share * 100.0).round() / 100.0 }
}

fn names(text: &str) -> Vec<&str> {
    let mut res = Vec::new();
    identifiers(text, |start, end| {
        let name = &text[start..end];
        if name.len() >= MIN_NAME_LENGTH && !name.starts_with(|it: char| it.is_ascii_digit()) {
            res.push(name);
        }
    });
    res
}

/// Whether a line has at least four letters or digits.
fn says_something(line: &str) -> bool {
    line.chars().filter(|it| it.is_alphanumeric()).count() >= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_at_the_cursor_is_taken_from_the_piece_that_has_it() {
        let pieces =
            ["def open_store(path):\n    return Store(path)\n", "def close(it):\n    pass\n"];
        let used = of_pieces("open_store(path)\n", ["def run(path):\n    store = ", "\n"], &pieces);
        assert_eq!(used[0].names, ["open_store"]);
        assert!((used[0].share - 1.0).abs() < 1e-6);
        assert_eq!(used[1], PieceUse::default());
    }

    #[test]
    fn a_copied_line_counts_where_no_name_is_new() {
        let pieces = ["x = [1, 2, 3]\nreturn items\n"];
        let used = of_pieces("return items", ["items = []\nreturn None\n", ""], &pieces);
        assert_eq!((used[0].names.len(), used[0].lines), (0, 1));
        assert!((used[0].share - 1.0).abs() < 1e-6);
    }
}
