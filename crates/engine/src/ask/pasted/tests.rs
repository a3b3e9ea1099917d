//! Output of real programs, shortened.

use super::*;

fn places(text: &str) -> Vec<(String, u32)> {
    read(text).places.into_iter().map(|it| (it.path, it.first)).collect()
}

fn check(text: &str, expect: &[(&str, u32)], message: &str) {
    let expect: Vec<(String, u32)> = expect.iter().map(|it| (it.0.to_owned(), it.1)).collect();
    assert_eq!(places(text), expect, "{text}");
    let said = read(text).messages;
    assert!(said.iter().any(|it| it.contains(message)), "{said:?} of {text}");
}

#[test]
fn the_innermost_frame_of_python_comes_last_and_is_first_here() {
    let text = "Traceback (most recent call last):\n  File \"/home/me/app/main.py\", line 8, in <module>\n    run()\n  File \"/home/me/app/shop/stock.py\", line 21, in take\n    raise KeyError(name)\nKeyError: 'apple'\n";
    check(
        text,
        &[("/home/me/app/shop/stock.py", 21), ("/home/me/app/main.py", 8)],
        "KeyError: 'apple'",
    );
    assert_eq!(read(text).places[0].function.as_deref(), Some("take"));
}

#[test]
fn the_innermost_frame_of_other_languages_comes_first() {
    let java = "Exception in thread \"main\" java.lang.IllegalStateException: closed\n\tat com.a.Some$Inner.run(Some.java:12)\n\tat com.a.Main.main(Main.java:3)\n";
    check(java, &[("Some.java", 12), ("Main.java", 3)], "IllegalStateException: closed");
    assert_eq!(read(java).places[0].function.as_deref(), Some("com.a.Some$Inner.run"));
    let go = "panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nmain.pick(...)\n\t/home/me/x/pick.go:12 +0x1d\nmain.main()\n\t/home/me/x/main.go:7 +0x20\n";
    check(go, &[("/home/me/x/pick.go", 12), ("/home/me/x/main.go", 7)], "index out of range");
    let node = "TypeError: Cannot read properties of undefined (reading 'x')\n    at parse (/srv/app/lib/parse.js:3:5)\n    at Object.<anonymous> (/srv/app/index.js:9:1)\n";
    check(
        node,
        &[("/srv/app/lib/parse.js", 3), ("/srv/app/index.js", 9)],
        "Cannot read properties",
    );
    let ruby = "lib/cart.rb:4:in `add': wrong thing (ArgumentError)\n\tfrom bin/run:3:in `<main>'\n\tfrom lib/app.rb:9:in `call'\n";
    assert_eq!(places(ruby), [("lib/cart.rb".to_owned(), 4), ("lib/app.rb".to_owned(), 9)]);
    assert_eq!(read(ruby).places[0].function.as_deref(), Some("add"));
}

#[test]
fn frames_name_the_functions_that_they_are_in() {
    let functions = |text: &str| -> Vec<(String, u32, String)> {
        let places = read(text).places.into_iter();
        places.map(|it| (it.path, it.first, it.function.unwrap_or_default())).collect()
    };
    let of = |all: &[(&str, u32, &str)]| -> Vec<(String, u32, String)> {
        all.iter().map(|it| (it.0.to_owned(), it.1, it.2.to_owned())).collect()
    };
    let dotnet = "Unhandled exception. System.InvalidOperationException: The shop is closed.\n   at Shop.Stock.get_Current()\n   at Shop.Cart..ctor(String name) in C:\\w\\src\\Shop\\Cart.cs:line 46\n";
    let expect =
        [("", 0, "Shop.Stock.get_Current"), ("C:\\w\\src\\Shop\\Cart.cs", 46, "Shop.Cart..ctor")];
    assert_eq!(functions(dotnet), of(&expect));
    let php = "PHP Fatal error:  Uncaught Shop\\Gone: no apples in /srv/src/Stock.php:20\nStack trace:\n#0 /srv/src/Cart.php(12): Shop\\Stock->take('apple')\n#1 /srv/index.php(3): Shop\\Cart->add()\n#2 {main}\n";
    let expect = [
        ("/srv/src/Stock.php", 20, "take"),
        ("/srv/src/Cart.php", 12, "add"),
        ("/srv/index.php", 3, ""),
    ];
    assert_eq!(functions(php), of(&expect));
    let node = "Error: no apples\n    at async Cart.add (/srv/cart.js:5:3)\n    at new Shop (/srv/shop.js:2:1)\n";
    assert_eq!(
        functions(node),
        of(&[("/srv/cart.js", 5, "Cart.add"), ("/srv/shop.js", 2, "Shop")])
    );
}

#[test]
fn a_message_of_a_compiler_is_kept_with_its_place() {
    let rustc = "error[E0308]: mismatched types\n  --> src/lib.rs:4:9\n   |\n4  |         1\n";
    check(rustc, &[("src/lib.rs", 4)], "mismatched types");
    assert!(read(rustc).places[0].message.as_ref().is_some_and(|it| it.contains("E0308")));
    check("src/a.ts(3,5): error TS2322: Type 'x' is wrong.\n", &[("src/a.ts", 3)], "TS2322");
    check("src/a.ts:3:5 - error TS2322: Type 'x' is wrong.\n", &[("src/a.ts", 3)], "TS2322");
    check("src/a.c:3:5: error: expected ';' before 'x'\n", &[("src/a.c", 3)], "expected ';'");
    check("src/A.java:3: error: cannot find symbol\n", &[("src/A.java", 3)], "cannot find symbol");
    check("./a.go:3:5: undefined: pick\n", &[("a.go", 3)], "undefined: pick");
    check("C:\\w\\App.cs(3,5): error CS1002: ; expected\n", &[("C:\\w\\App.cs", 3)], "CS1002");
}

#[test]
fn failures_of_tests_name_the_test_and_what_was_expected() {
    let pytest = "    def test_take():\n>       assert take(1) == 2\nE       assert 1 == 2\n\ntests/test_stock.py:12: AssertionError\n";
    check(pytest, &[("tests/test_stock.py", 12)], "assert 1 == 2");
    let jest = "  ● cart › adds\n\n    expect(received).toBe(expected)\n\n      at Object.<anonymous> (src/cart.test.js:7:20)\n";
    assert_eq!(places(jest), [("src/cart.test.js".to_owned(), 7)]);
    let panic = "thread 'main' panicked at src/main.rs:4:5:\nno such thing\nstack backtrace:\n   2: app::pick\n             at ./src/pick.rs:9:5\n";
    check(panic, &[("src/main.rs", 4), ("src/pick.rs", 9)], "panicked at");
}

#[test]
fn a_diff_names_its_hunks() {
    let diff = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,3 +4,5 @@ def f():\n+new\n";
    let place = read(diff).places.remove(0);
    assert_eq!((place.path.as_str(), place.first, place.last), ("x.py", 4, 8));
    assert_eq!(place.origin, Origin::Diff);
}

#[test]
fn coverage_names_the_lines_that_were_never_run_the_longest_first() {
    let lcov = "TN:\nSF:src/a.py\nDA:1,4\nDA:2,0\nDA:9,0\nDA:10,0\nDA:11,0\nend_of_record\n";
    assert_eq!(places(lcov), [("src/a.py".to_owned(), 9), ("src/a.py".to_owned(), 2)]);
    let xml = "<class name=\"a\" filename=\"src/a.py\" line-rate=\"0.5\">\n<lines>\n<line number=\"3\" hits=\"0\"/>\n<line number=\"4\" hits=\"2\"/>\n</lines>\n</class>\n";
    assert_eq!(places(xml), [("src/a.py".to_owned(), 3)]);
}

#[test]
fn other_text_has_no_places() {
    for text in
        ["", "see http://a.b:80/x.html and 12:30", "version 1.2:3", "nothing at all", "::::"]
    {
        assert_eq!(places(text), [], "{text}");
    }
}

#[test]
fn colours_are_not_read() {
    assert_eq!(
        places("\u{1b}[1m\u{1b}[31msrc/a.c:3:5: \u{1b}[0merror: x is wrong\n"),
        [("src/a.c".to_owned(), 3)]
    );
}
