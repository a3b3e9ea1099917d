//! A cluster that is slow, busy, full or altered, or that refuses the user in the middle of a push.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use foreword_cluster::{Cluster, ClusterError};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_engine::source::Source;
use serde_json::json;

use crate::proxy::{Verdict, proxy};
use crate::{again, cluster, push, push_as, request, snapshot};

fn shop(parameter: &str) -> Snapshot {
    let text = |it| format!("def handler_{it}({parameter}):\n    return {parameter}\n");
    let source = |it| Source { path: format!("handlers/h{it}.py"), text: text(it) };
    snapshot((0..30).map(source).collect())
}

fn defined(cluster: &Cluster, name: &str) -> Result<usize, ClusterError> {
    let mut branch = cluster.open("shop", None, IndexConfig::default())?;
    branch.answer(|it| it.definitions(name).len())
}

/// The same index, through a proxy.
fn through(cluster: &Cluster, decide: impl Fn(&str) -> Verdict + Send + Sync + 'static) -> Cluster {
    Cluster::connect(&proxy(decide), cluster.index_name(), None).unwrap()
}

/// The pushed state is the one before, and the next push completes the new one.
#[track_caller]
fn check_before_and_after(cluster: &Cluster, before: &Snapshot, after: &Snapshot) {
    assert_eq!(cluster.branches("shop").unwrap()["main"].snapshot, before.id());
    assert_eq!(defined(cluster, "handler_7").unwrap(), 1);
    push(cluster, "main", after);
    assert_eq!(cluster.branches("shop").unwrap()["main"].snapshot, after.id());
    assert!(push(cluster, "main", after).unchanged);
    cluster.remove_repository("shop").unwrap();
}

#[test]
fn a_slow_node_answers_rightly_or_too_late() {
    let Some(cluster) = cluster("faults-slow") else { return };
    push(&cluster, "main", &shop("value"));
    let slow = through(&cluster, |_| Verdict::Late(Duration::from_millis(250)));
    assert_eq!(defined(&slow, "handler_7").unwrap(), 1);
    let start = Instant::now();
    let late = slow.until(start + Duration::from_millis(400));
    let error = defined(&late, "handler_7").unwrap_err();
    assert!(matches!(error, ClusterError::Late), "{error}");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert!(push_as(&slow, "shop", &shop("value")).unwrap().unchanged);
}

#[test]
fn a_busy_cluster_gets_writes_again_and_reads_as_well() {
    let Some(cluster) = cluster("faults-busy") else { return };
    let (asked, refused) =
        (AtomicUsize::new(0), r#"{"error": {"type": "rejected_execution_exception"}}"#);
    let busy = through(&cluster, move |_| match asked.fetch_add(1, Ordering::Relaxed) {
        // The first is the one that tells the version.
        n if n > 0 && n % 2 == 1 => Verdict::Answer(429, refused),
        _ => Verdict::Pass,
    });
    assert_eq!(push_as(&busy, "shop", &shop("value")).unwrap().sent_files, 30);
    assert_eq!(defined(&busy, "handler_7").unwrap(), 1);
    assert!(busy.meter().failures() > 5, "{}", busy.meter().failures());
    cluster.remove_repository("shop").unwrap();
}

#[test]
fn a_user_who_loses_his_rights_in_a_push_leaves_the_state_before() {
    let Some(cluster) = cluster("faults-rights") else { return };
    let (before, after) = (shop("value"), shop("changed"));
    push(&cluster, "main", &before);
    let pages = AtomicUsize::new(0);
    let expires = through(&cluster, move |asked| {
        let is_second = asked.contains("/_refresh") && pages.fetch_add(1, Ordering::Relaxed) == 0;
        if is_second { Verdict::Answer(401, "Unauthorized") } else { Verdict::Pass }
    });
    let error = push_as(&expires, "shop", &after).unwrap_err();
    assert!(matches!(error, ClusterError::Rights { status: 401, .. }), "{error}");
    check_before_and_after(&cluster, &before, &after);
}

#[test]
fn a_full_disk_is_told_at_once_and_questions_go_on() {
    let Some(cluster) = cluster("faults-disk") else { return };
    let (before, after) = (shop("value"), shop("changed"));
    push(&cluster, "main", &before);
    // What OpenSearch sets on all indexes of a node whose disk is nearly full.
    let settings = format!("/{}/_settings", cluster.index_name());
    let block = |it: Option<bool>| {
        let body = json!({ "index.blocks.read_only_allow_delete": it });
        request("PUT", &settings, &body.to_string());
    };
    block(Some(true));
    let start = Instant::now();
    let error = push_as(&cluster, "shop", &after).unwrap_err();
    assert!(matches!(error, ClusterError::Blocked { .. }), "{error}");
    assert!(error.to_string().contains("disk usage exceeded"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(defined(&cluster, "handler_7").unwrap(), 1);
    let writes = cluster.diagnose().into_iter().find(|it| it.check == "cluster writes").unwrap();
    assert!(!writes.ok && writes.found.contains("read_only_allow_delete"), "{writes:?}");
    assert!(push_as(&cluster, "shop", &before).unwrap().unchanged, "nothing is written");
    block(None);
    check_before_and_after(&cluster, &before, &after);
}

#[test]
fn an_index_whose_fields_somebody_changed_refuses_a_push_and_shows_nothing_of_it() {
    let Some(cluster) = cluster("faults-mapping") else { return };
    let index = cluster.index_name();
    let mapping = include_str!("../../src/mapping/v3.json");
    let mapping = mapping.replace(
        r#""definitions": { "type": "rank_features" }"#,
        r#""definitions": { "type": "date" }"#,
    );
    request("PUT", &format!("/{index}"), &mapping);
    let error = push_as(&cluster, "shop", &shop("value")).unwrap_err();
    assert!(matches!(error, ClusterError::Refused { status: 400, .. }), "{error}");
    assert!(error.to_string().contains("definitions"), "{error}");
    assert!(again(&cluster).branches("shop").unwrap().is_empty());
}
