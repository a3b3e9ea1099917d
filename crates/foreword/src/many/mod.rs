//! Answers from a cluster with many repositories (docs/scale.md), for the command line and the server: a search over several
//! of them, lines that match a pattern, and where a name is defined and used. What may be read is decided by an [`Access`](foreword_cluster::Access).

pub(crate) mod named;
pub(crate) mod one;
pub(crate) mod outputs;
pub(crate) mod pattern;
pub(crate) mod search;
pub(crate) mod symbols;

use std::collections::BTreeMap;
use std::sync::Mutex;

use foreword_cluster::ClusterError;

/// Repositories that are read at a time.
const AT_A_TIME: usize = 4;

/// The answers about some repositories, in order.
pub(crate) fn each<T: Sync, R: Send>(all: &[T], answer: &(dyn Fn(&T) -> R + Sync)) -> Vec<R> {
    let next = Mutex::new(all.iter().enumerate());
    let answers = Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let one = next.lock().ok().and_then(|mut it| it.next());
            let Some((at, it)) = one else { return };
            let answer = answer(it);
            if let Ok(mut all) = answers.lock() {
                all.insert(at, answer);
            }
        }
    };
    std::thread::scope(|scope| {
        // This thread works too, and alone where no other can be started.
        for _ in 1..AT_A_TIME.min(all.len()) {
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    answers.into_inner().unwrap_or_default().into_values().collect()
}

/// Whether an error is about one repository and not about the cluster.
pub(crate) fn is_of_repository(error: &anyhow::Error) -> bool {
    use ClusterError::{Damaged, Missing, NoBranch, NoRepository, OtherAnalysis, Unanswerable};
    matches!(
        error.downcast_ref(),
        Some(
            NoRepository { .. }
                | NoBranch { .. }
                | OtherAnalysis { .. }
                | Missing { .. }
                | Damaged { .. }
                | Unanswerable { .. }
        )
    )
}
