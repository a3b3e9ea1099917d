//! Indentation in Python.
//!
//! The scanner writes its open levels of indentation, two bytes each, into a buffer of 1024 bytes after the open
//! strings, one byte each. It stops at the end of the buffer, but not before it: with an odd number of open strings the
//! last level lies half behind the buffer, and tree-sitter aborts the process. Levels on the stack ascend, so their
//! number is at most that of the text's different indentations.

/// Maximum number of levels. With 255 open strings, the most that are written, 383 levels fit.
const MAX_LEVELS: u32 = 300;
/// Width of a tab, in spaces.
const TAB_WIDTH: u16 = 8;

/// Whether the number of different indentations is safe for the scanner.
pub(super) fn is_safe(text: &[u8]) -> bool {
    let breaks = memchr::memchr3_iter(b'\n', b'\r', 0x0c, text).count();
    if breaks < MAX_LEVELS as usize {
        return true;
    }
    let mut seen = [0u64; 1 << 10];
    let mut levels = 0;
    let mut at = 0;
    while at < text.len() {
        let (end, width) = indentation(text, at);
        let (word, bit) = (usize::from(width >> 6), 1 << (width & 63));
        levels += u32::from(seen[word] & bit == 0);
        seen[word] |= bit;
        if levels > MAX_LEVELS {
            return false;
        }
        at =
            memchr::memchr3(b'\n', b'\r', 0x0c, &text[end..]).map_or(text.len(), |it| end + it + 1);
    }
    true
}

/// The end of the blanks at `at`, and their width as the scanner counts it: it goes on after an escaped line break, and
/// wraps.
fn indentation(text: &[u8], mut at: usize) -> (usize, u16) {
    let mut width: u16 = 0;
    loop {
        match text[at..] {
            [b' ', ..] => width = width.wrapping_add(1),
            [b'\t', ..] => width = width.wrapping_add(TAB_WIDTH),
            [b'\n' | b'\r' | 0x0c, ..] => width = 0,
            [b'\\', b'\n', ..] => at += 1,
            [b'\\', b'\r', b'\n', ..] => at += 2,
            _ => return (at, width),
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::is_safe;

    fn stairs(steps: usize) -> String {
        (0..steps).map(|it| format!("{}if a:\n", " ".repeat(it))).collect()
    }

    #[test]
    fn hundreds_of_levels_are_not_safe() {
        assert!(is_safe(stairs(100).repeat(20).as_bytes()));
        assert!(!is_safe(stairs(513).as_bytes()));
        assert!(!is_safe(stairs(513).replace('\n', "\r").as_bytes()));
    }

    #[test]
    fn a_continued_line_counts_on() {
        let step =
            |it: usize| format!("{}\\\n{}if a:\n", " ".repeat(it % 50), " ".repeat(it / 50 * 50));
        assert!(!is_safe((0..513).map(step).collect::<String>().as_bytes()));
    }
}
