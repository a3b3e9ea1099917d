//! Refuses a request whose file is a secret by its name, and leaves such files out of a client's snippets.

use std::sync::Arc;

use foreword_load::Masking;
use foreword_session::host::Repository;
use foreword_session::setup::Setup;
use foreword_session::uri;

use super::locate::Workspaces;
use crate::serve::protocols::request::ClientRequest;

impl Workspaces {
    /// Fails if the file of a request is a secret by its name. Removes such files from the client's snippets, and returns a
    /// note about that.
    pub(crate) fn admit(
        &self,
        setup: &Setup,
        request: &mut ClientRequest,
    ) -> anyhow::Result<Option<String>> {
        let named = request.file.iter().cloned().chain(request.files_of_prompts());
        let admitted = named.map(|it| self.admit_file(setup, &it));
        let masking = admitted.collect::<anyhow::Result<Vec<Masking>>>()?;
        request.masking = masking.first().copied().unwrap_or_default();
        let removed = request.remove_snippets(|path| self.admit_file(setup, path).is_err());
        Ok((removed > 0).then(|| {
            format!("{removed} of the client's snippets are of files that are secrets by their names: they are left out")
        }))
    }

    /// Admits a file by the client's name of it: a URI, an absolute path, or a path in one of the repositories.
    fn admit_file(&self, setup: &Setup, name: &str) -> anyhow::Result<Masking> {
        let path = uri::path_of(name).unwrap_or_else(|| name.replace('\\', "/").into());
        if path.is_absolute() {
            let inside = self.relative(&path).map(|it| self.repositories[it.0].workspace());
            return setup.admit_file(inside, &path);
        }
        let admit = |it: &Arc<Repository>| {
            let workspace = it.workspace();
            setup.admit_file(Some(workspace), &workspace.root.join(&path))
        };
        let mut admitted = self.repositories.iter().map(admit);
        let first = admitted.next().unwrap_or(Ok(Masking::On));
        first.or_else(|error| admitted.find_map(Result::ok).ok_or(error))
    }
}
