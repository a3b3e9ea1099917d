//! Who asks, and what may be read. Each request is decided anew, so that a right that is taken away is gone at once.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use foreword_cluster::Access;

use super::ClusterApp;
use super::rights::{Holder, Rights};
use crate::serve::http::error::ApiError;
use crate::serve::http::listen::Peer;
use crate::serve::http::security::{check_address, guarded, is_same};

/// Middleware: passes on the requests that are allowed, with what they may read.
pub(super) async fn check(
    State(app): State<Arc<ClusterApp>>,
    mut request: Request<Body>,
    next: Next,
) -> Response {
    let access = check_address(app.host, &app.allowed_hosts, &request)
        .and_then(|()| check_url(&request))
        .and_then(|()| access(&app, &request));
    guarded(match access {
        Ok(access) => {
            request.extensions_mut().insert(access);
            next.run(request).await
        }
        Err(error) => error.into_response(),
    })
}

/// Addresses are kept in logs and histories, so that no token may be there.
fn check_url(request: &Request) -> Result<(), ApiError> {
    let query = request.uri().query().unwrap_or_default();
    let names_token = query
        .split('&')
        .any(|it| it.split('=').next().unwrap_or_default().to_ascii_lowercase().contains("token"));
    match names_token {
        true => Err(ApiError::bad_request(
            "the address has a token, which logs keep: send it as a header, Authorization: Bearer <token>, and replace it by another",
        )),
        false => Ok(()),
    }
}

/// What a request may read; an error for one without a token that is known.
fn access(app: &ClusterApp, request: &Request) -> Result<Access, ApiError> {
    // It tells no more than that the server runs.
    if request.uri().path() == "/health" {
        return Ok(Access::of(Vec::new()));
    }
    let unknown = || {
        let message = "show a token that this server knows: Authorization: Bearer <token>";
        ApiError::new(StatusCode::UNAUTHORIZED, message)
    };
    let token = token(request.headers());
    if let Some(file) = &app.rights {
        let rights = file.current().map_err(|error| {
            tracing::error!("the file of --rights cannot be used, and nobody may read: {error:#}");
            let message = "this server cannot read its file of rights; tell its operator";
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
        })?;
        let peer = request.extensions().get::<Peer>().and_then(|it| it.0);
        return by_rights(&rights, token.ok_or_else(unknown)?, peer, request.headers())
            .unwrap_or_else(|| Err(unknown()));
    }
    match &app.token {
        Some(own) if !token.is_some_and(|it| is_same(it, own)) => Err(unknown()),
        _ => Ok(Access::all()),
    }
}

/// The token of the only `Authorization` header.
fn token(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(header), None) = (all.next(), all.next()) else { return None };
    let (scheme, token) = header.to_str().ok()?.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// What the holder of a token may read; `None` for a token that is not known at this address.
fn by_rights(
    rights: &Rights,
    token: &str,
    peer: Option<IpAddr>,
    headers: &HeaderMap,
) -> Option<Result<Access, ApiError>> {
    let proxy = match rights.holder(token, peer)? {
        // Headers that name groups are for proxies alone.
        Holder::User(access) => return Some(Ok(access.clone())),
        Holder::Proxy(it) => it,
    };
    let mut groups = headers.get_all(&*proxy.header).iter();
    // A second header could be that of the user, which the proxy passed on.
    let (Some(names), None) = (groups.next(), groups.next()) else {
        let message =
            format!("the proxy must send one header {}, with its user's groups", proxy.header);
        return Some(Err(ApiError::new(StatusCode::FORBIDDEN, message)));
    };
    let access = names.to_str().ok().and_then(|it| rights.of_groups(it).ok());
    Some(access.ok_or_else(|| ApiError::bad_request("the header with groups cannot be read")))
}
