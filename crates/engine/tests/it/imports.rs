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

#[test]
fn go_follows_its_module_path_and_not_the_names_of_the_standard_library() {
    check(
        "
//- go.mod
module example.org/web

require example.org/other v1.0.0
//- path.go
package web
//- errors.go
package web
//- render/html.go
package render
//- render/html_test.go
package render
//- html/template/engine.go
package template
//- app.go
package web

import (
\t\"errors\"
\t\"html/template\"
\t\"path\"
\t\"example.org/other/render\"
\t\"example.org/web/render\"
)
",
        "app.go",
        &[("example.org/web/render", &["render/html.go"])],
    );
}

#[test]
fn a_relative_import_is_exactly_that_file() {
    check(
        "
//- server/src/app.ts
import { a } from './router';
import { b } from './router.js';
import { c } from './adapter.mjs';
//- server/src/router.mergeRouters.test.ts
export const a = 1;
//- server/src/router.ts
export const a = 1;
//- server/src/adapter.mts
export const c = 1;
",
        "server/src/app.ts",
        &[
            ("./router", &["server/src/router.ts"]),
            ("./router.js", &["server/src/router.ts"]),
            ("./adapter.mjs", &["server/src/adapter.mts"]),
        ],
    );
    check(
        "
//- src/app.ts
import { a } from './router';
//- src/router.mergeRouters.test.ts
export const a = 1;
",
        "src/app.ts",
        &[],
    );
}

#[test]
fn typescript_follows_paths_and_the_packages_of_the_workspace() {
    check(
        "
//- tsconfig.json
{ // one for all
  \"compilerOptions\": { \"baseUrl\": \".\", \"paths\": { \"@core/*\": [\"packages/core/src/*\"], }, },
}
//- packages/core/src/util/load.ts
export const load = 1;
//- packages/server/package.json
{ \"name\": \"@shop/server\", \"exports\": { \".\": { \"import\": \"./dist/index.mjs\" }, \"./adapters/*\": \"./dist/adapters/*.js\" } }
//- packages/server/src/index.ts
export const a = 1;
//- packages/server/src/adapters/node.ts
export const b = 1;
//- packages/client/src/react.ts
import React from 'react';
import { load } from '@core/util/load';
import { a } from '@shop/server';
import { b } from '@shop/server/adapters/node';
",
        "packages/client/src/react.ts",
        &[
            ("@core/util/load", &["packages/core/src/util/load.ts"]),
            ("@shop/server", &["packages/server/src/index.ts"]),
            ("@shop/server/adapters/node", &["packages/server/src/adapters/node.ts"]),
        ],
    );
}

#[test]
fn aliases_of_frameworks_need_no_configuration() {
    check(
        "
//- src/lib/ui/Button.svelte
<button />
//- src/lib/index.ts
export const a = 1;
//- app/utils/time.ts
export const b = 1;
//- src/store/user.ts
export const c = 1;
//- tests/unit/page.ts
import Button from '$lib/ui/Button.svelte';
import { a } from '$lib';
import { b } from '~/utils/time';
import { c } from '@/store/user';
",
        "tests/unit/page.ts",
        &[
            ("$lib/ui/Button.svelte", &["src/lib/ui/Button.svelte"]),
            ("$lib", &["src/lib/index.ts"]),
            ("~/utils/time", &["app/utils/time.ts"]),
            ("@/store/user", &["src/store/user.ts"]),
        ],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of languages")]
fn java_kotlin_and_php_import_a_class_and_not_its_package() {
    check(
        "
//- src/main/java/org/shop/Cart.java
package org.shop;

import java.util.List;
import org.shop.money.Price;
import org.shop.money.Tax;
import static org.shop.money.Rates.DEFAULT;
import org.shop.disk.*;

class Cart {}
//- src/main/java/org/shop/money/Price.java
package org.shop.money;
public class Price {}
//- src/main/java/org/shop/money/Rates.java
package org.shop.money;
public class Rates {}
//- src/main/java/org/shop/util/List.java
package org.shop.util;
public class List {}
//- src/main/java/org/shop/disk/Store.java
package org.shop.disk;
public class Store {}
",
        "src/main/java/org/shop/Cart.java",
        &[
            ("org.shop.money", &["src/main/java/org/shop/money/Price.java"]),
            ("org.shop.money.Rates", &["src/main/java/org/shop/money/Rates.java"]),
            ("org.shop.disk", &["src/main/java/org/shop/disk/Store.java"]),
        ],
    );
    check(
        "
//- core/src/shop/money/Prices.kt
package shop.money
class Price
fun Price.half() = this
//- core/src/shop/Basket.kt
package shop
class Basket { companion object { fun Int.empty() = 1 } }
//- core/src/shop/money/Other.kt
package shop.money
class Other
//- app/src/shop/Cart.kt
package shop
import shop.money.Price
import shop.money.half
import shop.Basket.Companion.empty
",
        "app/src/shop/Cart.kt",
        &[
            ("shop.money", &["core/src/shop/money/Prices.kt"]),
            ("shop.money", &["core/src/shop/money/Prices.kt"]),
            ("shop.Basket.Companion", &["core/src/shop/Basket.kt"]),
        ],
    );
    check(
        "
//- composer.json
{ \"autoload\": { \"psr-4\": { \"Shop\\\\\": \"src/\" } } }
//- src/Money/Price.php
<?php
namespace Shop\\Money;
class Price {}
//- src/Money/Tax.php
<?php
namespace Shop\\Money;
class Tax {}
//- src/Cart.php
<?php
namespace Shop;
use Shop\\Money\\Price;
use Vendor\\Money\\Tax;
",
        "src/Cart.php",
        &[("Shop\\Money", &["src/Money/Price.php"])],
    );
}

#[test]
fn csharp_and_elixir_find_what_is_declared_wherever_it_is() {
    check(
        "
//- src/Linq/Token.cs
namespace Shop.Json.Linq
{
    public class Token {}
}
//- src/Other.cs
namespace Other.Linq;
public class Token {}
//- src/Reader.cs
using System.Linq;
using Shop.Json.Linq;

namespace Shop.Json;
public class Reader {}
",
        "src/Reader.cs",
        &[("Shop.Json.Linq", &["src/Linq/Token.cs"])],
    );
    check(
        "
//- lib/shop/carts/cart.ex
defmodule Shop.Carts.Cart do
end
//- lib/other/cart.ex
defmodule Other.Cart do
end
//- lib/shop_web/live.ex
defmodule ShopWeb.Live do
  use GenServer
  alias Shop.Carts.Cart
end
",
        "lib/shop_web/live.ex",
        &[("Shop.Carts.Cart", &["lib/shop/carts/cart.ex"])],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of languages")]
fn other_libraries_lead_nowhere_whatever_files_are_called() {
    check(
        "
//- Cargo.toml
[workspace]
//- crates/api/Cargo.toml
[package]
name = \"shop-api\"
//- crates/api/src/lib.rs
pub mod wire;
//- crates/api/src/wire.rs
pub struct Frame;
//- crates/app/Cargo.toml
[package]
name = \"app\"
//- crates/app/src/de.rs
pub struct De;
//- crates/app/src/fmt.rs
pub struct Fmt;
//- crates/app/src/main.rs
use serde::de::Error;
use shop_api::wire::Frame;
use std::fmt;
",
        "crates/app/src/main.rs",
        &[("shop_api::wire", &["crates/api/src/wire.rs"])],
    );
    check(
        "
//- src/shop/__init__.py
x = 1
//- src/shop/storage.py
x = 1
//- scripts/util/json.py
x = 1
//- src/shop/app.py
import json
from google.cloud.storage import Client
from shop.storage import x
",
        "src/shop/app.py",
        &[("shop.storage", &["src/shop/storage.py"])],
    );
    check(
        "
//- src/string.h
int x;
//- src/util.h
int y;
//- deps/pool/include/pool/pool.h
int z;
//- src/util.c
int y;
//- src/main.c
#include <string.h>
#include <vector>
#include <pool/pool.h>
#include \"util.h\"
",
        "src/main.c",
        &[("pool/pool.h", &["deps/pool/include/pool/pool.h"]), ("util.h", &["src/util.h"])],
    );
}

#[test]
fn scala_swift_and_zig_find_objects_and_modules_by_their_files() {
    check(
        "
//- laws/src/main/scala/shop/laws/arbitrary.scala
package shop.laws
object arbitrary { implicit val anyPrice: Int = 1 }
//- tests/src/test/scala/shop/PriceSuite.scala
package shop
import shop.laws.arbitrary.anyPrice
",
        "tests/src/test/scala/shop/PriceSuite.scala",
        &[("shop.laws.arbitrary", &["laws/src/main/scala/shop/laws/arbitrary.scala"])],
    );
    check(
        "
//- Source/Shop.swift
let a = 1
//- Source/Features/Combine.swift
let b = 1
//- Tests/PriceTests.swift
import Combine
import Shop
",
        "Tests/PriceTests.swift",
        &[("Shop", &["Source/Shop.swift"])],
    );
    check(
        "
//- src/shop.zig
pub const a = 1;
//- src/price.zig
pub const b = 1;
//- tests/all.zig
const std = @import(\"std\");
const shop = @import(\"shop\");
const price = @import(\"../src/price.zig\");
",
        "tests/all.zig",
        &[("shop", &["src/shop.zig"]), ("../src/price.zig", &["src/price.zig"])],
    );
}
