//! A bound on the number of values in a JSON text. Parsed, `[0,0,0…]` takes sixteen times its length and more, so the
//! length of a message alone does not bound the memory that it takes.

/// Maximum number of values in a message. A prompt of 100,000 tokens or a list of 10,000 changed files has fewer.
pub(crate) const MAX_VALUES: usize = 1 << 18;

/// Whether a text that may be JSON has more than [`MAX_VALUES`] values, keys included.
pub(crate) fn has_too_many_values(json: &[u8]) -> bool {
    json.len() > MAX_VALUES && values(json) > MAX_VALUES
}

/// Counts the commas and opening brackets outside of strings.
fn values(json: &[u8]) -> usize {
    let (mut count, mut is_string, mut is_escaped) = (0, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            b',' | b':' | b'[' | b'{' if !is_string => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_and_the_text_of_strings_is_not() {
        assert_eq!(values(br#"{"a": [1, 2], "b,[\"{": {}}"#), 7);
        assert_eq!(values(br#""\\", [,"\",""#), 3);
        let many = format!("[{}0]", "0,".repeat(MAX_VALUES));
        assert!(has_too_many_values(many.as_bytes()));
        let text = format!("[\"{}\"]", "0,".repeat(MAX_VALUES));
        assert!(!has_too_many_values(text.as_bytes()));
    }
}
