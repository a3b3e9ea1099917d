//! Renders a table as text: omissions, the provenance, then the groups.

use crate::measures::Estimate;
use crate::runs::model_client::ModelInfo;
use crate::runs::run::Run;
use crate::runs::table::{Chunks, ModelScores, Point, Table};

/// The titles of a table's columns.
const HEADER: &str = "                          budget   spent pieces  identifiers           above the reference     tokens   lines   saved\n";

/// The table as text.
pub fn text(run: &Run<Table>) -> String {
    let (table, left_out) = (&run.result, &run.left_out);
    let n: usize = table.groups.iter().map(|it| it.n).sum();
    let mut res = left_out.first_line(n) + "\n";
    let of = table.of.map_or_else(String::new, |it| format!(" ({it})"));
    let (split, preset) = (run.split.name(), &run.provenance.preset);
    res += &format!("{}{of}; split {split}, preset {preset}\n", table.experiment);
    if let Some(ModelInfo { model, format, .. }) = &table.written_by {
        res += &format!("completed by {model}, format {format}\n");
    }
    left_out.failed.iter().for_each(|it| res.push_str(&format!("failed: {it}\n")));
    left_out.skipped_names().for_each(|it| res.push_str(&format!("not there: {it}\n")));
    table.notes.iter().for_each(|it| res.push_str(&format!("{it}\n")));
    if !table.chunks.is_empty() {
        res += &chunks(&table.chunks);
    }
    for group in &table.groups {
        res.push_str(&format!("\n{} ({} tasks)\n", group.name, group.n));
        res.push_str(HEADER);
        for (series, it) in
            group.series.iter().flat_map(|it| it.points.iter().map(move |p| (it, p)))
        {
            res.push_str(&row(&series.name, it));
        }
    }
    res
}

fn row(name: &str, it: &Point) -> String {
    let budget = it.budget.map_or_else(|| "all".to_owned(), |it| it.to_string());
    let Estimate { mean, low, high, .. } = it.identifiers;
    let above = it.above_reference.map_or_else(String::new, |it| {
        format!("{:+.3} [{:+.3}, {:+.3}]", it.mean, it.low, it.high)
    });
    let mut res = format!(
        "{name:<24} {budget:>7} {:>7.0} {:>6.1}  {mean:.3} [{low:.3}, {high:.3}]  {above:<22} {:>7.3} {:>7.3} {:>7.3}",
        it.spent, it.pieces, it.tokens.mean, it.lines.mean, it.saved.mean
    );
    if let Some(ModelScores { chrf, exact, similarity, above_reference }) = &it.written {
        let (chrf, em, es) = (chrf.mean, exact.mean, similarity.mean);
        res += &format!("   chrF {chrf:.3} exact {em:.3} similarity {es:.3}");
        let above = above_reference
            .map(|it| format!(", chrF {:+.3} [{:+.3}, {:+.3}]", it.mean, it.low, it.high));
        res += &above.unwrap_or_default();
    }
    res + "\n"
}

/// The chunks of the variants as text.
fn chunks(rows: &[Chunks]) -> String {
    let mut res = format!("\n{:<24} {:>9} {:>7} {:>6}\n", "chunks", "number", "median", "tiny");
    for it in rows {
        let Chunks { name, chunks, median, tiny, .. } = it;
        res += &format!("{name:<24} {chunks:>9} {median:>7.0} {tiny:>6.3}");
        let interval = |what: &str, it: &Estimate| {
            format!("   {what} {:.3} [{:.3}, {:.3}]", it.mean, it.low, it.high)
        };
        res += &it.ndcg.map(|it| interval("nDCG@10", &it)).unwrap_or_default();
        res += &it.above_reference.map(|it| interval("higher by", &it)).unwrap_or_default();
        res += &it.recall.map(|it| interval("recall in 2,000 tokens", &it)).unwrap_or_default();
        res.push('\n');
    }
    res
}
