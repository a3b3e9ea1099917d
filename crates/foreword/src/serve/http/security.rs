//! Access checks. A page in the user's browser can reach the loopback interface too, so every request must be addressed
//! to this server (`Host`, against DNS rebinding), must not come from another site's page (`Origin`), and must carry the
//! token if one is set.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use percent_encoding::percent_decode_str;

use super::error::ApiError;
use crate::serve::options::Options;

/// Middleware: passes on the requests that are allowed.
pub(crate) async fn check(
    State(options): State<Arc<Options>>,
    request: Request<Body>,
    next: Next,
) -> Response {
    let allowed = check_address(options.host, &options.allowed_hosts, &request)
        .and_then(|()| check_token(&options, &request));
    let response = match allowed {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    guarded(response)
}

/// Checks that a request is addressed to this server, which listens at `host` and is called so, and comes from no other
/// site's page.
pub(crate) fn check_address(
    host: IpAddr,
    names: &[String],
    request: &Request,
) -> Result<(), ApiError> {
    let authority = check_host(host, names, request)?;
    check_origin(request.headers(), &authority)
}

/// A response that pages of other sites cannot use.
pub(crate) fn guarded(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Code must not be embedded by other sites' pages, as a script or an image for instance.
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

/// The authority that the request was sent to, if it is this server.
fn check_host(host: IpAddr, names: &[String], request: &Request) -> Result<String, ApiError> {
    if request.headers().get_all(header::HOST).iter().count() > 1 {
        return Err(ApiError::bad_request("the request has several Host headers"));
    }
    let header = request.headers().get(header::HOST).and_then(|it| it.to_str().ok());
    let authority =
        header.or_else(|| request.uri().authority().map(axum::http::uri::Authority::as_str));
    let Some(authority) = authority else {
        return Err(ApiError::bad_request("the request has no Host header"));
    };
    let Some(name) = host_of(authority) else {
        return Err(ApiError::bad_request(format!("{authority:?} is no host with a port")));
    };
    let is_known = is_loopback(name)
        || name.parse() == Ok(host)
        || names.iter().any(|it| it.eq_ignore_ascii_case(name))
        // Rebinding needs a name. A server that listens on all addresses may be reached by any of them.
        || (host.is_unspecified() && name.parse::<IpAddr>().is_ok());
    if is_known {
        return Ok(authority.to_ascii_lowercase());
    }
    let message = format!(
        "this server is not called {name:?}; if that is meant, start it with --allow-host {name:?}"
    );
    Err(ApiError::new(StatusCode::FORBIDDEN, message))
}

/// The host without its port and without the brackets of IPv6; `None` if the authority has more than that, such as the
/// user of `localhost:80@evil.example`.
fn host_of(authority: &str) -> Option<&str> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let is_port = |it: &str| it.bytes().all(|byte| byte.is_ascii_digit());
    (port.is_empty() || port.strip_prefix(':').is_some_and(is_port)).then_some(host)
}

fn is_loopback(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|it| it.is_loopback())
}

/// Only pages of this server may send requests: no other site's pages, and none without a site.
fn check_origin(headers: &HeaderMap, host: &str) -> Result<(), ApiError> {
    let Some(origin) = headers.get(header::ORIGIN) else { return check_site(headers) };
    let origin = origin.to_str().unwrap_or_default().to_ascii_lowercase();
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    if authority == Some(host) {
        return Ok(());
    }
    let message = format!("pages of {origin:?} may not ask this server");
    Err(ApiError::new(StatusCode::FORBIDDEN, message))
}

/// Pages load scripts, images and frames without an `Origin`; browsers say that they do in `Sec-Fetch-*` (Fetch Metadata).
/// A link to the inspector's page may be followed from anywhere.
fn check_site(headers: &HeaderMap) -> Result<(), ApiError> {
    let get = |name: &str| headers.get(name).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let is_foreign = matches!(get("sec-fetch-site"), "cross-site" | "same-site");
    let is_link = get("sec-fetch-mode") == "navigate" && get("sec-fetch-dest") == "document";
    if is_foreign && !is_link {
        let message = "pages of other sites may not ask this server";
        return Err(ApiError::new(StatusCode::FORBIDDEN, message));
    }
    Ok(())
}

/// Requires the token for everything except the health check and the inspector's page. A page cannot send a header when
/// it opens an event stream, so a GET may carry the token in `?token=`.
fn check_token(options: &Options, request: &Request) -> Result<(), ApiError> {
    let Some(token) = &options.token else { return Ok(()) };
    // The inspector's page holds no data; it prompts for the token itself.
    let is_public = matches!(request.uri().path(), "/health" | "/");
    let header = request.headers().get(header::AUTHORIZATION).and_then(|it| it.to_str().ok());
    let bearer = header.and_then(|it| it.split_once(' '));
    let bearer = bearer.filter(|it| it.0.eq_ignore_ascii_case("bearer")).map(|it| it.1.to_owned());
    let query = request.uri().query().filter(|_| request.method() == Method::GET);
    let in_query = || {
        let pairs = query?.split('&').filter_map(|it| it.split_once('='));
        let value = pairs.filter(|it| it.0 == "token").map(|it| it.1).next()?;
        Some(percent_decode_str(value).decode_utf8_lossy().into_owned())
    };
    let token_sent = bearer.or_else(in_query);
    if is_public || token_sent.is_some_and(|it| is_same(&it, token)) {
        return Ok(());
    }
    let message = "show the server's token: Authorization: Bearer <token>";
    Err(ApiError::new(StatusCode::UNAUTHORIZED, message))
}

/// Compares hashes, so that timing reveals nothing about the token.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    let hash = |it: &str| foreword_engine::source::ContentHash::of(it.as_bytes());
    hash(a) == hash(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_the_authority_without_its_port() {
        for (authority, host) in [
            ("localhost:8484", "localhost"),
            ("localhost", "localhost"),
            ("127.0.0.1:1", "127.0.0.1"),
            ("[::1]:8484", "::1"),
            ("[::1]", "::1"),
            ("evil.example:8484", "evil.example"),
        ] {
            assert_eq!(host_of(authority), Some(host));
        }
        for authority in ["localhost:80@evil.example", "[::1]x", "[::1", "localhost:80:80"] {
            assert_eq!(host_of(authority), None, "{authority}");
        }
        assert!(is_loopback("LOCALHOST") && is_loopback("127.8.8.8") && is_loopback("::1"));
        assert!(!is_loopback("localhost.evil.example") && !is_loopback("10.0.0.1"));
    }
}
