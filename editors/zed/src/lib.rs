//! Starts `foreword lsp` in Zed, with the program and the options of the settings under `lsp.foreword`.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{
    register_extension, serde_json::Value, Command, Extension, LanguageServerId, Result, Worktree,
};

struct Foreword;

impl Extension for Foreword {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree)?.binary;
        let (path, arguments) = binary.map(|it| (it.path, it.arguments)).unwrap_or_default();
        let command = path.or_else(|| worktree.which("foreword")).ok_or_else(|| {
            "foreword is not on the path: install it (pip install foreword), or name it by lsp.foreword.binary.path".to_owned()
        })?;
        let args = arguments.unwrap_or_else(|| vec!["lsp".to_owned()]);
        Ok(Command { command, args, env: worktree.shell_env() })
    }

    fn language_server_initialization_options(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree)?.initialization_options)
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree)?.settings)
    }
}

register_extension!(Foreword);
