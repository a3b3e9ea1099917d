//! Imports of indexes that are made here, byte by byte.
#![allow(clippy::disallowed_methods, reason = "tests read and write the index directory")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Facts, FactsFile, ScipError, ScipImport, ScipSource};
use crate::source::ContentHash;

/// Files, and facts in a directory that is deleted at the end.
struct Shop {
    directory: tempfile::TempDir,
    files: RefCell<BTreeMap<String, String>>,
}

const PY: &str = "class Store:\n    def open(self): pass\n\nStore().open()\n";
const STORE: &str = "scip-python python shop 1 `src.shop`/Store#";
const OPEN: &str = "scip-python python shop 1 `src.shop`/Store#open().";

impl Shop {
    fn new(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|it| (it.0.to_owned(), it.1.to_owned())).collect();
        Self { directory: tempfile::tempdir().unwrap(), files: RefCell::new(files) }
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("precise").join("facts")
    }

    fn import(&self, index: &[u8]) -> Result<ScipImport, ScipError> {
        let text_of = |path: &str| {
            let text: Arc<str> = self.files.borrow().get(path)?.as_str().into();
            let hash = ContentHash::of(text.as_bytes());
            Some((path.to_owned(), text, hash))
        };
        let source = ScipSource { file: "index.scip".to_owned(), written_at_s: 7 };
        FactsFile::new(self.directory.path()).import(index, &source, &text_of)
    }

    fn facts(&self) -> Arc<Facts> {
        FactsFile::new(self.directory.path()).load()
    }

    /// The names of a file with their symbols' dotted names, definitions with an asterisk.
    fn names(&self, path: &str) -> Vec<String> {
        let (facts, files) = (self.facts(), self.files.borrow());
        let text = &files[path];
        let Some(it) = facts.of(path, ContentHash::of(text.as_bytes())) else { return Vec::new() };
        let name = |it: &super::Occurrence| {
            let mark = if it.is_definition { "*" } else { "" };
            let name = &text[it.start as usize..it.end as usize];
            format!("{name}{mark} {}", facts.describe(it.symbol).unwrap().1)
        };
        it.occurrences().iter().map(name).collect()
    }

    /// Why the only document is refused.
    fn refusal(&self, index: &[u8]) -> String {
        let import = self.import(index).unwrap();
        assert_eq!((import.accepted, import.refused), (0, 1));
        import.refusals[0].reason.clone()
    }
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut res = Vec::new();
    while value >= 0x80 {
        res.push(value as u8 | 0x80);
        value >>= 7;
    }
    res.push(value as u8);
    res
}

fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

fn bytes(field: u64, value: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(value.len() as u64), value.to_vec()].concat()
}

/// The fields of an occurrence's range.
type RangeForm = fn([u64; 3]) -> Vec<u8>;

fn old(it: [u64; 3]) -> Vec<u8> {
    bytes(1, &it.into_iter().flat_map(varint).collect::<Vec<_>>())
}

fn typed(it: [u64; 3]) -> Vec<u8> {
    let fields = (1..).zip(it).flat_map(|(field, it)| number(field, it)).collect::<Vec<_>>();
    // The old form beside it does not count.
    [old([99, 0, 1]), bytes(8, &fields)].concat()
}

fn document_in(
    form: RangeForm,
    encoding: u64,
    path: &str,
    names: &[([u64; 3], &str, u64)],
) -> Vec<u8> {
    let name = |(range, symbol, roles): &([u64; 3], &str, u64)| {
        let occurrence = [form(*range), bytes(2, symbol.as_bytes()), number(3, *roles)].concat();
        bytes(2, &occurrence)
    };
    let names: Vec<u8> = names.iter().flat_map(name).collect();
    let encoding = if encoding > 0 { number(6, encoding) } else { Vec::new() };
    bytes(2, &[bytes(4, b"python"), bytes(1, path.as_bytes()), names, encoding].concat())
}

fn document(path: &str, names: &[([u64; 3], &str, u64)]) -> Vec<u8> {
    document_in(old, 0, path, names)
}

fn metadata(version: &str) -> Vec<u8> {
    let tool = [bytes(1, b"scip-python"), bytes(2, version.as_bytes())].concat();
    bytes(1, &[number(1, 0), bytes(2, &tool)].concat())
}

const NAMES: &[([u64; 3], &str, u64)] = &[
    ([3, 0, 5], "scip-python python shop 1 `shop`/Store#", 8),
    ([0, 6, 11], STORE, 1),
    ([1, 8, 12], OPEN, 1),
    ([1, 13, 17], "local 1", 1),
    ([0, 0, 0], "scip-python python shop 1 `src.shop`/__init__:", 1),
    ([3, 8, 12], OPEN, 8),
];

fn index() -> Vec<u8> {
    [metadata("0.6"), document("shop.py", NAMES), bytes(3, b"an external symbol")].concat()
}

#[test]
fn names_have_the_symbols_of_the_index_in_both_forms_of_ranges() {
    for form in [old as RangeForm, typed] {
        let shop = Shop::new(&[("shop.py", PY)]);
        let index = [metadata("0.6"), document_in(form, 0, "shop.py", NAMES)].concat();
        let import = shop.import(&index).unwrap();
        assert_eq!((import.documents, import.accepted, import.occurrences), (1, 1, 4));
        assert_eq!((import.tool.as_str(), import.version.as_str()), ("scip-python", "0.6"));
        let expect = ["Store* Store", "open* Store.open", "Store Store", "open Store.open"];
        assert_eq!(shop.names("shop.py"), expect);
    }
}

#[test]
fn facts_hold_as_long_as_the_text_does_and_come_back_with_it() {
    let shop = Shop::new(&[("shop.py", PY)]);
    shop.import(&index()).unwrap();
    shop.files.borrow_mut().insert("shop.py".to_owned(), format!("\n{PY}"));
    assert!(shop.names("shop.py").is_empty());
    assert_eq!(
        shop.refusal(&index()),
        "nothing stands in line 1 where `Store` should be defined: it was indexed from another text; run the indexer again"
    );
    shop.files.borrow_mut().insert("shop.py".to_owned(), PY.to_owned());
    assert_eq!(shop.names("shop.py").len(), 4);
}

#[test]
fn another_import_leaves_the_neighbours_and_the_other_texts() {
    let shop = Shop::new(&[("shop.py", PY), ("b.py", "x = 1\n")]);
    shop.import(&index()).unwrap();
    let x = "scip-python python shop 2 b/x.";
    shop.import(&[metadata("0.7"), document("b.py", &[([0, 0, 1], x, 1)])].concat()).unwrap();
    assert_eq!((shop.names("shop.py").len(), shop.names("b.py")), (4, vec!["x* x".to_owned()]));
    let facts = shop.facts();
    let versions: Vec<&str> = ["b.py", "shop.py"]
        .map(|it| facts.provenance(&facts.of_path(it)[0]).version.as_str())
        .to_vec();
    assert_eq!(versions, ["0.7", "0.6"]);
    // The same index again changes nothing.
    let before = std::fs::read(shop.path()).unwrap();
    shop.import(&index()).unwrap();
    assert_eq!(shop.facts().of_path("shop.py").len(), 1);
    assert_eq!(before.len(), std::fs::read(shop.path()).unwrap().len());
}

#[test]
fn columns_count_what_the_document_says_or_what_fits() {
    let text = "s = '\u{1F600}é'; name = 1\n";
    let symbol = "scip-python python shop 1 a/name.";
    // By bytes, by UTF-16 and by characters; the last number is the encoding.
    for (start, encoding) in [(14, 1), (11, 2), (10, 3), (14, 0), (11, 0), (10, 0)] {
        let shop = Shop::new(&[("a.py", text)]);
        let names = [([0, start, start + 4], symbol, 1)];
        let import = shop.import(&document_in(old, encoding, "a.py", &names)).unwrap();
        assert_eq!(import.accepted, 1, "{start} {encoding}: {:?}", import.refusals);
        assert_eq!(shop.names("a.py"), ["name* name"]);
    }
    let names = [([0, 14, 18], symbol, 1)];
    let wrong = Shop::new(&[("a.py", text)]).refusal(&document_in(old, 2, "a.py", &names));
    assert!(wrong.starts_with("`e = ` stands in line 1 where `name` should be defined"), "{wrong}");
}

#[test]
fn tabs_behind_the_beginning_of_a_line_may_lead_to_the_next_multiple_of_eight() {
    let text = "class A {\n    \t/* \u{1F600} */ void open() {\n\topen();\topen(); } }\n";
    let open = "semanticdb maven a 1 A#open().";
    let names = [([1, 22, 26], open, 1), ([2, 1, 5], open, 0), ([2, 9, 13], open, 0)];
    let shop = Shop::new(&[("A.java", text)]);
    assert_eq!(shop.import(&document("A.java", &names)).unwrap().refusals, []);
    assert_eq!(shop.names("A.java"), ["open* A.open", "open A.open", "open A.open"]);
    // A column inside of a tab is no place.
    let inside = [([1, 6, 10], open, 1)];
    assert!(shop.refusal(&document("A.java", &inside)).contains("should be defined"));
}

#[test]
fn uses_that_are_operators_are_no_names_and_no_faults() {
    let text = "fn f(a: Len, b: Len) -> Len { a + b }\nstruct Len;\n";
    let add = "rust-analyzer cargo core 1 ops/Add#add().";
    let len = "rust-analyzer cargo shop 1 Len#";
    let names = [
        ([1, 7, 10], len, 1),
        ([0, 8, 11], len, 0),
        ([0, 31, 32], add, 0),
        ([0, 32, 33], add, 0),
        ([0, 33, 34], add, 0),
    ];
    let shop = Shop::new(&[("a.rs", text)]);
    assert_eq!(shop.import(&document("a.rs", &names)).unwrap().refusals, []);
    assert_eq!(shop.names("a.rs"), ["Len Len", "Len* Len"]);
}

#[test]
fn members_in_blocks_of_rust_are_called_by_their_type() {
    let block = |names: &str| format!("rust-analyzer cargo shop 1 store/impl#{names}");
    let (open, clone) =
        (block("[`Store<'a>`]open()."), block("[`&crate::Store<T>`][`Clone`]clone()."));
    let names = [([0, 0, 4], &*open, 1), ([0, 5, 10], &*clone, 1)];
    let shop = Shop::new(&[("a.rs", "open clone\n")]);
    shop.import(&document("a.rs", &names)).unwrap();
    assert_eq!(shop.names("a.rs"), ["open* Store.open", "clone* Store.clone"]);
    let facts = shop.facts();
    let kinds = facts.of_path("a.rs")[0].occurrences().iter().map(|it| facts.describe(it.symbol));
    assert!(kinds.flatten().all(|it| it.0 == foreword_chunk::Kind::Method));
}

#[test]
fn of_members_that_override_each_other_the_one_of_the_derived_type_does() {
    let symbols = ["a b c 1 Base#", "a b c 1 Left#", "a b c 1 Right#"];
    let run = symbols.map(|it| format!("{it}run()."));
    let extends = [(symbols[1], symbols[0]), (symbols[2], symbols[0])];
    let mutual = [(0, 1), (1, 0), (0, 2), (2, 0)].map(|(a, b)| (&*run[a], &*run[b]));
    let names = [([0, 0, 4], symbols[0], 1)];
    let related = |(a, b): &(&str, &str)| {
        let relationship = [bytes(1, b.as_bytes()), number(3, 1)].concat();
        bytes(3, &[bytes(1, a.as_bytes()), bytes(4, &relationship)].concat())
    };
    let related: Vec<u8> = extends.iter().chain(&mutual).flat_map(related).collect();
    let mut document = document("a.py", &names);
    // The length of the document is its second byte.
    document.splice(
        ..2,
        [varint(2 << 3 | 2), varint((document.len() - 2 + related.len()) as u64)].concat(),
    );
    document.extend(related);
    let shop = Shop::new(&[("a.py", "Base\n")]);
    shop.import(&document).unwrap();
    let facts = shop.facts();
    let name = |it: u32| facts.describe(it).unwrap().1;
    let mut found: Vec<String> = facts.of_path("a.py")[0]
        .implements()
        .iter()
        .map(|it| format!("{} of {}", name(it.0), name(it.1)))
        .collect();
    found.sort();
    assert_eq!(
        found,
        ["Left of Base", "Left.run of Base.run", "Right of Base", "Right.run of Base.run"]
    );
}

#[test]
fn documents_outside_of_the_root_twice_or_of_unknown_files_are_refused() {
    let shop = Shop::new(&[("shop.py", PY)]);
    for path in ["../shop.py", "/shop.py", "a/../shop.py", "", "./shop.py", "a//b.py", "C:\\a.py"] {
        assert!(shop.refusal(&document(path, NAMES)).contains("out of the root"), "{path}");
    }
    assert!(shop.refusal(&document("gone.py", NAMES)).contains("not in the index"));
    let twice = [document("shop.py", NAMES), document("shop.py", NAMES)].concat();
    let import = shop.import(&twice).unwrap();
    assert_eq!((import.accepted, import.refused), (1, 1));
    assert!(import.refusals[0].reason.contains("described twice"));
}

#[test]
fn uses_at_no_name_are_of_another_text() {
    let shop = Shop::new(&[("shop.py", PY)]);
    let names = [([0, 6, 11], STORE, 1), ([2, 0, 4], OPEN, 8), ([3, 1, 5], OPEN, 8)];
    let refusal = shop.refusal(&document("shop.py", &names));
    assert!(refusal.starts_with("2 of 2 uses are at no name"), "{refusal}");
}

#[test]
fn an_index_that_ends_early_is_an_error_and_loses_nothing() {
    let shop = Shop::new(&[("shop.py", PY)]);
    shop.import(&index()).unwrap();
    let index = [metadata("0.7"), document("shop.py", NAMES)].concat();
    let metadata = metadata("0.7").len();
    for end in 0..index.len() {
        let error = shop.import(&index[..end]).unwrap_err();
        match end {
            0 => assert!(matches!(error, ScipError::Empty), "{error}"),
            _ if end == metadata => assert!(matches!(error, ScipError::Empty), "{error}"),
            _ => assert!(matches!(error, ScipError::Truncated { .. }), "{end}: {error}"),
        }
        assert!(error.to_string().contains("run the indexer again"), "{error}");
    }
    let facts = shop.facts();
    assert_eq!(facts.provenance(&facts.of_path("shop.py")[0]).version, "0.6");
}

#[test]
fn lengths_that_nothing_can_have_and_other_formats_are_errors() {
    let shop = Shop::new(&[("shop.py", PY)]);
    let huge = [varint(2 << 3 | 2), varint(u64::MAX)].concat();
    assert!(matches!(shop.import(&huge), Err(ScipError::TooLong { field: "a document", .. })));
    // Within the bound, but beyond the end.
    let claimed = [varint(2 << 3 | 2), varint(60 << 20)].concat();
    assert!(matches!(shop.import(&claimed), Err(ScipError::Truncated { .. })));
    for other in [&b"{\"id\": 1, \"type\": \"vertex\"}"[..], &[0x1f, 0x8b, 8, 0], &[0xff; 40]] {
        assert!(matches!(shop.import(other), Err(ScipError::Invalid { .. })), "{other:?}");
    }
    let inside = bytes(2, &bytes(2, &[0x0a, 0xff]));
    assert!(matches!(shop.import(&inside), Err(ScipError::Invalid { field: "a document", .. })));
}

#[test]
fn what_the_index_says_of_itself_is_cut_and_has_no_control_characters() {
    let shop = Shop::new(&[("shop.py", PY)]);
    let version = format!("1\u{1b}[31m{}", "x".repeat(1000));
    let import = shop.import(&[metadata(&version), document("shop.py", NAMES)].concat()).unwrap();
    assert_eq!(import.version, format!("1 [31m{}", "x".repeat(34)));
    assert_eq!(shop.facts().provenance(&shop.facts().files[0]).version, import.version);
}

#[test]
fn a_damaged_file_of_facts_counts_as_absent() {
    let shop = Shop::new(&[("shop.py", PY)]);
    shop.import(&index()).unwrap();
    let whole = std::fs::read(shop.path()).unwrap();
    for at in (0..whole.len()).step_by(7) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        std::fs::write(shop.path(), damaged).unwrap();
        assert!(shop.facts().is_empty(), "{at}");
    }
    shop.import(&index()).unwrap();
    assert_eq!(shop.names("shop.py").len(), 4);
}
