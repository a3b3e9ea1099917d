//! The indexed data of a file beside its text: chunks, definitions, references, imports.

use bitcode::{Decode, Encode};
use foreword_chunk::{
    Analysis, Chunk, Definition, Import, Kind, Language, Outline, ParseOutcome, Reference,
    ReferenceKind, Span, Symbols,
};

/// The indexed data of a file beside its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileRecord {
    /// The language it was parsed in.
    pub language: Option<Language>,
    /// Whether it has a syntax tree, and if not, why.
    pub outcome: ParseOutcome,
    /// Number of lines.
    pub lines: u32,
    /// The chunks; concatenated, they are the text.
    pub chunks: Vec<Chunk>,
    /// Definitions and imports; in a new record also everything else, which an index stores separately
    /// ([`Snapshot::mentions_in`](super::Snapshot::mentions_in)) because few queries need it.
    pub symbols: Symbols,
    /// Start and depth of statements.
    pub outline: Outline,
}

impl FileRecord {
    /// The record of an analysed text.
    pub fn new(language: Option<Language>, lines: u32, analysis: Analysis) -> Self {
        let Analysis { chunks, symbols, outline, outcome } = analysis;
        Self { language, outcome, lines, chunks, symbols, outline }
    }

    /// The chunk that contains byte `at` (the last one for bytes beyond the end); `None` for an empty file.
    pub fn chunk_at(&self, at: usize) -> Option<u32> {
        let after = self.chunks.partition_point(|it| it.span.start as usize <= at);
        (!self.chunks.is_empty()).then(|| after.saturating_sub(1) as u32)
    }

    /// The definition that titles a chunk: the first outermost one that begins in it, otherwise the enclosing one.
    pub fn title_of(&self, chunk_idx: u32) -> Option<u32> {
        let chunk = self.chunks.get(chunk_idx as usize)?;
        self.first_definition_in(chunk.span).or(chunk.scope)
    }

    /// The first outermost definition that begins in a part of the file.
    pub(crate) fn first_definition_in(&self, span: Span) -> Option<u32> {
        let first = self.symbols.definitions.partition_point(|it| it.name.start < span.start);
        let begins = self.symbols.definitions[first..]
            .iter()
            .take_while(|it| it.span.start < span.end)
            .enumerate()
            .filter(|(_, it)| span.contains(it.name))
            .min_by_key(|(at, it)| {
                // The content of a namespace or package is a better title than its name.
                (it.kind == Kind::Module, depth(&self.symbols, it), rank_of(it.kind), *at)
            });
        begins.map(|(at, _)| (first + at) as u32)
    }

    /// Estimated bytes in memory.
    pub(super) fn memory(&self) -> usize {
        let Symbols { definitions, imports, .. } = &self.symbols;
        size_of_val(&*self.chunks)
            + size_of_val(&**definitions)
            + imports.len() * 200
            + self.lines as usize
    }

    /// Names of the enclosing definitions and its own, outermost first, each after its qualifier, joined by `.`:
    /// `leveldb.DBImpl.Recover`.
    pub fn dotted_name(&self, text: &str, idx: u32) -> String {
        dotted(self.name_parts(idx).into_iter().map(|it| it.map(|span| span.of(text))))
    }

    /// Names of the enclosing definitions and its own, outermost first, each after its qualifier. The outermost are left
    /// out where they are long: thousands of definitions may lie in one with a long name.
    pub(crate) fn name_parts(&self, idx: u32) -> Vec<NamePart<Span>> {
        name_parts(&self.symbols, idx)
    }

    /// Encodes the record without mentions.
    pub(super) fn encode(&self) -> Vec<u8> {
        bitcode::encode(&EncodedRecord {
            language: language_code(self.language),
            outcome: self.outcome,
            lines: self.lines,
            chunks: self.chunks.clone(),
            definitions: self.symbols.definitions.clone(),
            imports: self.symbols.imports.clone(),
            outline: self.outline.clone(),
        })
    }

    /// Decodes a record without mentions.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let it: EncodedRecord = bitcode::decode(bytes).ok()?;
        let EncodedRecord { definitions, imports, .. } = it;
        Some(Self {
            language: language_of_code(it.language),
            outcome: it.outcome,
            lines: it.lines,
            chunks: it.chunks,
            symbols: Symbols { definitions, imports, ..Symbols::default() },
            outline: it.outline,
        })
    }
}

/// Maximum bytes of a dotted name.
const MAX_DOTTED_NAME: usize = 1000;

/// A part of a dotted name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamePart<T> {
    /// The name of a definition.
    Name(T),
    /// Its qualifier as written: `a::B<T>`.
    Qualifier(T),
}

impl<T> NamePart<T> {
    /// The same part with another value.
    pub(crate) fn map<U>(self, value: impl FnOnce(T) -> U) -> NamePart<U> {
        match self {
            Self::Name(it) => NamePart::Name(value(it)),
            Self::Qualifier(it) => NamePart::Qualifier(value(it)),
        }
    }

    /// The value.
    pub(crate) fn value(self) -> T {
        match self {
            Self::Name(it) | Self::Qualifier(it) => it,
        }
    }
}

/// Names of the definition at `idx` and of those around it, outermost first, each after the names of its qualifier:
/// `leveldb`, `DBImpl`, `Recover`; `Engine`, `Copy` for Go's `func (e *Engine) Copy()`.
pub fn scope_names(symbols: &Symbols, text: &str, idx: u32) -> Vec<String> {
    let names = |it: NamePart<Span>| match it {
        NamePart::Name(name) => vec![name.of(text).to_owned()],
        NamePart::Qualifier(path) => {
            let mut dotted = String::new();
            push_dotted(&mut dotted, path.of(text));
            dotted.split('.').map(str::to_owned).collect()
        }
    };
    name_parts(symbols, idx).into_iter().flat_map(names).collect()
}

fn name_parts(symbols: &Symbols, idx: u32) -> Vec<NamePart<Span>> {
    let (mut res, mut bytes) = (Vec::new(), 0);
    for it in symbols.ancestors(Some(idx)) {
        bytes += it.name.range().len() + it.qualifier.map_or(0, |it| it.range().len());
        if bytes > MAX_DOTTED_NAME && !res.is_empty() {
            break;
        }
        res.push(NamePart::Name(it.name));
        res.extend(it.qualifier.map(NamePart::Qualifier));
    }
    res.reverse();
    res
}

/// The parts, joined by `.`.
pub(crate) fn dotted<'t>(parts: impl Iterator<Item = NamePart<&'t str>>) -> String {
    let mut res = String::new();
    for it in parts {
        if !res.is_empty() {
            res.push('.');
        }
        match it {
            NamePart::Name(name) => res.push_str(name),
            NamePart::Qualifier(path) => push_dotted(&mut res, path),
        }
    }
    res.truncate(res.floor_char_boundary(MAX_DOTTED_NAME));
    res
}

/// Appends a path with dots between its names, without type arguments and blanks.
fn push_dotted(res: &mut String, path: &str) {
    let mut depth = 0_u32;
    let start = res.len();
    for it in path.chars() {
        match it {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth > 0 || it.is_whitespace() => {}
            '.' | ':' | '\\' if res.len() == start || res.ends_with('.') => {}
            '.' | ':' | '\\' => res.push('.'),
            it => res.push(it),
        }
    }
}

fn depth(symbols: &Symbols, definition: &Definition) -> usize {
    symbols.ancestors(definition.parent).count()
}

/// Rank of a kind as a title: functions and types before fields and constants.
fn rank_of(kind: Kind) -> u8 {
    u8::from(matches!(kind, Kind::Field | Kind::Constant))
}

pub(crate) fn language_code(language: Option<Language>) -> u8 {
    let place = language.and_then(|it| Language::ALL.iter().position(|other| *other == it));
    place.map_or(u8::MAX, |at| at as u8)
}

pub(crate) fn language_of_code(code: u8) -> Option<Language> {
    Language::ALL.get(code as usize).copied()
}

/// The words of a file by use: names, prose, local names. Lists as in [`Symbols`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Uses of names that are defined elsewhere, in order.
    pub references: Vec<Reference>,
    /// Comments and contents of strings, sorted and disjoint.
    pub prose: Vec<Span>,
    /// For each local name, one of its bindings; in order.
    pub locals: Vec<Span>,
}

impl Mentions {
    /// The mentions of a new record.
    pub(crate) fn of(symbols: &Symbols) -> Self {
        let Symbols { references, prose, locals, .. } = symbols;
        Self { references: references.clone(), prose: prose.clone(), locals: locals.clone() }
    }

    /// Estimated bytes in memory.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.references) + size_of_val(&*self.prose) + size_of_val(&*self.locals)
    }

    /// Moves them back into the symbols of their file.
    pub(super) fn restore(self, symbols: &mut Symbols) {
        (symbols.references, symbols.prose) = (self.references, self.prose);
        symbols.locals = self.locals;
    }

    pub(super) fn encode(symbols: &Symbols) -> Vec<u8> {
        let names: Vec<Span> = symbols.references.iter().map(|it| it.name).collect();
        bitcode::encode(&MentionColumns {
            references: SpanColumns::new(&names),
            kinds: symbols.references.iter().map(|it| it.kind).collect(),
            prose: SpanColumns::new(&symbols.prose),
            locals: SpanColumns::new(&symbols.locals),
        })
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let MentionColumns { references, kinds, prose, locals } = bitcode::decode(bytes).ok()?;
        let references = references.spans().zip(&kinds);
        let reference = |(name, kind): (Span, &ReferenceKind)| Reference { name, kind: *kind };
        Some(Self {
            references: references.map(reference).collect(),
            prose: prose.spans().collect(),
            locals: locals.spans().collect(),
        })
    }
}

/// Stored form of the record without mentions.
#[derive(Encode, Decode)]
struct EncodedRecord {
    language: u8,
    outcome: ParseOutcome,
    lines: u32,
    chunks: Vec<Chunk>,
    definitions: Vec<Definition>,
    imports: Vec<Import>,
    outline: Outline,
}

/// Stored form of mentions, of which a file may have thousands.
#[derive(Encode, Decode)]
struct MentionColumns {
    references: SpanColumns,
    kinds: Vec<ReferenceKind>,
    prose: SpanColumns,
    locals: SpanColumns,
}

/// Sorted spans, as distances between starts, and lengths.
#[derive(Encode, Decode)]
struct SpanColumns {
    steps: Vec<u32>,
    lens: Vec<u32>,
}

impl SpanColumns {
    fn new(spans: &[Span]) -> Self {
        let mut before = 0;
        let step = |it: &Span| it.start - std::mem::replace(&mut before, it.start);
        Self {
            steps: spans.iter().map(step).collect(),
            lens: spans.iter().map(|it| it.len() as u32).collect(),
        }
    }

    fn spans(&self) -> impl Iterator<Item = Span> {
        let mut at = 0_u32;
        self.steps.iter().zip(&self.lens).map(move |(step, len)| {
            at = at.wrapping_add(*step);
            Span { start: at, end: at.wrapping_add(*len) }
        })
    }
}
