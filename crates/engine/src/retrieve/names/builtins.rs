//! Names that a language or its standard library provides without an import. If a repository defines such a name as
//! well, an unqualified use seldom refers to that definition.

use foreword_chunk::Language;

/// Whether an unqualified name is a builtin of the language.
pub(crate) fn is_builtin(language: Language, name: &str) -> bool {
    builtins(language).any(|it| it == name)
}

/// All builtins of a language.
pub(super) fn builtins(language: Language) -> impl Iterator<Item = &'static str> {
    of(language).split_ascii_whitespace()
}

fn of(language: Language) -> &'static str {
    match language {
        Language::Python => PYTHON,
        Language::JavaScript | Language::TypeScript | Language::Tsx => ECMASCRIPT,
        Language::Rust => RUST,
        Language::Go => GO,
        Language::Java | Language::Kotlin | Language::Scala => JVM,
        Language::CSharp => CSHARP,
        Language::Swift => SWIFT,
        Language::C | Language::Cpp => C,
        Language::Php => PHP,
        Language::Ruby => RUBY,
        Language::Lua => LUA,
        Language::Elixir => ELIXIR,
        Language::Haskell => HASKELL,
        Language::Bash => BASH,
        Language::Zig => ZIG,
        _ => "",
    }
}

const PYTHON: &str = "abs all any ascii bool breakpoint bytearray bytes callable chr classmethod compile complex \
    delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id \
    input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print \
    property range repr reversed round set setattr slice sorted staticmethod str sum super tuple vars zip \
    ArithmeticError AssertionError AttributeError BaseException EOFError Exception FileNotFoundError ImportError \
    IndexError IOError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError \
    NotImplementedError OSError OverflowError PermissionError RecursionError RuntimeError StopIteration SyntaxError \
    SystemExit TimeoutError TypeError UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError Warning \
    DeprecationWarning UserWarning ZeroDivisionError NotImplemented Ellipsis";

const ECMASCRIPT: &str = "Array ArrayBuffer BigInt Boolean Buffer DataView Date Error Float32Array Float64Array Function \
    Infinity Int32Array Intl JSON Map Math NaN Number Object Promise Proxy RangeError Reflect RegExp Set String Symbol \
    SyntaxError TypeError URIError Uint8Array WeakMap WeakSet arguments clearInterval clearTimeout console \
    decodeURIComponent document encodeURIComponent exports fetch globalThis isNaN isFinite module parseFloat parseInt \
    process queueMicrotask require setImmediate setInterval setTimeout structuredClone window Partial Pick Omit Record \
    Readonly Required ReturnType Parameters Awaited Exclude Extract NonNullable Iterable Iterator PromiseLike boolean \
    string";

const RUST: &str = "AsMut AsRef Box Clone Copy Debug Default Display DoubleEndedIterator Drop Eq Err ExactSizeIterator \
    Extend Fn FnMut FnOnce From FromIterator Hash Into IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd \
    Result Send Sized Some String Sync ToOwned ToString TryFrom TryInto Unpin Vec alloc assert assert_eq assert_ne bool \
    cfg char core debug_assert debug_assert_eq derive drop eprintln env f32 f64 format i128 i16 i32 i64 i8 include_str \
    inline isize matches panic print println std str todo u128 u16 u32 u64 u8 unimplemented unreachable usize vec write \
    writeln";

const GO: &str = "any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false \
    float32 float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune \
    string true uint uint16 uint32 uint64 uint8 uintptr";

const JVM: &str = "Any Array ArrayList Boolean Byte Char CharSequence Character Class Deprecated Double Either Enum \
    Error Exception Float Function Future HashMap HashSet IllegalArgumentException IllegalStateException Int Integer \
    Iterable Iterator List Long Map Math MutableList MutableMap None NullPointerException Nothing Number Object Option \
    Override Pair Runnable RuntimeException Seq Set Short Some String StringBuilder Suppress SuppressWarnings System \
    Thread Throwable Throws Triple Try Tuple UInt ULong Unit UnsupportedOperationException Void apply arrayOf check \
    checkNotNull emptyList error java javax kotlin let lazy listOf mapOf mutableListOf mutableMapOf println require \
    requireNotNull run scala setOf to with";

const CSHARP: &str = "Action Array ArgumentException ArgumentNullException Boolean CancellationToken Console Convert \
    DateTime Dictionary Enum Environment Exception Func Guid IDisposable IEnumerable IEnumerator IList \
    InvalidOperationException List Math NotImplementedException NotSupportedException Nullable Object Obsolete Predicate \
    ReadOnlySpan Span String System Task Tuple Type ValueTask dynamic nameof value var";

const SWIFT: &str = "Any AnyObject Array Bool Character Codable Collection Comparable Data Date Decodable Dictionary \
    Double Encodable Equatable Error Float Foundation Hashable Identifiable Int Int32 Int64 Never Optional Range Result \
    Sendable Sequence Set String UInt UInt8 UInt32 UInt64 URL Void assert assertionFailure fatalError max min \
    precondition preconditionFailure print type zip";

const C: &str = "FILE NULL abort assert atoi bool calloc char errno exit false fclose fflush fopen fprintf fputs fread \
    free fseek fwrite getenv int int16_t int32_t int64_t int8_t intptr_t malloc memcmp memcpy memmove memset nullptr \
    off_t offsetof perror printf ptrdiff_t puts qsort realloc size_t snprintf sprintf ssize_t static_assert std stderr \
    stdin stdout strcasecmp strchr strcmp strcpy strdup strerror strlen strncmp strncpy strrchr strstr strtol strtoul \
    time_t true uint16_t uint32_t uint64_t uint8_t uintptr_t unsigned va_arg va_end va_list va_start vsnprintf wchar_t";

const PHP: &str = "ArgumentCountError ArrayAccess ArrayIterator Closure Countable DateTime Error Exception Generator \
    InvalidArgumentException Iterator IteratorAggregate JsonSerializable LogicException RuntimeException Stringable \
    Throwable Traversable TypeError array_filter array_key_exists array_keys array_map array_merge array_pop array_shift \
    array_slice array_values call_user_func class_exists count explode file_exists func_get_args get_class gettype \
    implode in_array is_array is_bool is_callable is_int is_null is_numeric is_object is_string json_decode json_encode \
    mb_strlen method_exists parent preg_match preg_replace rtrim self sprintf static str_replace strlen strpos \
    strtolower strtoupper substr this trigger_error trim ucfirst";

const RUBY: &str = "ArgumentError Array Class Comparable Enumerable Exception FalseClass File Float Hash IO Integer Kernel \
    KeyError Module NameError NilClass NoMethodError NotImplementedError Object Proc Range RuntimeError Set StandardError \
    String Struct Symbol Time TrueClass TypeError alias_method attr_accessor attr_reader attr_writer autoload \
    block_given binding catch extend freeze include lambda loop new prepend private private_constant proc protected \
    public puts raise rand require require_relative sleep sprintf throw warn";

const LUA: &str = "assert collectgarbage coroutine debug dofile error getmetatable io ipairs load loadfile math next os \
    package pairs pcall print rawequal rawget rawset require select setmetatable string table tonumber tostring type \
    unpack xpcall";

const ELIXIR: &str = "Access Agent Application ArgumentError Atom Date DateTime Enum Enumerable Exception File Float \
    Function GenServer IO Integer Inspect Kernel Keyword List Macro Map MapSet Module Path Process Protocol Range Regex \
    RuntimeError Stream String StringIO Supervisor System Task Tuple URI def defdelegate defexception defguard defimpl \
    defmacro defmacrop defmodule defoverridable defp defprotocol defstruct elem hd if inspect is_atom is_binary \
    is_boolean is_float is_function is_integer is_list is_map is_nil is_tuple length map_size put_in quote raise \
    reraise self send spawn throw tl to_string unless unquote";

const HASKELL: &str = "Applicative Bool Bounded Char Double Either Enum Eq False Float Foldable Functor IO Int Integer \
    Just Left Maybe Monad Monoid Nothing Num Ord Ordering Read Right Semigroup Show String Traversable True concat \
    concatMap const curry drop either elem error filter flip foldl foldr fromIntegral fst head id length lines lookup map \
    mapM mapM_ maybe mempty not null otherwise print pure putStrLn read return reverse sequence show snd span tail take \
    traverse uncurry undefined unlines unwords unzip words zip zipWith";

const BASH: &str = "alias awk basename cat cd chmod command cp curl cut date declare dirname echo eval exec exit export \
    false find getopts grep head hash kill let local ls make mkdir mv popd printf pushd pwd read readonly return rm sed \
    set shift shopt sleep sort source tail tar tee test touch tr trap true type typeset ulimit umask uname unset wait \
    wc which xargs";

const ZIG: &str = "allocator anyerror anyopaque anytype assert bool builtin comptime_int f32 f64 i16 i32 i64 i8 isize \
    noreturn std type u16 u32 u64 u8 undefined usize void";
