//! Open elements in HTML.
//!
//! The scanner keeps the names of all open elements and copies the whole stack for every token: 240 kB of `<div>` take
//! nine seconds. This guard keeps the same stack, including elements closed by others.

/// Maximum depth. Browsers open at most 512 elements (the limit of Chromium's and WebKit's parsers).
const MAX_DEPTH: usize = 600;
/// Elements without content.
const VOID_ELEMENTS: &[&[u8]] = &[
    b"area",
    b"base",
    b"basefont",
    b"bgsound",
    b"br",
    b"col",
    b"command",
    b"embed",
    b"frame",
    b"hr",
    b"image",
    b"img",
    b"input",
    b"isindex",
    b"keygen",
    b"link",
    b"menuitem",
    b"meta",
    b"nextid",
    b"param",
    b"source",
    b"track",
    b"wbr",
];
/// Elements that end a paragraph.
const PARAGRAPH_CLOSERS: &[&[u8]] = &[
    b"address",
    b"article",
    b"aside",
    b"blockquote",
    b"details",
    b"div",
    b"dl",
    b"fieldset",
    b"figcaption",
    b"figure",
    b"footer",
    b"form",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"header",
    b"hr",
    b"main",
    b"nav",
    b"ol",
    b"p",
    b"pre",
    b"section",
];

/// Whether the number of open elements is safe for the scanner.
pub(super) fn is_safe(text: &[u8]) -> bool {
    let (mut open, mut quotes) = (Vec::new(), Quotes::default());
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &text[at..]) {
        at += found + 1;
        let closes = text.get(at) == Some(&b'/');
        at += usize::from(closes);
        at += text[at..].iter().take_while(|it| it.is_ascii_whitespace()).count();
        let name = name(&text[at..]);
        at += name.len();
        if text[at..].starts_with(b"!--") {
            at = memchr::memmem::find(&text[at..], b"-->").map_or(text.len(), |it| at + it);
        } else if closes {
            close(&mut open, name);
        } else if !name.is_empty() {
            begin(&mut open, name);
            at = quotes.after_attributes(text, at);
            if text[..at].ends_with(b"/") {
                open.pop_if(|it| *it == name);
            } else {
                at = after_raw_text(text, at, name);
            }
        }
        if open.len() > MAX_DEPTH {
            return false;
        }
    }
    true
}

fn name(text: &[u8]) -> &[u8] {
    let is_name = |it: &u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b':' | 0x80..);
    &text[..text.iter().take_while(|it| is_name(it)).count()]
}

/// Pushes an element. As in the scanner, some elements close others.
fn begin<'t>(open: &mut Vec<&'t [u8]>, name: &'t [u8]) {
    while open.pop_if(|it| ends(name, it)).is_some() {}
    if !is_one_of(name, VOID_ELEMENTS) {
        open.push(name);
    }
}

fn close(open: &mut Vec<&[u8]>, name: &[u8]) {
    if let Some(at) = open.iter().rposition(|it| it.eq_ignore_ascii_case(name)) {
        open.truncate(at);
    }
}

/// Whether the start of `name` closes `parent`.
fn ends(name: &[u8], parent: &[u8]) -> bool {
    let either = |names: &[&[u8]]| is_one_of(name, names);
    match parent.to_ascii_lowercase().as_slice() {
        b"p" => either(PARAGRAPH_CLOSERS),
        b"li" => either(&[b"li"]),
        b"dt" | b"dd" => either(&[b"dt", b"dd"]),
        b"colgroup" => !either(&[b"col"]),
        b"rb" | b"rt" | b"rp" => either(&[b"rb", b"rt", b"rp"]),
        b"optgroup" => either(&[b"optgroup"]),
        b"tr" => either(&[b"tr"]),
        b"td" | b"th" => either(&[b"td", b"th", b"tr"]),
        _ => false,
    }
}

fn is_one_of(name: &[u8], names: &[&[u8]]) -> bool {
    names.iter().any(|it| it.eq_ignore_ascii_case(name))
}

/// The end of a script or style sheet, in which nothing is an element.
fn after_raw_text(text: &[u8], at: usize, name: &[u8]) -> usize {
    if !is_one_of(name, &[b"script", b"style"]) {
        return at;
    }
    let ends = |it: &usize| {
        name.len() <= text.len() - it - 2
            && text[it + 1] == b'/'
            && text[it + 2..it + 2 + name.len()].eq_ignore_ascii_case(name)
    };
    let mut begins = memchr::memchr_iter(b'<', &text[at..]).map(|it| at + it);
    begins.find(|it| it + 2 <= text.len() && ends(it)).unwrap_or(text.len())
}

/// Finds the ends of quoted attributes. Each end is searched once.
#[derive(Default)]
struct Quotes {
    /// Whether the rest of the text has no double and no single quote.
    none: [bool; 2],
}

impl Quotes {
    /// The offset of the `>` that ends the attributes at `at`, or of an earlier `<`.
    fn after_attributes(&mut self, text: &[u8], mut at: usize) -> usize {
        while let Some(&byte) = text.get(at) {
            match byte {
                b'<' | b'>' => return at,
                b'"' | b'\'' => at = self.after_quoted(text, at + 1, byte),
                _ => at += 1,
            }
        }
        at
    }

    /// The position after a quoted value. A quote without a partner is an error and is skipped.
    fn after_quoted(&mut self, text: &[u8], at: usize, quote: u8) -> usize {
        let none = &mut self.none[usize::from(quote == b'\'')];
        let end = if *none { None } else { memchr::memchr(quote, &text[at..]) };
        *none = end.is_none();
        end.map_or(at, |it| at + it + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::is_safe;

    #[test]
    fn elements_that_end_each_other_are_not_deep() {
        for text in ["<p>a", "<li><p>b<li>", "<tr><td>a<td>b", "<dt>a<dd>b", "<br>", "<a b='<i>'/>"]
        {
            let list = format!("<ul>{text}</ul>");
            assert!(is_safe(list.repeat(5000).as_bytes()), "{text}");
        }
        assert!(is_safe(format!("<p>{}", "<p>a".repeat(5000)).as_bytes()));
        assert!(is_safe("<script>if (a <b) x = '<i>'</script>".repeat(5000).as_bytes()));
        assert!(is_safe("<!-- <b> -->".repeat(5000).as_bytes()));
    }

    #[test]
    fn deep_elements_are_not_safe() {
        for text in ["<div>", "<div\n", "<li><p>", "< x", "<a b=\"'\">", "<a b=\""] {
            assert!(!is_safe(text.repeat(1300).as_bytes()), "{text}");
        }
    }
}
