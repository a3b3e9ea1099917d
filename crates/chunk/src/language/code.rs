//! Table entries of programming languages: facts only, no code.

use super::entry::{C_LIKE, ECMASCRIPT, Family, HASH_COMMENTS, LanguageEntry, PLAIN};
use super::variants::Language;

/// In the order of [`Language`].
pub(super) const ENTRIES: &[LanguageEntry] = &[
    LanguageEntry {
        language: Language::Python,
        name: "python",
        grammar: grammar!("python", tree_sitter_python::LANGUAGE),
        extensions: &["py", "pyi", "pyw"],
        keywords: PYTHON_KEYWORDS,
        queries: queries!("python"),
        family: Family {
            aliases: &["py"],
            files: &["SConstruct", "SConscript", "wscript"],
            interpreters: &["python", "python2", "python3", "pypy", "pypy3"],
            lead_kinds: &["decorator"],
            docstrings: true,
            constructors: &["__init__", "__new__"],
            ..HASH_COMMENTS
        },
    },
    LanguageEntry {
        language: Language::Rust,
        name: "rust",
        grammar: grammar!("rust", tree_sitter_rust::LANGUAGE),
        extensions: &["rs"],
        keywords: words!("Self" "as" "async" "await" "break" "const" "continue" "crate" "dyn" "else" "enum" "extern" "false" "fn" "for" "if" "impl" "in" "let" "loop" "match" "mod" "move" "mut" "pub" "ref" "return" "self" "static" "struct" "super" "trait" "true" "type" "unsafe" "use" "where" "while"),
        queries: queries!("rust"),
        family: Family {
            aliases: &["rs"],
            interpreters: &["rust-script"],
            comment_kinds: &["line_comment", "block_comment"],
            lead_kinds: &["attribute_item"],
            ..C_LIKE
        },
    },
    LanguageEntry {
        language: Language::JavaScript,
        name: "javascript",
        grammar: grammar!("javascript", tree_sitter_javascript::LANGUAGE),
        extensions: &["js", "jsx", "mjs", "cjs"],
        keywords: JAVASCRIPT_KEYWORDS,
        queries: queries!("ecmascript", "jsx", "javascript"),
        family: Family {
            aliases: &["js", "jsx"],
            files: &["Jakefile"],
            interpreters: &["node", "nodejs", "deno", "bun"],
            ..ECMASCRIPT
        },
    },
    LanguageEntry {
        language: Language::TypeScript,
        name: "typescript",
        grammar: grammar!("typescript", tree_sitter_typescript::LANGUAGE_TYPESCRIPT),
        extensions: &["ts", "mts", "cts"],
        keywords: TYPESCRIPT_KEYWORDS,
        queries: queries!("ecmascript", "typescript"),
        family: Family { aliases: &["ts"], interpreters: &["ts-node", "tsx"], ..ECMASCRIPT },
    },
    LanguageEntry {
        language: Language::Tsx,
        name: "tsx",
        grammar: grammar!("typescript", tree_sitter_typescript::LANGUAGE_TSX),
        extensions: &["tsx"],
        keywords: TYPESCRIPT_KEYWORDS,
        queries: queries!("ecmascript", "jsx", "typescript"),
        family: ECMASCRIPT,
    },
    LanguageEntry {
        language: Language::Go,
        name: "go",
        grammar: grammar!("go", tree_sitter_go::LANGUAGE),
        extensions: &["go"],
        keywords: words!("break" "case" "chan" "const" "continue" "default" "defer" "else" "fallthrough" "false" "for" "func" "go" "goto" "if" "import" "interface" "iota" "map" "nil" "package" "range" "return" "select" "struct" "switch" "true" "type" "var"),
        queries: queries!("go"),
        family: Family { aliases: &["golang"], ..C_LIKE },
    },
    LanguageEntry {
        language: Language::Java,
        name: "java",
        grammar: grammar!("java", tree_sitter_java::LANGUAGE),
        extensions: &["java"],
        keywords: words!("abstract" "assert" "boolean" "break" "byte" "case" "catch" "char" "class" "const" "continue" "default" "do" "double" "else" "enum" "extends" "false" "final" "finally" "float" "for" "goto" "if" "implements" "import" "instanceof" "int" "interface" "long" "native" "new" "null" "package" "permits" "private" "protected" "public" "record" "return" "sealed" "short" "static" "strictfp" "super" "switch" "synchronized" "this" "throw" "throws" "transient" "true" "try" "var" "void" "volatile" "while" "yield"),
        queries: queries!("java"),
        family: Family {
            comment_kinds: &["line_comment", "block_comment"],
            lead_kinds: &["annotation", "marker_annotation"],
            ..C_LIKE
        },
    },
    LanguageEntry {
        language: Language::Kotlin,
        name: "kotlin",
        grammar: grammar!("kotlin", tree_sitter_kotlin_ng::LANGUAGE),
        extensions: &["kt", "kts"],
        keywords: words!("abstract" "actual" "annotation" "as" "break" "by" "catch" "class" "companion" "const" "constructor" "continue" "crossinline" "data" "do" "dynamic" "else" "enum" "expect" "external" "false" "final" "finally" "for" "fun" "get" "if" "import" "in" "infix" "init" "inline" "inner" "interface" "internal" "is" "it" "lateinit" "noinline" "null" "object" "open" "operator" "out" "override" "package" "private" "protected" "public" "reified" "return" "sealed" "set" "super" "suspend" "tailrec" "this" "throw" "true" "try" "typealias" "val" "value" "var" "vararg" "when" "where" "while"),
        queries: queries!("kotlin"),
        family: Family {
            aliases: &["kt", "kts"],
            interpreters: &["kotlin", "kotlinc"],
            comment_kinds: &["line_comment", "block_comment"],
            lead_kinds: &["annotation"],
            ..C_LIKE
        },
    },
    LanguageEntry {
        language: Language::C,
        name: "c",
        grammar: grammar!("c", tree_sitter_c::LANGUAGE),
        extensions: &["c", "h"],
        keywords: words!("NULL" "_Alignas" "_Alignof" "_Atomic" "_Bool" "_Generic" "_Noreturn" "_Static_assert" "_Thread_local" "auto" "bool" "break" "case" "char" "const" "continue" "default" "define" "do" "double" "elif" "else" "endif" "enum" "extern" "false" "float" "for" "goto" "if" "ifdef" "ifndef" "include" "inline" "int" "long" "nullptr" "register" "restrict" "return" "short" "signed" "sizeof" "static" "struct" "switch" "true" "typedef" "typeof" "undef" "union" "unsigned" "void" "volatile" "while"),
        queries: queries!("c"),
        family: Family { aliases: &["h"], lead_kinds: &["attribute_declaration"], ..C_LIKE },
    },
    LanguageEntry {
        language: Language::Cpp,
        name: "cpp",
        grammar: grammar!("cpp", tree_sitter_cpp::LANGUAGE),
        extensions: &[
            "cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "inl", "tpp", "cu", "cuh",
            "ino",
        ],
        keywords: words!("NULL" "_Alignas" "_Alignof" "_Atomic" "_Bool" "_Generic" "_Noreturn" "_Static_assert" "_Thread_local" "alignas" "alignof" "and" "asm" "auto" "bool" "break" "case" "catch" "char" "class" "co_await" "co_return" "co_yield" "concept" "const" "const_cast" "consteval" "constexpr" "constinit" "continue" "decltype" "default" "define" "delete" "do" "double" "dynamic_cast" "elif" "else" "endif" "enum" "explicit" "export" "extern" "false" "final" "float" "for" "friend" "goto" "if" "ifdef" "ifndef" "include" "inline" "int" "long" "mutable" "namespace" "new" "noexcept" "not" "nullptr" "operator" "or" "override" "private" "protected" "public" "register" "reinterpret_cast" "requires" "restrict" "return" "short" "signed" "sizeof" "static" "static_assert" "static_cast" "struct" "switch" "template" "this" "thread_local" "throw" "true" "try" "typedef" "typeid" "typename" "typeof" "undef" "union" "unsigned" "using" "virtual" "void" "volatile" "wchar_t" "while"),
        queries: queries!("cpp", "c"),
        family: Family {
            aliases: &["c++", "cc", "cxx", "hpp"],
            lead_kinds: &["attribute_declaration"],
            ..C_LIKE
        },
    },
    LanguageEntry {
        language: Language::CSharp,
        name: "csharp",
        grammar: grammar!("csharp", tree_sitter_c_sharp::LANGUAGE),
        extensions: &["cs", "csx"],
        keywords: words!("abstract" "as" "async" "await" "base" "bool" "break" "byte" "case" "catch" "char" "checked" "class" "const" "continue" "decimal" "default" "delegate" "do" "double" "dynamic" "else" "enum" "event" "explicit" "extern" "false" "finally" "fixed" "float" "for" "foreach" "get" "global" "goto" "if" "implicit" "in" "init" "int" "interface" "internal" "is" "lock" "long" "nameof" "namespace" "new" "null" "object" "operator" "out" "override" "params" "partial" "private" "protected" "public" "readonly" "record" "ref" "required" "return" "sbyte" "sealed" "set" "short" "sizeof" "stackalloc" "static" "string" "struct" "switch" "this" "throw" "true" "try" "typeof" "uint" "ulong" "unchecked" "unsafe" "ushort" "using" "value" "var" "virtual" "void" "volatile" "when" "where" "while" "yield"),
        queries: queries!("csharp"),
        family: Family {
            aliases: &["c#", "cs"],
            interpreters: &["dotnet-script"],
            lead_kinds: &["attribute_list"],
            ..C_LIKE
        },
    },
    LanguageEntry {
        language: Language::Ruby,
        name: "ruby",
        grammar: grammar!("ruby", tree_sitter_ruby::LANGUAGE),
        extensions: &["rb", "rbw", "rake", "gemspec", "ru", "podspec"],
        keywords: RUBY_KEYWORDS,
        queries: queries!("ruby"),
        family: Family {
            aliases: &["rb"],
            files: &[
                "Rakefile",
                "Gemfile",
                "Guardfile",
                "Podfile",
                "Vagrantfile",
                "Brewfile",
                "Capfile",
                "Fastfile",
            ],
            interpreters: &["ruby", "jruby"],
            block_comment: Some(("=begin", "=end")),
            constructors: &["initialize"],
            ..HASH_COMMENTS
        },
    },
    LanguageEntry {
        language: Language::Php,
        name: "php",
        grammar: grammar!("php", tree_sitter_php::LANGUAGE_PHP),
        extensions: &["php", "phtml", "php3", "php4", "php5", "php7", "php8"],
        keywords: PHP_KEYWORDS,
        queries: queries!("php"),
        family: Family {
            interpreters: &["php"],
            lead_kinds: &["attribute_list"],
            constructors: &["__construct"],
            ..C_LIKE
        },
    },
    LanguageEntry {
        language: Language::Swift,
        name: "swift",
        grammar: grammar!("swift", tree_sitter_swift::LANGUAGE),
        extensions: &["swift"],
        keywords: words!("Any" "Self" "actor" "any" "as" "associatedtype" "async" "await" "break" "case" "catch" "class" "continue" "convenience" "default" "defer" "deinit" "didSet" "do" "else" "enum" "extension" "fallthrough" "false" "fileprivate" "final" "for" "func" "get" "guard" "if" "import" "in" "indirect" "init" "inout" "internal" "is" "lazy" "let" "mutating" "nil" "nonisolated" "open" "operator" "optional" "override" "private" "protocol" "public" "repeat" "required" "rethrows" "return" "self" "set" "some" "static" "struct" "subscript" "super" "switch" "throw" "throws" "true" "try" "typealias" "unowned" "var" "weak" "where" "while" "willSet"),
        queries: queries!("swift"),
        family: Family {
            interpreters: &["swift"],
            comment_kinds: &["comment", "multiline_comment"],
            lead_kinds: &["attribute"],
            ..C_LIKE
        },
    },
    LanguageEntry {
        language: Language::Scala,
        name: "scala",
        grammar: grammar!("scala", tree_sitter_scala::LANGUAGE),
        extensions: &["scala", "sbt", "sc"],
        keywords: words!("abstract" "case" "catch" "class" "def" "derives" "do" "else" "end" "enum" "export" "extends" "extension" "false" "final" "finally" "for" "forSome" "given" "if" "implicit" "import" "inline" "lazy" "match" "new" "null" "object" "opaque" "open" "override" "package" "private" "protected" "return" "sealed" "super" "then" "this" "throw" "trait" "transparent" "true" "try" "type" "using" "val" "var" "while" "with" "yield"),
        queries: queries!("scala"),
        family: Family {
            interpreters: &["scala"],
            comment_kinds: &["comment", "block_comment"],
            lead_kinds: &["annotation"],
            constructors: &["this"],
            ..C_LIKE
        },
    },
    LanguageEntry {
        language: Language::Bash,
        name: "bash",
        grammar: grammar!("bash", tree_sitter_bash::LANGUAGE),
        extensions: &["sh", "bash", "zsh", "ksh", "bats", "ebuild"],
        keywords: words!("alias" "break" "case" "continue" "declare" "do" "done" "elif" "else" "esac" "eval" "exec" "exit" "export" "false" "fi" "for" "function" "if" "in" "local" "read" "readonly" "return" "select" "set" "shift" "source" "test" "then" "time" "trap" "true" "typeset" "unset" "until" "while"),
        queries: queries!("bash"),
        family: Family {
            aliases: &["sh", "shell", "zsh"],
            files: &[
                ".bashrc",
                ".bash_profile",
                ".bash_aliases",
                ".profile",
                ".zshrc",
                ".zshenv",
                ".zprofile",
                "PKGBUILD",
                "APKBUILD",
            ],
            interpreters: &["sh", "bash", "zsh", "dash", "ksh", "ash"],
            ..HASH_COMMENTS
        },
    },
    LanguageEntry {
        language: Language::Lua,
        name: "lua",
        grammar: grammar!("lua", tree_sitter_lua::LANGUAGE),
        extensions: &["lua", "rockspec"],
        keywords: words!("and" "break" "do" "else" "elseif" "end" "false" "for" "function" "goto" "if" "in" "local" "nil" "not" "or" "repeat" "return" "self" "then" "true" "until" "while"),
        queries: queries!("lua"),
        family: Family {
            interpreters: &["lua", "luajit", "texlua"],
            line_comment: Some("--"),
            block_comment: Some(("--[[", "]]")),
            ..PLAIN
        },
    },
    LanguageEntry {
        language: Language::Haskell,
        name: "haskell",
        grammar: grammar!("haskell", tree_sitter_haskell::LANGUAGE),
        extensions: &["hs"],
        keywords: words!("as" "case" "class" "data" "default" "deriving" "do" "else" "family" "forall" "foreign" "hiding" "if" "import" "in" "infix" "infixl" "infixr" "instance" "let" "mdo" "module" "newtype" "of" "otherwise" "pattern" "proc" "qualified" "rec" "then" "type" "where"),
        queries: queries!("haskell"),
        family: Family {
            aliases: &["hs"],
            interpreters: &["runhaskell", "runghc", "stack"],
            line_comment: Some("--"),
            block_comment: Some(("{-", "-}")),
            comment_kinds: &["comment", "haddock", "pragma"],
            lead_kinds: &["signature"],
            ..PLAIN
        },
    },
    LanguageEntry {
        language: Language::Elixir,
        name: "elixir",
        grammar: grammar!("elixir", tree_sitter_elixir::LANGUAGE),
        extensions: &["ex", "exs"],
        keywords: ELIXIR_KEYWORDS,
        queries: queries!("elixir"),
        family: Family {
            aliases: &["ex", "exs"],
            files: &["mix.lock"],
            interpreters: &["elixir"],
            lead_kinds: &["unary_operator"],
            ..HASH_COMMENTS
        },
    },
    LanguageEntry {
        language: Language::Zig,
        name: "zig",
        grammar: grammar!("zig", tree_sitter_zig::LANGUAGE),
        extensions: &["zig", "zon"],
        keywords: words!("addrspace" "align" "allowzero" "and" "anyframe" "anytype" "asm" "break" "callconv" "catch" "comptime" "const" "continue" "defer" "else" "enum" "errdefer" "error" "export" "extern" "false" "fn" "for" "if" "inline" "linksection" "noalias" "noinline" "nosuspend" "null" "opaque" "or" "orelse" "packed" "pub" "resume" "return" "struct" "suspend" "switch" "test" "threadlocal" "true" "try" "undefined" "union" "unreachable" "usingnamespace" "var" "volatile" "while"),
        queries: queries!("zig"),
        family: Family { line_comment: Some("//"), ..PLAIN },
    },
];

// Keywords that several entries share.

pub(super) const PYTHON_KEYWORDS: &[&str] = words!("False" "None" "True" "and" "as" "assert" "async" "await" "break" "case" "class" "cls" "continue" "def" "del" "elif" "else" "except" "finally" "for" "from" "global" "if" "import" "in" "is" "lambda" "match" "nonlocal" "not" "or" "pass" "raise" "return" "self" "try" "type" "while" "with" "yield");

pub(super) const JAVASCRIPT_KEYWORDS: &[&str] = words!("async" "await" "break" "case" "catch" "class" "const" "constructor" "continue" "debugger" "default" "delete" "do" "else" "export" "extends" "false" "finally" "for" "from" "function" "get" "if" "import" "in" "instanceof" "let" "new" "null" "of" "return" "set" "static" "super" "switch" "this" "throw" "true" "try" "typeof" "undefined" "var" "void" "while" "with" "yield");

pub(super) const TYPESCRIPT_KEYWORDS: &[&str] = words!("abstract" "any" "as" "asserts" "async" "await" "bigint" "boolean" "break" "case" "catch" "class" "const" "constructor" "continue" "debugger" "declare" "default" "delete" "do" "else" "enum" "export" "extends" "false" "finally" "for" "from" "function" "get" "if" "implements" "import" "in" "infer" "instanceof" "interface" "is" "keyof" "let" "module" "namespace" "never" "new" "null" "number" "object" "of" "override" "private" "protected" "public" "readonly" "return" "satisfies" "set" "static" "string" "super" "switch" "symbol" "this" "throw" "true" "try" "type" "typeof" "undefined" "unique" "unknown" "var" "void" "while" "with" "yield");

pub(super) const RUBY_KEYWORDS: &[&str] = words!("BEGIN" "END" "__FILE__" "__LINE__" "alias" "and" "begin" "break" "case" "class" "def" "defined?" "do" "else" "elsif" "end" "ensure" "false" "for" "if" "in" "module" "next" "nil" "not" "or" "redo" "rescue" "retry" "return" "self" "super" "then" "true" "undef" "unless" "until" "when" "while" "yield");

pub(super) const PHP_KEYWORDS: &[&str] = words!("abstract" "and" "array" "as" "bool" "break" "callable" "case" "catch" "class" "clone" "const" "continue" "declare" "default" "do" "echo" "else" "elseif" "empty" "enddeclare" "endfor" "endforeach" "endif" "endswitch" "endwhile" "enum" "extends" "false" "final" "finally" "float" "fn" "for" "foreach" "function" "global" "goto" "if" "implements" "include" "include_once" "instanceof" "insteadof" "int" "interface" "isset" "list" "match" "mixed" "namespace" "new" "null" "or" "parent" "print" "private" "protected" "public" "readonly" "require" "require_once" "return" "self" "static" "string" "switch" "this" "throw" "trait" "true" "try" "unset" "use" "var" "void" "while" "xor" "yield");

pub(super) const ELIXIR_KEYWORDS: &[&str] = words!("after" "alias" "and" "case" "catch" "cond" "def" "defdelegate" "defexception" "defguard" "defimpl" "defmacro" "defmacrop" "defmodule" "defp" "defprotocol" "defstruct" "do" "else" "end" "false" "fn" "for" "if" "import" "in" "nil" "not" "or" "quote" "raise" "receive" "require" "rescue" "super" "throw" "true" "try" "unless" "unquote" "use" "when" "with");
