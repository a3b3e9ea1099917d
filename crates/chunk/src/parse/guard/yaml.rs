//! Open blocks in YAML.
//!
//! The scanner keeps its open blocks in a buffer of 1024 bytes and aborts the process when 254 of them are open. Only
//! an attacker writes such files. Blocks open at a column, at most two at each, so the guard counts the columns where
//! one may begin and rejects texts with too many.

/// Maximum number of columns. The scanner has room for 253 blocks.
const MAX_COLUMNS: u32 = 120;
/// Maximum number of block starts on a line: after an error the scanner may take any indicator for one.
const MAX_STARTS_ON_LINE: usize = 120;

/// Whether the number of blocks is safe for the scanner.
pub(super) fn is_safe(text: &[u8]) -> bool {
    let mut seen = [false; MAX_COLUMNS as usize * 8];
    let mut columns = 0;
    for line in text.split(|&byte| byte == b'\n' || byte == b'\r') {
        let starts = block_starts(line);
        for start in starts {
            let Some(seen) = seen.get_mut(start) else { return false };
            columns += u32::from(!std::mem::replace(seen, true));
        }
        if columns > MAX_COLUMNS || indicators(line) > MAX_STARTS_ON_LINE {
            return false;
        }
    }
    true
}

/// Columns of a line where blocks may begin: at indicators, properties and the first content.
fn block_starts(line: &[u8]) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += line.get(at..)?.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
        let start = at;
        match line.get(at)? {
            b'-' | b'?' | b':' if is_blank(line.get(at + 1)) => at += 1,
            b'&' | b'!' => {
                at += line[at..].iter().take_while(|&&byte| byte != b' ' && byte != b'\t').count();
            }
            _ => at = line.len() + 1,
        }
        Some(start)
    })
}

fn indicators(line: &[u8]) -> usize {
    let pairs = line.iter().zip(line.iter().skip(1).map(Some).chain([None]));
    pairs.filter(|(byte, next)| matches!(byte, b'-' | b'?' | b':') && is_blank(*next)).count()
}

fn is_blank(byte: Option<&u8>) -> bool {
    matches!(byte, None | Some(b' ' | b'\t'))
}

#[cfg(test)]
mod tests {
    use super::is_safe;

    #[test]
    fn ordinary_yaml_is_safe() {
        let text: String =
            (0..20).map(|i| format!("{}- a{i}: # - : ?\n", "  ".repeat(i))).collect();
        assert!(is_safe(text.repeat(50).as_bytes()));
    }

    #[test]
    fn hundreds_of_open_blocks_are_not_safe() {
        assert!(!is_safe("- ".repeat(300).as_bytes()));
        assert!(!is_safe(
            (0..300).map(|i| format!("{}a:\n", " ".repeat(i))).collect::<String>().as_bytes()
        ));
        assert!(!is_safe(format!("a: {}", "? ".repeat(300)).as_bytes()));
    }
}
