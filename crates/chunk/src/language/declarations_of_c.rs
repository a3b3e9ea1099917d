//! Hides macros in declarations of C and C++ from the grammar, which does not expand them: `XML_PUBLIC int f(void)`,
//! `API(int) f(void)`, `void f(void) NONNULL(1);`, `BEGIN_NAMESPACE`.
//!
//! A macro is a name in capitals that is neither the name nor the only type of its declaration. Only declarations of
//! files, namespaces and types are read, so no statement changes.

use std::ops::Range;

use super::Language;
use super::macros_of_c::is_macro;
use super::tokens::{Token, Tokens};

/// Words before a declaration that are no type.
const STORAGE: [&[u8]; 14] = [
    b"static",
    b"inline",
    b"extern",
    b"const",
    b"volatile",
    b"constexpr",
    b"virtual",
    b"explicit",
    b"friend",
    b"register",
    b"restrict",
    b"mutable",
    b"__inline",
    b"thread_local",
];
/// Words that begin a declaration; what precedes them is no type.
const INTRODUCTIONS: [&[u8]; 14] = [
    b"typedef",
    b"template",
    b"using",
    b"namespace",
    b"class",
    b"struct",
    b"union",
    b"enum",
    b"typename",
    b"public",
    b"private",
    b"protected",
    b"signals",
    b"static_assert",
];
/// Types that may be joined with a name to a declaration of two words.
const BUILT_IN: [&[u8]; 10] = [
    b"void",
    b"int",
    b"char",
    b"long",
    b"short",
    b"unsigned",
    b"signed",
    b"float",
    b"double",
    b"bool",
];
/// Words after parameters, and calls in place of types.
const OTHERS: [&[u8]; 10] = [
    b"noexcept",
    b"override",
    b"final",
    b"throw",
    b"alignas",
    b"decltype",
    b"__attribute__",
    b"__declspec",
    b"requires",
    b"_Alignas",
];
/// Words of statements: what looks like a declaration is none.
const STATEMENTS: [&[u8]; 10] =
    [b"if", b"else", b"for", b"while", b"switch", b"return", b"case", b"goto", b"do", b"operator"];
/// Maximum number of words of a declaration before its parameters' list or value.
const MAX_WORDS: usize = 32;

/// The macros, in order, without parentheses that hold the only type.
pub(super) fn macros(text: &[u8], language: Language) -> Vec<Range<usize>> {
    let mut scan =
        Scan { text, stack: Vec::new(), declaration: Declaration::default(), found: Vec::new() };
    for (token, range) in Tokens::new(text, language) {
        scan.step(token, range);
    }
    if scan.stack.iter().all(|it| *it == Bracket::Declarations) {
        scan.end_of_list();
    }
    scan.found
}

/// What brackets hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    /// Declarations of a namespace or type.
    Declarations,
    /// Anything else; with the opening bracket.
    Other(u8),
}

/// One word before the end of a declaration.
struct Word {
    range: Range<usize>,
    /// The parentheses after it.
    arguments: Option<Range<usize>>,
    class: Class,
}

/// The classes of words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Storage,
    Introduction,
    BuiltIn,
    Other,
    /// A name in capitals.
    Macro,
    /// A type or a declared name.
    Name,
}

/// The declaration that is being read.
#[derive(Default)]
struct Declaration {
    words: Vec<Word>,
    /// Whether the rest has no macros to hide: a value, a base class, the members of an initialiser.
    is_over: bool,
    /// Number of open angle brackets.
    angles: usize,
}

struct Scan<'t> {
    text: &'t [u8],
    stack: Vec<Bracket>,
    declaration: Declaration,
    found: Vec<Range<usize>>,
}

impl Scan<'_> {
    fn step(&mut self, token: Token, range: Range<usize>) {
        let is_outside = self.stack.last().is_none_or(|it| *it == Bracket::Declarations);
        match token {
            Token::Sign(open @ (b'{' | b'(' | b'[')) if is_outside => self.open(open, range.start),
            Token::Sign(open @ (b'{' | b'(' | b'[')) => self.stack.push(Bracket::Other(open)),
            Token::Sign(close @ (b'}' | b')' | b']')) => self.close(close, range.end),
            _ if !is_outside => {}
            Token::Word if self.declaration.angles == 0 => self.word(range),
            Token::Sign(sign) => self.sign(sign, range.start),
            Token::Directive => self.end_of_list(),
            Token::Word | Token::Literal => {}
        }
    }

    /// A bracket in a declaration.
    fn open(&mut self, bracket: u8, at: usize) {
        let declaration = &mut self.declaration;
        match (bracket, declaration.words.last_mut()) {
            (b'(', Some(word)) => word.arguments = Some(at..at),
            (b'[', Some(_)) if self.text.get(at + 1) != Some(&b'[') => {
                self.end_of_head();
                self.declaration.is_over = true;
            }
            (b'{', _) => {
                let holds = declaration.holds_declarations(self.text);
                self.end_of_head();
                self.declaration = Declaration::default();
                let content = if holds { Bracket::Declarations } else { Bracket::Other(b'{') };
                return self.stack.push(content);
            }
            _ => {}
        }
        self.stack.push(Bracket::Other(bracket));
    }

    /// Closes the innermost pair of such brackets; of other brackets only those inside a pair of braces.
    fn close(&mut self, bracket: u8, end: usize) {
        let opens = if bracket == b')' { b'(' } else { bracket - 2 };
        while let Some(&last) = self.stack.last() {
            let is_pair = last == Bracket::Other(opens);
            let is_list = last == Bracket::Declarations;
            if !is_pair && (bracket != b'}' || last == Bracket::Other(b'{')) {
                return;
            }
            if is_list {
                self.end_of_list();
            }
            self.stack.pop();
            if is_pair || is_list {
                break;
            }
        }
        let word = self.declaration.words.last_mut();
        match word.and_then(|it| it.arguments.as_mut()).filter(|_| bracket == b')') {
            Some(arguments) if self.stack.last().is_none_or(|it| *it == Bracket::Declarations) => {
                arguments.end = end;
            }
            _ if bracket == b'}' => self.declaration = Declaration::default(),
            _ => {}
        }
    }

    fn sign(&mut self, sign: u8, at: usize) {
        let is_path = || self.text[at + 1..].starts_with(b":") || self.text[..at].ends_with(b":");
        let declaration = &mut self.declaration;
        match sign {
            b';' => {
                self.end_of_head();
                self.declaration = Declaration::default();
            }
            b'<' if !declaration.words.is_empty() && !declaration.is_over => {
                declaration.angles += 1;
            }
            b'>' => declaration.angles = declaration.angles.saturating_sub(1),
            _ if declaration.angles > 0 || declaration.is_over => {}
            b'~' => declaration.add(at..at + 1, Class::BuiltIn),
            b'=' | b',' | b'-' => {
                self.end_of_head();
                self.declaration.is_over = true;
            }
            b':' if !is_path() => {
                self.end_of_head();
                match self.declaration.is_label() {
                    true => self.declaration = Declaration::default(),
                    false => self.declaration.is_over = true,
                }
            }
            _ => {}
        }
    }

    fn word(&mut self, range: Range<usize>) {
        let (text, declaration) = (self.text, &mut self.declaration);
        let word = &text[range.clone()];
        if declaration.is_over {
            return;
        }
        if STATEMENTS.contains(&word) || declaration.words.len() == MAX_WORDS {
            if word == b"operator" {
                declaration.add(range, Class::Name);
                self.end_of_head();
            }
            self.declaration.is_over = true;
            return;
        }
        if let Some(last) = declaration.words.last_mut() {
            if text[..range.start].ends_with(b"::") {
                (last.range.end, last.class) = (range.end, Class::Name);
                return;
            }
            // `GENERATE(tree)` alone between empty lines is no part of what follows.
            let gap = last.end()..range.start;
            if memchr::memchr_iter(b'\n', &text[gap]).nth(1).is_some() && declaration.is_macros() {
                self.end_of_list();
                self.declaration = Declaration::default();
            }
        }
        self.declaration.add(range, class(word));
    }

    /// Before a directive or the end of a list of declarations: macros alone are hidden.
    fn end_of_list(&mut self) {
        let words = &self.declaration.words;
        if self.declaration.is_macros() && words.iter().all(|it| it.arguments.is_none()) {
            self.found.extend(words.iter().map(|it| it.range.clone()));
            self.declaration = Declaration::default();
        }
    }

    /// After the words of a declaration: hides the macros before and after the declared name.
    fn end_of_head(&mut self) {
        let words = &self.declaration.words;
        if self.declaration.is_over || words.len() < 2 {
            return;
        }
        let name = self.declaration.name();
        let after = &words[name + 1..];
        let introduction = words[..=name].iter().rposition(|it| it.class == Class::Introduction);
        let is_tag = |at: usize| at > 0 && holds_tag(&self.text[words[at - 1].range.clone()]);
        let is_type = |at: usize| match words[at].class {
            Class::BuiltIn | Class::Name => true,
            Class::Macro => is_tag(at),
            _ => false,
        };
        let has_type = (0..name).any(is_type);
        let is_macro = |&at: &usize| words[at].class == Class::Macro && !is_tag(at);
        let mut kept = None;
        for at in (0..name).filter(is_macro) {
            if introduction.is_some_and(|it| at < it) || has_type {
                self.found.push(words[at].range.start..words[at].end());
            } else if let Some(last) = kept.replace(at) {
                self.found.push(words[last].range.start..words[last].end());
            }
        }
        // `API(int) f(void)`.
        if let Some((word, inner)) =
            kept.and_then(|it| Some((&words[it], words[it].arguments.clone()?)))
            && is_type_name(&self.text[inner.start + 1..inner.end.max(inner.start + 2) - 1])
        {
            self.found.extend([word.range.start..inner.start + 1, inner.end - 1..inner.end]);
        }
        if after.iter().all(|it| matches!(it.class, Class::Macro | Class::Storage | Class::Other)) {
            let macros = after.iter().filter(|it| it.class == Class::Macro);
            self.found.extend(macros.map(|it| it.range.start..it.end()));
        }
    }
}

impl Word {
    /// The end of the word with its arguments.
    fn end(&self) -> usize {
        self.arguments.as_ref().map_or(self.range.end, |it| it.end)
    }
}

impl Declaration {
    fn add(&mut self, range: Range<usize>, class: Class) {
        self.words.push(Word { range, arguments: None, class });
    }

    /// Whether it is nothing but macros so far.
    fn is_macros(&self) -> bool {
        !self.words.is_empty()
            && !self.is_over
            && self.words.iter().all(|it| it.class == Class::Macro)
    }

    /// Whether a colon here ends a label or the name of a bit-field.
    fn is_label(&self) -> bool {
        let is_head = |it: &Word| it.class == Class::Introduction || it.arguments.is_some();
        self.words
            .split_last()
            .is_none_or(|it| !it.1.iter().any(is_head) && it.0.arguments.is_none())
    }

    /// Whether braces after it hold declarations: a namespace, a type, `extern "C"`.
    fn holds_declarations(&self, text: &[u8]) -> bool {
        let has_name =
            self.words.iter().any(|it| it.class == Class::Name && it.arguments.is_some());
        let word = |it: &Word| &text[it.range.clone()];
        let last = self.words.last();
        let holds = |it: &Word| matches!(word(it), b"namespace" | b"class" | b"struct" | b"union");
        let is_enum = self.words.iter().any(|it| word(it) == b"enum");
        last.is_some_and(|it| word(it) == b"extern")
            || !is_enum && self.words.iter().any(holds) && (self.is_over || !has_name)
    }

    /// The index of the declared name, among at least one word.
    fn name(&self) -> usize {
        let has_arguments =
            |class: Class| move |it: &Word| it.class == class && it.arguments.is_some();
        let words = &self.words;
        let last = words.len() - 1;
        if let Some(at) = words.iter().position(has_arguments(Class::Name)) {
            return at;
        }
        let called = words.iter().position(has_arguments(Class::Macro));
        let end = called.unwrap_or(last);
        let names = words[..end].iter().filter(|it| it.class == Class::Name).count();
        let is_built_in = words[..end].iter().any(|it| it.class == Class::BuiltIn);
        match names + usize::from(is_built_in) {
            // `int x ALIGNED(4)`
            2.. if words[end].class == Class::Macro => {
                words[..end].iter().rposition(|it| it.class == Class::Name).unwrap_or(end)
            }
            0 => words.iter().rposition(|it| it.arguments.is_some()).unwrap_or(last),
            _ => end,
        }
    }
}

fn class(word: &[u8]) -> Class {
    match word {
        [b'0'..=b'9', ..] => Class::Other,
        _ if STORAGE.contains(&word) => Class::Storage,
        _ if INTRODUCTIONS.contains(&word) => Class::Introduction,
        _ if BUILT_IN.contains(&word) => Class::BuiltIn,
        _ if OTHERS.contains(&word) => Class::Other,
        _ if is_macro(word) => Class::Macro,
        _ => Class::Name,
    }
}

/// Whether a type's name follows the word.
fn holds_tag(word: &[u8]) -> bool {
    matches!(
        word,
        b"class" | b"struct" | b"union" | b"enum" | b"typename" | b"namespace" | b"using"
    )
}

/// Whether a macro's argument is the name of a type: `int`, `const char *`.
fn is_type_name(text: &[u8]) -> bool {
    let fits = |it: &u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b' ' | b'*' | b':');
    text.iter().all(fits) && text.first().is_some_and(u8::is_ascii_alphabetic)
}

#[cfg(test)]
mod tests {
    use crate::language::{Language, check_parser_text};

    #[track_caller]
    fn check(text: &str, shown: &str) {
        check_parser_text(Language::Cpp, text, shown);
    }

    #[test]
    fn macros_before_and_after_a_declared_name_are_not_shown() {
        check("LIB_API int f(void);", "        int f(void);");
        check("static void FORMAT(3,0)\nf(int a) {", "static void            \nf(int a) {");
        check("int f(int a) NONNULL(1) PURE;", "int f(int a)                ;");
        check("extern \"C\" {\nAPI DATA x; }", "extern \"C\" {\n    DATA x; }");
        check("It begin() noexcept BOUND {", "It begin() noexcept       {");
        check("API_X ~Store() {", "      ~Store() {");
        check("class A {\n  Q_OBJ\n public:", "class A {\n       \n public:");
        check("int x GUARDED(mu);", "int x            ;");
        check(
            "EXPORT template <class KEY> KEY f(KEY k) {",
            "       template <class KEY> KEY f(KEY k) {",
        );
        check("ns::T INLINE ns::A::f() {", "ns::T        ns::A::f() {");
    }

    #[test]
    fn a_type_in_the_parentheses_of_a_macro_is_shown() {
        check("API(char *) f(int a);", "    char *  f(int a);");
        check("API(int) f(int a) PURE;", "    int  f(int a)     ;");
    }

    #[test]
    fn macros_alone_are_not_shown() {
        check("LIB_BEGIN\n\nint a;\nLIB_END\n", "         \n\nint a;\n       \n");
        check("DECLS\n#if A\nint a;\n#endif", "     \n#if A\nint a;\n#endif");
        check("struct a { FIELDS\n};", "struct a {       \n};");
    }

    #[test]
    fn types_names_and_statements_in_capitals_stay() {
        for text in [
            "BOOL f(int a) {",
            "static const DWORD x = 1;",
            "struct POINT *f(void);",
            "typedef struct point POINT;",
            "TEST(Store, loads) {",
            "int MAX_OF(int a);",
            "void f() { if (a) ABORT(1); RETURN x; }",
            "enum e { RED, GREEN };",
            "GENERATE(tree, compare)\n\nint f(void);",
            "PAIR(1, int) f(void);",
            "int f(a) DWORD a; {",
            "unsigned char TABLE[] = { AND, OR };",
        ] {
            check(text, text);
        }
    }
}
