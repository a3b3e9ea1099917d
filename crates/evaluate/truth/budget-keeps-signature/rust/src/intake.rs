//! Takes mails as files.

use std::path::Path;

use crate::address::Address;
use crate::error::{Error, Result};
use crate::headers::{Strictness, read_headers};
use crate::message::Message;

/// Reads one mail.
pub fn read_mail(path: &Path, id: u64) -> Result<Message> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let (headers, body) = read_headers(<CURSOR: src/headers.rs:read_headers>)?;
    let one = |name: &str| headers.get(name).and_then(|it| it.first()).cloned().unwrap_or_default();
    let from = Address::parse(&one("from"))?;
    let to = Address::parse(&one("to"))?;
    Ok(Message::new(id, from, vec![to], &one("subject"), body))
}
