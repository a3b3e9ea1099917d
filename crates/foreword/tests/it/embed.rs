//! The user's embedding model: vectors of chunks, and searches that use them or go on without.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use foreword_model::embed::{EmbedderSettings, EmbedderSource};
use foreword_session::host::Host;
use foreword_session::setup::Setup;
use serde_json::{Value, json};

use crate::serve::stub::{Ending, Stub, StubResponse};
use crate::{Repository, Run};

const FILES: &str = r#"
//- src/garments.py
def fold(trousers):
    return trousers.crease()
//- src/engine.py
def ignite(fuel):
    return fuel.burn()
//- src/other.py
def clothes_of(person):
    return person.wardrobe
//- .gitignore
private.py
//- private.py
def hidden(trousers):
    return "never sent"
//- src/settings.py
KEY = "AKIAIOSFODNN7EXAMPLQ"
"#;

/// A vector by what a text is about: clothes, fire, or neither.
fn meaning(text: &str) -> Value {
    let has = |words: &[&str]| words.iter().any(|it| text.contains(it));
    let number = |it: bool| if it { 1.0 } else { 0.05 };
    json!([number(has(&["trousers", "laundry"])), number(has(&["fuel", "flame"])), 0.3])
}

fn vectors(body: &Value) -> StubResponse {
    let texts = body["input"].as_array().unwrap().iter();
    let data = texts.map(|it| json!({ "embedding": meaning(it.as_str().unwrap()) }));
    StubResponse::json(&json!({ "data": data.collect::<Vec<_>>() }))
}

fn stub() -> Stub {
    Stub::new(|path, body| match path {
        "/v1/embeddings" => vectors(body),
        _ => StubResponse::json(&json!({ "data": [] })).status(404),
    })
}

/// Names a model for the program.
fn configure(repository: &Repository, url: &str) {
    let home = repository.index().with_file_name("home").join("config/foreword");
    std::fs::create_dir_all(&home).unwrap();
    let config =
        format!("[models.embed]\nurl = '{url}'\napi = 'openai'\nmodel = 'm'\ntimeout_ms = 1500\n");
    std::fs::write(home.join("config.toml"), config).unwrap();
}

fn forget(repository: &Repository) {
    let home = repository.index().with_file_name("home").join("config/foreword");
    std::fs::remove_file(home.join("config.toml")).unwrap();
}

fn ready() -> (Repository, Stub) {
    let (repository, stub) = (Repository::new(FILES), stub());
    configure(&repository, &stub.url);
    let run = repository.run(&["embed"]);
    assert!(run.code == 0 && run.out.starts_with("5 of 5 chunks known to m (3 numbers"), "{run:?}");
    (repository, stub)
}

/// All texts that were sent.
fn sent(stub: &Stub) -> Vec<String> {
    let bodies = stub.requests_to("/v1/embeddings");
    let texts = bodies.iter().flat_map(|it| it["input"].as_array().unwrap());
    texts.map(|it| it.as_str().unwrap().to_owned()).collect()
}

/// What `search` finds: paths, and what of that does not depend on time.
fn found(repository: &Repository, query: &str) -> (Vec<String>, Value) {
    let mut answer = repository.json(&["search", query, "--json"]);
    let paths = crate::paths(&answer).into_iter().map(str::to_owned).collect();
    answer["elapsed_ms"] = Value::Null;
    (paths, answer)
}

const QUESTION: &str = "where is the laundry done";

#[test]
fn what_has_no_word_of_the_question_is_found_by_its_meaning_and_switching_off_changes_nothing() {
    let (repository, _stub) = (Repository::new(FILES), ());
    let without = found(&repository, "where are clothes of a person folded");
    let (nothing, _) = found(&repository, QUESTION);
    assert_eq!(nothing, Vec::<String>::new());
    let stub = stub();
    configure(&repository, &stub.url);
    let early = repository.run(&["search", QUESTION]);
    assert!(
        early.err.contains("0 of 5 chunks") && early.err.contains("foreword embed"),
        "{early:?}"
    );
    assert_eq!(sent(&stub), Vec::<String>::new());
    repository.run(&["embed"]);
    let (paths, answer) = found(&repository, QUESTION);
    assert_eq!(paths.first().map(String::as_str), Some("src/garments.py"), "{answer}");
    assert_eq!(answer["searched"]["embedded"], 5);
    let reasons = answer["results"][0]["reasons"].to_string();
    assert!(reasons.contains("similar in meaning"), "{reasons}");
    forget(&repository);
    assert_eq!(found(&repository, "where are clothes of a person folded"), without);
    assert_eq!(found(&repository, QUESTION).0, Vec::<String>::new());
}

#[test]
fn names_are_looked_for_by_their_letters() {
    let (repository, stub) = ready();
    let before = sent(&stub).len();
    let (_, with) = found(&repository, "ignite");
    forget(&repository);
    let (_, without) = found(&repository, "ignite");
    assert_eq!(with["results"], without["results"]);
    assert_eq!(sent(&stub).len(), before, "a name was sent to the embedder");
}

#[test]
fn secrets_are_masked_and_ignored_files_are_never_sent() {
    let (_repository, stub) = ready();
    let sent = sent(&stub).join("\n");
    assert!(sent.contains("src/settings.py\n") && sent.contains("ignite"), "{sent}");
    assert!(!sent.contains("AKIAIOSFODNN7EXAMPLQ") && !sent.contains("never sent"), "{sent}");
}

#[test]
fn only_what_changed_is_sent_again_and_status_says_what_is_known() {
    let (repository, stub) = ready();
    let before = sent(&stub).len();
    repository.write("src/engine.py", "def ignite(fuel):\n    return fuel.burn(hot=True)\n");
    let status = || repository.json(&["--stale", "status", "--json"])["vectors"].clone();
    let run = repository.run(&["search", QUESTION]);
    assert!(run.err.contains("4 of 5 chunks"), "{run:?}");
    assert_eq!((&status()["known"], &status()["chunks"]), (&json!(4), &json!(5)));
    let dry = repository.run(&["embed", "--dry-run"]);
    assert!(dry.out.contains("1 of 5 chunks would be embedded"), "{dry:?}");
    repository.run(&["embed"]);
    let new = &sent(&stub)[before..];
    let code: Vec<&String> = new.iter().filter(|it| it.starts_with("src/")).collect();
    assert!(code.len() == 1 && code[0].contains("hot=True"), "{new:?}");
    assert_eq!(status()["known"], 5);
}

#[test]
fn a_server_that_is_gone_slow_wrong_or_broken_costs_a_note_and_words_answer() {
    let (repository, stub) = ready();
    let with = |url: &str| {
        configure(&repository, url);
        let start = Instant::now();
        let run = repository.run(&["search", "clothes of a person"]);
        assert!(run.code == 0 && run.out.contains("src/other.py"), "{run:?}");
        assert!(run.err.contains("found by words alone"), "{run:?}");
        assert!(start.elapsed() < Duration::from_secs(20), "{run:?}");
        run.err
    };
    drop(stub);
    let gone = with("http://127.0.0.1:9");
    assert!(gone.contains("models.embed.url") && !gone.contains("--model-url"), "{gone}");
    let hangs = Stub::new(|_, _| StubResponse::json(&json!({})).end(Ending::Hangs));
    assert!(with(&hangs.url).contains("models.embed.timeout_ms"));
    let busy = Stub::new(|_, _| StubResponse::json(&json!({})).status(429));
    assert!(with(&busy.url).contains("429"));
    let answers = |answer: Value| {
        Stub::new(move |_, body| {
            let n = body["input"].as_array().map_or(0, Vec::len);
            let data = vec![json!({ "embedding": answer }); n];
            StubResponse::json(&json!({ "data": data }))
        })
    };
    assert!(with(&answers(json!([null, 1.0, 2.0])).url).contains("NaN or zeros"));
    assert!(with(&answers(json!([1.0, 2.0])).url).contains("another embedding model"));
    assert!(with(&answers(json!([-1.0, 0.5, 0.0])).url).contains("another embedding model"));
    let page = Stub::new(|_, _| StubResponse::stream("text/html", &["<html>".to_owned()]));
    assert!(with(&page.url).contains("found by words alone"));
    let empty = Stub::new(|_, _| StubResponse::json(&json!({ "data": [] })));
    assert!(with(&empty.url).contains("vectors"));
}

#[test]
fn another_model_at_the_same_address_starts_anew() {
    let is_other = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&is_other);
    let stub = Stub::new(move |_, body| match seen.load(Ordering::SeqCst) {
        false => vectors(body),
        true => {
            let n = body["input"].as_array().unwrap().len();
            StubResponse::json(&json!({ "data": vec![json!({ "embedding": [0, -1, 0, 1] }); n] }))
        }
    });
    let repository = Repository::new(FILES);
    configure(&repository, &stub.url);
    assert_eq!(repository.json(&["embed", "--json"])["dimensions"], 3);
    is_other.store(true, Ordering::SeqCst);
    let run = repository.run(&["search", QUESTION]);
    assert!(run.err.contains("another embedding model"), "{run:?}");
    let embedded = repository.json(&["embed", "--json"]);
    assert_eq!((&embedded["dimensions"], &embedded["embedded"]), (&json!(4), &json!(5)));
    assert!(!repository.run(&["search", QUESTION]).err.contains("another"));
}

#[test]
fn a_kill_loses_a_batch_and_the_next_run_goes_on() {
    let texts = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&texts);
    let stub = Stub::new(move |_, body| {
        seen.fetch_add(body["input"].as_array().unwrap().len(), Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(50));
        vectors(body)
    });
    let repository = Repository::new("//- a.py\nx = 1\n");
    for it in 0..100 {
        repository.write(&format!("src/f{it}.py"), &format!("def f{it}():\n    return {it}\n"));
    }
    configure(&repository, &stub.url);
    repository.run(&["index"]);
    let mut process = repository.command(&["embed", "--quiet"]).spawn().unwrap();
    let start = Instant::now();
    while texts.load(Ordering::SeqCst) < 40 && start.elapsed() < Duration::from_mins(1) {
        std::thread::sleep(Duration::from_millis(5));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    let embedded = repository.json(&["embed", "--json"]);
    assert_eq!((&embedded["known"], &embedded["chunks"]), (&json!(101), &json!(101)), "{embedded}");
    let again = embedded["embedded"].as_u64().unwrap();
    assert!((1..=101 - 16).contains(&again), "{embedded}");
    // Of the two runs each asks for the text by which the model is known.
    assert!(texts.load(Ordering::SeqCst) <= 101 + 16 + 2);
}

/// A host of repositories with the model at `url`, whose answer to a question may take so long.
fn host(repository: &Repository, url: &str, patience: Duration) -> Host {
    let embedder = Some(EmbedderSettings {
        source: EmbedderSource::Server {
            url: url.to_owned(),
            api: foreword_model::http::Api::named("openai"),
            model: Some("m".to_owned()),
            key: None,
        },
        question_prefix: None,
        text_prefix: None,
        context: None,
        patience,
    });
    let index_dir = Some(repository.index());
    Host::new(Setup { index_dir, memory: 128 << 20, embedder, ..Setup::default() })
}

#[test]
fn while_the_server_owes_an_answer_other_questions_are_answered() {
    let repository = Repository::new(FILES);
    let stub = Stub::new(|_, body| match body["input"][1].as_str() {
        Some(question) if question.contains("never answered") => vectors(body).end(Ending::Hangs),
        _ => vectors(body),
    });
    configure(&repository, &stub.url);
    assert_eq!(repository.run(&["embed"]).code, 0);
    let host = host(&repository, &stub.url, Duration::from_mins(10));
    let warm = host.repository(&repository.root()).unwrap();
    let snapshot = warm.view(Some(Duration::from_secs(30))).unwrap().snapshot;
    let meaning = |question: &str| warm.meaning(&snapshot, question).note();
    assert_eq!(meaning("where is the laundry done"), None);
    let hangs = || sent(&stub).iter().filter(|it| it.contains("never answered")).count();
    for n in 0..4 {
        assert_eq!(meaning(&format!("where is the fuel burnt {n}")), None, "{n} wait");
        let (warm, snapshot) = (Arc::clone(&warm), Arc::clone(&snapshot));
        std::thread::spawn(move || warm.meaning(&snapshot, &format!("this is never answered {n}")));
        while hangs() == n {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    let note = meaning("where is the flame").unwrap();
    assert!(note.contains("by words alone: 4 other questions wait for http"), "{note}");
}

#[test]
fn an_open_repository_is_embedded_in_the_background() {
    let (repository, stub) = (Repository::new(FILES), stub());
    configure(&repository, &stub.url);
    let host = host(&repository, &stub.url, Duration::from_secs(2));
    let warm = host.repository(&repository.root()).unwrap();
    let known = || {
        assert!(warm.view(Some(Duration::from_secs(30))).unwrap().is_complete());
        repository.json(&["--stale", "status", "--json"])["vectors"]["known"].clone()
    };
    let wait_for = |n: u64| {
        let start = Instant::now();
        while known() != n {
            assert!(start.elapsed() < Duration::from_mins(1), "{} of {n} chunks", known());
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    wait_for(5);
    repository.write("src/more.py", "def more(flame):\n    return flame\n");
    wait_for(6);
}

#[test]
fn without_a_model_there_is_nothing_to_embed_by() {
    let repository = Repository::new(FILES);
    let run: Run = repository.run(&["embed"]);
    run.fails(2, &["[models.embed]", "config.toml"]);
}
