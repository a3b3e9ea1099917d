//! An agent sees no secret of a text file, whatever it asks for.

use serde_json::json;

use super::Client;
use crate::secrets::{hides, repository};

#[test]
fn an_agent_reads_no_secret_of_a_file() {
    let repository = repository();
    let mut client = Client::of(&repository);
    for (tool, arguments) in [
        ("search", json!({ "query": "ghp_", "mode": "exact" })),
        ("search", json!({ "query": "github token database url" })),
        ("symbols", json!({ "name": "GITHUB_TOKEN" })),
        ("context", json!({ "file": "main.py", "line": 5 })),
    ] {
        hides(&client.call(tool, arguments).to_string());
    }
    client.end();
}
