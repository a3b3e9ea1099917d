//! Where imports lead, language by language.

use foreword_engine::scope::Resolver;

use crate::snapshot;

/// The files that each import of `path` leads to, by module.
#[track_caller]
fn check(fixture: &str, path: &str, expect: &[(&str, &[&str])]) {
    let snapshot = snapshot(fixture);
    let file = snapshot.file(path).unwrap();
    let record = snapshot.record(file);
    let resolved = Resolver::new(&snapshot).resolve_all(&snapshot, path, &record);
    let found: Vec<(String, Vec<&str>)> = resolved
        .into_iter()
        .map(|it| {
            let module = record.symbols.imports[it.import].module.clone();
            (module, it.files.into_iter().map(|file| snapshot.path(file)).collect())
        })
        .collect();
    let expect: Vec<(String, Vec<&str>)> =
        expect.iter().map(|(module, files)| ((*module).to_owned(), files.to_vec())).collect();
    assert_eq!(found, expect);
}

#[test]
fn python_follows_dots_and_does_not_take_its_own_package_for_the_library() {
    check(
        "
//- src/shop/__init__.py
//- src/shop/typing.py
x = 1
//- src/shop/price.py
x = 1
//- src/shop/web/__init__.py
//- src/shop/web/view.py
import typing
from ..price import Price
from . import form
from shop.price import Price
//- src/shop/web/form.py
x = 1
",
        "src/shop/web/view.py",
        &[
            ("..price", &["src/shop/price.py"]),
            (".", &["src/shop/web/__init__.py", "src/shop/web/form.py"]),
            ("shop.price", &["src/shop/price.py"]),
        ],
    );
}

#[test]
fn rust_follows_crate_super_and_other_crates() {
    check(
        "
//- crates/core-api/src/lib.rs
pub mod wire;
//- crates/core-api/src/wire.rs
pub struct Frame;
//- crates/app/src/main.rs
fn main() {}
//- crates/app/src/view/mod.rs
use crate::state::State;
use super::state::Other;
use core_api::wire::Frame;
//- crates/app/src/state.rs
pub struct State;
",
        "crates/app/src/view/mod.rs",
        &[
            ("crate::state", &["crates/app/src/state.rs"]),
            ("super::state", &["crates/app/src/state.rs"]),
            ("core_api::wire", &["crates/core-api/src/wire.rs"]),
        ],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of languages")]
fn typescript_go_java_and_c_find_files_by_their_paths() {
    check(
        "
//- web/src/app.ts
import { load } from './util/load';
import { save } from './util';
//- web/src/util/load.ts
export const load = 1;
//- web/src/util/index.ts
export const save = 1;
",
        "web/src/app.ts",
        &[("./util/load", &["web/src/util/load.ts"]), ("./util", &["web/src/util/index.ts"])],
    );
    check(
        "
//- cmd/main.go
package main

import \"example.org/tool/internal/store\"
//- internal/store/a.go
package store
//- internal/store/b.go
package store
",
        "cmd/main.go",
        &[("example.org/tool/internal/store", &["internal/store/a.go", "internal/store/b.go"])],
    );
    check(
        "
//- src/main/java/org/shop/Cart.java
package org.shop;

import org.shop.money.Price;

class Cart {}
//- src/main/java/org/shop/money/Price.java
package org.shop.money;

public class Price {}
",
        "src/main/java/org/shop/Cart.java",
        &[("org.shop.money", &["src/main/java/org/shop/money/Price.java"])],
    );
    check(
        "
//- src/main.c
#include <stdio.h>
#include \"net/socket.h\"
//- src/net/socket.c
int x;
//- src/net/socket.h
int y;
",
        "src/main.c",
        &[("net/socket.h", &["src/net/socket.h"])],
    );
}
