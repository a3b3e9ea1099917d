//! The user's embedding model: vectors of chunks, and searches that use them or go on without.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use foreword_model::embed::{EmbedderSettings, EmbedderSource, LearnFrom};
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
    assert!(reasons.contains("means the same"), "{reasons}");
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
    assert!(with(&answers(json!([null, 1.0, 2.0])).url).contains("no direction"));
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

#[test]
fn an_open_repository_is_embedded_in_the_background() {
    let (repository, stub) = (Repository::new(FILES), stub());
    configure(&repository, &stub.url);
    let embedder = Some(EmbedderSettings {
        source: EmbedderSource::Server {
            url: stub.url.clone(),
            api: foreword_model::http::Api::named("openai"),
            model: Some("m".to_owned()),
            key: None,
        },
        question_prefix: None,
        text_prefix: None,
        context: None,
        patience: Duration::from_secs(2),
        learn: LearnFrom::default(),
    });
    let index_dir = Some(repository.index());
    let host = Host::new(Setup { index_dir, memory: 128 << 20, embedder, ..Setup::default() });
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

/// How many topics have been asked about, and how many there are.
const ASKED: usize = 60;
const TOPICS: usize = 64;

/// The direction of a topic, in eight numbers that look like chance.
fn direction(topic: u64) -> [f64; 8] {
    let mut state = topic.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    std::array::from_fn(|_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 23) - 1.0
    })
}

/// The number after a word.
fn number_after(text: &str, word: &str) -> Option<u64> {
    let digits: String =
        text.split(word).nth(1)?.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Questions are vectors of their topics with a part that is turned, the same way for all.
fn stub_of_topics() -> Stub {
    Stub::new(|_, body| {
        let vector = |text: &str| match number_after(text, "matter ") {
            Some(topic) => {
                let it = direction(topic);
                json!(
                    std::array::from_fn::<f64, 8, _>(|at| 0.45 * it[at] + 0.55 * it[(at + 4) % 8])
                )
            }
            None => json!(direction(number_after(text, "topic").unwrap_or(999))),
        };
        let texts = body["input"].as_array().unwrap().iter();
        let data = texts.map(|it| json!({ "embedding": vector(it.as_str().unwrap()) }));
        StubResponse::json(&json!({ "data": data.collect::<Vec<_>>() }))
    })
}

/// A repository with a file for each topic, whose answers to most questions were voted on.
fn voted(stub: &Stub, more: &str) -> Repository {
    let repository = Repository::new("");
    for it in 0..TOPICS {
        repository
            .write(&format!("src/t{it}.py"), &format!("def topic{it}(shelf):\n    return shelf\n"));
    }
    configure(&repository, &stub.url);
    set(&repository, more);
    repository.run(&["embed"]);
    for it in 0..ASKED {
        let (place, asked) = (format!("src/t{it}.py:1-2"), question(it));
        let run = repository.run(&["--stale", "feedback", "good", &place, "--question", &asked]);
        assert_eq!(run.code, 0, "{run:?}");
    }
    repository
}

fn question(topic: usize) -> String {
    format!("who takes care of matter {topic} among us")
}

/// Appends to the settings.
fn set(repository: &Repository, more: &str) {
    let file = repository.index().with_file_name("home").join("config/foreword/config.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text + more).unwrap();
}

/// How much a question and the file that answers it mean the same, as the search says; 0 where it does not find it.
fn likeness(repository: &Repository, topic: usize) -> f64 {
    let answer = repository.json(&["search", &question(topic), "--json", "--limit", "64"]);
    let path = format!("src/t{topic}.py");
    let results = answer["results"].as_array().unwrap().iter();
    let reasons =
        results.filter(|it| it["path"] == path.as_str()).map(|it| it["reasons"].to_string());
    reasons.filter_map(|it| it.split("same ").nth(1)?.get(..4)?.parse::<f64>().ok()).sum()
}

fn map_of(repository: &Repository) -> Value {
    repository.json(&["--stale", "status", "--json"])["vectors"]["map"].clone()
}

#[test]
fn a_map_is_learned_from_verdicts_helps_questions_nobody_voted_on_and_goes_with_them() {
    let stub = stub_of_topics();
    let repository = voted(&stub, "learn = 'feedback'\n");
    let answer = |topic: usize| found(&repository, &question(topic));
    let nearness = || (ASKED..TOPICS).map(|it| likeness(&repository, it)).sum::<f64>();
    let near_before = nearness();
    let is_as_before = || (nearness() - near_before).abs() < 1e-9 && map_of(&repository).is_null();
    let before_learning = sent(&stub).len();
    let dry = repository.run(&["embed", "--dry-run"]);
    assert!(dry.out.contains("60 texts to learn from"), "{dry:?}");
    assert_eq!(sent(&stub).len(), before_learning);
    let learned = repository.run(&["embed"]);
    assert!(learned.out.contains("in force, learned from 60 verdicts"), "{learned:?}");
    let said = sent(&stub)[before_learning..].to_vec();
    assert_eq!(said.iter().filter(|it| it.starts_with("who takes care")).count(), ASKED);
    let map = map_of(&repository);
    assert!(map["in_force"] == true && map["feedback_pairs"] == 60, "{map}");
    assert!(map["after"].as_f64() > map["before"].as_f64(), "{map}");
    assert!(nearness() > near_before + 0.5, "{near_before} {}", nearness());
    // The same verdicts teach nothing new, and nothing is sent for them.
    let (after, before_again) = (answer(ASKED), sent(&stub).len());
    repository.run(&["embed"]);
    let again = sent(&stub)[before_again..].to_vec();
    assert!(!again.iter().any(|it| it.starts_with("who takes care")), "{again:?}");
    assert_eq!(answer(ASKED), after);
    // Without feedback, what was learned from it counts no more.
    let file = repository.index().with_file_name("home").join("config/foreword/config.toml");
    let settings = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("feedback = 'off'\n{settings}")).unwrap();
    assert!(is_as_before());
    std::fs::write(&file, settings).unwrap();
    assert_eq!(answer(ASKED), after);
    repository.run(&["feedback", "clear"]);
    assert!(is_as_before());
}

#[test]
fn nothing_is_learned_unless_the_settings_say_so_nor_from_few_verdicts() {
    let stub = stub_of_topics();
    let repository = voted(&stub, "");
    repository.run(&["embed"]);
    let asked = |it: &&String| it.starts_with("who takes care");
    assert_eq!((sent(&stub).iter().filter(asked).count(), map_of(&repository)), (0, Value::Null));
    repository.run(&["feedback", "clear"]);
    set(&repository, "learn = 'feedback'\n");
    let few = repository.run(&["embed"]);
    assert!(few.out.contains("none: 0 verdicts") && few.out.contains("30 are needed"), "{few:?}");
}
