//! Which pieces of a prompt a completion took something from: their identifiers and lines that it has, and that the text
//! around the cursor has not.

use foreword_engine::index::terms::identifiers;
use rustc_hash::FxHashSet;
use serde::Serialize;

/// What a completion has of one piece.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PieceUse {
    /// Identifiers of the completion that the piece has and the text around the cursor has not, each once.
    pub names: Vec<String>,
    /// Lines of the completion that stand in the piece, without the white space around them.
    pub lines: usize,
    /// 0 to 1: which part of the completion's identifiers that are new at the cursor the piece has; with no such
    /// identifiers, which part of its lines.
    pub share: f32,
}

/// The longest completion that is looked at, and the most names that are listed, of each piece.
const MAX_BYTES: usize = 16 << 10;
const MAX_NAMES: usize = 12;

/// Shorter names are words of every program.
const SHORTEST: usize = 3;

/// What a completion has of each piece; `around` are the texts before and after the cursor.
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
        if name.len() >= SHORTEST && !name.starts_with(|it: char| it.is_ascii_digit()) {
            res.push(name);
        }
    });
    res
}

/// Whether a line is more than a brace.
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
