//! Reads the headers of a mail.

use std::collections::BTreeMap;

use crate::error::{Error, Result};

/// How strict to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    Lenient,
    Strict,
}

/// Reads headers up to the empty line; returns them with lower-case names, and the rest of the text.
pub fn read_headers(
    text: &str,
    strictness: Strictness,
    max_line: usize,
) -> Result<(BTreeMap<String, Vec<String>>, &str)> {
    let mut headers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut last: Option<String> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let bare = line.trim_end_matches(['\r', '\n']);
        if bare.is_empty() {
            return Ok((headers, &text[at..]));
        }
        if bare.len() > max_line && strictness == Strictness::Strict {
            return Err(Error::Refused(format!("a header line of {} bytes", bare.len())));
        }
        if bare.starts_with([' ', '\t']) {
            let folded = last.as_ref().and_then(|name| headers.get_mut(name)?.last_mut());
            match folded {
                Some(value) => {
                    value.push(' ');
                    value.push_str(bare.trim());
                }
                None if strictness == Strictness::Strict => {
                    return Err(Error::Refused("a folded line without a header".to_owned()));
                }
                None => {}
            }
            continue;
        }
        let Some((name, value)) = bare.split_once(':') else {
            if strictness == Strictness::Strict {
                return Err(Error::Refused(format!("`{bare}` is no header")));
            }
            continue;
        };
        let name = name.trim().to_ascii_lowercase();
        let is_token = |c: char| c.is_ascii_graphic() && c != ':';
        if !name.chars().all(is_token) && strictness == Strictness::Strict {
            return Err(Error::Refused(format!("`{name}` is no name of a header")));
        }
        headers.entry(name.clone()).or_default().push(value.trim().to_owned());
        last = Some(name);
    }
    match strictness {
        Strictness::Strict => Err(Error::Refused("the headers do not end".to_owned())),
        Strictness::Lenient => Ok((headers, "")),
    }
}
