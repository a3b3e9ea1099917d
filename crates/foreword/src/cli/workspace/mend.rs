//! Answers in spite of a damaged index. Most of an index is checked when a query first touches it; an answer that met
//! damage is discarded, what was damaged is read and parsed again, and the answer is made anew.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use foreword_load::Reuse;

use super::{OpenWorkspace, open, remark, synchronise, unread};
use crate::cli::config::Settings;

/// How an answer was spoilt.
pub(in crate::cli) enum Failure {
    /// It met damage.
    Damage,
    /// It panicked. Damage may be why.
    Panic(Box<dyn Any + Send>),
}

/// Opens the index and answers from it.
pub(in crate::cli) fn answer<T>(
    settings: &Settings,
    path: Option<&Path>,
    make: impl Fn(&OpenWorkspace) -> anyhow::Result<T>,
) -> anyhow::Result<(OpenWorkspace, T)> {
    let mut opened = open(settings, path)?;
    let made = match attempt(&opened, || make(&opened)) {
        Ok(made) => made,
        Err(failure) => {
            mend(settings, &mut opened, failure)?;
            make(&opened)
        }
    };
    made.map(|made| (opened, made))
}

/// What `make` makes of an index, unless it met damage.
pub(in crate::cli) fn attempt<T>(
    opened: &OpenWorkspace,
    make: impl FnOnce() -> anyhow::Result<T>,
) -> Result<anyhow::Result<T>, Failure> {
    let made = catch_unwind(AssertUnwindSafe(make));
    match made {
        _ if opened.snapshot.is_damaged() => Err(Failure::Damage),
        Ok(made) => Ok(made),
        Err(panic) => Err(Failure::Panic(panic)),
    }
}

/// Rebuilds what is damaged, in the store if that can be written and in memory in any case. A panic that damage does not
/// explain goes on.
pub(in crate::cli) fn mend(
    settings: &Settings,
    opened: &mut OpenWorkspace,
    failure: Failure,
) -> anyhow::Result<()> {
    match &failure {
        Failure::Damage => opened.store.distrust_damaged(&opened.snapshot),
        Failure::Panic(_) => opened.store.distrust_all(&opened.snapshot),
    }
    let synced = synchronise(settings, &opened.workspace, &opened.store, Reuse::Stored)?;
    if let Failure::Panic(panic) = failure
        && synced.report.damage.is_empty()
    {
        resume_unwind(panic);
    }
    opened.unread = unread(&synced);
    remark(settings, &synced.report, None);
    (opened.snapshot, opened.files) = (synced.snapshot, synced.manifest.files);
    Ok(())
}
