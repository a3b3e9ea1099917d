//! One table of questions and doors: each question has the same places, in the same order, through the command line,
//! MCP and HTTP. The command line's answer is the reference. Python's half of the table is in crates/python/tests.

use serde_json::{Value, json};

use crate::Repository;
use crate::mcp::Client;
use crate::serve::Server;

const SHOP: &str = "
//- shop/stock.py
class Stock:
    '''Items on the shelf, by name.'''

    def take_item(self, name, count):
        '''Takes items off the shelf.'''
        self.items[name] -= count
        return self.items[name]

    def put_item(self, name, count):
        self.items[name] += count
//- shop/cart.py
from shop.stock import Stock

def add_to_cart(cart, stock, name):
    '''Takes one item off the shelf and puts it into the cart.'''
    stock.take_item(name, 1)
    cart.append(name)

def empty_cart(cart, stock):
    for name in cart:
        stock.put_item(name, 1)
//- shop/legacy.py
def take_from_shelf(shelf, name):
    '''Takes one item off the old shelf.'''
    return shelf.pop(name)
//- shop/fetch.py
async def fetch_prices(url):
    '''Fetches the price of every item.'''
    return await get(url)
//- docs/shelf.md
# The shelf

Items are taken off the shelf when a customer puts them into the cart.
//- .foreword/team.toml
[[faq]]
question = \"Where are items taken off the shelf?\"
answer = \"In Stock.take_item; the legacy shelf is empty.\"
places = [\"shop/stock.py:4-7\"]

[tags.old]
paths = [\"**/legacy.py\"]
weight = 0.5

[paths]
pin = [\"shop/cart.py\"]
demote = [\"shop/fetch.py\"]
";

/// A path with its first and its last line.
type Place = (String, u64, u64);

/// The places of a list, by the names of the fields that have the first and the last line.
fn places(list: &Value, first: &str, last: &str) -> Vec<Place> {
    let list = list.as_array().unwrap_or_else(|| panic!("no list: {list}"));
    let line =
        |it: &Value, field: &str| it[field].as_u64().unwrap_or_else(|| panic!("{field}: {it}"));
    let place =
        |it: &Value| (it["path"].as_str().unwrap().to_owned(), line(it, first), line(it, last));
    list.iter().map(place).collect()
}

/// The three doors to one repository with customisation and votes.
struct Doors {
    repository: Repository,
    agent: Client,
    server: Server,
}

impl Doors {
    fn open() -> Self {
        let repository = Repository::new(SHOP);
        repository.git(&["init", "-q"]);
        repository.git(&["add", "-A"]);
        repository.git(&["commit", "-q", "-m", "shop"]);
        assert_eq!(repository.run(&["search", "items off the shelf"]).code, 0);
        assert_eq!(repository.run(&["feedback", "good", "shop/legacy.py:1"]).code, 0);
        assert_eq!(repository.run(&["feedback", "bad", "shop/stock.py:4"]).code, 0);
        let (agent, server) = (Client::of(&repository), Server::embedded(&repository));
        // Indexed before anything else is asked.
        server.call("search", json!({ "query": "shelf" }));
        Self { repository, agent, server }
    }

    /// The structured answers of a tool, by MCP over stdio and over HTTP.
    fn tool(&mut self, name: &str, mut arguments: Value) -> [Value; 2] {
        arguments["tokens"] = 20_000.into();
        let (_, over_stdio) = self.agent.answer(name, arguments.clone());
        let over_http = self.server.call(name, arguments)["structuredContent"].clone();
        [over_stdio, over_http]
    }

    #[track_caller]
    fn check_search(&mut self, query: &str, args: &[&str]) {
        let found = self.repository.json(&[&["search", query, "--json"], args].concat());
        let expect = places(&found["results"], "match_start_line", "match_end_line");
        assert!(!expect.is_empty(), "{query}: {found}");
        for answer in self.tool("search", json!({ "query": query })) {
            assert_eq!(places(&answer["results"], "start_line", "end_line"), expect, "{query}");
        }
    }

    #[track_caller]
    fn check_pattern(&mut self, query: &str, args: &[&str], mode: &str) {
        let found = self.repository.json(&[&["search", query, "--json"], args].concat());
        let expect = places(&found["results"], "start_line", "end_line");
        assert!(!expect.is_empty(), "{query}: {found}");
        for answer in self.tool("search", json!({ "query": query, "mode": mode })) {
            assert_eq!(places(&answer["results"], "line", "line"), expect, "{query}");
        }
    }

    #[track_caller]
    fn check_symbol(&mut self, name: &str) {
        let found = self.repository.json(&["symbols", name, "--json"]);
        let mut expect = places(&found["definitions"], "start_line", "end_line");
        expect.extend(places(&found["references"], "line", "line"));
        assert!(expect.len() > 1, "{name}: {found}");
        for answer in self.tool("symbols", json!({ "name": name })) {
            let all = answer["results"].as_array().unwrap();
            let is_use = |it: &&Value| it["role"] != "definition";
            let uses: Vec<Value> = all.iter().filter(is_use).cloned().collect();
            let definitions: Vec<Value> = all.iter().filter(|it| !is_use(it)).cloned().collect();
            let mut got = places(&definitions.into(), "start_line", "end_line");
            got.extend(places(&uses.into(), "line", "line"));
            assert_eq!(got, expect, "{name}");
        }
    }

    #[track_caller]
    fn check_question(&self, question: &str, tokens: &str) {
        let found = self.repository.json(&["ask", question, "--json", "--tokens", tokens]);
        let expect = places(&found["evidence"], "start_line", "end_line");
        assert!(!expect.is_empty(), "{question}: {found}");
        let reply = self.server.post("/api/ask", &json!({ "question": question }));
        let (events, _) = reply.events();
        assert_eq!(places(&events[0]["evidence"], "start_line", "end_line"), expect, "{question}");
        assert_eq!(events[0]["kinds"], found["kinds"], "{question}");
        let score = |it: &Value| it["strength"]["score"].as_f64().unwrap() as f32;
        assert!((score(&events[0]) - score(&found)).abs() < 1e-6, "{question}");
        for field in ["enough", "absent", "apart"] {
            assert_eq!(events[0]["strength"][field], found["strength"][field], "{question}");
        }
    }

    #[track_caller]
    fn check_context(&self, path: &str, (line, column): (usize, usize)) {
        let position = format!("{path}:{line}:{column}");
        let args = ["context", &position, "--json", "--model", "qwen2.5-coder"];
        let found = self.repository.json(&args);
        let expect = places(&found["pieces"], "start_line", "end_line");
        assert!(!expect.is_empty(), "{position}: {found}");
        let query = format!(
            "/api/context?file={path}&line={line}&column={column}&format=qwen2.5-coder&budget={}",
            found["budget"]["total"]
        );
        let trace = self.server.get(&query).json();
        assert_eq!(places(&trace["pieces"], "start_line", "end_line"), expect, "{position}");
        let segments = trace["segments"].as_array().unwrap();
        let prompt: String = segments.iter().map(|it| it["text"].as_str().unwrap()).collect();
        assert_eq!(prompt, found["prompt"].as_str().unwrap(), "{position}");
    }
}

#[test]
fn a_question_has_the_same_answer_through_every_door() {
    let mut doors = Doors::open();
    doors.check_search("where are items taken off the shelf", &[]);
    doors.check_search("take_item", &[]);
    doors.check_search("Stock.put_item", &[]);
    doors.check_search("take_itme", &[]);
    doors.check_search("custmoer", &[]);
    doors.check_pattern("stock\\.\\w+_item", &["--regex"], "regex");
    doors.check_pattern("for name in cart", &["--exact"], "exact");
    doors.check_symbol("take_item");
    doors.check_symbol("put_item");
    doors.check_symbol("Stock.take_item");
    doors.check_question("where are items taken off the shelf?", "4000");
    doors.check_question("what does add_to_cart do", "4000");
    doors.check_context("shop/cart.py", (5, 11));
    doors.check_context("shop/legacy.py", (3, 5));
}

#[test]
fn tags_and_filters_count_in_every_door() {
    let mut doors = Doors::open();
    for (arguments, args) in [
        (json!({ "tag": ["!old"] }), vec!["--tag", "!old"]),
        (json!({ "tag": ["old"] }), vec!["--tag", "old"]),
        (json!({ "path": ["shop"] }), vec!["--path", "shop"]),
        (json!({ "kind": ["method"] }), vec!["--kind", "method"]),
        (json!({ "lang": ["markdown"] }), vec!["--lang", "markdown"]),
    ] {
        let query = "items off the shelf";
        let found = doors.repository.json(&[&["search", query, "--json"], &args[..]].concat());
        let expect = places(&found["results"], "match_start_line", "match_end_line");
        assert!(!expect.is_empty(), "{args:?}: {found}");
        let mut arguments = arguments;
        arguments["query"] = query.into();
        for answer in doors.tool("search", arguments) {
            assert_eq!(places(&answer["results"], "start_line", "end_line"), expect, "{args:?}");
        }
    }
}

#[test]
fn the_next_edit_and_the_map_are_the_same_through_the_doors_that_have_them() {
    let doors = Doors::open();
    let stock = std::fs::read_to_string(doors.repository.root().join("shop/stock.py")).unwrap();
    doors.repository.write("shop/stock.py", &stock.replace("name, count", "name, count, reason"));
    let found = doors.repository.json(&["next", "--json", "-k", "20"]);
    let expect = places(&found["places"], "start_line", "end_line");
    assert!(!expect.is_empty(), "{found}");
    let next = doors.server.get("/api/next").json();
    assert_eq!(places(&next["places"], "start_line", "end_line"), expect);
    let found = doors.repository.json(&["map", "--json", "--tokens", "2000"]);
    let map = doors.server.get("/api/map?tokens=2000").json();
    assert_eq!(map["files"], found["files"]);
}
