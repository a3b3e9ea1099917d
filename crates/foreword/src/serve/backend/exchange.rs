//! A request on its way to a response.

use axum::response::{IntoResponse as _, Response};
use foreword_session::backend::Unavailable;
use tokio::sync::watch;

use crate::serve::http::error::ApiError;
use crate::serve::observation::in_flight::InFlight;
use crate::serve::protocols::request::ClientRequest;

/// A request, its record, and the server's closing signal.
pub(crate) struct Exchange {
    pub(crate) request: ClientRequest,
    pub(crate) in_flight: InFlight,
    /// True when the server is about to close: streams end then.
    pub(crate) closing: watch::Receiver<bool>,
}

impl Exchange {
    /// Ends the request with the error as its response.
    pub(crate) fn refuse(mut self, error: &Unavailable) -> Response {
        self.in_flight.record().notes.push(error.message.clone());
        let headers = self.in_flight.headers();
        self.in_flight.finish(error.status);
        let mut res = ApiError::from(error).into_response();
        res.headers_mut().extend(headers);
        res
    }
}
