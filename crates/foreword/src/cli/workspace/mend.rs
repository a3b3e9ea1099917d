//! Answers despite a damaged index. Most of an index is checked on first use; if an answer met damage it is discarded,
//! the damaged files are read and parsed again, and the answer is repeated.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use foreword_load::{Effort, Reuse};

use super::{OpenWorkspace, Preview, deferred, open_with, remark, synchronise, unread};
use crate::cli::config::Settings;

/// Reason for discarding an answer.
pub(in crate::cli) enum Failure {
    Damage,
    /// A panic, possibly caused by damage.
    Panic(Box<dyn Any + Send>),
}

/// Opens the index and answers from it.
pub(in crate::cli) fn answer<T>(
    settings: &Settings,
    path: Option<&Path>,
    make: impl Fn(&OpenWorkspace) -> anyhow::Result<T>,
) -> anyhow::Result<(OpenWorkspace, T)> {
    answer_with(settings, path, None, make)
}

/// Like [`answer`]; while the first index takes long, a person sees a first answer.
pub(in crate::cli) fn answer_with<T>(
    settings: &Settings,
    path: Option<&Path>,
    preview: Option<&Preview<'_>>,
    make: impl Fn(&OpenWorkspace) -> anyhow::Result<T>,
) -> anyhow::Result<(OpenWorkspace, T)> {
    let mut opened = open_with(settings, path, preview)?;
    let made = match attempt(&opened, || make(&opened)) {
        Ok(made) => made,
        Err(failure) => {
            mend(settings, &mut opened, failure)?;
            make(&opened)
        }
    };
    made.map(|made| (opened, made))
}

/// Runs `make`, unless it meets damage.
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

/// Rebuilds damaged files, in the store if possible and always in memory. A panic not explained by damage continues.
pub(in crate::cli) fn mend(
    settings: &Settings,
    opened: &mut OpenWorkspace,
    failure: Failure,
) -> anyhow::Result<()> {
    match &failure {
        Failure::Damage => opened.store.distrust_damaged(&opened.snapshot),
        Failure::Panic(_) => opened.store.distrust_all(&opened.snapshot),
    }
    let synced =
        synchronise(settings, &opened.workspace, &opened.store, Reuse::Stored, Effort::Round)?;
    if let Failure::Panic(panic) = failure
        && synced.report.damage.is_empty()
    {
        resume_unwind(panic);
    }
    opened.unread = unread(&synced);
    opened.deferred = deferred(&synced.snapshot);
    remark(settings, &synced.report, [&None, &None]);
    (opened.snapshot, opened.files) = (synced.snapshot, synced.manifest.files);
    Ok(())
}
