//! Tests with tiny random models, made by `ci/python`'s packages, against a real llama.cpp server.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Gguf, Settings};
use crate::embedded::Extent;
use crate::http::{Api, Server};
use crate::request::{
    CompletionRequest, CompletionResponse, Fill, FinishReason, Model as _, RenderedPrompt,
    StopCheck,
};
use crate::{ModelError, wait};
use foreword_engine::compose::Format;

/// The Python interpreter that makes models; without one, reports on stderr that the test is skipped.
fn python(test: &str) -> Option<Command> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| manifest.join("../../target"), PathBuf::from);
    let python = target.join("python/bin/python");
    if !python.exists() {
        // Writes directly: the test harness captures `eprintln!`.
        let text = format!("skipped: gguf::{test} (run ci/python first)\n");
        std::io::stderr().write_all(text.as_bytes()).unwrap();
        return None;
    }
    let mut res = Command::new(python);
    res.arg(manifest.join("../foreword/tests/it/llama_cpp.py"));
    Some(res)
}

/// A folder of models.
pub(super) struct Models(tempfile::TempDir);

impl Models {
    pub(super) fn new(test: &str) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let made = python(test)?.arg("--models").arg(dir.path()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&made.stdout), "ready\n", "{made:?}");
        Some(Self(dir))
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(format!("{name}.gguf"))
    }

    fn open(&self, name: &str) -> Gguf {
        Gguf::open(&self.path(name), SETTINGS).unwrap()
    }

    fn refused(&self, name: &str) -> String {
        let error = Gguf::open(&self.path(name), SETTINGS).err().expect("an error").to_string();
        assert!(error.contains(self.path(name).to_str().unwrap()), "{error}");
        error
    }
}

/// One thread: several would compete with other tests.
const SETTINGS: Settings = Settings { context: 2048, threads: 1 };

const QWEN: &str = "qwen2.5-coder-tiny";

fn qwen() -> &'static Format {
    Format::named("qwen2.5-coder").unwrap()
}

fn request(prompt: &str, max_tokens: usize) -> CompletionRequest {
    let prompt =
        RenderedPrompt { format: "qwen2.5-coder", text: prompt.to_owned(), stop: Vec::new() };
    let fill = Fill { prompt: Some(prompt), ..Fill::default() };
    CompletionRequest {
        fill,
        extent: Extent::Block(usize::MAX),
        max_tokens,
        stop: Vec::new(),
        temperature: 0.0,
        n: 1,
        deadline: None,
        stop_check: None,
    }
}

fn ask(model: &Gguf, request: &CompletionRequest) -> Result<CompletionResponse, ModelError> {
    wait(model.complete(request, &mut |_| {}))
}

fn text(model: &Gguf, prompt: &str, max_tokens: usize) -> String {
    ask(model, &request(prompt, max_tokens)).unwrap().choices.remove(0).text
}

const PROMPT: &str = "<|fim_prefix|>def add(a, b):\n    return <|fim_suffix|>\n<|fim_middle|>";

/// A real server with the model.
pub(super) struct LlamaServer {
    process: Child,
    pub(super) server: Server,
}

impl LlamaServer {
    pub(super) fn new(test: &str, model: &Path) -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = python(test)?;
        command.arg(model).arg(port.to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let mut said = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut said).unwrap();
        assert_eq!(said, "ready\n");
        let url = format!("http://127.0.0.1:{port}");
        let server = wait(Server::connect(&url, Some(Api::LlamaCpp), Some("m"), None)).unwrap();
        Some(Self { process, server })
    }

    fn ask(&self, path: &str, body: &Value) -> Value {
        wait(async {
            let mut relayed = self.server.relay_json(path, body, None).await.unwrap();
            serde_json::from_slice(&relayed.rest(1 << 20).await.unwrap()).unwrap()
        })
    }
}

impl Drop for LlamaServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn tokens_are_those_of_a_llama_cpp_server_and_no_text_is_taken_for_a_special_one() {
    let test = "tokens_are_those_of_a_llama_cpp_server_and_no_text_is_taken_for_a_special_one";
    let Some(models) = Models::new(test) else { return };
    let Some(served) = LlamaServer::new(test, &models.path("served")) else { return };
    let model = models.open(QWEN);
    let counter = model.counter(qwen());
    let served = |text: &str, parse: bool| -> Vec<i32> {
        let body = json!({ "content": text, "add_special": false, "parse_special": parse });
        serde_json::from_value(served.ask("/tokenize", &body)["tokens"].clone()).unwrap()
    };
    for text in [
        "",
        " ",
        "\n",
        "\r\n\t",
        "x = 'é日本🦀'\n",
        "  def f(self):\n\n\n    pass",
        "a b a b",
        "\u{0}\u{7f}",
        PROMPT,
        "<|file_sep|>a.py\nx<|fim_middle|>",
        "<|fim_middle",
        "<<|fim_middle|>>",
    ] {
        assert_eq!(model.tokenise(text, qwen()), served(text, true), "{text:?}");
        assert_eq!(counter.count(text), served(text, true).len(), "{text:?}");
    }
    // A format without these tokens reads them as text, although the vocabulary has them.
    let starcoder = Format::named("starcoder2").unwrap();
    assert_eq!(model.tokenise(PROMPT, starcoder), served(PROMPT, false));
    assert!(counter.kind().sentence().contains("exactly"), "{}", counter.kind().sentence());
    assert_eq!(counter.added(), 0);
}

#[test]
fn the_likeliest_answer_is_that_of_a_llama_cpp_server() {
    let test = "the_likeliest_answer_is_that_of_a_llama_cpp_server";
    let Some(models) = Models::new(test) else { return };
    let Some(served) = LlamaServer::new(test, &models.path("served")) else { return };
    let model = models.open(QWEN);
    // Incomplete characters are shown differently.
    let whole = |it: &str| it.replace('\u{fffd}', "");
    let mut compared = 0;
    for line in ["x = 1", "def f(", "class A:\n    b", "for i in range(10):", "// é", "import "] {
        let prompt = format!("<|fim_prefix|>{line}<|fim_suffix|>\n<|fim_middle|>");
        let answer = ask(&model, &request(&prompt, 40)).unwrap();
        let body = json!({ "prompt": prompt, "n_predict": 40, "temperature": 0.0, "top_k": 1 });
        let theirs = whole(served.ask("/completion", &body)["content"].as_str().unwrap());
        let ours = whole(&answer.choices[0].text);
        match answer.choices[0].finish_reason {
            FinishReason::Length => assert_eq!(ours, theirs, "{line}"),
            // The server continues after some control tokens.
            _ => assert!(theirs.starts_with(&ours), "{line}: {ours:?}, {theirs:?}"),
        }
        compared += ours.len();
    }
    assert!(compared > 40, "only {compared} bytes were compared");
}

#[test]
fn what_is_shown_as_it_comes_is_the_answer() {
    let test = "what_is_shown_as_it_comes_is_the_answer";
    let Some(models) = Models::new(test) else { return };
    let model = models.open("endless");
    let mut pieces = Vec::new();
    let wanted = request(PROMPT, 60);
    let answer = wait(model.complete(&wanted, &mut |it| pieces.push(it.to_owned()))).unwrap();
    assert_eq!(pieces.concat(), answer.choices[0].text);
    assert!(pieces.len() > 1, "{pieces:?}");
    assert!(answer.choices[0].confidence.is_some_and(|it| it > 0.0 && it <= 1.0));
    // A stop string ends the text before it.
    let shown: String = answer.choices[0].text.chars().filter(|it| *it != '\u{fffd}').collect();
    let stop = shown.chars().nth(2).unwrap().to_string();
    let until = CompletionRequest { stop: vec![stop.clone()], ..request(PROMPT, 60) };
    let stopped = ask(&model, &until).unwrap().choices.remove(0);
    assert_eq!(stopped.finish_reason, FinishReason::Stop);
    assert_eq!(stopped.text, answer.choices[0].text.split(&stop).next().unwrap());
}

#[test]
fn what_was_read_is_not_read_again_and_the_answer_is_the_same() {
    let test = "what_was_read_is_not_read_again_and_the_answer_is_the_same";
    let Some(models) = Models::new(test) else { return };
    let model = models.open(QWEN);
    let long = format!("<|fim_prefix|>{}", "value = compute(other)\n".repeat(30));
    let first = format!("{long}a = <|fim_suffix|><|fim_middle|>");
    let second = format!("{long}b = <|fim_suffix|><|fim_middle|>");
    let cached = |prompt: &str| {
        let answer = ask(&model, &request(prompt, 30)).unwrap();
        let [all, cached] = [answer.prompt_tokens, answer.cached_tokens].map(Option::unwrap);
        (all - cached, answer.choices[0].text.clone())
    };
    let tokens = model.tokenise(&first, qwen()).len() as u64;
    let (read, alone) = cached(&first);
    assert_eq!(read, tokens);
    let (read, again) = cached(&first);
    assert_eq!((read, &again), (1, &alone));
    let (read, other) = cached(&second);
    assert_eq!(read, 6);
    assert_eq!(other, text(&models.open(QWEN), &second, 30));
    assert_eq!(cached(&first).1, alone);
    // With a maximum of 0 tokens the prompt is only cached.
    let ahead = ask(&model, &request(&long, 0)).unwrap();
    assert!(ahead.choices.is_empty());
    assert_eq!(cached(&second).0, 6);
}

#[test]
fn several_choices_differ_and_chance_is_repeatable() {
    let test = "several_choices_differ_and_chance_is_repeatable";
    let Some(models) = Models::new(test) else { return };
    let model = models.open(QWEN);
    let choices = |n, temperature| {
        let answer =
            ask(&model, &CompletionRequest { temperature, n, ..request(PROMPT, 12) }).unwrap();
        answer.choices.into_iter().map(|it| it.text).collect::<Vec<_>>()
    };
    let three = choices(3, 0.0);
    assert_eq!(three.len(), 3);
    assert_eq!(three[0], text(&model, PROMPT, 12));
    assert!(three[0] != three[1] && three[1] != three[2] && three[0] != three[2], "{three:?}");
    let drawn = choices(2, 1.0);
    assert_eq!(drawn, choices(2, 1.0));
    assert_ne!(drawn[0], drawn[1]);
}

/// More tokens than fit into the window.
const ENDLESS: usize = 1 << 20;

/// A slow request, and its count of generated tokens.
fn slow(deadline: Option<Instant>) -> (CompletionRequest, Arc<AtomicUsize>) {
    let written = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&written);
    let stop_check = StopCheck::new(move |_| {
        counting.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(5));
        false
    });
    (
        CompletionRequest { stop_check: Some(stop_check), deadline, ..request(PROMPT, ENDLESS) },
        written,
    )
}

#[test]
fn an_answer_that_nobody_waits_for_is_not_written() {
    let test = "an_answer_that_nobody_waits_for_is_not_written";
    let Some(models) = Models::new(test) else { return };
    let model = models.open("endless");
    let (request, written) = slow(None);
    wait(async {
        let mut sink = |_: &str| {};
        let answering = model.complete(&request, &mut sink);
        let soon = tokio::time::timeout(Duration::from_millis(200), answering).await;
        assert!(soon.is_err(), "two thousand times five milliseconds are ten seconds");
    });
    // The next request starts after the first has ended.
    text(&model, PROMPT, 1);
    let written = written.load(Ordering::Relaxed);
    assert!(written < 1000, "{written}");
}

#[test]
fn at_the_deadline_there_is_what_was_written_or_an_error() {
    let test = "at_the_deadline_there_is_what_was_written_or_an_error";
    let Some(models) = Models::new(test) else { return };
    let model = models.open("endless");
    let within = |ms| ask(&model, &slow(Some(Instant::now() + Duration::from_millis(ms))).0);
    let error = within(0).unwrap_err();
    assert!(matches!(error, ModelError::Timeout { .. }), "{error}");
    let choice = within(2000).unwrap().choices.remove(0);
    assert!(
        choice.finish_reason == FinishReason::Deadline && !choice.text.is_empty(),
        "{choice:?}"
    );
}

#[test]
fn a_closed_model_says_that_it_was_told_to_end() {
    let Some(models) = Models::new("a_closed_model_says_that_it_was_told_to_end") else { return };
    let model = models.open(QWEN);
    model.close();
    let error = ask(&model, &request(PROMPT, 1)).unwrap_err().to_string();
    assert!(error.contains("shutting down"), "{error}");
}

#[test]
fn the_format_is_that_of_the_models_name_if_it_has_the_tokens() {
    let test = "the_format_is_that_of_the_models_name_if_it_has_the_tokens";
    let Some(models) = Models::new(test) else { return };
    let model = models.open(QWEN);
    assert_eq!((model.name(), model.window()), ("tiny-qwen2.5-coder", 2048));
    assert_eq!(model.format(None).unwrap().name, "qwen2.5-coder");
    let said = |model: &Gguf, named| model.format(named).unwrap_err().to_string();
    let error = said(&model, Some("starcoder2"));
    assert!(error.contains("has no token <") && error.contains("starcoder2"), "{error}");
    let error = said(&model, Some("gpt-99"));
    assert!(error.contains("gpt-99") && error.contains("garbage"), "{error}");
    let nameless = models.open("nameless");
    let error = said(&nameless, None);
    assert!(error.contains("tiny, nameless") && error.contains("--model"), "{error}");
    assert!(error.contains("qwen2.5-coder"), "{error}");
    assert_eq!(nameless.format(Some("qwen2.5-coder")).unwrap().name, "qwen2.5-coder");
}

/// This vocabulary has marks with a leading space, and adds a space before texts.
#[test]
fn the_marks_of_code_llama_are_its_tokens_and_no_space_is_doubled() {
    let test = "the_marks_of_code_llama_are_its_tokens_and_no_space_is_doubled";
    let Some(models) = Models::new(test) else { return };
    let model = models.open("codellama-tiny");
    let format = model.format(None).unwrap();
    assert_eq!(format.name, "codellama");
    let vocab = model.tokens.model().vocab();
    let spelled = |text: &str| -> Vec<String> {
        let all = model.tokenise(text, format).into_iter().map(llama_cpp_2::token::LlamaToken);
        all.map(|it| vocab.text(it).unwrap().to_str().unwrap().to_owned()).collect()
    };
    assert_eq!(spelled("<PRE> x = <SUF>y <MID>"), ["▁<PRE>", "▁x", "▁=", "▁<SUF>", "▁y", "▁<MID>"]);
    assert_eq!(model.counter(format).added(), 1);
    assert_eq!(model.tokens.prompt("x", &[])[0], vocab.bos());
}

#[test]
fn a_file_that_is_no_model_is_refused_with_the_reason() {
    let test = "a_file_that_is_no_model_is_refused_with_the_reason";
    let Some(models) = Models::new(test) else { return };
    assert!(models.refused("absent").contains("cannot read the model"));
    std::fs::create_dir(models.path("folder")).unwrap();
    assert!(models.refused("folder").contains("cannot read the model"));
    std::fs::write(models.path("text"), "no model").unwrap();
    assert!(models.refused("text").contains("not a GGUF file"));
    std::fs::write(models.path("empty"), "").unwrap();
    assert!(models.refused("empty").contains("not a GGUF file"));
    assert!(models.refused("vocabulary").contains("no weights"));
    assert!(models.refused("embedding").contains("embedding model"));
    assert!(models.refused("adapter").contains("adapter"));
    let mut twice = std::fs::read(models.path("codellama-tiny")).unwrap();
    let at = twice.windows(6).position(|it| it == b"<0x41>").unwrap();
    twice[at + 4] = b'2';
    std::fs::write(models.path("twice"), twice).unwrap();
    assert!(models.refused("twice").contains("\"<0x42>\" twice"));
    let whole = std::fs::read(models.path(QWEN)).unwrap();
    for part in [5, 100, 4000, 5000, whole.len() / 2, whole.len() - 100] {
        std::fs::write(models.path("part"), &whole[..part]).unwrap();
        let error = models.refused("part");
        let why = if part < 4000 { "cut off" } else { "cut off|llama.cpp: " };
        assert!(why.split('|').any(|it| error.contains(it)), "{part}: {error}");
    }
}

#[test]
fn a_prompt_that_is_too_long_is_refused() {
    let Some(models) = Models::new("a_prompt_that_is_too_long_is_refused") else { return };
    let model = models.open("short");
    assert_eq!((model.window(), model.trained()), (256, 256));
    let error = ask(&model, &request(&"x = 1\n".repeat(60), 10)).unwrap_err().to_string();
    assert!(error.contains("360 tokens") && error.contains("256 at a time"), "{error}");
    // Generation ends when the window is full.
    let settings = Settings { context: 256, ..SETTINGS };
    let model = Gguf::open(&models.path("endless"), settings).unwrap();
    let near = "<|fim_prefix|>".to_owned() + &"x".repeat(245);
    let choice = ask(&model, &request(&near, 100)).unwrap().choices.remove(0);
    assert_eq!(choice.finish_reason, FinishReason::Length);
    assert!(choice.text.chars().count() <= 256 - 246 + 1, "{choice:?}");
}

/// Answers in a process that others limit; see the next test.
#[test]
#[ignore = "run by the next test"]
fn a_model_in_a_limited_process() {
    let path = std::env::var("FOREWORD_TEST_MODEL").unwrap();
    let model = Gguf::open(Path::new(&path), Settings { threads: 4, ..SETTINGS }).unwrap();
    for _ in std::io::stdin().lines() {
        let answer = ask(&model, &request(PROMPT, 8)).map(|mut it| it.choices.remove(0).text);
        writeln!(std::io::stdout(), "answer: {answer:?}").unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn without_threads_a_model_uses_one_and_later_gives_an_error() {
    let test = "without_threads_a_model_uses_one_and_later_gives_an_error";
    let Some(models) = Models::new(test) else { return };
    let right = format!("answer: Ok({:?})", text(&models.open(QWEN), PROMPT, 8));
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let mut probe = Command::new(AS_USER[0]);
    probe.args(&AS_USER[1..]).args(["test", "-x"]).arg(std::env::current_exe().unwrap());
    let can_run = is_root && probe.status().is_ok_and(|it| it.success());
    let Some(mut limited) = can_run.then(|| ProcessLimit::new(&models, 3)) else {
        // Processes of root are not limited; those of other users cannot be counted for the test.
        let why = "not root, or another user cannot run this program";
        return writeln!(std::io::stderr(), "skipped: gguf::{test} ({why})").unwrap();
    };
    assert_eq!(limited.answer(), right);
    let mut limited = ProcessLimit::new(&models, 64);
    assert_eq!(limited.answer(), right);
    let pid = limited.0.id().to_string();
    let mut lower = Command::new(AS_USER[0]);
    lower.args(&AS_USER[1..]).args(["prlimit", "--nproc=3:3", "--pid", &pid]);
    assert!(lower.status().unwrap().success());
    let answer = limited.answer();
    assert!(answer.contains("needs 4 threads") && answer.contains("ulimit -u"), "{answer}");
}

/// Runs a program as a user without other processes.
#[cfg(target_os = "linux")]
const AS_USER: [&str; 3] = ["setpriv", "--reuid=65533", "--clear-groups"];

/// The test above, as a user with at most so many processes and threads: the test has two, a model one.
#[cfg(target_os = "linux")]
struct ProcessLimit(Child, BufReader<std::process::ChildStdout>);

#[cfg(target_os = "linux")]
impl ProcessLimit {
    fn new(models: &Models, most: usize) -> Self {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(models.0.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = Command::new("prlimit");
        command.arg(format!("--nproc={most}:{most}")).args(AS_USER);
        command.arg(std::env::current_exe().unwrap()).env("FOREWORD_TEST_MODEL", models.path(QWEN));
        command.args(["--exact", "gguf::tests::a_model_in_a_limited_process", "--ignored"]);
        command.args(["--nocapture", "--test-threads=1"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self(child, out)
    }

    /// Asks again; lines of the test harness before the answer are left out.
    fn answer(&mut self) -> String {
        self.0.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
        let mut lines = self.1.by_ref().lines().map_while(Result::ok);
        let found = lines.find_map(|it| it.find("answer: ").map(|at| it[at..].to_owned()));
        found.unwrap_or_else(|| format!("the process ended: {:?}", self.0.wait()))
    }
}

#[cfg(target_os = "linux")]
impl Drop for ProcessLimit {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
