//! Table entries of further programming languages, with grammars of at most 1.5 MB each: facts only, no code.

use super::entry::{C_LIKE, Family, HASH_COMMENTS, LanguageEntry, PLAIN};
use super::variants::Language;

/// In the order of [`Language`], after those of [`super::code`].
pub(super) const ENTRIES: &[LanguageEntry] = &[
    LanguageEntry {
        language: Language::Dart,
        name: "dart",
        grammar: grammar!("dart", tree_sitter_dart::LANGUAGE),
        extensions: &["dart"],
        keywords: words!("Function" "abstract" "as" "assert" "async" "await" "base" "break" "case" "catch" "class" "const" "continue" "covariant" "default" "deferred" "do" "dynamic" "else" "enum" "export" "extends" "extension" "external" "factory" "false" "final" "finally" "for" "get" "hide" "if" "implements" "import" "in" "interface" "is" "late" "library" "mixin" "new" "null" "on" "operator" "part" "required" "rethrow" "return" "sealed" "set" "show" "static" "super" "switch" "sync" "this" "throw" "true" "try" "typedef" "var" "void" "when" "while" "with" "yield"),
        queries: queries!("dart"),
        family: Family {
            interpreters: &["dart"],
            comment_kinds: &[
                "block_comment",
                "comment",
                "documentation_block_comment",
                "documentation_comment",
            ],
            lead_kinds: &["annotation"],
            ..C_LIKE
        },
    },
    LanguageEntry {
        language: Language::PowerShell,
        name: "powershell",
        grammar: grammar!("powershell", tree_sitter_powershell::LANGUAGE),
        extensions: &["ps1", "psm1", "psd1"],
        keywords: words!("begin" "break" "catch" "class" "continue" "data" "do" "dynamicparam" "else" "elseif" "end" "enum" "exit" "filter" "finally" "for" "foreach" "from" "function" "hidden" "if" "in" "param" "process" "return" "static" "switch" "throw" "trap" "try" "until" "using" "while"),
        queries: queries!("powershell"),
        family: Family {
            aliases: &["ps1", "pwsh"],
            interpreters: &["pwsh", "powershell"],
            block_comment: Some(("<#", "#>")),
            ..HASH_COMMENTS
        },
    },
    LanguageEntry {
        language: Language::R,
        name: "r",
        grammar: grammar!("r", tree_sitter_r::LANGUAGE),
        extensions: &["r"],
        keywords: words!("FALSE" "Inf" "NA" "NULL" "NaN" "TRUE" "break" "else" "for" "function" "if" "in" "next" "repeat" "return" "while"),
        queries: queries!("r"),
        family: Family { files: &[".Rprofile"], interpreters: &["Rscript"], ..HASH_COMMENTS },
    },
    LanguageEntry {
        language: Language::Make,
        name: "make",
        grammar: grammar!("make", tree_sitter_make::LANGUAGE),
        extensions: &["mk", "mak", "make"],
        keywords: words!("define" "else" "endef" "endif" "export" "ifdef" "ifeq" "ifndef" "ifneq" "include" "override" "private" "undefine" "unexport" "vpath"),
        queries: queries!("make"),
        family: Family {
            aliases: &["makefile"],
            files: &["Makefile", "makefile", "GNUmakefile"],
            interpreters: &["make"],
            ..HASH_COMMENTS
        },
    },
    LanguageEntry {
        language: Language::Dockerfile,
        name: "dockerfile",
        grammar: grammar!("dockerfile", tree_sitter_containerfile::LANGUAGE),
        extensions: &["dockerfile", "containerfile"],
        keywords: words!("ADD" "ARG" "AS" "CMD" "COPY" "ENTRYPOINT" "ENV" "EXPOSE" "FROM" "HEALTHCHECK" "LABEL" "MAINTAINER" "ONBUILD" "RUN" "SHELL" "STOPSIGNAL" "USER" "VOLUME" "WORKDIR"),
        queries: queries!("dockerfile"),
        family: Family {
            aliases: &["containerfile", "docker"],
            files: &["Dockerfile", "Containerfile"],
            ..HASH_COMMENTS
        },
    },
    LanguageEntry {
        language: Language::Hcl,
        name: "hcl",
        grammar: grammar!("hcl", tree_sitter_hcl::LANGUAGE),
        extensions: &["tf", "hcl", "tfvars", "nomad"],
        keywords: words!("count" "data" "each" "else" "endfor" "endif" "false" "for" "for_each" "if" "in" "local" "locals" "module" "null" "output" "provider" "resource" "terraform" "true" "var" "variable"),
        queries: queries!("hcl"),
        family: Family {
            aliases: &["terraform", "tf"],
            block_comment: Some(("/*", "*/")),
            ..HASH_COMMENTS
        },
    },
    LanguageEntry {
        language: Language::Protobuf,
        name: "protobuf",
        grammar: grammar!("protobuf", tree_sitter_proto::LANGUAGE),
        extensions: &["proto"],
        keywords: words!("bool" "bytes" "double" "enum" "extend" "extensions" "fixed32" "fixed64" "float" "import" "int32" "int64" "map" "message" "oneof" "option" "optional" "package" "public" "repeated" "required" "reserved" "returns" "rpc" "service" "sfixed32" "sfixed64" "sint32" "sint64" "stream" "string" "syntax" "uint32" "uint64"),
        queries: queries!("protobuf"),
        family: Family { aliases: &["proto"], ..C_LIKE },
    },
    LanguageEntry {
        language: Language::GraphQl,
        name: "graphql",
        grammar: grammar!("graphql", tree_sitter_graphql::LANGUAGE),
        extensions: &["graphql", "gql", "graphqls"],
        keywords: words!("directive" "enum" "extend" "false" "fragment" "implements" "input" "interface" "mutation" "null" "on" "query" "repeatable" "scalar" "schema" "subscription" "true" "type" "union"),
        queries: queries!("graphql"),
        family: Family {
            aliases: &["gql"],
            comment_kinds: &["comment", "description"],
            ..HASH_COMMENTS
        },
    },
    LanguageEntry {
        language: Language::Solidity,
        name: "solidity",
        grammar: grammar!("solidity", tree_sitter_solidity::LANGUAGE),
        extensions: &["sol"],
        keywords: words!("abstract" "address" "anonymous" "as" "assembly" "bool" "break" "calldata" "catch" "constant" "constructor" "continue" "contract" "delete" "do" "else" "emit" "enum" "error" "event" "external" "fallback" "false" "for" "from" "function" "if" "immutable" "import" "indexed" "interface" "internal" "is" "library" "mapping" "memory" "modifier" "new" "override" "payable" "pragma" "private" "public" "pure" "receive" "return" "returns" "revert" "storage" "string" "struct" "this" "true" "try" "type" "uint256" "unchecked" "using" "view" "virtual" "while"),
        queries: queries!("solidity"),
        family: Family { aliases: &["sol"], constructors: &["constructor"], ..C_LIKE },
    },
    LanguageEntry {
        language: Language::GdScript,
        name: "gdscript",
        grammar: grammar!("gdscript", tree_sitter_gdscript::LANGUAGE),
        extensions: &["gd"],
        keywords: words!("and" "as" "assert" "await" "break" "breakpoint" "class" "class_name" "const" "continue" "elif" "else" "enum" "export" "extends" "false" "for" "func" "if" "in" "is" "match" "not" "null" "onready" "or" "pass" "preload" "return" "self" "setget" "signal" "static" "super" "true" "var" "void" "when" "while" "yield"),
        queries: queries!("gdscript"),
        family: Family {
            aliases: &["gd"],
            lead_kinds: &["annotation", "annotations"],
            constructors: &["_init"],
            ..HASH_COMMENTS
        },
    },
    LanguageEntry {
        language: Language::Nix,
        name: "nix",
        grammar: grammar!("nix", tree_sitter_nix::LANGUAGE),
        extensions: &["nix"],
        keywords: words!("assert" "builtins" "else" "false" "if" "import" "in" "inherit" "let" "null" "or" "rec" "then" "throw" "true" "with"),
        queries: queries!("nix"),
        family: Family {
            interpreters: &["nix-shell"],
            block_comment: Some(("/*", "*/")),
            ..HASH_COMMENTS
        },
    },
    LanguageEntry {
        language: Language::Erlang,
        name: "erlang",
        grammar: grammar!("erlang", tree_sitter_erlang::LANGUAGE),
        extensions: &["erl", "hrl", "escript"],
        keywords: words!("after" "and" "andalso" "band" "begin" "bnot" "bor" "bsl" "bsr" "bxor" "case" "catch" "cond" "div" "else" "end" "false" "fun" "if" "maybe" "not" "of" "or" "orelse" "receive" "rem" "true" "try" "undefined" "when" "xor"),
        queries: queries!("erlang"),
        family: Family {
            aliases: &["erl"],
            files: &["rebar.config"],
            interpreters: &["escript"],
            line_comment: Some("%"),
            lead_kinds: &["spec"],
            ..PLAIN
        },
    },
];
