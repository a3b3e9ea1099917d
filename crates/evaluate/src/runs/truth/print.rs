//! Prints the results of truth folders on a terminal.
#![expect(clippy::print_stdout, reason = "tables on stdout are what the commands are for")]

use super::check::FolderReport;
use super::mutate::Mutation;

/// Prints a line per task, then the sums.
pub fn checked(checked: &[FolderReport]) {
    let (mut n, mut known, mut failed, mut reciprocal) = (0, 0, 0, 0.0);
    for FolderReport { folder, verdicts, .. } in checked {
        for it in verdicts {
            let state = match (&it.known, it.failures.is_empty()) {
                (Some(_), _) => "known",
                (None, true) => "holds",
                (None, false) => "FAILS",
            };
            println!("{state}  {folder}/{}  {}", it.task, it.ranks);
            n += 1;
            known += usize::from(state == "known");
            failed += usize::from(state == "FAILS");
            reciprocal += it.best.map_or(0.0, |rank| 1.0 / rank.max(1) as f64);
        }
    }
    let holds = n - known - failed;
    let mrr = reciprocal / f64::from(u32::max(n as u32, 1));
    println!(
        "\n{n} tasks in {} folders: {holds} hold, {known} known to fail, {failed} fail; mean reciprocal rank {mrr:.3}",
        checked.len()
    );
}

/// Prints the accepted changes.
pub fn accepted(changes: &str) {
    if changes.is_empty() {
        println!("nothing to accept: all ranks are as they were");
    } else {
        println!("accepted:\n{changes}");
    }
}

/// Prints a line per number: how many tasks depend on each of its values, and the first of them.
pub fn mutations(mutations: &[Mutation]) {
    for it in mutations {
        let counts: Vec<String> =
            it.noticed.iter().map(|(value, tasks)| format!("→ {value}: {}", tasks.len())).collect();
        let first = it.noticed.iter().flat_map(|it| &it.1).next();
        println!(
            "{:<30} {:>7}  {:<40} {}",
            it.key,
            it.was,
            counts.join(", "),
            first.map_or("NO TASK NOTICES", String::as_str)
        );
    }
    let n = mutations.iter().filter(|it| it.is_noticed()).count();
    println!("\n{n} of {} numbers are noticed", mutations.len());
}

/// Prints a text as it is.
pub fn text(text: &str) {
    print!("{text}");
}
