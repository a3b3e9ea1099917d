//! Answers from a cluster with many repositories (docs/scale.md), for the command line and the server: a search over several
//! of them, and where a name is defined and used. What may be read is decided by an [`Access`](foreword_cluster::Access).

pub(crate) mod named;
pub(crate) mod one;
pub(crate) mod search;
pub(crate) mod symbols;

use foreword_cluster::ClusterError;

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
