//! What can be checked in a line of prose: citations, places, names, quoted code.

/// A part of a line that can be checked.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Item<'t> {
    /// First byte in the line.
    pub(super) at: usize,
    /// Byte after the last.
    pub(super) end: usize,
    pub(super) what: What<'t>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum What<'t> {
    /// `[1]`, `[2, 3]`. With a text before it that an index in code may have: `items[1]`.
    Citation(Vec<u32>, Option<&'t str>),
    /// A path, perhaps with lines.
    Place(&'t str, Option<(u32, u32)>),
    /// `lines 3-5`.
    Lines(u32, u32),
    /// A name, or a number in backticks.
    Name(&'t str, Shape),
    /// Code in backticks that is more than names.
    Code(&'t str),
    /// Some words in quotation marks.
    Quotation(&'t str),
}

/// Why a word is a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The text in backticks is this name, or the name is spelt as names in code are.
    Name,
    /// A word of a longer text in backticks.
    Part,
    /// Two capitalised words in one, outside of backticks: `ConfigLoader`, or a product.
    Capitalised,
}

/// A line of prose.
pub(super) struct Prose<'t> {
    /// In the order of the line.
    pub(super) items: Vec<Item<'t>>,
    /// Bytes at which sentences end.
    pub(super) ends: Vec<usize>,
}

/// Items of a line, at most.
const MAX_ITEMS: usize = 4_096;

/// Bytes of a citation in brackets, and of the code before it, at most.
const MAX_CITATION: usize = 256;
const MAX_INDEXED: usize = 64;

/// Numbers of one citation, at most.
const MAX_NUMBERS: u32 = 32;

/// Words of a quotation, at least; fewer are names and terms.
const MIN_WORDS: usize = 4;

/// Products whose names look like names in code.
const PRODUCTS: [&str; 12] = [
    "JavaScript",
    "TypeScript",
    "CoffeeScript",
    "GitHub",
    "YouTube",
    "WebSocket",
    "WebSockets",
    "PowerShell",
    "StackOverflow",
    "TensorFlow",
    "OpenTelemetry",
    "WordPress",
];

/// Extensions that make a word without a directory the name of a file.
const EXTENSIONS: [&str; 47] = [
    "bash", "cc", "cfg", "cjs", "clj", "cpp", "cs", "css", "cxx", "dart", "ex", "exs", "fs", "go",
    "gradle", "hpp", "hs", "ini", "ipynb", "java", "jl", "js", "jsx", "kt", "kts", "lua", "md",
    "mdx", "mjs", "ml", "php", "pl", "py", "pyi", "rb", "rs", "rst", "scala", "scss", "sh", "sql",
    "swift", "toml", "ts", "tsx", "vue", "yml",
];

/// Reads a line.
pub(super) fn read(line: &str) -> Prose<'_> {
    let mut res = Prose { items: Vec::new(), ends: Vec::new() };
    let mut at = 0;
    let mut plain_from = 0;
    while let Some(open) = line[at..].find('`').map(|it| it + at) {
        let length = line[open..].bytes().take_while(|it| *it == b'`').count();
        let inner = open + length;
        let Some(close) = closing(line, inner, length) else {
            at = inner;
            continue;
        };
        res.plain(line, plain_from, open);
        res.code(line, inner, close);
        at = close + length;
        plain_from = at;
    }
    res.plain(line, plain_from, line.len());
    res.quotations(line);
    res.items.sort_by_key(|it| (it.at, it.end));
    res.items.truncate(MAX_ITEMS);
    res.join_lines(line);
    res
}

/// Where the code span that begins at `from` ends: at the next run of as many backticks, near enough to be code.
fn closing(line: &str, from: usize, length: usize) -> Option<usize> {
    let mut at = from;
    let end = line.floor_char_boundary(line.len().min(from + 1_000));
    while let Some(found) = line[at..end].find('`').map(|it| it + at) {
        let run = line[found..].bytes().take_while(|it| *it == b'`').count();
        if run == length {
            return Some(found);
        }
        at = (found + run).min(end);
    }
    None
}

impl<'t> Prose<'t> {
    fn push(&mut self, at: usize, end: usize, what: What<'t>) {
        if self.items.len() < 2 * MAX_ITEMS {
            self.items.push(Item { at, end, what });
        }
    }

    /// Text outside of backticks.
    fn plain(&mut self, line: &'t str, from: usize, to: usize) {
        let text = &line[from..to];
        let is_end = |it: char| {
            it.is_whitespace()
                || matches!(
                    it,
                    '"' | '\'' | '(' | ')' | '[' | ']' | ',' | ';' | '*' | '<' | '>' | '|'
                )
        };
        let mut start = 0;
        for word in text.split(is_end) {
            let after = text[start + word.len()..].chars().next();
            self.word(word, from + start, after);
            start += word.len() + after.map_or(0, char::len_utf8);
        }
        self.citations(line, from, to);
        self.mentions_of_lines(line, from, to);
        let ends = text.char_indices().filter(|it| matches!(it.1, '.' | '!' | '?' | ';'));
        let is_end = |at: &usize| {
            let rest = &text[at + 1..];
            let next = rest.trim_start();
            next.len() < rest.len() && !next.starts_with('[')
        };
        self.ends.extend(ends.map(|it| it.0).filter(is_end).map(|it| from + it + 1));
    }

    /// A word outside of backticks: a path, or names.
    fn word(&mut self, word: &'t str, at: usize, after: Option<char>) {
        let bare = word.trim_end_matches(['.', ':', '!', '?']);
        if bare.contains("://") || bare.contains('@') {
            return;
        }
        let (path, lines) = path_and_lines(bare);
        // `Node.js` is none of our files.
        let is_product =
            path.rsplit('.').next() == Some("js") && path.starts_with(char::is_uppercase);
        if looks_like_path(path, lines) && after != Some('(') && !is_product {
            return self.push(at, at + bare.len(), What::Place(path, lines));
        }
        for (start, name) in tokens_at(bare) {
            let is_called = after == Some('(') && start + name.len() == bare.len();
            if let Some(shape) = shape(name) {
                let shape = if is_called { Shape::Name } else { shape };
                self.push(at + start, at + start + name.len(), What::Name(name, shape));
            }
        }
    }

    /// Text in backticks.
    fn code(&mut self, line: &'t str, from: usize, to: usize) {
        let code = line[from..to].trim();
        if code.contains("://") {
            return;
        }
        let (path, lines) = path_and_lines(code);
        if looks_like_path(path, lines) {
            return self.push(from, to, What::Place(path, lines));
        }
        self.citations(line, from, to);
        let is_statement = code.contains(char::is_whitespace)
            && code
                .contains(['=', '(', ')', '{', '}', ';', '<', '>', '+', '*', '!', '&', '|', '"'])
            || code.contains('=');
        if is_statement {
            self.push(from, to, What::Code(code));
        }
        let name = code.trim_end_matches("()");
        for (start, it) in tokens_at(&line[from..to]) {
            let is_number = it.bytes().all(|it| it.is_ascii_digit());
            if it.chars().count() > if is_number { 1 } else { 2 } {
                let is_name = !is_number && (it == name || crate::retrieve::query::is_code(it));
                let shape = if is_name { Shape::Name } else { Shape::Part };
                self.push(from + start, from + start + it.len(), What::Name(it, shape));
            }
        }
    }

    /// Numbers in brackets.
    fn citations(&mut self, line: &'t str, from: usize, to: usize) {
        for (open, mark) in line[from..to].match_indices(['[', '【']) {
            let at = from + open;
            let inner = at + mark.len();
            let end = line.floor_char_boundary(to.min(inner + MAX_CITATION));
            let Some(length) = line[inner..end].find([']', '】']) else { continue };
            let after = inner + length + if mark == "[" { 1 } else { "】".len() };
            let after = after.min(line.len());
            let Some(numbers) = numbers(&line[inner..inner + length]) else { continue };
            if line[after..].starts_with("(http") {
                continue;
            }
            let before = &line[line.floor_char_boundary(at.saturating_sub(MAX_INDEXED))..at];
            let is_index = before.ends_with(|it: char| it.is_alphanumeric() || "_)]".contains(it));
            let start = before.rfind(|it: char| it.is_whitespace() || it == '`');
            let start = at - before.len() + start.map_or(0, |it| it + 1);
            let indexed = is_index.then(|| &line[line.ceil_char_boundary(start)..after]);
            self.push(at, after, What::Citation(numbers, indexed));
        }
    }

    /// `line 3`, `lines 3-5`, `L3`.
    fn mentions_of_lines(&mut self, line: &'t str, from: usize, to: usize) {
        for (at, _) in line[from..to].match_indices(['l', 'L']).map(|it| (from + it.0, it.1)) {
            let is_inside = line[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_');
            if let Some((first, last, length)) = lines_after(&line[at..to]).filter(|_| !is_inside) {
                self.push(at, at + length, What::Lines(first, last));
            }
        }
    }

    fn quotations(&mut self, line: &'t str) {
        let mut open: Option<usize> = None;
        for (at, mark) in line.match_indices(['"', '“', '”']) {
            match open.take() {
                Some(from) if mark != "“" => {
                    let text = &line[from..at];
                    if tokens_at(text).nth(MIN_WORDS - 1).is_some() {
                        self.push(from, at, What::Quotation(text));
                    }
                }
                _ if mark != "”" => open = Some(at + mark.len()),
                _ => {}
            }
        }
    }

    /// Gives places the lines beside them: `a/b.py (lines 3-5)`, `line 3 of a/b.py`, `` `a/b.py`:3 ``.
    fn join_lines(&mut self, line: &str) {
        let mut at = 0;
        while at < self.items.len() {
            let it = &self.items[at];
            let What::Place(path, None) = it.what else {
                at += 1;
                continue;
            };
            let after = line[it.end..].trim_start_matches('`');
            let glued = after.strip_prefix([':', '#']).and_then(lines_after_mark);
            let near = |a: &Item<'_>, b: &Item<'_>| {
                let between = line.get(a.end..b.at).unwrap_or("x");
                let word = between.trim_matches(|it: char| !it.is_alphanumeric());
                matches!(word, "" | "of" | "in" | "at") && between.len() < 12
            };
            let next = self.items.get(at + 1).filter(|next| near(it, next));
            let before = at.checked_sub(1).map(|it| &self.items[it]).filter(|last| near(last, it));
            let lines = match (glued, next.map(|it| &it.what), before.map(|it| &it.what)) {
                (Some(lines), ..) => Some((lines, None)),
                (_, Some(What::Lines(a, b)), _) => Some(((*a, *b), Some(at + 1))),
                (.., Some(What::Lines(a, b))) => Some(((*a, *b), Some(at - 1))),
                _ => None,
            };
            if let Some((lines, joined)) = lines {
                self.items[at].what = What::Place(path, Some(lines));
                if let Some(joined) = joined {
                    self.items[at].end = self.items[at].end.max(self.items[joined].end);
                    self.items.remove(joined);
                }
            }
            at += 1;
        }
    }
}

fn tokens_at(text: &str) -> impl Iterator<Item = (usize, &str)> {
    super::sources::tokens(text).map(|it| (it.as_ptr() as usize - text.as_ptr() as usize, it))
}

/// The numbers of a citation: `1`, `2, 3`, `4-6`, `^1`.
fn numbers(inner: &str) -> Option<Vec<u32>> {
    let mut res = Vec::new();
    for part in inner.split([',', ';']) {
        let part = part.trim().trim_start_matches(['^', '#']);
        match range(part) {
            Some((first, last, length)) if length == part.len() => {
                res.extend(first..=last.clamp(first, first.saturating_add(MAX_NUMBERS)));
            }
            _ => return None,
        }
    }
    (res.len() <= MAX_NUMBERS as usize).then_some(res)
}

/// A number or two, and their length: `3`, `3-5`, `3–5`, `L3-L5`.
fn range(text: &str) -> Option<(u32, u32, usize)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let length = digits(text);
    let first = text[..length].parse::<u64>().ok()?.min(u64::from(u32::MAX)) as u32;
    let rest = &text[length..];
    let joined = ["-", "–", "—", " to ", " - ", "-L"].iter().rev().find_map(|mark| {
        let after = rest.strip_prefix(mark)?;
        let n = digits(after);
        let last = after[..n].parse::<u64>().ok()?.min(u64::from(u32::MAX)) as u32;
        Some((last, length + mark.len() + n))
    });
    Some(joined.map_or((first, first, length), |it| (first, it.0, it.1)))
}

/// Lines after a colon or `#`: `3-5`, `L3`.
fn lines_after_mark(text: &str) -> Option<(u32, u32)> {
    let it = range(text.strip_prefix(['L', 'l']).unwrap_or(text))?;
    Some((it.0, it.1))
}

/// Lines named by a word, and the length of the text.
fn lines_after(text: &str) -> Option<(u32, u32, usize)> {
    let words = ["lines ", "line ", "Lines ", "Line ", "L"];
    let word = words.iter().find(|it| text.starts_with(**it))?;
    let (first, last, length) = range(&text[word.len()..])?;
    let rest = &text[word.len() + length..];
    let is_word = rest.starts_with(|it: char| it.is_alphanumeric() || it == '_');
    (!is_word).then_some((first, last, word.len() + length))
}

/// Splits `path:3-5`, `path:3:7` and `path#L3-L5` into the path and the lines.
pub(super) fn path_and_lines(word: &str) -> (&str, Option<(u32, u32)>) {
    for (at, _) in word.match_indices([':', '#']) {
        if let Some(lines) = lines_after_mark(&word[at + 1..]) {
            return (&word[..at], Some(lines));
        }
    }
    (word, None)
}

/// Whether a word is a path: an extension, with a directory, a line number, or the extension of a source file.
fn looks_like_path(word: &str, lines: Option<(u32, u32)>) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    let is_plain = word.chars().all(|it| it.is_alphanumeric() || "/._-@+".contains(it));
    let has_directory = word.trim_start_matches("./").contains('/');
    let Some((stem, extension)) = name.rsplit_once('.').filter(|it| !it.0.is_empty()) else {
        // `bin/run:3`, `Makefile:3`
        let is_recipe = name.ends_with("file") && name.starts_with(char::is_uppercase);
        return lines.is_some() && is_plain && (has_directory || is_recipe) && !word.contains("//");
    };
    let is_extension = (1..=5).contains(&extension.len())
        && extension.chars().all(|it| it.is_ascii_alphanumeric())
        && extension.chars().any(|it| it.is_ascii_alphabetic());
    let is_file = EXTENSIONS.contains(&extension) && stem.chars().any(char::is_alphabetic);
    is_extension
        && is_plain
        && (has_directory || lines.is_some() || is_file)
        && !word.contains("//")
}

/// Why a word outside of backticks is a name; `None` if it is a word of the language.
fn shape(word: &str) -> Option<Shape> {
    let inner = word.trim_matches('_');
    let is_letter = |it: char| it.is_alphabetic();
    if inner.len() < 3 || !inner.starts_with(is_letter) || PRODUCTS.contains(&inner) {
        return None;
    }
    let chars: Vec<char> = inner.chars().collect();
    let capitals: Vec<usize> = (1..chars.len()).filter(|it| chars[*it].is_uppercase()).collect();
    let begins_hump = |at: &usize| {
        chars[at - 1].is_lowercase() && chars.get(at + 1).is_some_and(|it| it.is_lowercase())
    };
    let humps = capitals.iter().filter(|it| begins_hump(it)).count();
    let is_camel =
        humps > 0 && chars[0].is_lowercase() && capitals.first().is_some_and(|it| *it > 1);
    let is_long = humps > 1 && chars[0].is_uppercase();
    match inner.contains('_') || is_camel || is_long {
        true => Some(Shape::Name),
        false if humps == 1 && capitals.len() == 1 => Some(Shape::Capitalised),
        false => None,
    }
}
