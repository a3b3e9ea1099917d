//! What the page declares (`inspector/src/data.ts`) is what the program sends, field by field and both ways.

use serde_json::{Value, json};

use super::Server;
use super::ask::{ask, scripted};
use super::plans::planned;
use super::typescript::Declarations;

const DATA: &str = include_str!("../../../inspector/src/data.ts");

/// The declared types of answers, each with a real answer.
struct Answers(Vec<(&'static str, Value)>);

/// The types that stand for a whole answer; the others are parts of them.
const ROOTS: [&str; 16] = [
    "Trace",
    "Options",
    "Summary",
    "RequestRecord",
    "Index",
    "Files",
    "Ignored",
    "RepositoryMap",
    "Evidence",
    "CallWithEvidence",
    "AnswerEnd",
    "Receipt",
    "FileLines",
    "NextPlaces",
    "Plans",
    "FilePlan",
];

/// The places that follow from a renamed function.
fn next_after_rename() -> Value {
    let renamed = Server::new(&[]);
    let repository = &renamed.repository;
    repository.git(&["add", "."]);
    repository.git(&["commit", "-qm", "first"]);
    let text = std::fs::read_to_string(repository.root().join("shop/stock.py")).unwrap();
    repository.write("shop/stock.py", &text.replace("def take", "def withdraw"));
    renamed.get("/api/next")
}

impl Answers {
    /// Asks a server for everything that the page asks for. The prompts are small and large, so that there are pieces
    /// and candidates that were dropped.
    fn of(server: &Server) -> Self {
        let asked = json!({
            "input_prefix": "from shop.stock import take\n\ndef add(cart, stock, name):\n    return take(",
            "input_suffix": "\n",
        });
        let (status, answer) = server.ask("POST /infill HTTP/1.1", &asked.to_string());
        assert_eq!(status, 200, "{answer}");
        let requests = server.get("/api/requests")["requests"].clone();
        let id = requests[0]["id"].as_str().unwrap();
        let context = "/api/context?file=shop/cart.py&line=4";
        let cli = server.repository.run(&["context", "shop/cart.py:4", "--trace"]).out;
        let mut res = Self(vec![
            ("Trace", server.get(context)),
            ("Trace", server.get(&format!("{context}&budget=90"))),
            ("Trace", serde_json::from_str(&cli).unwrap()),
            ("Options", server.get("/api/settings")),
            ("RequestRecord", server.get(&format!("/api/requests/{id}"))),
            ("Summary", requests[0].clone()),
            ("Index", server.get("/api/index")),
            ("Files", server.get("/api/files")),
            ("Ignored", server.get("/api/ignored")),
            ("RepositoryMap", server.get("/api/map")),
            ("FileLines", server.get("/api/lines?path=shop/cart.py")),
            ("NextPlaces", server.get("/api/next?file=shop/stock.py&line=1")),
            ("Plans", server.get("/api/plans")),
            ("FilePlan", server.get("/api/plan?file=shop/stock.py")),
        ]);
        res.0.push(("NextPlaces", next_after_rename()));
        // With the plans of a chat model.
        let planned = planned();
        res.0.push(("Plans", planned.get("/api/plans")));
        res.0.push(("FilePlan", planned.get("/api/plan?file=shop/cart.py")));
        let verdict =
            json!({ "verdict": "good", "about": "ask", "places": [{ "path": "shop/cart.py" }] });
        let (status, receipt) = server.ask("POST /api/feedback HTTP/1.1", &verdict.to_string());
        assert_eq!(status, 200, "{receipt}");
        res.0.push(("Receipt", super::body(&receipt)));
        res.ask(server);
        res
    }

    /// The events of an answer with a pasted message, with and without a model.
    fn ask(&mut self, server: &Server) {
        let pasted = "why does take fail?\n\nshop/stock.py:2: error: KeyError\n";
        let asked = [("model", pasted), ("evidence", "how does everything add up?")];
        for (by, question) in asked {
            for (name, value) in ask(server, &json!({ "question": question, "by": by })) {
                match name.as_str() {
                    "evidence" => self.0.push(("Evidence", value)),
                    "call" => self.0.push(("CallWithEvidence", value)),
                    "end" => self.0.push(("AnswerEnd", value)),
                    _ => assert_eq!(name, "text", "{value}"),
                }
            }
        }
    }

    /// What differs between these answers and the declarations.
    fn differences(&self, declarations: &str) -> Vec<String> {
        let mut declared = Declarations::parse(declarations);
        let mut all: Vec<String> =
            self.0.iter().flat_map(|(name, value)| declared.check(name, value)).collect();
        let unseen = declared.unseen(&ROOTS);
        all.extend(unseen.into_iter().map(|it| format!("{it}: no answer has it")));
        all.sort();
        all.dedup();
        all
    }
}

#[test]
fn the_page_declares_every_field_that_is_sent_and_no_other() {
    let model = scripted();
    let server = Server::with_model(&model);
    let long: String = (0..30).map(|n| format!("    total += row[{n}]\n")).collect();
    let all = "def everything(row):\n    total = 0\n".to_owned() + &long + "    return total\n";
    server.repository.write("shop/sum.py", &all);
    let team = "[[faq]]\nquestion = \"How does everything add up?\"\nanswer = \"Row by row.\"\n";
    server.repository.write(".foreword/team.toml", team);
    server.repository.write("odd.json", "this (is) no, JSON: at all! ".repeat(20).as_str());
    let answers = Answers::of(&server);
    let differences = answers.differences(DATA);
    assert!(differences.is_empty(), "{}", differences.join("\n"));

    // A field that is renamed on either side is noticed.
    for field in ["fused_score", "counted_by", "confidence", "signature", "left_out", "edges"] {
        let renamed = DATA.replace(&format!("{field}:"), &format!("{field}_renamed:"));
        let differences = answers.differences(&renamed).join("\n");
        assert!(
            differences.contains(&format!(".{field}: sent, but not declared")),
            "{differences}"
        );
        assert!(differences.contains(&format!(".{field}_renamed: ")), "{differences}");
    }
    let rename = |value: &Value| {
        let text = value.to_string().replace("\"fused_score\":", "\"fused_points\":");
        serde_json::from_str(&text).unwrap()
    };
    let renamed = Answers(answers.0.iter().map(|(name, it)| (*name, rename(it))).collect());
    let differences = renamed.differences(DATA).join("\n");
    assert!(differences.contains("Piece.fused_points: sent, but not declared"), "{differences}");
    assert!(differences.contains("Piece.fused_score: declared, but not sent"), "{differences}");
}
