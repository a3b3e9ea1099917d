//! What each rule foretells in small repositories, and what it does not.

use super::*;
use crate::index::IndexConfig;
use crate::source::Source;

fn snapshot(files: &[(&str, &str)]) -> Snapshot {
    let source = |it: &(&str, &str)| Source { path: it.0.into(), text: it.1.into() };
    Snapshot::of_sources(files.iter().map(source).collect(), IndexConfig::default()).unwrap()
}

/// Checks the forecasts for the first file: kind, line and code of each.
#[track_caller]
fn check(files: &[(&str, &str)], expect: &[&str]) {
    let snapshot = snapshot(files);
    let file = snapshot.file(files[0].0).unwrap();
    let verdict = forecast(&snapshot, &Resolver::new(&snapshot), file, &ForecastConfig::all());
    let shown: Vec<String> = verdict
        .accepted
        .iter()
        .map(|it| format!("{} {}: {}", it.kind.name(), it.target.line, it.code.trim_end()))
        .collect();
    let rejected: Vec<_> =
        verdict.rejected.iter().map(|it| (&it.forecast.name, &it.flaw)).collect();
    assert_eq!(shown, expect, "{rejected:?}");
}

#[test]
fn a_class_lacks_the_members_that_its_interface_demands() {
    check(
        &[
            (
                "Circle.java",
                "class Circle implements Shape {\n    double r;\n\n    public double area() {\n        return r;\n    }\n}\n",
            ),
            (
                "Shape.java",
                "interface Shape {\n    double area();\n    String name(int style);\n    default void draw() {}\n}\n",
            ),
        ],
        &["missing_member 7:     public String name(int style)"],
    );
}

#[test]
fn an_implementation_is_written_like_that_of_the_nearest_sibling() {
    check(
        &[
            (
                "src/json.rs",
                "use crate::Format;\npub struct Json;\nimpl Format for Json {\n    fn extension(&self) -> &str {\n        \"json\"\n    }\n}\n",
            ),
            (
                "src/lib.rs",
                "pub trait Format {\n    fn extension(&self) -> &str;\n    fn label(&self) -> String;\n    fn twice(&self) -> String {\n        self.label()\n    }\n}\n",
            ),
            (
                "src/yaml.rs",
                "use crate::Format;\npub struct Yaml;\nimpl Format for Yaml {\n    fn extension(&self) -> &str {\n        \"yaml\"\n    }\n    fn label(&self) -> String {\n        \"Yaml\".to_string()\n    }\n}\n",
            ),
        ],
        &["missing_member 7:     fn label(&self) -> String {\n        \"Json\".to_string()\n    }"],
    );
}

#[test]
fn what_a_base_out_of_sight_may_have_is_not_missing() {
    check(
        &[(
            "a.py",
            "from abc import ABC, abstractmethod\nfrom lib import Base\n\nclass Own(ABC):\n    @abstractmethod\n    def run(self): ...\n\nclass A(Base, Own):\n    x = 1\n",
        )],
        &[],
    );
    check(
        &[(
            "a.py",
            "from abc import ABC, abstractmethod\n\nclass Own(ABC):\n    @abstractmethod\n    def run(self, job):\n        ...\n\nclass A(Own):\n    def stop(self):\n        return 1\n",
        )],
        &["missing_member 11:     def run(self, job):"],
    );
}

#[test]
fn a_class_that_others_are_derived_from_need_not_have_all_members() {
    let base = "from abc import ABC, abstractmethod\n\n\nclass Base(ABC):\n    @abstractmethod\n    def run(self): ...\n\n\nclass Half(Base):\n    def stop(self):\n        return 1\n\n\n";
    let whole = "class Whole(Half):\n    def run(self):\n        return 2\n";
    check(&[("a.py", &format!("{base}{whole}"))], &[]);
}

#[test]
fn a_match_lacks_an_arm_for_a_variant() {
    let shapes = "pub enum Shape {\n    Circle(f64),\n    Square(f64),\n    Point,\n}\n";
    let area = "use crate::Shape;\nfn area(s: &Shape) -> f64 {\n    match s {\n        Shape::Circle(r) => r * r,\n        Shape::Point => 0.0,\n    }\n}\n";
    check(
        &[("src/area.rs", area), ("src/lib.rs", shapes)],
        &["missing_case 5:         Shape::Square(r) => r * r,"],
    );
    let with_rest = area.replace("Shape::Point =>", "_ =>");
    check(&[("src/area.rs", &with_rest), ("src/lib.rs", shapes)], &[]);
}

#[test]
fn an_arm_behind_an_attribute_may_be_for_the_variant() {
    let shapes = "pub enum Shape {\n    Circle(f64),\n    Square(f64),\n    Point,\n}\n";
    let area = "use crate::Shape;\nfn area(s: &Shape) -> f64 {\n    match s {\n        Shape::Circle(r) => r * r,\n        Shape::Point => 0.0,\n        #[cfg(feature = \"square\")]\n        Shape::Square(r) => 2.0 * r,\n    }\n}\n";
    check(&[("src/area.rs", area), ("src/lib.rs", shapes)], &[]);
}

#[test]
fn arms_of_a_result_are_not_those_of_an_enumeration_with_the_same_names() {
    let lib = "pub enum Parsed {\n    Special,\n    Ok,\n    Err,\n}\n";
    let main = "fn f(r: Result<u8, u8>) -> u8 {\n    match r {\n        Ok(it) => it,\n        Err(it) => it,\n    }\n}\n";
    check(&[("src/main.rs", main), ("src/lib.rs", lib)], &[]);
}

#[test]
fn a_switch_without_a_rule_that_all_cases_are_there_is_followed_only_where_most_are() {
    let kinds =
        "package a\n\ntype Kind int\n\nconst (\n\tRed Kind = iota\n\tGreen\n\tBlue\n\tBlack\n)\n";
    let few = "package a\n\nfunc name(k Kind) string {\n\tswitch k {\n\tcase Red:\n\t\treturn \"red\"\n\tcase Green:\n\t\treturn \"green\"\n\t}\n\treturn \"\"\n}\n";
    check(&[("name.go", few), ("kind.go", kinds)], &[]);
    let most = few.replace("\tcase Green", "\tcase Blue:\n\t\treturn \"blue\"\n\tcase Green");
    check(
        &[("name.go", &most), ("kind.go", kinds)],
        &["missing_case 11: \tcase Black:\n\t\treturn \"black\""],
    );
}

#[test]
fn a_function_that_is_called_and_defined_nowhere_is_foretold_with_its_parameters() {
    check(
        &[(
            "a.py",
            "import os\n\n\ndef load(path):\n    text = read_whole(path, os.getcwd(), limit=3)\n    return len(text)\n",
        )],
        &["undefined_name 7: def read_whole(path, arg2, limit):"],
    );
    check(
        &[("a.py", "from lib import *\n\n\ndef load(path):\n    return read_whole(path)\n")],
        &[],
    );
    check(
        &[(
            "a.py",
            "class A:\n    def run(self):\n        self.prepare()\n        self.callback()\n\n    def set(self, it):\n        self.callback = it\n",
        )],
        &["undefined_name 5:     def prepare(self):"],
    );
}

#[test]
fn a_module_that_its_siblings_are_declared_beside_is_declared() {
    let empty = "pub fn f() {}\n";
    check(
        &[
            ("src/lib.rs", "mod apple;\nmod banana;\nmod cherry;\nmod elder;\n"),
            ("src/apple.rs", empty),
            ("src/banana.rs", empty),
            ("src/cherry.rs", empty),
            ("src/date.rs", empty),
            ("src/elder.rs", empty),
        ],
        &["registration 4: mod date;"],
    );
}

#[test]
fn a_function_without_a_test_is_tested_like_its_neighbour() {
    let code = "def read(path):\n    return 1\n\n\ndef write(path):\n    return 2\n\n\ndef move(path):\n    return 3\n\n\ndef drop(path):\n    return 4\n";
    let test =
        |name: &str| format!("def test_{name}():\n    result = {name}(\"a\")\n    assert result\n");
    let tests = format!(
        "from files import *\n\n\n{}\n\n{}\n\n{}",
        test("read"),
        test("write"),
        test("move")
    );
    check(
        &[("tests/test_files.py", &tests), ("files.py", code)],
        &["missing_test 17: def test_drop():\n    result = drop(\"a\")\n    assert result"],
    );
}

#[test]
fn the_other_half_is_written_like_the_other_halves_beside_it() {
    let text = "def encode_page(page):\n    return pack(page, 1)\n\n\ndef decode_page(data):\n    return unpack(data, Page)\n\n\ndef encode_frame(frame):\n    return pack(frame, 2)\n\n\ndef pack(a, b):\n    return b\n\n\ndef unpack(a, b):\n    return a\n\n\nclass Page:\n    pass\n\n\nclass Frame:\n    pass\n";
    check(
        &[("a.py", text)],
        &["counterpart 11: def decode_frame(data):\n    return unpack(data, Frame)"],
    );
}

#[test]
fn a_series_goes_on_after_three() {
    let test = |n: u32| format!("fn case_{n}() {{\n    check({n});\n}}\n");
    let three = test(1) + &test(2) + &test(3) + "fn check(n: u32) {}\n";
    check(&[("a.rs", &three)], &["next_element 10: fn case_4()"]);
    let two = test(1) + &test(2) + "fn check(n: u32) {}\n";
    check(&[("a.rs", &two)], &[]);
}
