//! The texts that follow from the latest edits: which are proposed, and which are not.

use foreword_engine::history::{CoChange, CoChangeConfig, History};
use foreword_engine::index::Snapshot;
use foreword_engine::next::{Config, Edit, NextRequest, Place, ProposedEdit, next_edits};

use crate::snapshot;

/// The told places after edits that wrote a text in place of another one, each with its path, the latest first.
fn told(files: &str, edits: &[(&str, &str, &str)]) -> Vec<Place> {
    let snapshot: Snapshot = snapshot(files);
    let edit = |(path, removed, added): &(&str, &str, &str)| {
        let start = snapshot.text(snapshot.file(path).unwrap()).find(added).unwrap();
        let range = start..start + added.len();
        Edit { path: (*path).into(), range, removed: (*removed).into() }
    };
    let edits: Vec<Edit> = edits.iter().map(edit).collect();
    let co_change = CoChange::new(History::default(), CoChangeConfig::measured());
    let request = NextRequest { edits: &edits, co_change: &co_change, limit: 10 };
    next_edits(&snapshot, &request, &Config::measured())
}

/// The edits that are proposed after one edit.
fn proposed(files: &str, path: &str, removed: &str, added: &str) -> Vec<(String, ProposedEdit)> {
    let edits = |it: Place| it.edits.into_iter().map(move |edit| (it.path.clone(), edit));
    told(files, &[(path, removed, added)]).into_iter().flat_map(edits).collect()
}

/// The lines of proposed edits.
fn texts(all: &[(String, ProposedEdit)]) -> Vec<&str> {
    all.iter().map(|it| it.1.text.trim_end()).collect()
}

/// The texts at the second of two calls, after the first one got an argument, and the function a parameter. The place is
/// told in any case.
fn second_call(parameter: &str, argument: &str, before: &str) -> Vec<String> {
    let old = "    total = late_fee(reader_days)\n";
    let new = format!("    total = late_fee(reader_days, {argument})\n");
    let signature = format!("def late_fee(days, {parameter}):\n");
    let files = format!(
        "
//- shop/fees.py
{signature}    return days * rate
//- shop/desk.py
from shop.fees import late_fee


def pay(reader_days):
    rate_of_day = 3
{new}    return total


{}def charge(reader_days):
    {before} = 4
{old}    return total
",
        "x = 1\n".repeat(9)
    );
    let edits = [
        ("shop/desk.py", old, new.as_str()),
        ("shop/fees.py", "def late_fee(days):\n", signature.as_str()),
    ];
    let found = told(&files, &edits);
    let place =
        found.iter().find(|it| it.symbol == "charge").unwrap_or_else(|| panic!("{found:?}"));
    place.edits.iter().map(|it| it.text.trim().to_owned()).collect()
}

#[test]
fn an_argument_is_added_again_only_where_the_call_needs_it() {
    assert_eq!(second_call("rate", "3", "x"), ["total = late_fee(reader_days, 3)"]);
    assert_eq!(second_call("rate=2", "3", "x"), [""; 0]);
}

#[test]
fn a_line_with_a_local_name_is_written_again_only_where_that_is_known() {
    let expected = "total = late_fee(reader_days, rate_of_day)";
    assert_eq!(second_call("rate", "rate_of_day", "rate_of_day"), [expected]);
    assert_eq!(second_call("rate", "rate_of_day", "other"), [""; 0]);
}

#[test]
fn uses_get_a_new_name_where_the_parameters_are_the_same() {
    let found = |signature: &str| {
        let new = format!("def {signature}:\n");
        let files = format!(
            "//- fees.py\n{new}    return days\n//- desk.py\nfrom fees import late_fee\n\n\ndef pay(days):\n    return late_fee(days)\n"
        );
        let all = proposed(&files, "fees.py", "def late_fee(days):\n", &new);
        texts(&all).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let import = "from fees import overdue_fee";
    assert_eq!(found("overdue_fee(days)"), [import, "    return overdue_fee(days)"]);
    assert_eq!(found("overdue_fee(days) -> int"), [import, "    return overdue_fee(days)"]);
    assert_eq!(found("overdue_fee(days, rate)"), [import]);
}

#[test]
fn a_new_name_is_not_written_where_its_lines_change_further() {
    let found = |old: &str, new: &str| {
        let filler = "x = 1\n".repeat(20);
        let desk = format!(
            "from fees import overdue_fee\n\n\n{new}\n{filler}print(1, late_fee(2)) # Days.\n"
        );
        let fees = "def overdue_fee(days):\n    return days\n";
        let files = format!("//- fees.py\n{fees}//- desk.py\n{desk}");
        let edits = [
            ("desk.py", old, new),
            ("desk.py", "from fees import late_fee\n", "from fees import overdue_fee\n"),
            ("fees.py", "def late_fee(days):\n", "def overdue_fee(days):\n"),
        ];
        let all: Vec<Place> = told(&files, &edits);
        let edits = all.iter().flat_map(|it| &it.edits).map(|it| it.text.trim_end().to_owned());
        edits.collect::<Vec<_>>()
    };
    let kept = "print(1, overdue_fee(2)) # Days.";
    assert_eq!(found("print(2, late_fee(3)) # Days.", "print(2, overdue_fee(3)) # Days."), [kept]);
    assert_eq!(found("print(2, late_fee(3)) # Days.", "print(2, overdue_fee(3))"), [""; 0]);
}

#[test]
fn a_new_name_is_not_written_where_the_old_one_stays_as_an_alias() {
    let found = |alias: &str| {
        let new = format!("def overdue_fee(days):\n    return days\n{alias}");
        let files = format!(
            "//- fees.py\n{new}//- desk.py\nimport fees\n\n\ndef pay(days):\n    return fees.late_fee(days)\n"
        );
        let all = proposed(&files, "fees.py", "def late_fee(days):\n    return days\n", &new);
        texts(&all).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found(""), ["    return fees.overdue_fee(days)"]);
    assert_eq!(found("\n\nlate_fee = overdue_fee\n"), [""; 0]);
}

/// The lines of `desk.py` that are proposed after `LateFee` of `fees.py` was renamed to `Charge`.
fn renamed_type(desk: &str) -> Vec<String> {
    let files = format!("//- fees.py\nclass Charge:\n    days = 1\n//- desk.py\n{desk}");
    let all = proposed(&files, "fees.py", "class LateFee:\n", "class Charge:\n");
    texts(&all).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_type_gets_its_new_name_where_the_rest_of_the_line_is_likely_to_stay() {
    let desk = |line: &str| format!("from fees import LateFee\n\n\ndef pay(days):\n    {line}\n");
    let import = "from fees import Charge";
    assert_eq!(renamed_type(&desk("kind: LateFee = days")), [import, "    kind: Charge = days"]);
    assert_eq!(renamed_type(&desk("late_fee: LateFee = days")), [import]);
    // A call may be assigned to a variable of its name.
    let call = "    late_fee = Charge(days)";
    assert_eq!(renamed_type(&desk("late_fee = LateFee(days)")), [import, call]);
}

#[test]
fn a_type_of_a_library_keeps_its_name() {
    let found = |import: &str| {
        let desk = format!("{import}\n\n\ndef pay(days):\n    kind: fees.LateFee = days\n");
        renamed_type(&desk)
    };
    assert_eq!(found("import fees"), ["    kind: fees.Charge = days"]);
    assert_eq!(found("from library import fees"), [""; 0]);
}

#[test]
fn a_comment_is_not_written_again() {
    let found = |old: &str, new: &str| {
        let filler = "x = 1\n".repeat(20);
        let files = format!("//- desk.py\n{new}\n{filler}{old}\n");
        let all = proposed(&files, "desk.py", &format!("{old}\n"), &format!("{new}\n"));
        texts(&all).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let code = "total = reader_days + rate";
    assert_eq!(
        found(code, "total = reader_days + other_rate"),
        ["total = reader_days + other_rate"]
    );
    assert_eq!(found(&format!("# {code}"), "# total = reader_days + other_rate"), [""; 0]);
}
