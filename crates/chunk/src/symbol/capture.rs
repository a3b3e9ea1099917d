//! The capture names of queries and their roles.

use super::types::{Kind, ReferenceKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A definition.
    Definition(Kind),
    /// The name in a use; a wrapping node is unwrapped.
    Reference(ReferenceKind),
    /// The name of the definition in the same match, if it is not the node's field `name`.
    Name,
    /// The owner of the definition in the same match, if it is not written before the name (a receiver).
    Qualifier,
    /// The body of the definition in the same match, if it is not the node's field `body`.
    Body,
    /// The text before the body, if the body is not a node but the rest of the definition.
    Head,
    /// The documentation of the definition in the same match, if it is not a comment before it.
    Doc,
    /// With [`Role::Outer`]: the definition at this node …
    Inner,
    /// … reaches as far as this one (a decorated or exported definition), unless it has several inner ones.
    Outer,
    /// A node without a name whose variables are local (the body of a lambda): constants and fields in it are dropped.
    Local,
    /// A comment (from the language table, never from query files).
    Comment,
    /// An attribute before a definition (from the language table, never from query files).
    Lead,
    /// An import statement.
    Import,
    /// The imported module.
    ImportModule,
    /// An imported name.
    ImportName,
    /// The local name of the name in the same match, or of the module without one.
    ImportAlias,
    /// Module and names in one path: `a.b.C`, `a::{b, c as d}`.
    ImportPath,
    /// A node used only by a predicate.
    Helper,
}

/// Every capture with its role.
const CAPTURES: &[(&str, Role)] = &[
    ("definition.module", Role::Definition(Kind::Module)),
    ("definition.class", Role::Definition(Kind::Class)),
    ("definition.interface", Role::Definition(Kind::Interface)),
    ("definition.enum", Role::Definition(Kind::Enum)),
    ("definition.implementation", Role::Definition(Kind::Implementation)),
    ("definition.function", Role::Definition(Kind::Function)),
    ("definition.method", Role::Definition(Kind::Method)),
    ("definition.constructor", Role::Definition(Kind::Constructor)),
    ("definition.field", Role::Definition(Kind::Field)),
    ("definition.constant", Role::Definition(Kind::Constant)),
    ("definition.type", Role::Definition(Kind::Type)),
    ("definition.macro", Role::Definition(Kind::Macro)),
    ("definition.section", Role::Definition(Kind::Section)),
    ("reference.call", Role::Reference(ReferenceKind::Call)),
    ("reference.type", Role::Reference(ReferenceKind::Type)),
    ("reference.base", Role::Reference(ReferenceKind::Base)),
    ("name", Role::Name),
    ("qualifier", Role::Qualifier),
    ("body", Role::Body),
    ("head", Role::Head),
    ("doc", Role::Doc),
    ("inner", Role::Inner),
    ("outer", Role::Outer),
    ("local", Role::Local),
    ("comment", Role::Comment),
    ("lead", Role::Lead),
    ("import", Role::Import),
    ("import.module", Role::ImportModule),
    ("import.name", Role::ImportName),
    ("import.alias", Role::ImportAlias),
    ("import.path", Role::ImportPath),
];

/// The role of the capture `name`. Names that begin with `_` are for predicates.
pub(super) fn role(name: &str) -> Result<Role, String> {
    if name.starts_with('_') {
        return Ok(Role::Helper);
    }
    let known = CAPTURES.iter().find(|it| it.0 == name).map(|it| it.1);
    known.ok_or_else(|| {
        let names: Vec<&str> = CAPTURES.iter().map(|it| it.0).collect();
        format!("unknown capture @{name}; known are {}", names.join(" "))
    })
}
