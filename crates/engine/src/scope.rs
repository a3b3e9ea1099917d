//! The scope of a cursor: enclosing definitions, resolved imports, the same package, and changes since the file was
//! indexed and since the last commit.

mod activity;
mod changed;
mod cursor;
mod reach;
mod resolve;
mod view;

pub use activity::Activity;
pub use changed::changed_ranges;
pub use cursor::{Cursor, CursorError};
pub use reach::Scope;
pub use resolve::{ResolvedImport, Resolver, imports_package, package_names};
pub use view::View;
