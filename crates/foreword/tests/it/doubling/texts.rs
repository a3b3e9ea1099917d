//! Texts of one repeated token, or of two.

/// What hostile texts are made of: openers, closers and separators of many languages, and what the shapes of secrets,
/// templates and Markdown begin with.
pub(super) const TOKENS: &[&str] = &[
    "a",
    "ab.",
    " ab.c",
    "`a_b` ",
    "[1",
    "a.b ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    "</",
    ">",
    "\"",
    "'",
    "`",
    "```\n",
    "# ",
    "// ",
    "/*",
    "*/",
    "\n",
    " ",
    "\t",
    "é",
    "\u{202e}",
    "xoxb-",
    "://a:b@",
    "%3D",
    "\\",
    "@",
    "$",
    "${",
    "{{",
    "{%",
    "<!--",
    "<script>",
    "<template>",
    "<style ",
    "---\n",
    "import a\n",
    "from a import b\n",
    "def a():\n",
    "class A:\n",
    "fn a(){",
    "if (a) ",
    "else ",
    "::",
    "->",
    ",",
    "=",
    "a=a;",
    "0",
    "-",
    "\r",
    "\r\n",
    "a\n",
    "+++++ a\n",
    "-----BEGIN ",
    "a b ",
    "<%",
    "%>",
    "}}",
    "#{",
    "?",
    "!",
    "a.b(",
    "[1] ",
    "\"\"\"",
    "<a>",
    "</a>",
    "{\"a\":",
    "- a\n",
    ": ",
    "|",
    "*",
    "&",
    "a:1\n",
    "@@ -1 +1 @@\n",
    "File \"a.py\", line 1\n",
    "_a",
    "aB",
    "\0",
    "\u{feff}",
    "<|fim_prefix|>",
    "[PREFIX]",
    "EOF\n",
    "<<A\n",
    "r#\"",
    "/",
    "../",
    "**/",
    "~",
];

/// What stands before and after the number of a name.
pub(super) const NAMES: &[(&str, &str)] = &[
    ("a", " "),
    ("a_", "b "),
    ("`a_b", "` "),
    ("def a", "():\n"),
    ("import a", "\n"),
    ("a/b", "/c.py "),
    ("[", "] "),
    ("x", ".y() "),
    ("<a", "></a>"),
    ("", "\n"),
    ("\"a", "\": 1,\n"),
    ("$a", " "),
    ("#a{", "}\n"),
    ("class A", ": pass\n"),
    ("fn a", "() {}\n"),
    ("a", ": int = 1\n"),
    ("- [ ] a", "\n"),
    ("# A", "\n"),
];

/// A text of about `n` bytes.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// One token again and again.
    Repeated(&'static str),
    /// Two tokens by turns.
    Turns(&'static str, &'static str),
    /// Half of one, then half of the other.
    Halves(&'static str, &'static str),
    /// Numbers between two tokens, so that all names differ.
    Numbered(&'static str, &'static str),
}

impl Shape {
    pub(super) fn text(&self, n: usize) -> String {
        let repeat = |token: &str, n: usize| token.repeat(n.div_ceil(token.len()));
        match self {
            Self::Repeated(a) => repeat(a, n),
            Self::Turns(a, b) => repeat(&format!("{a}{b}"), n),
            Self::Halves(a, b) => repeat(a, n / 2) + &repeat(b, n / 2),
            Self::Numbered(a, b) => {
                let mut res = String::new();
                let mut number = 0;
                while res.len() < n {
                    res.push_str(&format!("{a}{number}{b}"));
                    number += 1;
                }
                res
            }
        }
    }

    /// Whether the token is in it.
    pub(super) fn has(&self, token: &str) -> bool {
        match self {
            Self::Repeated(a) => *a == token,
            Self::Turns(a, b) | Self::Halves(a, b) | Self::Numbered(a, b) => {
                *a == token || *b == token
            }
        }
    }

    /// Every token alone, and `pairs` pairs by a fixed generator.
    pub(super) fn all(pairs: usize) -> Vec<Self> {
        let mut res: Vec<Self> = TOKENS.iter().map(|it| Self::Repeated(it)).collect();
        res.extend(NAMES.iter().map(|(a, b)| Self::Numbered(a, b)));
        let mut state = 29_u64;
        let mut pick = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            TOKENS[(state >> 33) as usize % TOKENS.len()]
        };
        for n in 0..pairs {
            let (a, b) = (pick(), pick());
            res.push(if n % 2 == 0 { Self::Turns(a, b) } else { Self::Halves(a, b) });
        }
        res
    }
}
