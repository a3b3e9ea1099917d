//! Parses the texts that a round of indexing has deferred, one at a time, while requests are answered from the rest.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use foreword_load::DeferredTexts;

use super::synchronizer::Synchronizer;

/// Maximum wait for a change of the index before it is looked at again.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Starts the thread of a repository. It ends after [`Synchronizer::close`].
pub(super) fn start(synchronizer: &Arc<Synchronizer>) -> anyhow::Result<()> {
    let synchronizer = Arc::clone(synchronizer);
    let thread = std::thread::Builder::new().name("parse".to_owned());
    thread.spawn(move || run(&synchronizer)).context("cannot start a thread")?;
    Ok(())
}

fn run(synchronizer: &Synchronizer) {
    let mut texts = DeferredTexts::default();
    while synchronizer.requests().is_some() {
        let disk = synchronizer.with_deferred();
        match disk.and_then(|it| texts.parse(&it, &synchronizer.setup.analyzer, 1)) {
            None => drop(synchronizer.wait(synchronizer.lock(), MAX_WAIT)),
            Some(0) => {}
            Some(_) => {
                let mut state = synchronizer.lock();
                state.is_parse_due = true;
                synchronizer.request_check(&mut state);
            }
        }
    }
}
