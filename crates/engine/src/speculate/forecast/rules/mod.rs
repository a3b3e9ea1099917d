//! The rules by which forecasts are made, one a file. Each reads a file of the snapshot and says what it lacks.

mod arms;
mod counterpart;
mod labels;
mod members;
mod registration;
mod series;
mod sibling;
mod tests_of;
mod todo;
mod undefined;

pub(super) use self::arms::arms;
pub(super) use self::counterpart::counterparts;
pub(super) use self::members::members;
pub(super) use self::registration::registrations;
pub(super) use self::series::series;
pub(super) use self::sibling::siblings;
pub(super) use self::tests_of::tests_of;
pub(super) use self::todo::todos;
pub(super) use self::undefined::undefined;
