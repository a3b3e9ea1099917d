//! Writes mails into a directory, for tests and for sealed networks.

use std::fs;
use std::path::PathBuf;

use super::Transport;
use crate::error::{Error, Result};
use crate::message::Message;

/// A directory with one file a mail.
pub struct FileTransport {
    dir: PathBuf,
}

impl FileTransport {
    /// The directory must be there.
    pub fn new(dir: PathBuf) -> Self {
        Self { dir }
    }
}

impl Transport for FileTransport {
    fn deliver(&mut self, message: &Message) -> Result<()> {
        let path = self.dir.join(format!("{}.eml", message.id));
        let text = format!("Subject: {}\n\n{}", message.subject, message.body);
        fs::write(&path, text).map_err(|source| Error::Read { path, source })
    }

    fn name(&self) -> &'static str {
        "file"
    }
}
