//! What a model writes for a place is proposed only if it may be right.

use foreword_engine::index::Snapshot;
use foreword_engine::next::{Edit, WrittenFault, written_edit};

use crate::snapshot;

const SHOP: &str = "
//- fees.py
def overdue_fee(days):
    limit = 3
    return max(days - limit, 0)
//- rates.py
print(table.base_rate, table.tax_share)
//- desk.py
from fees import late_fee

NOTE = 'fee of a reader'


def pay(days):
    print(NOTE)
    return late_fee(days)


def close(desk):
    desk.lamp = False
    desk.drawer = None
    desk.sign = 'closed'
    desk.queue.clear()
    desk.log('closed')
    desk.owner = None
    return desk
";

const PAY: &str = "def pay(days):\n    print(NOTE)\n    return late_fee(days)\n";

/// The user renamed the function and wrote the line with the note.
fn edits(snapshot: &Snapshot) -> Vec<Edit> {
    let edit = |path: &str, removed: &str, added: &str| {
        let text = snapshot.text(snapshot.file(path).unwrap());
        let start = text.find(added).unwrap();
        Edit { path: path.into(), range: start..start + added.len(), removed: removed.into() }
    };
    vec![
        edit("fees.py", "def late_fee(days):\n", "def overdue_fee(days):\n"),
        edit("desk.py", "    log(NOTE)\n", "    print(NOTE)\n"),
    ]
}

/// What is proposed if a model gives `region` of desk.py this text.
fn proposed(region: &str, new: &str) -> Result<Option<(String, String)>, WrittenFault> {
    let snapshot = snapshot(SHOP);
    let text = snapshot.text(snapshot.file("desk.py").unwrap());
    let start = text.find(region).unwrap();
    let place = ("desk.py", start..start + region.len());
    let edit = written_edit(&snapshot, place, new, &edits(&snapshot))?;
    Ok(edit.map(|it| (text[it.range].to_owned(), it.text)))
}

#[test]
fn only_the_lines_that_change_are_proposed() {
    let new = PAY.replace("late_fee", "overdue_fee");
    let expect =
        ("    return late_fee(days)\n".to_owned(), "    return overdue_fee(days)\n".to_owned());
    assert_eq!(proposed(PAY, &new), Ok(Some(expect)));
    assert_eq!(proposed(PAY, PAY), Ok(None));
    let longer = PAY.replace("    return", "    days = max(days, 0)\n    return");
    assert_eq!(
        proposed(PAY, &longer),
        Ok(Some((String::new(), "    days = max(days, 0)\n".to_owned())))
    );
    // Equal lines at both ends are not counted twice.
    assert_eq!(proposed("\n\n", "\n\n\n"), Ok(Some((String::new(), "\n".to_owned()))));
}

#[test]
fn a_text_that_breaks_the_file_is_not_proposed() {
    let broken = PAY.replace("late_fee(days)", "overdue_fee(days");
    assert_eq!(proposed(PAY, &broken), Err(WrittenFault::Syntax));
}

#[test]
fn the_latest_work_is_neither_undone_nor_deleted() {
    let undone = PAY.replace("print(NOTE)", "log(NOTE)");
    assert_eq!(proposed(PAY, &undone), Err(WrittenFault::Undoes));
    let deleted = PAY.replace("    print(NOTE)\n", "");
    assert_eq!(proposed(PAY, &deleted), Err(WrittenFault::DeletesWork("print(NOTE)".to_owned())));
    // A line may go on where it was written.
    let longer = PAY.replace("print(NOTE)", "print(NOTE, days)");
    assert!(proposed(PAY, &longer).unwrap().is_some());
}

#[test]
fn an_answer_that_ends_early_or_never_is_no_edit() {
    let close = SHOP.split("\n\n\n").last().unwrap();
    let first = close.split_inclusive('\n').next().unwrap();
    assert_eq!(
        proposed(close, &format!("{first}    return desk\n")),
        Err(WrittenFault::Deletes(6))
    );
    let endless = format!("{PAY}{}", "    print(NOTE)\n".repeat(99));
    assert_eq!(proposed(PAY, &endless), Err(WrittenFault::Long(99)));
}

#[test]
fn most_of_the_names_that_are_added_exist() {
    let invented = PAY.replace("late_fee(days)", "billing.compute_penalty(days, surcharge_rate)");
    let names = ["billing", "compute_penalty", "surcharge_rate"].map(str::to_owned).to_vec();
    assert_eq!(proposed(PAY, &invented), Err(WrittenFault::Invented(names)));
    let used_elsewhere = PAY.replace("late_fee(days)", "table.base_rate * table.tax_share");
    assert!(proposed(PAY, &used_elsewhere).unwrap().is_some());
    // One new local name is usual.
    let local =
        PAY.replace("    return late_fee(days)", "    due = late_fee(days)\n    return due");
    assert!(proposed(PAY, &local).unwrap().is_some());
}
