//! Unsaved buffers, laid over what the disk has.
//!
//! A buffer under somebody's fingers changes with every keystroke and the others stay. Who asks for the text around a
//! cursor brings the cursor's file along, so that one can be left out, and what is laid over is kept meanwhile.

use std::collections::BTreeMap;
use std::sync::Arc;

use foreword_engine::index::Snapshot;
use foreword_engine::source::ContentHash;

use super::analyses::Analyses;

/// The unsaved buffers of a repository.
#[derive(Default)]
pub(super) struct Overlays {
    buffers: BTreeMap<String, Arc<str>>,
    last: Option<Laid>,
}

/// Buffers over a state of the disk.
struct Laid {
    disk: Arc<Snapshot>,
    /// The one that was left out.
    except: Option<String>,
    snapshot: Arc<Snapshot>,
}

impl Overlays {
    /// Takes a buffer, or lets go of one: the file is again as the disk has it.
    pub(super) fn set(&mut self, path: String, text: Option<String>) {
        if self.last.as_ref().is_some_and(|it| it.except.as_ref() != Some(&path)) {
            self.last = None;
        }
        match text {
            Some(text) => drop(self.buffers.insert(path, text.into())),
            None => drop(self.buffers.remove(&path)),
        }
    }

    /// `disk` with the buffers laid over it, but for that of the file `except`.
    pub(super) fn over(
        &mut self,
        disk: &Arc<Snapshot>,
        except: Option<&str>,
        analyses: &Analyses,
    ) -> Arc<Snapshot> {
        let is_it = |it: &&Laid| Arc::ptr_eq(&it.disk, disk) && it.except.as_deref() == except;
        if let Some(known) = self.last.as_ref().filter(is_it) {
            return Arc::clone(&known.snapshot);
        }
        let snapshot = self.lay(disk, except, analyses);
        self.last = Some(Laid {
            disk: Arc::clone(disk),
            except: except.map(str::to_owned),
            snapshot: Arc::clone(&snapshot),
        });
        snapshot
    }

    fn lay(
        &self,
        disk: &Arc<Snapshot>,
        except: Option<&str>,
        analyses: &Analyses,
    ) -> Arc<Snapshot> {
        let says_something = |(path, text): &(&String, &Arc<str>)| {
            let hash = ContentHash::of(text.as_bytes());
            except != Some(path) && disk.file(path).is_none_or(|it| disk.hash(it) != hash)
        };
        let config = disk.config().chunk;
        let packed = |(path, text): (&String, &Arc<str>)| {
            (path.clone(), Some(analyses.of(path, text, &config)))
        };
        let changes: BTreeMap<_, _> =
            self.buffers.iter().filter(says_something).map(packed).collect();
        if changes.is_empty() {
            return Arc::clone(disk);
        }
        // A segment made in memory a moment ago can be read; were it not, the disk's state is the next best answer.
        disk.with_packed(&changes).map_or_else(|_| Arc::clone(disk), Arc::new)
    }
}
