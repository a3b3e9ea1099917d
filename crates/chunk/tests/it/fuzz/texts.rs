//! Makes texts that attack a grammar from real files. A seed gives the same text on every machine.

use std::path::Path;

use foreword_chunk::Language;

/// Raw material: files of one language, and their tokens.
pub(crate) struct Source {
    pub(crate) language: Language,
    files: Vec<Vec<u8>>,
    tokens: Vec<Vec<u8>>,
    /// Openers of a construct: a token before a bracket with the bracket, or a line before an indented one.
    openers: Vec<(Vec<u8>, &'static [u8])>,
}

/// A text, and an earlier version if the parse is to be incremental.
pub(crate) struct Attack {
    pub(crate) text: Vec<u8>,
    pub(crate) previous: Option<Vec<u8>>,
}

/// A pseudo-random sequence (SplitMix64: Steele, Lea and Flood, OOPSLA 2014).
pub(crate) struct Random(u64);

const CLOSERS: [&[u8]; 8] = [b")", b"]", b"}", b">", b"end\n", b"\n", b"\"", b""];
/// Bytes that scanners treat specially.
const ODD: [&[u8]; 24] = [
    b"\0",
    b"\xff",
    b"\r",
    b"\n",
    b"\t",
    b"\x0c",
    b"@",
    b"\\",
    b"\"",
    b"'",
    b"`",
    b"$",
    b"#",
    b"<<",
    b"<<\"",
    b"<<~A",
    b"'''",
    b"\"\"\"",
    b"#{",
    b"${",
    b"/*",
    b"%w(",
    "\u{2028}".as_bytes(),
    "\u{100}".as_bytes(),
];

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        it ^ (it >> 31)
    }

    /// A number below `end`; 0 for 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// A number from 1 to `most`; each order of magnitude is equally likely.
    fn magnitude(&mut self, most: usize) -> usize {
        let bits = self.below(most.max(2).ilog2() as usize + 1);
        ((1 << bits) + self.below(1 << bits)).min(most.max(1))
    }

    fn one_of<'a>(&mut self, from: &[&'a [u8]]) -> &'a [u8] {
        from[self.below(from.len())]
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

impl Source {
    fn new(language: Language, files: Vec<Vec<u8>>) -> Self {
        let mut tokens: Vec<Vec<u8>> = files.iter().flat_map(|it| tokens_of(it)).collect();
        tokens.sort();
        tokens.dedup();
        let mut openers: Vec<_> = files.iter().flat_map(|it| openers_of(it)).collect();
        openers.sort();
        openers.dedup();
        openers.extend([&b"("[..], b"[", b"{", b"<"].map(|it| (it.to_vec(), close_of(it[0]))));
        Self { language, files, tokens, openers }
    }

    /// The attack of `seed`, of about `most` bytes at most.
    pub(crate) fn attack(&self, seed: u64, most: usize) -> Attack {
        let mut random = Random::new(seed);
        let mut text = self.text(&mut random, most);
        let previous = (random.below(4) == 0).then(|| text.clone());
        if previous.is_some() {
            self.mutate(&mut random, &mut text, 1);
        }
        Attack { text, previous }
    }

    fn text(&self, random: &mut Random, most: usize) -> Vec<u8> {
        let file = random.pick(&self.files).as_slice();
        let end = random.below(file.len());
        let size = random.magnitude(most);
        let mut text = match random.below(9) {
            0 => file[..end].to_vec(),
            1 => file[random.below(end)..end].to_vec(),
            2 => self.repeated(random, size),
            3 => self.nested(random, size),
            4 => self.indented(random, size),
            5 => (0..size / 4).flat_map(|_| random.pick(&self.tokens)).copied().collect(),
            6 => {
                let other = random.pick(&self.files);
                let from = random.below(other.len());
                [&file[..end], &other[from..]].concat()
            }
            _ => file.to_vec(),
        };
        match random.below(6) {
            0 => self.insert(random, &mut text, size),
            1 | 2 => {
                let count = random.magnitude(64);
                self.mutate(random, &mut text, count);
            }
            3 => text.extend_from_slice(random.one_of(&ODD)),
            _ => {}
        }
        text.truncate(most.max(file.len()) * 2);
        text
    }

    /// One to four tokens or odd bytes, repeated.
    fn repeated(&self, random: &mut Random, size: usize) -> Vec<u8> {
        let space = random.one_of(&[&b""[..], b"", b" ", b"\n"]);
        let mut unit = Vec::new();
        for _ in 0..=random.below(4) {
            unit.extend_from_slice(self.token(random));
            unit.extend_from_slice(space);
        }
        let many = unit.repeat(size / unit.len().max(1) + 1);
        if random.below(2) == 0 { many } else { [self.token(random), b" = ", &many].concat() }
    }

    fn token(&self, random: &mut Random) -> &[u8] {
        if random.below(6) == 0 {
            random.one_of(&ODD)
        } else {
            random.pick::<Vec<u8>>(&self.tokens)
        }
    }

    fn nested(&self, random: &mut Random, size: usize) -> Vec<u8> {
        let (open, close) = random.pick(&self.openers);
        let close: &[u8] = if random.below(4) == 0 { random.one_of(&CLOSERS) } else { close };
        let (between, space) = (self.token(random), random.one_of(&[&b""[..], b" ", b"\n"]));
        let depth = size / (open.len() + close.len() + between.len()).max(1) + 1;
        let (left, right) = match random.below(4) {
            0 => (b"".as_slice(), b"".as_slice()),
            1 => (between, b"".as_slice()),
            2 => (b"".as_slice(), between),
            _ => (between, between),
        };
        let mut text = [open.as_slice(), left, space].concat().repeat(depth);
        text.extend_from_slice(self.token(random));
        let closed = [right, close, space].concat();
        text.extend(closed.repeat(if random.below(2) == 0 { depth } else { random.below(depth) }));
        text
    }

    /// Lines of increasing indentation.
    fn indented(&self, random: &mut Random, size: usize) -> Vec<u8> {
        let (open, _) = random.pick(&self.openers);
        let line = if random.below(2) == 0 { open.as_slice() } else { self.token(random) };
        let unit = random.one_of(&[&b" "[..], b"  ", b"\t"]);
        let depth = (size / unit.len()).isqrt().max(1);
        let one = |at: usize| [unit.repeat(at).as_slice(), line, b"\n"].concat();
        let mut text: Vec<u8> = (0..depth).flat_map(one).collect();
        text.extend_from_slice(&unit.repeat(depth));
        text.extend_from_slice(self.token(random));
        text
    }

    /// Inserts a repetition, nesting or a long name in the middle of the text.
    fn insert(&self, random: &mut Random, text: &mut Vec<u8>, size: usize) {
        let at = random.below(text.len() + 1);
        let bomb = match random.below(4) {
            0 => self.nested(random, size),
            1 => self.indented(random, size),
            2 => [self.token(random), &b"name".repeat(size / 4)].concat(),
            _ => self.repeated(random, size),
        };
        text.splice(at..at, bomb);
    }

    fn mutate(&self, random: &mut Random, text: &mut Vec<u8>, count: usize) {
        for _ in 0..count {
            let at = random.below(text.len());
            let end = (at + random.below(24)).min(text.len());
            match random.below(4) {
                0 => drop(text.splice(at..end, []).count()),
                1 => drop(text.splice(at..end, self.token(random).to_vec()).count()),
                2 => drop(text.splice(at..at, self.token(random).to_vec()).count()),
                _ => {
                    let copy = text[at..end].to_vec();
                    let to = random.below(text.len());
                    text.splice(to..to, copy);
                }
            }
        }
    }
}

fn close_of(open: u8) -> &'static [u8] {
    match open {
        b'(' => b")",
        b'[' => b"]",
        b'{' => b"}",
        b'<' => b">",
        _ => b"",
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Words, other single bytes, and pairs and triples of punctuation.
fn tokens_of(text: &[u8]) -> Vec<Vec<u8>> {
    let mut tokens = Vec::new();
    for piece in text.chunk_by(|a, b| is_word(*a) == is_word(*b)) {
        if is_word(piece[0]) {
            tokens.push(piece.to_vec());
            continue;
        }
        for length in 1..=3 {
            tokens.extend(piece.windows(length).take(64).map(<[u8]>::to_vec));
        }
    }
    tokens
}

fn openers_of(text: &[u8]) -> Vec<(Vec<u8>, &'static [u8])> {
    let mut openers = Vec::new();
    for at in (1..text.len()).filter(|&it| !close_of(text[it]).is_empty()) {
        let from = text[..at].iter().rposition(|&it| !is_word(it)).map_or(0, |it| it + 1);
        openers.push((text[from..=at].to_vec(), close_of(text[at])));
    }
    let lines: Vec<&[u8]> = text.split(|&it| it == b'\n').collect();
    let indent = |it: &[u8]| it.iter().take_while(|it| it.is_ascii_whitespace()).count();
    for pair in lines.windows(2).filter(|it| indent(it[1]) > indent(it[0]) && it[0].len() < 80) {
        openers.push(([pair[0].trim_ascii(), b"\n"].concat(), b"end\n"));
    }
    openers
}

/// One source for each language with a file below `folders`.
pub(crate) fn sources(folders: &[&Path], most: usize) -> Vec<Source> {
    let mut files: Vec<Vec<Vec<u8>>> = vec![Vec::new(); Language::ALL.len()];
    for folder in folders {
        collect(folder, most, &mut files);
    }
    let named = Language::ALL.iter().zip(files).filter(|it| !it.1.is_empty());
    named.map(|(&language, files)| Source::new(language, files)).collect()
}

/// Collects files in order of their names, up to a hundred for each language, each up to `most` bytes.
fn collect(folder: &Path, most: usize, files: &mut [Vec<Vec<u8>>]) {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|it| it.path()).filter(|it| !it.is_symlink()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, most, files);
            continue;
        }
        let language = path.to_str().and_then(|it| Language::of_path(it, ""));
        let Some(at) = language.and_then(|it| Language::ALL.iter().position(|&other| other == it))
        else {
            continue;
        };
        let text = std::fs::read(&path).unwrap_or_default();
        if files[at].len() < 100 && !text.is_empty() && text.len() <= most {
            files[at].push(text);
        }
    }
}
