//! The start of the next prompt, for a server to read ahead.

use foreword_model::request::Fill;

use super::render::{HoleInFile, render};
use super::settings::PromptSettings;
use super::snippets::fitting_snippets;
use super::workspaces::Workspaces;
use crate::serve::protocols::request::ClientRequest;

/// The start of the next prompt: the client's snippets, as that prompt will contain them. Blocks: counting tokens takes a
/// while.
pub(crate) fn prompt_head(
    workspaces: &Workspaces,
    request: &ClientRequest,
    settings: &PromptSettings,
) -> String {
    let repository = &workspaces.repositories[workspaces.default_for(request)].workspace().name;
    let (snippets, _) = fitting_snippets(request, settings);
    let hole = HoleInFile { repository, path: "", language: None, fill: &Fill::default() };
    render(settings.format, &hole, &snippets).head().to_owned()
}
