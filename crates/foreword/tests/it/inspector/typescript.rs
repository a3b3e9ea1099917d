//! Reads the declarations of a TypeScript file, as far as `data.ts` uses them, and checks JSON against them.
//!
//! Interfaces (with `extends` and `Omit`), type aliases, unions, lists, tuples, nested objects and literals are
//! understood; anything else is a failure, so that nothing is skipped silently.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// A type of TypeScript.
#[derive(Clone, Debug)]
enum Type {
    String,
    Number,
    Boolean,
    Null,
    Unknown,
    Literal(String),
    Named(String),
    List(Box<Type>),
    Tuple(Vec<Type>),
    Union(Vec<Type>),
    Object(Vec<Field>),
}

#[derive(Clone, Debug)]
struct Field {
    name: String,
    optional: bool,
    kind: Type,
}

/// The exported types of a file, and which of their fields values had that were checked.
pub(super) struct Declarations {
    types: BTreeMap<String, Type>,
    seen: BTreeSet<String>,
}

impl Declarations {
    pub(super) fn parse(text: &str) -> Self {
        let mut parser = Parser { tokens: tokens(text), at: 0, types: BTreeMap::new() };
        while parser.at < parser.tokens.len() {
            parser.declaration();
        }
        Self { types: parser.types, seen: BTreeSet::new() }
    }

    /// Compares a value with the type `name`. Returns what is wrong: one line for each path.
    pub(super) fn check(&mut self, name: &str, value: &Value) -> Vec<String> {
        let mut errors = Vec::new();
        self.compare(&Type::Named(name.to_owned()), value, name, &mut errors);
        errors
    }

    /// The fields of `roots`, and of all that they refer to, that no value had which was checked.
    pub(super) fn unseen(&self, roots: &[&str]) -> Vec<String> {
        let mut all = BTreeSet::new();
        for root in roots {
            self.fields_of(&Type::Named((*root).to_owned()), root, &mut all);
        }
        all.difference(&self.seen).cloned().collect()
    }

    fn fields_of(&self, kind: &Type, path: &str, all: &mut BTreeSet<String>) {
        match kind {
            Type::Named(name) => self.fields_of(&self.types[name], name, all),
            Type::List(item) => self.fields_of(item, path, all),
            Type::Tuple(items) | Type::Union(items) => {
                items.iter().for_each(|it| self.fields_of(it, path, all));
            }
            Type::Object(fields) => {
                for it in fields {
                    let path = format!("{path}.{}", it.name);
                    if all.insert(path.clone()) {
                        self.fields_of(&it.kind, &path, all);
                    }
                }
            }
            _ => {}
        }
    }

    fn compare(&mut self, kind: &Type, value: &Value, path: &str, errors: &mut Vec<String>) {
        let matches = match (kind, value) {
            (Type::Named(name), _) => {
                let kind = self.types[name].clone();
                return self.compare(&kind, value, name, errors);
            }
            (Type::Union(alternatives), _) => {
                return self.compare_any(alternatives, value, path, errors);
            }
            (Type::Object(fields), Value::Object(_)) => {
                return self.compare_fields(fields, value, path, errors);
            }
            (Type::List(item), Value::Array(items)) => {
                return items.iter().for_each(|it| self.compare(item, it, path, errors));
            }
            (Type::Tuple(kinds), Value::Array(items)) if kinds.len() == items.len() => {
                let pairs = kinds.iter().zip(items);
                return pairs.for_each(|(kind, it)| self.compare(kind, it, path, errors));
            }
            (Type::Literal(text), _) => value == text.as_str(),
            (Type::String, _) => value.is_string(),
            (Type::Number, _) => value.is_number(),
            (Type::Boolean, _) => value.is_boolean(),
            (Type::Null, _) => value.is_null(),
            (Type::Unknown, _) => true,
            _ => false,
        };
        if !matches {
            errors.push(format!("{path}: {value} is not {kind:?}"));
        }
    }

    /// The errors of the alternative with the fewest.
    fn compare_any(
        &mut self,
        alternatives: &[Type],
        value: &Value,
        path: &str,
        errors: &mut Vec<String>,
    ) {
        let mut best: Option<Vec<String>> = None;
        for it in alternatives {
            let mut found = Vec::new();
            self.compare(it, value, path, &mut found);
            if best.as_ref().is_none_or(|best| found.len() < best.len()) {
                best = Some(found);
            }
        }
        errors.extend(best.unwrap_or_default());
    }

    fn compare_fields(
        &mut self,
        fields: &[Field],
        value: &Value,
        path: &str,
        errors: &mut Vec<String>,
    ) {
        for it in fields {
            let path = format!("{path}.{}", it.name);
            match value.get(&it.name) {
                Some(value) => {
                    self.seen.insert(path.clone());
                    self.compare(&it.kind, value, &path, errors);
                }
                None if it.optional => {}
                None => errors.push(format!("{path}: declared, but not sent")),
            }
        }
        let sent = value.as_object().into_iter().flat_map(|it| it.keys());
        let undeclared = sent.filter(|key| fields.iter().all(|it| it.name != **key));
        errors.extend(undeclared.map(|key| format!("{path}.{key}: sent, but not declared")));
    }
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
    types: BTreeMap<String, Type>,
}

/// Names, literals in quotes, and single characters; without comments.
fn tokens(text: &str) -> Vec<String> {
    let mut res = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_name = |it: char| it.is_alphanumeric() || it == '_';
        let len = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").expect("comments end") + 2,
            '"' => rest[1..].find('"').expect("literals end") + 2,
            _ if is_name(first) => rest.find(|it| !is_name(it)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        if !rest.starts_with("//") && !rest.starts_with("/*") {
            res.push(rest[..len].to_owned());
        }
        rest = rest[len..].trim_start();
    }
    res
}

impl Parser {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn take(&mut self, token: &str) -> bool {
        let is_next = self.peek() == token;
        self.at += usize::from(is_next);
        is_next
    }

    #[track_caller]
    fn expect(&mut self, token: &str) {
        assert!(
            self.take(token),
            "data.ts: {token} is expected, not {:?}",
            &self.tokens[self.at..]
        );
    }

    fn declaration(&mut self) {
        self.expect("export");
        match self.next().as_str() {
            "interface" => {
                let name = self.next();
                let mut fields = if self.take("extends") { self.base() } else { Vec::new() };
                fields.extend(self.object());
                self.types.insert(name, Type::Object(fields));
            }
            "type" => {
                let name = self.next();
                self.expect("=");
                let kind = self.union();
                self.expect(";");
                self.types.insert(name, kind);
            }
            "function" => self.skip_function(),
            other => panic!("data.ts: {other} is not understood"),
        }
    }

    /// Skips up to the end of the body.
    fn skip_function(&mut self) {
        while self.peek() != "{" {
            self.at += 1;
        }
        let mut depth = 0;
        loop {
            match self.next().as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// The fields of `Name`, or of `Omit<Name, "field" | "field">`.
    fn base(&mut self) -> Vec<Field> {
        let name = self.next();
        if name != "Omit" {
            return self.fields(&name);
        }
        self.expect("<");
        let name = self.next();
        self.expect(",");
        let omitted = self.union();
        self.expect(">");
        let omitted = format!("{omitted:?}");
        let mut fields = self.fields(&name);
        fields.retain(|it| !omitted.contains(&format!("Literal(\"{}\")", it.name)));
        fields
    }

    fn fields(&self, name: &str) -> Vec<Field> {
        match &self.types[name] {
            Type::Object(fields) => fields.clone(),
            other => panic!("data.ts: {name} is {other:?}, not an interface"),
        }
    }

    fn object(&mut self) -> Vec<Field> {
        let mut fields = Vec::new();
        self.expect("{");
        while !self.take("}") {
            let name = self.next();
            let optional = self.take("?");
            self.expect(":");
            fields.push(Field { name, optional, kind: self.union() });
            let _ = self.take(";") || self.take(",");
        }
        fields
    }

    fn union(&mut self) -> Type {
        let mut alternatives = vec![self.postfix()];
        while self.take("|") {
            alternatives.push(self.postfix());
        }
        match alternatives.len() {
            1 => alternatives.remove(0),
            _ => Type::Union(alternatives),
        }
    }

    fn postfix(&mut self) -> Type {
        let mut kind = self.primary();
        while self.take("[") {
            self.expect("]");
            kind = Type::List(Box::new(kind));
        }
        kind
    }

    fn primary(&mut self) -> Type {
        if self.peek() == "{" {
            return Type::Object(self.object());
        }
        if self.take("[") {
            let mut items = Vec::new();
            while !self.take("]") {
                items.push(self.union());
                self.take(",");
            }
            return Type::Tuple(items);
        }
        match self.next().as_str() {
            "string" => Type::String,
            "number" => Type::Number,
            "boolean" => Type::Boolean,
            "null" => Type::Null,
            "unknown" => Type::Unknown,
            literal if literal.starts_with('"') => Type::Literal(literal.trim_matches('"').into()),
            name => Type::Named(name.to_owned()),
        }
    }
}
