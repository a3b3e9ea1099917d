"""The module as its users import it: chunks are the text, an index answers, threads run beside each other."""

import ast
import doctest
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import foreword
import pytest

STORE = '''import json


class Store:
    """Sessions by user."""

    def save_session(self, user, token):
        self.sessions[user] = token

    def load(self, path):
        return json.load(open(path))
'''


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "shop"
    root.mkdir()
    (root / "store.py").write_text(STORE)
    (root / "login.py").write_text("from store import Store\n\n\ndef login(store, user):\n    store.save_session(user, ")
    (root / "price.go").write_text("package shop\n\nfunc Price(n int) int {\n\treturn n * 3\n}\n")
    return root


@pytest.fixture
def index(repository, tmp_path):
    return foreword.Index(repository, index_dir=tmp_path / "index")


def test_chunks_joined_are_the_text():
    text = "# größe: ≥ 3 🙂\n" + "\n".join(f"def f{n}(größe):\n    return '🙂' * {n}\n" for n in range(200))
    chunks = foreword.chunk(text, "python", max_size=300)
    assert len(chunks) > 5
    assert "".join(it.text for it in chunks) == text
    assert all(text[it.start : it.end] == it.text for it in chunks)
    assert all(text.encode()[it.start_byte : it.end_byte].decode() == it.text for it in chunks)
    assert all(it.size <= 300 and it.parsed and it.language == "python" for it in chunks)


def test_a_chunk_says_what_it_defines_and_where_it_lies():
    chunks = foreword.chunk(STORE, path="src/store.py", max_size=80)
    found = {(it.kind, it.name, it.line) for chunk in chunks for it in chunk.definitions}
    assert {("class", "Store", 4), ("method", "save_session", 7), ("method", "load", 10)} <= found
    inside = next(it for it in chunks if "json.load" in it.text)
    assert inside.scope[0] == "Store"
    assert "load" in inside.references
    assert (inside.start_line, inside.end_line) == (10, 11)


def test_overlap_reaches_back_by_lines():
    chunks = foreword.chunk("a\nb\nc\nd\n", granularity="lines=2", overlap_lines=1)
    assert [it.text for it in chunks] == ["a\nb\n", "c\nd\n"]
    assert chunks[1].overlapping_text == "b\nc\nd\n"
    assert not chunks[0].parsed and chunks[0].language is None


def test_an_empty_text_has_no_surprises():
    assert "".join(it.text for it in foreword.chunk("", "rust")) == ""


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"language": "klingon"}, "no such language; there are python"),
        ({"granularity": "lines=0"}, "write cast"),
        ({"max_size": 0}, "one character at least"),
    ],
)
def test_what_is_wrong_is_said(arguments, message):
    with pytest.raises(ValueError, match=message):
        foreword.chunk("x", **arguments)


def test_a_lone_surrogate_is_an_error_and_no_crash():
    with pytest.raises(UnicodeEncodeError):
        foreword.chunk("\ud800", "python")


def test_every_language_that_is_listed_is_taken():
    assert len(foreword.languages()) >= 39
    assert all(foreword.chunk("x\n", it) for it in foreword.languages())


def test_a_question_finds_the_code(index):
    assert len(index) == 3
    best = index.search("where are sessions saved")[0]
    assert best.path == "store.py" and "save_session" in best.text and best.reasons
    assert index.search("Price")[0].symbol == "Price"


def test_results_can_be_restricted(index):
    paths = lambda **more: {it.path for it in index.search("store price session", **more)}
    assert paths(language="go") == {"price.go"}
    assert paths(path="login.py") == {"login.py"}
    assert len(index.search("store price session", limit=1)) == 1
    assert sum(it.tokens for it in index.search("store", tokens=30)) <= 30


def test_lines_kinds_and_patterns_of_paths_are_found(index, repository):
    places = lambda query, **more: [(it.path, it.start_line) for it in index.search(query, **more)]
    assert places(r"n \* \d", mode="regex") == [("price.go", 4)]
    assert places("n * 3", mode="exact", path=[repository / "price.go"]) == [("price.go", 4)]
    assert places("n * 3", mode="exact", path=["*.py", "login.py"]) == []
    kinds = {it.kind for it in index.search("store session load price", kind=["class", "fn"])}
    assert kinds <= {"class", "method", "function", "constructor"} and kinds
    for wrong in [{"mode": "fuzzy"}, {"kind": "klass"}, {"mode": "exact", "kind": "class"}]:
        with pytest.raises(ValueError, match="mode|kind"):
            index.search("n", **wrong)
    with pytest.raises(ValueError):
        index.search("(", mode="regex")


def test_answers_are_values(index):
    result = index.search("where are sessions saved")[0]
    context = index.context(pathlib.Path("login.py"), 5, budget=300)
    definition = foreword.chunk(STORE, path=pathlib.Path("store.py"))[0].definitions[0]
    for it in [result, context, context.pieces[0], definition]:
        copy = pickle.loads(pickle.dumps(it))
        assert copy == it and hash(copy) == hash(it) and copy is not it
        names = [name for name in dir(it) if not name.startswith("_") and name != "to_dict"]
        assert sorted(it.to_dict()) == names
        assert json.loads(json.dumps(it.to_dict())) == it.to_dict()
    assert result != index.search("price")[0] and result != "text"
    one, other = (foreword.chunk("<b>\n" + STORE, "python") for _ in range(2))
    assert one == other and one[0].to_dict()["text"] == one[0].text
    assert foreword.chunk(STORE, "python")[0] != one[0]
    assert "&lt;b&gt;" in one[0]._repr_html_() and "<b>" not in one[0]._repr_html_()
    for it in [result, context, context.pieces[0]]:
        assert "save_session" in it._repr_html_()
    with pytest.raises(ValueError):
        foreword.Result("no json")


def test_a_name_a_file_a_map_and_a_question_are_answered(index, repository):
    (repository / "refund.py").write_text("def refund(n):\n    return -n\n\n\ndef all(them):\n    return [refund(it) for it in them]\n")
    index.refresh()
    found = index.symbols("refund")
    assert [(it["path"], it["start_line"]) for it in found["definitions"]] == [("refund.py", 1)]
    assert [(it["path"], it["line"]) for it in found["references"]] == [("refund.py", 6)]
    assert index.symbols("save_sesion")["similar"] == ["save_session"]
    outline = index.outline(repository / "store.py")
    assert [it["symbol"] for it in outline["definitions"]] == ["Store", "Store.save_session", "Store.load"]
    assert "class Store" in index.map() and "Price" in index.map("price.go", tokens=100)
    evidence = index.ask("how are sessions saved")
    assert evidence["evidence"][0]["path"] == "store.py" and evidence["strength"]["enough"]
    with pytest.raises(FileNotFoundError):
        index.outline("nowhere.py")
    with pytest.raises(IndexError):
        index.next("store.py", 1000)


def test_the_next_edit_follows_from_the_last_one(repository, tmp_path):
    def git(*arguments):
        who = ["-c", "user.name=it", "-c", "user.email=it@example.com"]
        subprocess.run(["git", "-C", repository, *who, *arguments], check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "first")
    index = foreword.Index(repository, index_dir=tmp_path / "index")
    assert index.next()["places"] == []
    (repository / "store.py").write_text(STORE.replace("save_session", "keep_session"))
    index.refresh()
    found = index.next()
    assert found["edits"] == 1
    assert [it["path"] for it in found["places"]] == ["login.py"]


def test_a_file_is_no_directory(tmp_path):
    with pytest.raises(NotADirectoryError, match="not a directory"):
        foreword.Index("/etc/passwd", index_dir=tmp_path)


def test_a_context_is_a_prompt_within_its_budget(index):
    context = index.context("login.py", 5, budget=300)
    assert context.prompt.endswith("<|fim_middle|>")
    assert "def save_session" in context.prompt
    assert context.exact and 0 < context.base_tokens < context.tokens <= 300
    assert [it.path for it in context.pieces] == ["store.py"]
    assert context.pieces[0].reasons and context.stop
    assert str(context) == context.prompt


def test_unsaved_text_is_what_counts(index):
    text = "from store import Store\n\nStore().load("
    context = index.context("login.py", 3, 8, text=text, model="starcoder2", budget=300)
    assert "Store()" in context.prompt and "def login" not in context.prompt


@pytest.mark.parametrize(
    "arguments, error",
    [
        (("login.py", 99), IndexError),
        (("login.py", 0), IndexError),
        (("login.py", 1, 999), IndexError),
        (("gone.py", 1), OSError),
        (("../outside.py", 1), ValueError),
    ],
)
def test_a_place_that_is_not_there_is_an_error(index, arguments, error):
    with pytest.raises(error):
        index.context(*arguments)


def test_an_unknown_model_is_an_error_and_so_is_a_budget_that_is_too_small(index):
    with pytest.raises(ValueError, match="there are"):
        index.context("login.py", 5, model="gpt-9")
    with pytest.raises(ValueError, match="raise budget"):
        index.context("login.py", 5, budget=3)


def test_an_edit_is_found_after_a_refresh(index, repository):
    assert index.refresh() == 0
    (repository / "refund.py").write_text("def refund_order(order):\n    return -order.total\n")
    assert index.refresh() == 1
    assert index.search("refund_order")[0].path == "refund.py"
    assert "refund.py" in index.files()


def test_nothing_is_written_into_the_repository(index, repository):
    assert sorted(it.name for it in repository.iterdir()) == ["login.py", "price.go", "store.py"]


def test_a_directory_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(OSError, match="gone"):
        foreword.Index(tmp_path / "gone", index_dir=tmp_path / "index")


def test_other_threads_run_while_a_text_is_cut():
    text = "def f(a, b):\n    return [a, (b, {a: b})]\n\n" * 20_000
    ticks, is_done = [], threading.Event()

    def tick():
        while not is_done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begin = time.perf_counter()
    foreword.chunk(text, "python")
    end = time.perf_counter()
    is_done.set()
    ticker.join()
    during = [it for it in ticks if begin < it < end]
    # With the lock held there would be one at the most.
    assert len(during) > 5, f"{len(during)} ticks in {end - begin:.3f} s"


def test_the_page_in_the_documentation_is_a_session_that_runs():
    page = pathlib.Path(__file__).parents[3] / "docs" / "python.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert (failed, tried > 20) == (0, True)


def test_the_types_name_what_the_module_has():
    stub = pathlib.Path(foreword.__file__).with_name("__init__.pyi")
    tree = ast.parse(stub.read_text())
    for it in tree.body:
        if isinstance(it, ast.FunctionDef):
            assert callable(getattr(foreword, it.name))
        if isinstance(it, ast.ClassDef):
            real = getattr(foreword, it.name)
            stated = {member.name for member in it.body if isinstance(member, ast.FunctionDef)} - {"__new__"}
            has = {name for name in vars(real) if not name.startswith("__")} | {"__len__"} & set(vars(real))
            assert stated == has, it.name
    assert stub.with_name("py.typed").exists()


# Python's half of the table of questions and doors (crates/foreword/tests/it/doors.rs).

TEAM = """[[faq]]
question = "Where are sessions saved?"
answer = "In Store.save_session."
places = ["store.py:7-8"]

[tags.go]
paths = ["**/*.go"]
weight = 2.0

[paths]
demote = ["login.py"]
"""

QUESTIONS = ["where are sessions saved", "save_session", "Store.load", "store price session", "save_sesion", "nothing_like_this"]


def program():
    """The built program, or a skip by name."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", pathlib.Path(__file__).parents[3] / "target"))
    found = [it for it in (target / "debug" / "foreword", target / "release" / "foreword") if it.exists()]
    if not found:
        pytest.skip(f"no program foreword under {target}")
    return found[0]


@pytest.fixture
def command_line(repository, tmp_path, monkeypatch):
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("FOREWORD_INDEX_DIR", str(tmp_path / "index"))
    (repository / ".foreword").mkdir()
    (repository / ".foreword" / "team.toml").write_text(TEAM)
    executable = program()

    def run(*arguments):
        done = subprocess.run([executable, *arguments], cwd=repository, capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout) if "--json" in arguments else done.stdout

    return run


def places(results, key):
    return [(key(it, "path"), key(it, "start_line"), key(it, "end_line"), key(it, "symbol"), key(it, "score")) for it in results]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_has_the_answer_of_the_command_line(question, command_line, repository):
    command_line("search", "session")
    command_line("feedback", "good", "login.py:4")
    command_line("feedback", "bad", "store.py:7")
    index = foreword.Index(repository)
    expect = command_line("search", question, "--json")["results"]
    got = index.search(question)
    value = lambda it, key: round(it[key], 4) if key == "score" else it[key]
    attribute = lambda it, key: round(getattr(it, key), 4) if key == "score" else getattr(it, key)
    assert places(got, attribute) == places(expect, value)
    assert [it.reasons for it in got] == [it["reasons"] for it in expect]
    for more, flags in [({"language": "go"}, ["--lang", "go"]), ({"path": "store.py"}, ["--path", "store.py"])]:
        expect = command_line("search", question, "--json", *flags)["results"]
        assert places(index.search(question, **more), attribute) == places(expect, value)


@pytest.mark.parametrize("line, column", [(5, None), (4, 5), (1, 7)])
def test_a_place_has_the_prompt_of_the_command_line(line, column, command_line, repository):
    place = f"login.py:{line}" + (f":{column}" if column else "")
    expect = command_line("context", place, "--json")
    got = foreword.Index(repository).context("login.py", line, column)
    assert (got.prompt, got.stop) == (expect["prompt"], expect["stop"])
    assert [(it.path, it.start_line, it.end_line) for it in got.pieces] == [
        (it["path"], it["start_line"], it["end_line"]) for it in expect["pieces"]
    ]


def test_the_users_settings_count(command_line, repository, tmp_path):
    config = tmp_path / "home" / "config" / "foreword"
    config.mkdir(parents=True)
    (config / "config.toml").write_text("model = 'starcoder2'\nbudget = 200\nignore = ['*.go']\n")
    index = foreword.Index(repository)
    assert not any(it.endswith(".go") for it in index.files())
    assert index.context("login.py", 5).prompt == command_line("context", "login.py:5", "--json")["prompt"]
    (config / "config.toml").write_text("budgt = 200\n")
    with pytest.raises(ValueError, match="budgt"):
        foreword.Index(repository)


def test_files_are_parsed_in_processes_and_a_warning_says_where_they_are_not(repository, tmp_path, monkeypatch):
    assert foreword.Index(repository, index_dir=tmp_path / "workers").parses_in == "workers"
    monkeypatch.setattr("sys.executable", "/opt/editor/editor")
    with pytest.warns(RuntimeWarning, match="parses in this process"):
        index = foreword.Index(repository, index_dir=tmp_path / "process")
    assert index.parses_in == "process"
    assert len(index) == 3


def test_a_file_that_stops_its_parser_stops_neither_python_nor_the_index(repository, tmp_path):
    (repository / "slow.rs").write_text("\n".join(["- , &'* " * 8] * 1000))
    index = foreword.Index(repository, index_dir=tmp_path / "index")
    assert len(index) == 4
    assert index.search("save_session")[0].path == "store.py"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for a single process")
def test_an_interrupt_ends_indexing_and_loses_nothing(repository, tmp_path):
    import fcntl

    directory = tmp_path / "index"
    (repository / "more.py").write_text("more = 1\n")
    foreword.Index(repository, index_dir=directory)
    (repository / "more.py").write_text("def added(): pass\n")
    lock = next(directory.rglob("writer.lock"))
    program = (
        "import foreword, signal, sys\n"
        # A shell starts programs in the background with the signal ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "print('ready', flush=True)\n"
        "try:\n    foreword.Index(sys.argv[1], index_dir=sys.argv[2])\n"
        "except KeyboardInterrupt:\n    print('interrupted', flush=True)\n"
    )
    with open(lock, "r+b") as held:
        # Another writer: the index waits for it up to half an hour.
        fcntl.flock(held, fcntl.LOCK_EX)
        command = [sys.executable, "-c", program, str(repository), str(directory)]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert running.stdout.readline() == "ready\n"
        time.sleep(0.5)
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        assert running.communicate(timeout=60)[0] == "interrupted\n"
    index = foreword.Index(repository, index_dir=directory)
    assert index.search("added")[0].path == "more.py"
