//! Whole questions over small repositories.

use super::*;
use crate::index::IndexConfig;
use crate::source::Source;

const STOCK: &str = "\"\"\"What is on the shelves.\"\"\"\n\nfrom shop.prices import price_of\n\n\nclass Stock:\n    \"\"\"Counts items by name.\n\n    Args:\n        items: what is there\n    \"\"\"\n\n    def take(self, name):\n        \"\"\"Takes one item off the shelf.\"\"\"\n        if name not in self.items:\n            raise KeyError(name)\n        self.items[name] -= 1\n        return price_of(name)\n";
const PRICES: &str =
    "def price_of(name):\n    \"\"\"The price of an item in cents.\"\"\"\n    return len(name)\n";
const CART: &str = "from shop.stock import Stock\n\n\ndef add_to_cart(stock: Stock, name):\n    return stock.take(name)\n";
const TEST: &str =
    "from shop.stock import Stock\n\n\ndef test_take():\n    assert Stock().take('a') == 1\n";
const README: &str = "# Shop\n\nA small shop that counts what is on its shelves.\n\n## Taking items\n\nCall `Stock.take` to take one item off the shelf.\n";

fn shop() -> Snapshot {
    let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
    let sources = vec![
        source("README.md", README),
        source("shop/stock.py", STOCK),
        source("shop/prices.py", PRICES),
        source("shop/cart.py", CART),
        source("tests/test_stock.py", TEST),
    ];
    Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
}

fn ask(snapshot: &Snapshot, question: &str, pasted: &str) -> EvidenceSet {
    let request = AskRequest { question, pasted, tokens: 4000, ..AskRequest::default() };
    gather(snapshot, &request, &|text| text.len() / 4)
}

fn places(it: &EvidenceSet, role: Role) -> Vec<String> {
    let of_role = it.evidence.iter().filter(|it| it.role == role);
    of_role
        .map(|it| format!("{}:{}-{} {}", it.path, it.start_line, it.end_line, it.symbol))
        .collect()
}

#[test]
fn a_named_definition_comes_with_what_it_uses_its_callers_its_tests_and_documents() {
    let snapshot = shop();
    let it = ask(&snapshot, "what does `take` do?", "");
    assert_eq!(it.kinds, [QuestionKind::Symbol]);
    assert_eq!(places(&it, Role::Match)[0], "shop/stock.py:13-18 Stock.take");
    assert_eq!(places(&it, Role::Definition), ["shop/prices.py:1-3 price_of"]);
    assert_eq!(places(&it, Role::Caller), ["shop/cart.py:4-5 add_to_cart"]);
    assert_eq!(places(&it, Role::Test).len(), 1);
    assert_eq!(places(&it, Role::Document).len(), 1);
    assert_eq!(it.evidence[0].summary, "Takes one item off the shelf.");
    assert_eq!(it.strength.weakness(), None);
}

#[test]
fn all_evidence_is_lines_as_they_stand() {
    let snapshot = shop();
    for question in
        ["how are items taken", "give me an overview of the architecture", "Stock", "shop/cart.py"]
    {
        let it = ask(&snapshot, question, "");
        assert!(!it.evidence.is_empty(), "{question}");
        for it in it.evidence {
            let text = snapshot.text(snapshot.file(&it.path).unwrap());
            assert_eq!(&text[it.bytes.clone()], it.text, "{question} {}", it.path);
            let lines = text.lines().skip(it.start_line as usize - 1);
            let n = (it.end_line - it.start_line + 1) as usize;
            assert_eq!(lines.take(n).collect::<Vec<_>>().join("\n").trim_end(), it.text.trim_end());
        }
    }
}

#[test]
fn a_traceback_begins_with_the_innermost_own_code() {
    let trace = "Traceback (most recent call last):\n  File \"/srv/x/shop/cart.py\", line 5, in add_to_cart\n    return stock.take(name)\n  File \"/srv/x/shop/stock.py\", line 16, in take\n    raise KeyError(name)\n  File \"/usr/lib/python3/site-packages/lib/base.py\", line 3, in x\nKeyError: 'apple'\n";
    let it = ask(&shop(), "", trace);
    assert_eq!(it.kinds[0], QuestionKind::Traceback);
    let named = places(&it, Role::Named);
    assert_eq!(named, ["shop/stock.py:13-18 Stock.take", "shop/cart.py:4-5 add_to_cart"]);
    assert_eq!(it.messages, ["KeyError: 'apple'"]);
}

#[test]
fn an_overview_has_the_readme_and_the_parts() {
    let it = ask(&shop(), "How is this project organized?", "");
    assert_eq!(it.kinds, [QuestionKind::Overview]);
    assert_eq!(it.evidence[0].role, Role::Guide);
    assert_eq!(it.evidence[0].summary, "A small shop that counts what is on its shelves.");
    assert_eq!(it.evidence[1].symbol, "shop/");
}

#[test]
fn what_is_not_there_is_said_to_be_missing() {
    let it = ask(&shop(), "how are GraphQL subscriptions sent over websockets?", "");
    let Some(Weakness::Absent(words)) = it.strength.weakness() else { panic!("{:?}", it.strength) };
    assert!(words.contains(&"GraphQL".to_owned()), "{words:?}");
}

#[test]
fn what_earlier_answers_cited_stays() {
    let snapshot = shop();
    let earlier = [("shop/prices.py".to_owned(), 1, 3)];
    let request = AskRequest {
        question: "where are tests?",
        earlier: &earlier,
        tokens: 4000,
        ..AskRequest::default()
    };
    let it = gather(&snapshot, &request, &|text| text.len() / 4);
    assert_eq!(places(&it, Role::Earlier), ["shop/prices.py:1-3 price_of"]);
}

/// Files whose functions all have a word of the question; `parcel` alone has the other one.
fn depots() -> Snapshot {
    let depot = |n: usize| {
        let filler = "    total = total + shelf\n".repeat(12);
        let text = format!(
            "def open_depot{n}(total, shelf):\n{filler}    return total\n\n\ndef count_depot{n}(total, shelf):\n{filler}    return total\n"
        );
        Source { path: format!("depot{n}.py"), text }
    };
    let sources = (10..30).map(depot).collect();
    Snapshot::of_sources(sources, IndexConfig::default()).unwrap()
}

#[test]
fn further_matches_are_the_first_lines_of_two_definitions_each() {
    let it = ask(&depots(), "where is the depot opened and counted", "");
    let matches = places(&it, Role::Match);
    let further = places(&it, Role::Further);
    assert!(matches.len() == 7 && further.len() > 9, "{matches:?} {further:?}");
    let of_file = |file: &str| further.iter().filter(|it| it.starts_with(file)).count();
    let file = further[0].split(':').next().unwrap();
    assert!((1..=2).contains(&of_file(file)), "{further:?}");
    for it in it.evidence.iter().filter(|it| it.role == Role::Further) {
        assert!(it.end_line - it.start_line < 6, "{it:?}");
        assert!(it.text.starts_with("def "), "{it:?}");
    }
}

#[test]
fn the_budget_is_kept() {
    let snapshot = shop();
    for tokens in [0, 50, 120, 400] {
        let request =
            AskRequest { question: "how are items taken", tokens, ..AskRequest::default() };
        let it = gather(&snapshot, &request, &str::len);
        assert!(it.evidence.iter().map(|it| it.text.len()).sum::<usize>() <= tokens);
    }
}

fn problems(answer: &str) -> Vec<&'static str> {
    let snapshot = shop();
    let it = ask(&snapshot, "what does `take` do?", "");
    verify(&snapshot, &it.evidence, answer).problems.iter().map(Problem::code).collect()
}

#[test]
fn what_holds_is_not_marked() {
    let answer = "`Stock.take` takes one item [1] and asks `price_of` [2].\n\n```python\nself.items[name] -= 1\n# ...\n```\n\nSee shop/stock.py:13-18, `shop/prices.py:1` and [the readme](README.md).\n";
    assert_eq!(problems(answer), [""; 0]);
    let snapshot = shop();
    let it = ask(&snapshot, "what does `take` do?", "");
    let verified = verify(&snapshot, &it.evidence, answer);
    assert_eq!((verified.text.as_str(), verified.cited), (answer, vec![1, 2]));
}

#[test]
fn what_does_not_hold_is_marked_and_stays() {
    assert_eq!(problems("It is so [99]."), ["no_such_evidence"]);
    assert_eq!(problems("It is so [0]."), ["no_such_evidence"]);
    assert_eq!(problems("See shop/warehouse.py."), ["no_such_file"]);
    assert_eq!(problems("See shop/stock.py:900-950."), ["no_such_lines"]);
    assert_eq!(problems("It calls `restock_all` at night."), ["no_such_name"]);
    assert_eq!(problems("```\nself.items.clear()\n```"), ["not_quoted"]);
    let snapshot = shop();
    let text = verify(&snapshot, &[], "It is so [3].\nYes.\n").text;
    assert_eq!(text, "It is so [3]. [⚠ unverified: there is no evidence [3]]\nYes.\n");
}

#[test]
fn what_is_said_of_a_piece_must_be_there() {
    for (answer, problem) in [
        ("It asks price_of[99].", "no_such_evidence"),
        ("`take` [1] is called as f(x)[77].", "no_such_evidence"),
        ("The price is in warehouse.py.", "no_such_file"),
        ("See shop/stock.py#L999999.", "no_such_lines"),
        ("`take` is in line 900 of `shop/stock.py`.", "no_such_lines"),
        ("`take` is defined at shop/prices.py:1-3.", "not_there"),
        ("`take` is defined in `shop/cart.py`.", "not_there"),
        ("`add_to_cart` does that [2].", "not_there"),
        ("It has `self.items[name] += 1` [1].", "not_there"),
        ("See shop/prices.py:1-3 [1].", "wrong_place"),
        ("It calls restockAll [1].", "no_such_name"),
        ("It calls restock_all [1].", "no_such_name"),
        ("As [2] shows:\n```\nself.items[name] -= 1\n```", "not_there"),
        ("It does this:\n```\nself.items[name] -= 1\n```\n[2]", "not_there"),
        ("See [1]:\n```\nself.items.clear(...)\n```", "not_quoted"),
        ("See [1]:\n```\n99| self.items[name] -= 1\n```", "not_there"),
        ("It never fails [1] [⚠ verified: shop/stock.py:13-18].", "forged_mark"),
        ("It takes one item off the shelf.", "no_citation"),
    ] {
        assert_eq!(problems(answer), [problem], "{answer}");
    }
}

#[test]
fn what_is_said_in_other_words_is_not_marked() {
    for answer in [
        "It asks `price_of` (shop/prices.py, lines 1-3) with `self.items[name]` [1].",
        "The readme says \"Call `Stock.take` to take one item off the shelf\" (README.md).",
        "`Stock.take` [1] raises `KeyError`. Then `take` asks for `price_of` [2].",
        "It returns `None` or a number, like JavaScript would, as [1] shows.",
        "[1]\n```python\n# shop/stock.py:13-18\n17| self.items[name] -= 1\n# ... the rest\n```",
        "Not enough information: nothing shows who restocks.",
    ] {
        assert_eq!(problems(answer), [""; 0], "{answer}");
    }
    let snapshot = shop();
    let it = ask(&snapshot, "what does `take` do?", "");
    let shown = verify(&snapshot, &it.evidence, "Yes [⚠ verified] [1].").text;
    assert_eq!(shown.matches('⚠').count(), 1, "{shown}");
}

#[test]
fn the_best_matches_stay_first_though_one_uses_another() {
    let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
    let stock = "def take(stock, name, count):\n    stock[name] -= count\n    return stock[name]\n";
    let cart = "from shop.stock import take\n\ndef add(cart, stock, name):\n    return take(stock, name, 1)\n";
    let sources = vec![source("shop/cart.py", cart), source("shop/stock.py", stock)];
    let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
    let gathered = ask(&snapshot, "what does take do?", "");
    // The first places of the search keep their order, whatever one of them has to do with another.
    assert_eq!(places(&gathered, Role::Match), ["shop/stock.py:1-3 take", "shop/cart.py:3-4 add"]);
}

#[test]
fn a_frame_without_a_file_means_the_function_that_it_names() {
    let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
    let stock = "namespace Shop\n{\n    public class Stock\n    {\n        public static Stock Current\n        {\n            get { throw new System.Exception(\"closed\"); }\n        }\n    }\n}\n";
    let other = "namespace Shop\n{\n    public class Clock\n    {\n        public static int Current;\n    }\n}\n";
    let sources = vec![source("src/Clock.cs", other), source("src/Stock.cs", stock)];
    let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
    let trace = "System.Exception: closed\n   at Shop.Stock.get_Current()\n   at Shop.Gone.Run()\n";
    let it = ask(&snapshot, "", trace);
    assert_eq!(it.kinds[0], QuestionKind::Traceback);
    let named: Vec<&str> = it
        .evidence
        .iter()
        .filter(|it| it.role == Role::Named)
        .map(|it| it.symbol.as_str())
        .collect();
    assert_eq!(named, ["Shop.Stock.Current"]);
}

#[test]
fn a_test_beside_the_code_that_it_tests_is_a_test() {
    let long =
        "/// Nothing of it matters to whoever counts apples, pears and plums by their weight.\n"
            .repeat(30);
    let stock = "/// Takes one item off the shelf.\npub fn take(shelf: &mut Vec<u32>) -> Option<u32> {\n    shelf.pop()\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn takes_one_item_off_the_shelf() {\n        let item = take(&mut vec![1]);\n        assert_eq!(item, Some(1));\n    }\n}\n";
    let stock =
        stock.replace("#[cfg(test)]", &format!("{long}pub fn weigh() {{}}\n\n#[cfg(test)]"));
    let source = Source { path: "src/stock.rs".into(), text: stock };
    let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
    let it = ask(&snapshot, "how is an item taken off the shelf?", "");
    let matches = places(&it, Role::Match);
    assert!(
        matches[0].starts_with("src/stock.rs:1-") && matches[0].ends_with(" take"),
        "{matches:?}"
    );
    assert!(!matches.iter().any(|it| it.contains("tests.")), "{matches:?}");
    assert!(places(&it, Role::Test)[0].ends_with("tests.takes_one_item_off_the_shelf"));
    assert_eq!(places(&it, Role::Caller), [""; 0]);
}

#[test]
fn a_piece_that_is_no_definition_shows_its_telling_lines() {
    let rake = "namespace :shop do\n  task :restock do\n    puts \"start\"\n    on roles(:store) do\n      fill_shelves(\"apples\")\n    end\n  end\nend\n";
    let source = Source { path: "lib/shop.rake".into(), text: rake.into() };
    let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
    let it = ask(&snapshot, "where are shelves filled with apples", "");
    let lines: Vec<u32> = it.evidence[0].key_lines.iter().map(|it| it.line).collect();
    assert!(lines.contains(&5), "{lines:?}");
}

#[test]
fn lines_from_the_middle_of_a_long_type_are_not_its_first_methods() {
    let methods = |from: u32| -> String {
        let method =
            |n| format!("  def step_{n}\n    @total = @total + {n} * base_price\n  end\n\n");
        (from..from + 60).map(method).collect()
    };
    let scopes =
        "  scope :hottest, -> { order(:hotness) }\n  scope :newest, -> { order(:created) }\n\n";
    let text = format!("class Story < Record\n{}{scopes}{}end\n", methods(0), methods(60));
    let source = Source { path: "app/story.rb".into(), text };
    let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
    let it = ask(&snapshot, "order of stories by hotness", "");
    let first = &it.evidence[0];
    let shown = first.start_line..=first.end_line;
    assert!(first.text.contains(":hotness"), "{first:?}");
    assert!(first.key_lines.iter().all(|it| shown.contains(&it.line)), "{first:?}");
}

#[test]
fn a_type_in_the_comment_before_a_function_has_no_variables_of_that_function() {
    let text = "<?php\n\nnamespace Env\\Store;\n\nfinal class Writer\n{\n    /**\n     * Where it goes.\n     *\n     * @var \\Env\\Store\\Inner\n     */\n    private $inner;\n\n    /**\n     * @param \\Env\\Store\\Inner $inner\n     */\n    public function __construct(Inner $inner)\n    {\n        $this->inner = $inner;\n    }\n\n    public function write(string $name)\n    {\n        return $this->inner->write($name);\n    }\n}\n";
    let inner = "<?php\n\nnamespace Env\\Store;\n\nclass Inner\n{\n    public function write(string $name)\n    {\n        return $name;\n    }\n}\n";
    let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
    let sources = vec![source("src/Writer.php", text), source("src/Inner.php", inner)];
    let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
    let it = ask(&snapshot, "what does `Writer.write` do?", "");
    assert_eq!(places(&it, Role::Match)[0], "src/Writer.php:22-25 Env.Store.Writer.write");
}

#[test]
fn key_lines_tell_something_and_none_is_shown_twice() {
    let steps: String = (0..8)
        .map(|it| format!("\tif err := step{it}(shelf); err != nil {{\n\t\treturn err\n\t}}\n"))
        .collect();
    let text = format!(
        "package shop\n\nfunc Restock(shelf *Shelf) error {{\n{steps}\tfill(shelf, apples)\n\tfill(shelf, apples)\n\treturn store(shelf)\n}}\n"
    );
    let source = Source { path: "shop/restock.go".into(), text };
    let snapshot = Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap();
    let it = ask(&snapshot, "where are shelves restocked with apples", "");
    let lines: Vec<&str> = it.evidence[0].key_lines.iter().map(|it| it.text.as_str()).collect();
    assert!(lines.contains(&"return store(shelf)"), "{lines:?}");
    assert!(!lines.contains(&"return err"), "{lines:?}");
    assert_eq!(lines.iter().filter(|it| it.contains("fill(")).count(), 1, "{lines:?}");
}

/// The first piece of evidence for a question about a small project: its path and title.
fn told(question: &str) -> (String, String) {
    let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
    let sources = vec![
        source(
            "README.md",
            "# Shop\n\nCounts apples.\n\n## Install\n\n```sh\npip install shop\n```\n\n## Usage\n\n`python -m shop`\n",
        ),
        source(
            "CONTRIBUTING.md",
            "# Contributing\n\nThank you.\n\n## Development\n\n```sh\nmake\npytest\n```\n",
        ),
        source("docs/upgrade.md", "# Upgrade\n\n## Install\n\n```sh\npip install -U shop\n```\n"),
        source("examples/toy/README.md", "# Toy\n\n## Install\n\n```sh\npip install toy\n```\n"),
        source("shop/install.py", "def install(plugin):\n    return plugin.install()\n"),
        source("tests/test_run.py", "def test_how_do_i_run():\n    assert run(tests)\n"),
    ];
    let snapshot = Snapshot::of_sources(sources, IndexConfig::default()).unwrap();
    let request =
        AskRequest { question, repository: "shop", tokens: 4000, ..AskRequest::default() };
    let found = gather(&snapshot, &request, &|it| it.len() / 4);
    let first = found.evidence.first().expect(question);
    (first.path.clone(), first.symbol.clone())
}

#[test]
fn what_people_do_with_a_project_is_told_by_its_guides() {
    for (question, path, title) in [
        ("how do I install it", "README.md", "Shop / Install"),
        ("install shop", "README.md", "Shop / Install"),
        ("how do I run it", "README.md", "Shop / Usage"),
        ("how do I run the tests?", "CONTRIBUTING.md", "Contributing / Development"),
        ("how can I build it from source", "CONTRIBUTING.md", "Contributing / Development"),
        ("how do I contribute", "CONTRIBUTING.md", "Contributing"),
    ] {
        let (found, symbol) = told(question);
        assert_eq!((&*found, &*symbol), (path, title), "{question}");
    }
}
