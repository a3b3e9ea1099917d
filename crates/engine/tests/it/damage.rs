//! Bytes that pass their checksums and are wrong all the same cost answers, never a panic, and not the memory of the
//! machine. A segment in memory is not checked against checksums, so whatever is changed in it counts as right.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use foreword_engine::compose::Format;
use foreword_engine::grep::{GrepRequest, grep};
use foreword_engine::index::{
    AnalyzedFile, FileLocation, IndexConfig, IndexedFile, Manifest, PackedFile, Segment,
    SegmentBuilder, Snapshot,
};
use foreword_engine::map::{MapRequest, map};
use foreword_engine::pipeline::Control;
use foreword_engine::preset;
use foreword_engine::prompt::{Target, prompt};
use foreword_engine::retrieve::Question;
use foreword_engine::scope::{Cursor, View};
use foreword_engine::search::{SearchRequest, search};
use foreword_engine::source::Stamp;

use crate::count;

const ROUNDS: u64 = 1500;

/// Bytes behind the footer: its length, its checksum, and a mark.
const TAIL: usize = 20;

/// Where the last panic was. Some are in threads of a pool.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Numbers that are the same in every run (splitmix64).
fn number(seed: &mut u64) -> usize {
    *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut it = *seed;
    it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((it ^ (it >> 31)) >> 1) as usize
}

fn files() -> Vec<(String, String)> {
    let module = |n: usize| {
        let function = |it: usize| {
            format!(
                "def größe_{n}_{it}(wert):\n    \"\"\"Gibt die Größe {it} zurück.\"\"\"\n    return größe_{}_{it}(wert) + {n}\n\n\n",
                (n + 1) % 4
            )
        };
        let functions: String = (0..12).map(function).collect();
        let imports = format!("from pkg.m{} import größe_1_1\n\n\n", (n + 1) % 4);
        (format!("pkg/m{n}.py"), format!("{imports}class Übung{n}:\n    x = 1\n\n\n{functions}"))
    };
    (0..4).map(module).collect()
}

/// The bytes of a segment with these files, and a manifest that names it.
fn built(config: &IndexConfig) -> (Vec<u8>, Manifest) {
    let mut builder = SegmentBuilder::new(config);
    let mut manifest = Manifest::new("/r".into(), config.fingerprint());
    for (ord, (path, text)) in (0_u32..).zip(files()) {
        let analysed = AnalyzedFile::new(path.clone(), text, &config.chunk);
        let (hash, location) = (analysed.hash, FileLocation { segment: 0, ord });
        let stamp = Stamp::default();
        manifest.files.push(IndexedFile {
            path,
            stamp,
            recorded_at_ns: 0,
            hash,
            location,
            masked: 0,
        });
        builder.add(&PackedFile::new(analysed));
    }
    manifest.complete = true;
    (builder.finish(), manifest)
}

/// Everything that can be asked of a snapshot.
fn ask(snapshot: &Snapshot) -> String {
    let mut res = String::new();
    for it in snapshot.files() {
        let (text, record) = snapshot.contents(it);
        for (idx, _) in record.symbols.definitions.iter().enumerate() {
            res.push_str(&record.dotted_name(&text, idx as u32));
        }
        for chunk in snapshot.chunks(it) {
            res.push_str(&format!("{:?}", snapshot.chunk(chunk)));
        }
        res.push_str(&format!("{:?}{:?}", snapshot.references_in(it), snapshot.record(it)));
    }
    for name in ["größe_1_1", "Übung2", "x"] {
        res.push_str(&format!("{:?}{:?}", snapshot.definitions(name), snapshot.references(name)));
    }
    let pattern = GrepRequest { pattern: "wert)", limit: 99, context: 2, ..GrepRequest::default() };
    res.push_str(&format!("{:?}", grep(snapshot, &pattern)));
    let question = Question::new("grösse_1_1 of wert");
    let request = SearchRequest { question, limit: 20, tokens: Some(500) };
    let found = search(snapshot, &request, &preset::search(), &count, &mut Control::default());
    let request = MapRequest { focus: &["größe_1_1".to_owned()], tokens: 400, keep: None };
    res.push_str(&format!("{found:?}{:?}", map(snapshot, &request, &count).text));
    let (path, text) = files().swap_remove(1);
    for text in [text.clone(), format!("{text}def neu(wert):\n    return größe_")] {
        let offset = text.len();
        let cursor = Cursor::new(path.clone(), text, offset).unwrap();
        let Ok(view) = View::new(snapshot, &cursor) else { continue };
        let target = Target { format: &Format::ALL[0], repository: "r", count: &count };
        let made = prompt(view, &cursor, &preset::context(), target, &mut Control::default());
        res.push_str(&format!("{:?}", made.map(|it| it.prompt.text)));
    }
    res
}

#[test]
fn wrong_bytes_behind_right_checksums_cause_no_panic() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |it| {
        let at = it.location().map(ToString::to_string).unwrap_or_default();
        // The crate of the key maps does not check what it reads; the doors catch it.
        if !at.contains("/fst-") {
            others(it);
        }
        *PANIC.lock().unwrap() = at;
    }));
    let config = IndexConfig::default();
    let (good, manifest) = built(&config);
    let footer = good[good.len() - TAIL..].first_chunk().map(|it| u32::from_le_bytes(*it));
    let body = good.len() - TAIL - footer.unwrap() as usize;
    let expect = ask(&snapshot(&good, &manifest, &config).unwrap());
    let (mut seed, mut opened, mut differing, mut noticed) = (3, 0, 0, 0);
    for round in 0..ROUNDS {
        let mut bad = good.clone();
        for _ in 0..=round % 3 {
            bad[number(&mut seed) % body] ^= 1 << (number(&mut seed) % 8);
        }
        let asked = catch_unwind(AssertUnwindSafe(|| {
            let snapshot = snapshot(&bad, &manifest, &config)?;
            Some((ask(&snapshot), snapshot.is_damaged()))
        }));
        let panic = PANIC.lock().unwrap().clone();
        assert!(asked.is_ok() || panic.contains("/fst-"), "round {round}: {panic}");
        let Ok(Some((answer, is_damaged))) = asked else { continue };
        opened += 1;
        differing += usize::from(answer != expect);
        noticed += usize::from(is_damaged);
    }
    assert!(
        opened > 500 && noticed > 200,
        "{opened} opened, {differing} differ, {noticed} noticed"
    );
}

fn snapshot(bytes: &[u8], manifest: &Manifest, config: &IndexConfig) -> Option<Snapshot> {
    let segment = Segment::of_memory(bytes.to_vec(), config).ok()?;
    let mut manifest = manifest.clone();
    manifest.segments = vec![segment.id()];
    (segment.n_files() as usize == manifest.files.len())
        .then(|| Snapshot::new(vec![segment.into()], &manifest, *config))
}
