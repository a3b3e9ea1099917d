//! PageRank: what a file is worth by the files that refer to it. Sums run in one fixed order.

use super::MapConfig;
use super::graph::{Files, Graph};

/// Ranks of files, and what flows along names.
pub(super) struct Ranks {
    /// By the files' numbers; 0 for files that are left out.
    pub(super) files: Vec<f64>,
    /// By the links' numbers: what each definition of the name gets.
    pub(super) links: Vec<f64>,
    /// By the files' numbers: what one unit of weight in own uses is worth in that file.
    pub(super) own: Vec<f64>,
}

/// Lets rank flow until it stands still.
pub(super) fn ranks(graph: &Graph, files: &Files, config: &MapConfig) -> Ranks {
    let start = start(files, config);
    let (out, own_out) = out_weights(graph, start.len());
    let mut ranks = start.clone();
    for _ in 0..config.max_iterations {
        let next = step(graph, &start, &out, &ranks, config.damping);
        let change: f64 = ranks.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        ranks = next;
        if change < config.tolerance {
            break;
        }
    }
    // Tests and leftovers refer to each other, too.
    ranks.iter_mut().zip(&files.worth).for_each(|(rank, worth)| *rank *= worth);
    let links =
        graph.links.iter().map(|it| flow(it.users.iter(), &ranks, &out) / it.n_definers as f64);
    let own = ranks
        .iter()
        .zip(&own_out)
        .map(|(rank, out)| if *out > 0.0 { config.own_use * rank / out } else { 0.0 });
    Ranks { links: links.collect(), own: own.collect(), files: ranks }
}

/// Where rank starts anew: everywhere by worth, and in the focus more.
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

/// For each file the sum of the weights of what it uses of others, and of its own.
fn out_weights(graph: &Graph, n_files: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut out, mut own) = (vec![0.0; n_files], vec![0.0; n_files]);
    for link in &graph.links {
        link.users.iter().for_each(|(file, weight)| out[file.0 as usize] += weight);
        link.own_users.iter().for_each(|(file, weight)| own[file.0 as usize] += weight);
    }
    (out, own)
}

/// What the users of a name let flow along it.
fn flow<'l>(
    users: impl Iterator<Item = &'l (crate::index::FileId, f64)>,
    ranks: &[f64],
    out: &[f64],
) -> f64 {
    users.map(|(file, weight)| ranks[file.0 as usize] * weight / out[file.0 as usize]).sum()
}

fn step(graph: &Graph, start: &[f64], out: &[f64], ranks: &[f64], damping: f64) -> Vec<f64> {
    // What refers to nothing starts anew.
    let lost: f64 = ranks.iter().zip(out).filter(|(_, out)| **out <= 0.0).map(|it| it.0).sum();
    let anew = 1.0 - damping + damping * lost;
    let mut next: Vec<f64> = start.iter().map(|it| it * anew).collect();
    for link in graph.links.iter().filter(|it| !it.users.is_empty()) {
        let share = damping * flow(link.users.iter(), ranks, out) / link.n_definers as f64;
        for definer in link.definitions.chunk_by(|a, b| a.0 == b.0) {
            next[definer[0].0.0 as usize] += share;
        }
    }
    next
}
