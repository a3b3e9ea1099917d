//! Checks of a cluster with many repositories.

use foreword_cluster::{ClusterError, Finding};

use super::Check;
use crate::cli::args::ClusterIndexArgs;
use crate::cli::config::Settings;
use crate::cli::push::connect_to;

/// Whether the cluster at an address can be used.
pub(super) fn checks(
    url: &str,
    index: &ClusterIndexArgs,
    settings: &Settings,
) -> anyhow::Result<Vec<Check>> {
    let findings = match connect_to(url, index, settings) {
        Ok(cluster) => cluster.diagnose(),
        Err(error) => match error.downcast_ref::<ClusterError>() {
            Some(it) => vec![Finding::of_error("cluster", it)],
            None => return Err(error),
        },
    };
    Ok(findings.into_iter().map(check).collect())
}

fn check(it: Finding) -> Check {
    Check { check: it.check, ok: it.ok, found: it.found, mend: it.mend }
}
