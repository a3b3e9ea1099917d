//! Capabilities of the editor, and those that the server announces.

use gen_lsp_types::PositionEncodingKind;
use serde_json::{Value, json};

use crate::lsp::pages::{SCHEME, SHOW_COMMAND};
use crate::lsp::position::Encoding;
use crate::lsp::suggestion::{ACCEPTED_COMMAND, MenuLines};
use crate::lsp::worker::{JUMP_COMMAND, NEXT_COMMAND};

/// The commands that the server runs.
const COMMANDS: [&str; 4] = [ACCEPTED_COMMAND, SHOW_COMMAND, NEXT_COMMAND, JUMP_COMMAND];

/// Capabilities of the editor.
#[derive(Clone, Copy, Default)]
pub(super) struct EditorCapabilities {
    pub(super) inline_completion: bool,
    /// Registers inline completion dynamically, after `initialized`.
    pub(super) dynamic_registration: bool,
    /// Supports `workspace/configuration`.
    pub(super) configuration: bool,
    pub(super) work_done_progress: bool,
    /// Supports `window/showDocument`.
    pub(super) show_document: bool,
    /// Supports versions of documents in a `WorkspaceEdit`.
    pub(super) document_changes: bool,
    /// Supports virtual documents (`workspace/textDocumentContent`).
    pub(super) text_document_content: bool,
    /// Wants to know what came of each request for a suggestion (`foreword/status`).
    pub(super) status: bool,
    /// Number of lines that its completion menu can insert.
    pub(super) menu_lines: MenuLines,
}

impl EditorCapabilities {
    /// Parses the parameters of `initialize`.
    pub(super) fn read(params: &Value) -> Self {
        let has = |path: &str| {
            let value = params.pointer("/capabilities").and_then(|it| it.pointer(path));
            value.is_some_and(|it| !it.is_null() && *it != false)
        };
        Self {
            // lsp-mode sends null for a capability without options.
            inline_completion: params
                .pointer("/capabilities/textDocument/inlineCompletion")
                .is_some_and(|it| *it != false),
            dynamic_registration: has("/textDocument/inlineCompletion/dynamicRegistration"),
            configuration: has("/workspace/configuration"),
            work_done_progress: has("/window/workDoneProgress"),
            show_document: has("/window/showDocument/support"),
            document_changes: has("/workspace/workspaceEdit/documentChanges"),
            text_document_content: has("/workspace/textDocumentContent"),
            status: has("/experimental/forewordStatus"),
            menu_lines: menu_lines(params),
        }
    }

    /// The response to `initialize`.
    pub(super) fn initialize_result(self, encoding: Encoding) -> Value {
        let mut capabilities = json!({
            "positionEncoding": encoding.kind(),
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
            "workspaceSymbolProvider": true,
            "executeCommandProvider": { "commands": COMMANDS },
            "codeActionProvider": { "codeActionKinds": ["source", "quickfix"] },
            "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
        });
        if self.text_document_content {
            capabilities["workspace"]["textDocumentContent"] = json!({ "schemes": [SCHEME] });
        }
        if self.inline_completion && !self.dynamic_registration {
            capabilities["inlineCompletionProvider"] = true.into();
        }
        if !self.inline_completion {
            capabilities["completionProvider"] = json!({ "resolveProvider": false });
        }
        let info = json!({ "name": "foreword", "version": env!("CARGO_PKG_VERSION") });
        json!({ "capabilities": capabilities, "serverInfo": info })
    }
}

/// Clients that pass items to Vim's own menu: yegappan/lsp, vim-lsp, and ALE, which sends no name.
fn menu_lines(params: &Value) -> MenuLines {
    match params.pointer("/clientInfo/name").and_then(Value::as_str) {
        None | Some("Vim" | "vim-lsp") => MenuLines::One,
        Some(_) => MenuLines::Many,
    }
}

/// Position encodings that the editor offers.
pub(super) fn position_encodings(params: &Value) -> Vec<PositionEncodingKind> {
    let offered = params.pointer("/capabilities/general/positionEncodings").cloned();
    offered.and_then(|it| serde_json::from_value(it).ok()).unwrap_or_default()
}
