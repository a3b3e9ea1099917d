//! The request headers that foreword itself reads.

use axum::http::HeaderMap;

/// Maximum characters kept of a client's name.
const MAX_CLIENT_CHARS: usize = 120;

/// The values of the request headers.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestHeaders {
    /// `x-foreword-bypass`: whether the request is forwarded unchanged.
    pub(crate) bypass: Option<bool>,
    /// The client's user agent.
    pub(crate) client: Option<String>,
    /// The bearer token.
    pub(crate) key: Option<String>,
}

impl RequestHeaders {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let text = |name: &str| {
            let value = headers.get(name).and_then(|it| it.to_str().ok());
            value.map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned)
        };
        let bypass = text("x-foreword-bypass");
        let key = text("authorization");
        let bearer = key.as_deref().and_then(|it| it.split_once(' ')).map(|it| it.1.to_owned());
        Self {
            bypass: bypass.map(|it| !matches!(it.as_str(), "0" | "false" | "no" | "off")),
            client: text("user-agent").map(|it| it.chars().take(MAX_CLIENT_CHARS).collect()),
            key: bearer,
        }
    }
}
