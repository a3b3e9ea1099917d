//! PageRank: the rank of a file by the files that refer to it. Sums run in a fixed order.

use super::graph::{Files, Graph, Link, ResolvedUse};
use super::types::MapConfig;

/// Ranks of files, and their flow along references.
pub(super) struct Ranks {
    /// By the numbers of the files; 0 for excluded files.
    pub(super) files: Vec<f64>,
    /// By the numbers of the files: the rank that flows per unit of weight.
    of_unit: Vec<f64>,
}

impl Ranks {
    /// Rank that flows along a name to each of its definers from unresolved uses.
    fn unresolved_flow(&self, link: &Link) -> f64 {
        let flow: f64 = link.unresolved.iter().map(|it| self.of_unit[it.0.0 as usize] * it.1).sum();
        flow / link.n_definers as f64
    }

    fn resolved_flow(&self, it: &ResolvedUse) -> f64 {
        self.of_unit[it.user.0 as usize] * it.weight
    }
}

/// Iterates until the ranks converge.
pub(super) fn ranks(graph: &Graph, files: &Files, config: &MapConfig) -> Ranks {
    let start = start(files, config);
    let out = out_weights(graph, start.len());
    let mut ranks = Ranks { files: start.clone(), of_unit: vec![] };
    for _ in 0..config.max_iterations {
        ranks.of_unit = units(&ranks.files, &out, config.doubt);
        let next = step(graph, &start, &out, &ranks, config);
        let change: f64 = ranks.files.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        ranks.files = next;
        if change < config.tolerance {
            break;
        }
    }
    // Tests and periphery refer to each other as well.
    ranks.files.iter_mut().zip(&files.worth).for_each(|(rank, worth)| *rank *= worth);
    ranks
}

/// Restart of rank: everywhere by worth, and more in the focus.
fn start(files: &Files, config: &MapConfig) -> Vec<f64> {
    let sum: f64 = files.worth.iter().sum();
    let in_focus = |at: usize| files.in_focus[at] && files.worth[at] > 0.0;
    let n_focus = (0..files.worth.len()).filter(|at| in_focus(*at)).count();
    let focus = if n_focus > 0 { config.focus } else { 0.0 };
    let share = |(at, worth): (usize, &f64)| {
        let everywhere = (1.0 - focus) * worth / sum.max(f64::MIN_POSITIVE);
        everywhere + if in_focus(at) { focus / n_focus as f64 } else { 0.0 }
    };
    files.worth.iter().enumerate().map(share).collect()
}

/// For each file the total weight of its references to other files.
fn out_weights(graph: &Graph, n_files: usize) -> Vec<f64> {
    let mut out = vec![0.0; n_files];
    for link in &graph.links {
        link.resolved.iter().for_each(|it| out[it.user.0 as usize] += it.weight);
        link.unresolved.iter().for_each(|(file, weight)| out[file.0 as usize] += weight);
    }
    out
}

fn units(ranks: &[f64], out: &[f64], doubt: f64) -> Vec<f64> {
    ranks.iter().zip(out).map(|(rank, out)| rank / (out + doubt)).collect()
}

fn step(graph: &Graph, start: &[f64], out: &[f64], ranks: &Ranks, config: &MapConfig) -> Vec<f64> {
    // Rank that does not flow on restarts.
    let sent: f64 = ranks.of_unit.iter().zip(out).map(|(unit, out)| unit * out).sum();
    let restarting = 1.0 - config.damping * sent;
    let mut next: Vec<f64> = start.iter().map(|it| it * restarting).collect();
    for link in &graph.links {
        for it in &link.resolved {
            next[it.definer.0 as usize] += config.damping * ranks.resolved_flow(it);
        }
        if link.unresolved.is_empty() {
            continue;
        }
        let share = config.damping * ranks.unresolved_flow(link);
        for definer in link.definitions.chunk_by(|a, b| a.0 == b.0) {
            next[definer[0].0.0 as usize] += share;
        }
    }
    next
}
