//! What is in reach at a cursor: the enclosing definitions, the imports and where they lead, the same package, and
//! what has changed since the file was indexed, and since the last commit.

mod activity;
mod changed;
mod cursor;
mod reach;
mod resolve;
mod view;

pub use activity::{Activity, PlannedLines};
pub use changed::changed_ranges;
pub use cursor::{Cursor, CursorError};
pub use reach::Scope;
pub use resolve::{ResolvedImport, Resolver};
pub use view::View;
