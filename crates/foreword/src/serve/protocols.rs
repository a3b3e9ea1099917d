//! What each wire format says: requests are parsed into one common value, and responses are rendered from one.

pub(crate) mod fim;
pub(crate) mod request;
pub(crate) mod response;
pub(crate) mod timestamp;
