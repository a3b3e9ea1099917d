//! Detects encodings older than UTF-8: one byte of Latin-1 in a comment must not exclude a file.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// The text, and the name of its encoding; `None` for binary data.
///
/// Detects the encoding as browsers do. Similar encodings may be confused (windows-1252 and -1250 differ in a few
/// letters), which garbles those letters; names and keywords are ASCII, which all these encodings contain.
pub(super) fn decode(bytes: &[u8]) -> Option<(String, &'static str)> {
    if bytes.iter().any(|it| is_control(*it)) {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    // In a single-byte encoding every byte is a character; text contains no C1 controls.
    let is_text = !text.chars().any(|it| matches!(it, '\u{80}'..='\u{9f}'));
    is_text.then(|| (text.into_owned(), encoding.name()))
}

/// Decodes UTF-8 with a few broken bytes, each run of which is replaced; `None` unless at least twice as many non-ASCII
/// characters are valid. In older encodings hardly any are: two of their letters in a row seldom form one.
pub(super) fn mostly_utf8(bytes: &[u8]) -> Option<String> {
    if bytes.iter().any(|it| is_control(*it)) {
        return None;
    }
    let (mut whole, mut broken) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|it| !it.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    (broken > 0 && whole >= 2 * broken).then(|| String::from_utf8_lossy(bytes).into_owned())
}

/// Whether a byte never occurs in text: a control character other than white space and escape.
fn is_control(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expect: &str) {
        assert_eq!(decode(bytes).map(|it| it.0).as_deref(), Some(expect));
    }

    #[test]
    fn one_byte_of_latin_1_is_a_letter() {
        check(
            b"# Andr\xe9 wrote this\ndef f(): pass\n",
            "# Andr\u{e9} wrote this\ndef f(): pass\n",
        );
        check(b"/* 10 \xb0C */\nint x;\n", "/* 10 \u{b0}C */\nint x;\n");
    }

    #[test]
    fn other_encodings_are_detected() {
        let russian =
            "\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}, \u{43c}\u{438}\u{440}! ".repeat(5);
        let (bytes, ..) = encoding_rs::WINDOWS_1251.encode(&russian);
        check(&bytes, &russian);
        let japanese = "\u{65e5}\u{672c}\u{8a9e}\u{306e}\u{30b3}\u{30e1}\u{30f3}\u{30c8}\u{3067}\u{3059}\u{3002}".repeat(5);
        let (bytes, ..) = encoding_rs::SHIFT_JIS.encode(&japanese);
        check(&bytes, &japanese);
    }

    #[test]
    fn broken_bytes_of_utf_8_are_replaced_and_the_rest_stays() {
        let text = "# Grüße von André\nx = 1 # caf";
        let bytes = [text.as_bytes(), b"\xe9\n"].concat();
        assert_eq!(mostly_utf8(&bytes), Some(format!("{text}\u{fffd}\n")));
        assert_eq!(mostly_utf8(b"# Andr\xe9 wrote this\n"), None);
        let (bytes, ..) =
            encoding_rs::WINDOWS_1251.encode("\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442} ");
        assert_eq!(mostly_utf8(&bytes.repeat(9)), None);
        let (bytes, ..) =
            encoding_rs::SHIFT_JIS.encode("\u{65e5}\u{672c}\u{8a9e}\u{306e}\u{30b3}\u{30e1}");
        assert_eq!(mostly_utf8(&bytes.repeat(9)), None);
        let (bytes, ..) =
            encoding_rs::GBK.encode("\u{4e2d}\u{6587}\u{6ce8}\u{91ca}\u{8bf4}\u{660e}");
        assert_eq!(mostly_utf8(&bytes.repeat(9)), None);
    }

    #[test]
    fn data_is_no_text() {
        assert_eq!(decode(b"\xff\x01\x02\x03"), None);
        assert_eq!(decode(b"caf\xe9\x7f"), None);
    }
}
