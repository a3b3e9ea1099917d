//! Where the next edit is likely, after edits as people make them.

use foreword_engine::history::{CoChange, CoChangeConfig, History, PastCommit};
use foreword_engine::index::{Change, IndexConfig, Snapshot};
use foreword_engine::next::{Config, Edit, NextRequest, Place, next_edits};
use foreword_engine::source::Source;

use crate::snapshot;

const SHOP: &str = "
//- shop/fees.py
LIMIT = 3


def overdue_fee(days):
    return max(days - LIMIT, 0)


def total(days):
    return 1 + overdue_fee(days)
//- shop/desk.py
from shop.fees import late_fee


def pay(days):
    return late_fee(days) * 2
//- shop/states.py
OPEN = 'open'
LENT = 'lent'
LOST = 'lost'
//- shop/show.py
from shop import states

NAMES = {
    states.OPEN: 'on the shelf',
    states.LENT: 'with a reader',
}
//- tests/test_fees.py
from shop.fees import late_fee


def test_late_fee():
    assert late_fee(5) == 2
//- docs/guide.md
# Guide

The function `late_fee` says what a reader owes.
//- other.py
def unrelated():
    return 7
";

/// An edit that wrote `added` in place of `removed`.
fn edit(snapshot: &Snapshot, path: &str, removed: &str, added: &str) -> Edit {
    let text = snapshot.text(snapshot.file(path).unwrap());
    let start = text.find(added).unwrap();
    Edit { path: path.into(), range: start..start + added.len(), removed: removed.into() }
}

fn places(snapshot: &Snapshot, edits: &[Edit], history: History) -> Vec<Place> {
    let co_change = CoChange::new(history, CoChangeConfig::measured());
    let request = NextRequest { edits, co_change: &co_change, limit: 10 };
    // Guesses too.
    next_edits(snapshot, &request, &Config { least: 0.0, ..Config::measured() })
}

fn told(places: &[Place], path: &str) -> Vec<String> {
    let here = places.iter().filter(|it| it.path == path);
    here.flat_map(|it| it.reasons.iter().map(ToString::to_string)).collect()
}

#[test]
fn a_renamed_function_leads_to_its_uses_tests_and_documents_and_to_nothing_else() {
    let snapshot = snapshot(SHOP);
    let edits =
        [edit(&snapshot, "shop/fees.py", "def late_fee(days):\n", "def overdue_fee(days):\n")];
    let found = places(&snapshot, &edits, History::default());
    for path in ["shop/desk.py", "tests/test_fees.py", "docs/guide.md"] {
        let reasons = told(&found, path).join("; ");
        assert!(
            reasons.contains("late_fee, which was renamed to overdue_fee"),
            "{path}: {reasons}"
        );
    }
    assert!(told(&found, "other.py").is_empty(), "{found:?}");
    let desk = found.iter().find(|it| it.path == "shop/desk.py").unwrap();
    assert!(found[0].path == desk.path || found[1].path == desk.path, "{found:?}");
}

/// A reader with a renamed method, another type that has one of the old name, and files that call it.
fn callers(n: usize, others: usize) -> String {
    let mut res =
        "//- Reader.java\nclass Reader {\n    void skipNextValue() {\n    }\n}\n".to_owned();
    for it in 0..others {
        res += &format!(
            "//- Other{it}.java\nclass Other{it} {{\n    void skipValue() {{\n    }}\n}}\n"
        );
    }
    for it in 0..n {
        res += &format!(
            "//- adapters/Adapter{it:02}.java\nclass Adapter{it:02} {{\n    void read(Reader in) {{\n        in.skipValue();\n    }}\n}}\n"
        );
    }
    res
}

#[test]
fn all_callers_of_a_renamed_method_are_told_however_many_there_are() {
    let callers_told = |others: usize| {
        let snapshot = snapshot(&callers(30, others));
        let (old, new) = ("    void skipValue() {\n", "    void skipNextValue() {\n");
        let found =
            places(&snapshot, &[edit(&snapshot, "Reader.java", old, new)], History::default());
        found.iter().filter(|it| it.path.starts_with("adapters/")).count()
    };
    // Of ten places that are asked for one is where the edit was made.
    assert!(callers_told(0) >= 8, "{}", callers_told(0));
    assert!(callers_told(1) >= 8, "{}", callers_told(1));
    // The declared type of the receiver tells the calls from those of others.
    assert!(callers_told(10) >= 8, "{}", callers_told(10));
}

#[test]
fn what_names_the_neighbours_of_a_new_constant_may_need_it_too() {
    let snapshot = snapshot(SHOP);
    let edits = [edit(&snapshot, "shop/states.py", "", "LOST = 'lost'\n")];
    let found = places(&snapshot, &edits, History::default());
    let reasons = told(&found, "shop/show.py");
    assert!(reasons.contains(&"has LENT, beside the new LOST".to_owned()), "{found:?}");
    // The value of the neighbour is no name.
    assert!(
        found.iter().all(|it| it.reasons.iter().all(|it| !it.to_string().contains("has lent")))
    );
}

#[test]
fn a_switch_over_the_neighbours_of_a_new_case_is_likely_in_each_file() {
    let snapshot = snapshot(
        "
//- kind.go
package kind

const (
\tMimeYAML = \"application/yaml\"
\tMimeTOML = \"application/toml\"
\tMimeCBOR = \"application/cbor\"
)

func Of(mime string) int {
\tswitch mime {
\tcase MimeYAML:
\t\treturn 1
\tcase MimeTOML:
\t\treturn 2
\t}
\treturn 0
}
//- kind_plain.go
package kind

func Of(mime string) int {
\tif mime == MimeTOML {
\t\treturn 2
\t}
\treturn 0
}
",
    );
    let added = "\tMimeCBOR = \"application/cbor\"\n";
    let found = places(&snapshot, &[edit(&snapshot, "kind.go", "", added)], History::default());
    let at = |path: &str, line: u32| {
        found.iter().any(|it| it.path == path && (it.start_line..=it.end_line).contains(&line))
    };
    assert!(at("kind_plain.go", 4), "{found:?}");
    // Ten lines around the edit are in sight.
    assert!(!at("kind.go", 13), "{found:?}");
}

#[test]
fn lines_that_were_edited_already_are_not_places() {
    let snapshot = snapshot(SHOP);
    let renamed =
        edit(&snapshot, "shop/fees.py", "def late_fee(days):\n", "def overdue_fee(days):\n");
    let call = edit(
        &snapshot,
        "shop/desk.py",
        "    return fee(days)\n",
        "    return late_fee(days) * 2\n",
    );
    let found = places(&snapshot, &[renamed, call], History::default());
    let lines = found.iter().filter(|it| it.path == "shop/desk.py").map(|it| it.start_line);
    assert_eq!(lines.filter(|it| *it == 5).count(), 0, "{found:?}");
}

#[test]
fn files_that_changed_together_are_places_while_they_exist() {
    let snapshot = snapshot(SHOP);
    let paths = ["shop/fees.py", "other.py", "gone.py"].map(str::to_owned).to_vec();
    let commit = || PastCommit { files: vec![0, 1, 2], n_files: 3, ..PastCommit::default() };
    let history = History { commits: (0..9).map(|_| commit()).collect(), paths };
    let edits = [edit(&snapshot, "shop/fees.py", "LIMIT = 2\n", "LIMIT = 3\n")];
    let found = places(&snapshot, &edits, history);
    let reasons = told(&found, "other.py");
    assert_eq!(reasons, ["changed together with shop/fees.py in 9 commits (90 %)"], "{found:?}");
    assert!(found.iter().all(|it| it.path != "gone.py"));
    assert!(found.iter().all(|it| (0.0..=1.0).contains(&it.confidence)));
}

#[test]
fn without_edits_nothing_is_likely() {
    let snapshot = snapshot(SHOP);
    assert_eq!(places(&snapshot, &[], History::default()), []);
    let unknown = Edit { path: "no.py".into(), range: 0..0, removed: "x\n".into() };
    assert_eq!(places(&snapshot, &[unknown], History::default()), []);
    // Of a file that is shorter by now.
    let beyond = Edit { path: "other.py".into(), range: 900..950, removed: "x\n".into() };
    assert!(places(&snapshot, &[beyond], History::default()).len() < 5);
}

#[test]
fn uses_of_a_renamed_method_are_told_although_another_type_has_one_of_that_name() {
    let snapshot = snapshot(
        "
//- builder.py
class Builder:
    def skip_unexposed(self):
        return self
//- excluder.py
class Excluder:
    def skip(self):
        return 1
//- use.py
from builder import Builder

made = Builder().skip()
",
    );
    let added = "    def skip_unexposed(self):\n";
    let edits = [edit(&snapshot, "builder.py", "    def skip(self):\n", added)];
    let found = places(&snapshot, &edits, History::default());
    let reasons = told(&found, "use.py");
    assert_eq!(reasons.first().unwrap(), "has skip, which was renamed to skip_unexposed");
}

#[test]
fn the_rest_of_a_file_follows_a_rename_after_its_import_has() {
    let desk =
        "from shop.fees import late_fee\n\n\ndef pay(days):\n    return late_fee(days) * 2\n";
    let followed = desk.replace("import late_fee", "import overdue_fee");
    let snapshot = snapshot(&SHOP.replace(desk, &followed));
    let edits = [
        edit(
            &snapshot,
            "shop/desk.py",
            "from shop.fees import late_fee\n",
            "from shop.fees import overdue_fee\n",
        ),
        edit(&snapshot, "shop/fees.py", "def late_fee(days):\n", "def overdue_fee(days):\n"),
    ];
    let found = places(&snapshot, &edits, History::default());
    let rest = found.iter().find(|it| it.path == "shop/desk.py" && it.is_certain);
    let edits = &rest.unwrap_or_else(|| panic!("{found:?}")).edits;
    let texts: Vec<&str> = edits.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts, ["    return overdue_fee(days) * 2\n"], "{found:?}");
}

#[test]
fn a_use_further_down_is_listed_although_one_near_the_edit_is_left_out() {
    let (edited, others) = ("f(new_rate)\n", "x = 1\n".repeat(6));
    let text = format!("//- a.py\n{edited}{others}g(old_rate)\n{others}x = 1\ng(old_rate)\n");
    let snapshot = snapshot(&text);
    let edits = [edit(&snapshot, "a.py", "f(old_rate)\n", edited)];
    let all = places(&snapshot, &edits, History::default());
    let lines: Vec<u32> = all.iter().map(|it| it.best_line).collect();
    assert_eq!(lines, [16], "that in line 8 is in sight");
}

#[test]
fn a_line_with_the_words_of_a_replaced_one_is_a_place_without_a_text() {
    let text = "//- a.py\nsize = ratio(width, 12)\n//- b.py\nx = 1\nsize = ratio(width, 10)\n";
    let snapshot = snapshot(text);
    let edits = [edit(&snapshot, "a.py", "size = ratio(width, 10)\n", "size = ratio(width, 12)\n")];
    let all = places(&snapshot, &edits, History::default());
    let there: Vec<&Place> = all.iter().filter(|it| it.path == "b.py").collect();
    assert_eq!(there.len(), 1);
    assert_eq!(there[0].reasons[0].code(), "alike");
    assert!(there[0].edits.is_empty());
}

/// The places in a file that must change.
fn certain<'p>(places: &'p [Place], path: &str) -> Vec<&'p Place> {
    places.iter().filter(|it| it.path == path && it.is_certain).collect()
}

#[test]
fn a_default_argument_in_a_header_is_one_of_the_definition() {
    let files = "
//- meter.h
class Meter {
 public:
  void record_value(int value, int weight = 1);
};
//- meter.cpp
#include \"meter.h\"

void Meter::record_value(int value, int weight) {
  total += value * weight;
}
//- use.cpp
#include \"meter.h\"

void run(Meter& meter) {
  meter.record_value(3);
}
";
    let told = |files: &str| {
        let snapshot = snapshot(files);
        let (old, new) = ("void Meter::record_value(int value) {", "value, int weight) {");
        let new = format!("void Meter::record_value(int {new}\n");
        let edits = [edit(&snapshot, "meter.cpp", &format!("{old}\n"), &new)];
        certain(&places(&snapshot, &edits, History::default()), "use.cpp").len()
    };
    assert_eq!(told(files), 0);
    assert_eq!(told(&files.replace(" = 1", "")), 1, "no default");
    // A declaration of before the change says nothing about it.
    assert_eq!(told(&files.replace(", int weight = 1", "")), 1, "the header has to follow");
}

#[test]
fn an_import_of_a_library_does_not_follow_a_new_name() {
    let files = "
//- src/app/turbine/jobs.kt
package app.turbine

fun collect_job() = 1
//- src/app/turbine/flow.kt
package app.turbine.flow

import kotlinx.coroutines.start_job
//- src/app/turbine/other.kt
package app.turbine.other

import app.turbine.start_job
//- src/app/turbine/options.ex
defmodule Options do
  use Plug.Debugger, start_job: :plug
end
";
    let snapshot = snapshot(files);
    let (old, new) = ("fun start_job() = 1\n", "fun collect_job() = 1\n");
    let edits = [edit(&snapshot, "src/app/turbine/jobs.kt", old, new)];
    let found = places(&snapshot, &edits, History::default());
    assert_eq!(certain(&found, "src/app/turbine/flow.kt").len(), 0, "{found:?}");
    assert_eq!(certain(&found, "src/app/turbine/options.ex").len(), 0, "{found:?}");
    assert_eq!(certain(&found, "src/app/turbine/other.kt").len(), 1, "{found:?}");
}

#[test]
fn a_list_of_few_variants_need_not_have_the_new_one() {
    let names = ["Auto", "Plain", "Single", "Double", "Literal", "Folded", "Flow", "Block"];
    let entries: String = names.map(|it| format!("    Style{it},\n")).concat();
    let arms: String = names.map(|it| format!("        Style::Style{it} => 1,\n")).concat();
    let text = format!(
        "//- style.rs\npub enum Style {{\n{entries}    StyleFresh,\n}}\n//- all.rs\nfn all(it: Style) -> u32 {{\n    match it {{\n{arms}    }}\n}}\n//- few.rs\nfn few(it: Style) -> bool {{\n    matches!(it, Style::StyleFlow | Style::StyleBlock)\n}}\n"
    );
    let snapshot = snapshot(&text);
    let edits = [edit(&snapshot, "style.rs", "", "    StyleFresh,\n")];
    let found = places(&snapshot, &edits, History::default());
    assert_eq!(certain(&found, "all.rs").len(), 1, "{found:?}");
    assert_eq!(certain(&found, "few.rs").len(), 0, "{found:?}");
}

#[test]
fn an_unlikely_place_has_no_text() {
    let files: String = (0..3)
        .map(|it| format!("//- far{it}/m{it}.py\nx{it} = 1\nsend(message, retries=3)\n"))
        .collect();
    let (old, new) = ("send(message, retries=3)\n", "send(message, retries=5)\n");
    let snapshot = snapshot(&format!("//- a.py\n{new}//- b.py\n{old}{files}"));
    let edits = [edit(&snapshot, "a.py", old, new)];
    let found = places(&snapshot, &edits, History::default());
    let is_like = |it: &&Place| it.reasons.iter().any(|it| it.code() == "alike");
    assert!(found.iter().filter(is_like).any(|it| it.confidence < 0.5), "{found:?}");
    assert!(found.iter().all(|it| it.confidence >= 0.5 || it.edits.is_empty()), "{found:?}");
}

#[test]
fn a_member_keeps_its_name_when_its_type_gets_a_new_one() {
    let snapshot = snapshot(
        "
//- meter.py
class Gauge:
    def record_value(self, value):
        self.total += value
//- use.py
from meter import Meter


def run(meter: Meter):
    meter.record_value(3)
",
    );
    let new = "class Gauge:\n    def record_value(self, value):\n        self.total += value\n";
    let edits = [edit(&snapshot, "meter.py", &new.replace("Gauge", "Meter"), new)];
    let found = places(&snapshot, &edits, History::default());
    let reasons = told(&found, "use.py").join("; ");
    assert!(reasons.contains("Meter, which was renamed to Gauge"), "{reasons}");
    assert!(!reasons.contains("record_value, which was renamed"), "{reasons}");
    let texts = found.iter().flat_map(|it| &it.edits).map(|it| it.text.trim());
    assert!(texts.clone().all(|it| it.contains("Gauge")), "{found:?}");
    assert!(texts.count() > 0, "{found:?}");
}

#[test]
fn texts_over_a_disk_lead_where_the_same_files_lead() {
    let fresh = snapshot(&SHOP.replace("def pay", "NOTE = 'of the desk'\n\n\ndef pay"));
    let text = |path: &str| fresh.text(fresh.file(path).unwrap()).to_string();
    let write = |path: &str, text: String| Change::Write(Source { path: path.into(), text });
    let earlier_fees = text("shop/fees.py").replace("overdue_fee", "late_fee");
    let earlier_desk = text("shop/desk.py").replace("NOTE = 'of the desk'\n\n\n", "");
    let disk = fresh.with_changes(vec![
        write("shop/fees.py", earlier_fees),
        write("shop/desk.py", earlier_desk),
    ]);
    let buffers = ["shop/fees.py", "shop/desk.py"].map(|it| write(it, text(it)));
    // A fresh copy of the disk: its segments have the earlier texts alone.
    let disk = disk.unwrap();
    let sources = disk
        .files()
        .map(|it| Source { path: disk.path(it).to_owned(), text: disk.text(it).to_string() });
    let disk = Snapshot::of_sources(sources.collect(), IndexConfig::default()).unwrap();
    let typed = disk.with_changes(buffers.to_vec()).unwrap();
    let edits = [
        edit(&fresh, "shop/fees.py", "def late_fee(days):\n", "def overdue_fee(days):\n"),
        edit(
            &fresh,
            "shop/fees.py",
            "    return 1 + late_fee(days)\n",
            "    return 1 + overdue_fee(days)\n",
        ),
        edit(&fresh, "shop/desk.py", "", "NOTE = 'of the desk'\n\n\n"),
    ];
    let expect = places(&fresh, &edits, History::default());
    assert!(expect.iter().any(|it| it.path == "shop/desk.py"), "{expect:?}");
    assert_eq!(places(&typed, &edits, History::default()), expect);
}
