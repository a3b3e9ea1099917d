//! Indexes the editor's folders in the background and reports progress (`$/progress`).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use foreword_session::host::Indexing;
use serde_json::{Value, json};

use super::client::Client;
use super::state::Server;
use crate::lsp::workspaces::Workspaces;

/// Maximum time for which progress is reported.
const REPORTED_FOR: Duration = Duration::from_mins(10);

impl Server {
    /// Indexes a folder on its own thread.
    pub(super) fn index_folder(&mut self, folder: PathBuf) {
        let (workspaces, client) = (Arc::clone(&self.workspaces), self.client.clone());
        let index = move || index(&workspaces, client, &folder);
        if let Err(error) = std::thread::Builder::new().name("progress".to_owned()).spawn(index) {
            // The first request about the folder will index it.
            tracing::warn!("cannot start a thread to report indexing: {error}");
        }
    }
}

fn index(workspaces: &Workspaces, client: Client, folder: &Path) {
    let Some(repository) = workspaces.of_folder(folder) else { return };
    let root = &repository.workspace().root;
    let mut reporter = Reporter::new(client, format!("foreword-index-{}", root.display()));
    // The repository's own thread logs failures.
    drop(repository.view_with(Some(REPORTED_FOR), &mut |it| reporter.report(it)));
    reporter.end();
}

/// A progress bar in the editor, created with the first report.
struct Reporter {
    client: Client,
    token: String,
    state: ReporterState,
    /// The highest percentage so far: a second round, with other files, does not go back.
    percentage: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReporterState {
    Unsupported,
    Hidden,
    Visible,
}

impl Reporter {
    fn new(client: Client, token: String) -> Self {
        let state = match client.capabilities.work_done_progress {
            true => ReporterState::Hidden,
            false => ReporterState::Unsupported,
        };
        Self { client, token, state, percentage: 0 }
    }

    fn report(&mut self, it: Indexing) {
        self.percentage = self.percentage.max(it.done * 100 / it.total.max(1));
        let percentage = self.percentage;
        match self.state {
            ReporterState::Unsupported => {}
            ReporterState::Hidden => {
                let params = json!({ "token": self.token });
                self.client.request(&self.token, "window/workDoneProgress/create", params);
                let title = "foreword: indexing";
                self.progress(
                    &json!({ "kind": "begin", "title": title, "percentage": percentage }),
                );
                self.state = ReporterState::Visible;
            }
            ReporterState::Visible => {
                let message = format!("{} of {} files", it.done, it.total);
                self.progress(
                    &json!({ "kind": "report", "message": message, "percentage": percentage }),
                );
            }
        }
    }

    fn end(&self) {
        if self.state == ReporterState::Visible {
            self.progress(&json!({ "kind": "end" }));
        }
    }

    fn progress(&self, value: &Value) {
        self.client.notify("$/progress", json!({ "token": self.token, "value": value }));
    }
}
