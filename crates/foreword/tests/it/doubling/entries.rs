//! The entry points that read a text of somebody else's, each as a function of that text.
#![allow(clippy::too_many_lines, reason = "the functions are tables")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use foreword_chunk::{Analysis, Config, Language, LineIndex, ParseOutcome, analyze, outline};
use foreword_engine::ask::{AskRequest, gather, verify};
use foreword_engine::compose::{Format, Hole, Part, compose, neutralise};
use foreword_engine::custom::{Customisation, OwnPage, readable_export};
use foreword_engine::feedback::{self, Feedback, Vote};
use foreword_engine::grep::{GrepRequest, grep};
use foreword_engine::history::{CoChange, CoChangeConfig, History};
use foreword_engine::index::{CommitDiff, FileDiff, IndexConfig, Snapshot};
use foreword_engine::map::{MapRequest, map};
use foreword_engine::next::{NextRequest, edits_since_commit, next_edits};
use foreword_engine::pipeline::{Control, CursorRetrieval};
use foreword_engine::prompt::Target;
use foreword_engine::retrieve::Question;
use foreword_engine::scope::{Cursor, View};
use foreword_engine::search::{SearchRequest, search};
use foreword_engine::source::Source;
use foreword_engine::{custom, fuzzy, next, preset, secret, visible};
use foreword_model::TokenCounter;
use foreword_model::clean::{InsertionPoint, Stream, Writer, clean};
use foreword_model::embedded::{self, Extent};
use foreword_model::http::Lines;
use foreword_session::answer::{place, symbols, tokens};
use foreword_session::ask::sources::{follow_up, places_in};

/// An entry point.
pub(super) struct Entry {
    pub(super) name: String,
    /// The grammar that reads the text, if one does.
    pub(super) grammar: Option<Language>,
    /// Work that is bounded by a constant is at most this, however it grows before.
    pub(super) bound: Duration,
    pub(super) work: Box<dyn Fn(&str) + Send + Sync>,
}

/// A name, and a file that repeats something.
type Repetition = (&'static str, fn(usize) -> String);

/// Estimates tokens: four bytes each.
fn count(text: &str) -> usize {
    text.len().div_ceil(4)
}

fn snapshot(path: &str, text: &str) -> Snapshot {
    let source = Source { path: path.to_owned(), text: text.to_owned() };
    Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap()
}

/// A repository for questions.
fn shop() -> Arc<Snapshot> {
    let files = [
        (
            "shop/price.py",
            "def price_of(item):\n    '''The price of an item.'''\n    return item.price\n",
        ),
        (
            "shop/cart.py",
            "from shop.price import price_of\n\nclass Cart:\n    def total(self, a):\n        return price_of(a)\n",
        ),
        ("a.rs", "pub fn a(b: u32) -> u32 { b }\npub struct Ab { a: u32 }\n"),
        ("README.md", "# Shop\n\nA shop with a cart.\n"),
    ];
    let source = |it: (&str, &str)| Source { path: it.0.to_owned(), text: it.1.to_owned() };
    Arc::new(Snapshot::of_sources(files.map(source).into(), IndexConfig::default()).unwrap())
}

/// All entry points.
pub(super) fn all() -> Vec<Entry> {
    let mut res = languages();
    res.extend(files());
    res.extend(questions());
    res.extend(cursors());
    res.extend(models());
    res
}

fn entry(name: &str, work: impl Fn(&str) + Send + Sync + 'static) -> Entry {
    Entry { name: name.to_owned(), grammar: None, bound: Duration::ZERO, work: Box::new(work) }
}

impl Entry {
    /// Names the language whose grammar reads the text. Components and templates are read as HTML after they were split,
    /// which is not the grammar's work.
    fn read_as(self, language: Option<Language>) -> Self {
        use Language::{Astro, Blade, Eex, Ejs, Erb, Html, Jinja, Notebook, Python, Svelte, Vue};
        let grammar = language.map(|it| match it {
            Vue | Svelte | Astro | Erb | Ejs | Eex | Blade | Jinja => Html,
            Notebook => Python,
            other => other,
        });
        Self { grammar, ..self }
    }
}

/// In these languages what nests costs its depth, up to the depth that the guard allows: 36 and 236 ms (debug build).
fn nesting_bound(language: Language) -> Duration {
    Duration::from_millis(match language {
        Language::R => 60,
        Language::Make => 400,
        _ => 0,
    })
}

/// Parsing, chunks, symbols and outline by language; with and without a tree.
fn languages() -> Vec<Entry> {
    let mut res = Vec::new();
    for &language in Language::ALL {
        let parse = entry(&format!("parse {}", language.name()), move |text| {
            let it = analyze(text.as_bytes(), Some(language), &Config::default());
            let lines = LineIndex::new(text.as_bytes());
            let shown: Vec<usize> = (0..lines.count() as usize).step_by(3).collect();
            black_box(outline::fold(text, &lines, Some(language), &it.outline, &shown));
            for idx in [None, Some(0)] {
                black_box(foreword_chunk::skeleton::skeleton(text, &it.symbols, idx, &|it| {
                    it.len() < 100
                }));
            }
        });
        let bound = nesting_bound(language);
        res.push(Entry { bound, ..parse }.read_as(Some(language)));
        res.push(entry(&format!("lines {}", language.name()), move |text| {
            let outcome = ParseOutcome::default();
            black_box(Analysis::without_tree(
                text.as_bytes(),
                Some(language),
                outcome,
                &Config::default(),
            ));
        }));
    }
    res.push(entry("lines of no language", |text| {
        black_box(analyze(text.as_bytes(), None, &Config::default()));
    }));
    res
}

/// What is done with the text of a file.
fn files() -> Vec<Entry> {
    let indexed = |path: &'static str| {
        entry(&format!("index, search, grep, map {path}"), move |text| {
            let it = snapshot(path, text);
            let request =
                SearchRequest { question: Question::new("a b ab"), limit: 10, tokens: Some(500) };
            search(&it, &request, &preset::search(), &count, &mut Control::default());
            for (pattern, regex) in [("a", false), ("(a|b)*c", true), ("a.*b.*c", true)] {
                let request =
                    GrepRequest { pattern, regex, limit: 50, context: 2, ..GrepRequest::default() };
                grep(&it, &request).unwrap();
            }
            let request = MapRequest { focus: &[], tokens: 500, keep: None };
            map(&it, &request, &count);
            for file in it.files() {
                black_box(symbols::outline(&it, file));
            }
        })
        .read_as(Language::of_path(path, ""))
    };
    let mut res: Vec<Entry> = ["a.txt", "a.py", "a.md", "a.html"].map(indexed).into();
    res.push(entry("map: files in one directory", |text| {
        let source = |n: usize| Source {
            path: format!("p/f{n}.go"),
            text: format!("package p\n\nimport \"shop/p\"\n\nfunc F{n}() {{ F{}() }}\n", n * 7 / 5),
        };
        let module = Source { path: "go.mod".to_owned(), text: "module shop\n".to_owned() };
        let files = std::iter::once(module).chain((0..text.len() / 64).map(source)).collect();
        let it = Snapshot::of_sources(files, IndexConfig::default()).unwrap();
        map(&it, &MapRequest { focus: &[], tokens: 500, keep: None }, &count);
    }));
    let repeated: [Repetition; 3] = [
        ("one name again and again", |n| "def a(): pass\n".repeat(n) + &"a()\n".repeat(n)),
        ("a long name around others", |n| {
            format!("class {}:\n", "A".repeat(n * 8)) + &" def a(self): pass\n".repeat(n)
        }),
        ("uses in one line", |n| format!("def a(): pass\n{}\n", "a();".repeat(n))),
    ];
    res.extend(repeated.map(|(name, make)| {
        entry(&format!("symbols: {name}"), move |text| {
            let it = snapshot("a.py", &make(text.len() / 8));
            let found = symbols::definitions(&it, "a", &|_| true).found;
            black_box(symbols::uses(&it, "a", &found, &|_| true, usize::MAX));
            it.files().for_each(|file| drop(black_box(symbols::outline(&it, file))));
        })
    }));
    let declared: [(&str, &str, &str); 6] = [
        ("a/urls.py", "b.py", "reverse('a')"),
        ("routes/a.php", "b.php", "<?php route('b.a');"),
        ("lang/en/a.php", "b.php", "<?php trans('a.a');"),
        ("config/routes.rb", "b.rb", "a_path()"),
        ("locales/en.yml", "b.ts", "t('a')"),
        ("a.tf", "b.tf", "a = var.a"),
    ];
    res.extend(declared.map(|(path, user, line)| {
        entry(&format!("symbols at: a name that {path} declares"), move |text| {
            let source = |it: (&str, &str)| Source { path: it.0.to_owned(), text: it.1.to_owned() };
            let files = [(path, text), (user, line)].map(source);
            let it = Snapshot::of_sources(files.into(), IndexConfig::default()).unwrap();
            let at = line.rfind('a').unwrap();
            black_box(symbols::at(&it, it.file(user).unwrap(), at));
        })
        .read_as(Language::of_path(path, ""))
    }));
    let routes: [(&str, &str); 8] = [
        ("a/urls.py", "urlpatterns = [path('a', a)]\n"),
        ("a/app.py", "app = FastAPI()\n"),
        ("a.js", "const app = express()\n"),
        ("a.go", "package a\n\nfunc f(r *gin.Engine) {\n"),
        ("routes/a.php", "<?php\nRoute::get('a', 'a');\n"),
        ("A.java", "@RequestMapping(\"a\")\nclass A {\n"),
        ("A.cs", "[Route(\"a\")]\nclass A {\n"),
        ("config/routes.rb", "Rails.application.routes.draw do\n"),
    ];
    res.extend(routes.map(|(path, head)| {
        entry(&format!("symbols at: an address that {path} declares"), move |text| {
            let source = |it: (&str, &str)| Source { path: it.0.to_owned(), text: it.1.to_owned() };
            let whole = format!("{head}{text}");
            let line = "fetch('/a/b')";
            let files = [(path, &*whole), ("b.ts", line)].map(source);
            let it = Snapshot::of_sources(files.into(), IndexConfig::default()).unwrap();
            let at = line.rfind('b').unwrap();
            black_box(symbols::at(&it, it.file("b.ts").unwrap(), at));
        })
        .read_as(Language::of_path(path, ""))
    }));
    res.push(entry("symbols: calls of a route", |text| {
        let source = |it: (&str, &str)| Source { path: it.0.to_owned(), text: it.1.to_owned() };
        let urls = "urlpatterns = [path('a/b/', views.show)]\n";
        let calls = format!("{text}\nclient.get('/a/b/')\n").replace('a', "'/b'");
        let view = "def show(request):\n    pass\n";
        let files = [("views.py", view), ("urls.py", urls), ("c.py", &*calls)].map(source);
        let it = Snapshot::of_sources(files.into(), IndexConfig::default()).unwrap();
        let found = symbols::definitions(&it, "show", &|_| true).found;
        black_box(symbols::uses(&it, "show", &found, &|_| true, usize::MAX));
    }));
    res.push(entry("masking", |text| drop(secret::masked(text.to_owned()))));
    res.push(entry("is a service account", |text| _ = black_box(secret::is_service_account(text))));
    res.push(entry("notebook", |text| drop(black_box(foreword_chunk::notebook_text(text)))));
    res.push(entry("notebook of this cell", |text| {
        let cell = serde_json::json!({ "cell_type": "code", "source": text, "outputs": [] });
        let json = serde_json::json!({ "cells": [cell], "metadata": {}, "nbformat": 4 });
        drop(black_box(foreword_chunk::notebook_text(&json.to_string())));
    }));
    res.push(entry("readable", |text| drop(foreword_load::readable("a.ipynb", text.to_owned()))));
    res.push(entry("decoding", |text| {
        drop(black_box(foreword_load::decode(text.as_bytes().to_vec())));
    }));
    res.push(entry("diff: all of it new", |text| drop(FileDiff::new("a.py", None, text))));
    // At most 4 million pairs of lines are compared.
    let bound = Duration::from_millis(300);
    let diff = entry("diff: every second line", |text| {
        let old: String = text.split_inclusive('\n').step_by(2).collect();
        drop(FileDiff::new("a.py", Some(old.into()), text));
    });
    res.push(Entry { bound, ..diff });
    res.push(entry("diff: changed in the middle", |text| {
        let half = text.floor_char_boundary(text.len() / 2);
        let old = format!("{}x\n{}", &text[..half], &text[half..]);
        drop(FileDiff::new("a.py", Some(old.into()), text));
    }));
    let next = entry("next edit", |text| {
        let half = text.floor_char_boundary(text.len() / 2);
        let old = format!("def old_a(b):\n{}x = 1\n{}", &text[..half], &text[half..]);
        let diff = FileDiff::new("a.py", Some(old.into()), text).into_iter().collect();
        let it = snapshot("a.py", text).with_diff(Arc::new(CommitDiff { files: diff }));
        let edits = edits_since_commit(&it);
        let co_change = CoChange::new(History::default(), CoChangeConfig::measured());
        let request = NextRequest { edits: &edits, co_change: &co_change, limit: 10 };
        next_edits(&it, &request, &next::Config::measured());
    });
    res.push(next.read_as(Some(Language::Python)));
    res.push(entry("ignore file", |text| {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(".gitignore"), text).unwrap();
        std::fs::write(dir.path().join("a.py"), "a = 1\n").unwrap();
        let config =
            foreword_load::WalkConfig { threads: 1, ..foreword_load::WalkConfig::default() };
        foreword_load::walk(dir.path(), &config).unwrap();
    }));
    res.push(entry("issue export", |text| drop(black_box(readable_export(text)))));
    res.push(entry("page of the user", |text| {
        let own = [OwnPage { path: "/a.md".to_owned(), text: text.to_owned() }];
        let sources = custom::CustomSources::new(&shop(), &Customisation::default(), &own).unwrap();
        sources.unwrap().find("what is a?");
    }));
    res
}

/// Questions, names and patterns.
fn questions() -> Vec<Entry> {
    let of = |name: &str, work: fn(&Snapshot, &str)| {
        let snapshot = shop();
        entry(name, move |text| work(&snapshot, text))
    };
    let asked = |snapshot: &Snapshot, question: &str, pasted: &str| {
        let request = AskRequest {
            question,
            pasted,
            repository: "shop",
            tokens: 2000,
            ..AskRequest::default()
        };
        gather(snapshot, &request, &count)
    };
    vec![
        of("search: question", |it, text| {
            let request = SearchRequest { question: Question::new(text), limit: 10, tokens: None };
            search(it, &request, &preset::search(), &count, &mut Control::default());
        }),
        of("grep: literal", |it, text| {
            let _ = grep(it, &GrepRequest { pattern: text, limit: 10, ..GrepRequest::default() });
        }),
        of("grep: regex", |it, text| {
            let _ = grep(
                it,
                &GrepRequest { pattern: text, regex: true, limit: 10, ..GrepRequest::default() },
            );
        }),
        of("fuzzy: similar", |it, text| drop(fuzzy::similar(it, text, 10))),
        of("symbols", |it, text| {
            let definitions = symbols::definitions(it, text, &|_| true).found;
            black_box(symbols::uses(it, text, &definitions, &|_| true, 10));
        }),
        of("map: focus", |it, text| {
            let request = MapRequest { focus: &[text.to_owned()], tokens: 500, keep: None };
            map(it, &request, &count);
        }),
        entry("ask: question", {
            let snapshot = shop();
            move |text| drop(asked(&snapshot, text, ""))
        }),
        entry("ask: pasted text", {
            let snapshot = shop();
            move |text| drop(asked(&snapshot, "why?", text))
        }),
        entry("ask: check of an answer", {
            let snapshot = shop();
            let evidence = asked(&snapshot, "what is a price", "").evidence;
            move |text| drop(verify(&snapshot, &evidence, text))
        }),
        entry("ask: places of an answer", |text| drop(places_in(text))),
        entry("ask: follow-up", |text| drop(follow_up(text, text))),
        entry("feedback", |text| {
            let vote = |n: usize| Vote {
                path: "shop/price.py".to_owned(),
                symbol: "price_of".to_owned(),
                line: 1,
                question: format!("{n} {text}"),
                weight: 1.0,
                days: 1.0,
            };
            let votes: Vec<Vote> = (0..2).map(vote).collect();
            let config = feedback::Config::IN_FORCE;
            black_box(Feedback::new(&votes, &config).weigh(text, &config));
        }),
    ]
}

/// A cursor in an unsaved text: at its end, and in its middle.
fn cursors() -> Vec<Entry> {
    let at = |path: &'static str, part: usize| {
        let name = if part == 1 { "end" } else { "middle" };
        let snapshot = shop();
        entry(&format!("context {path}, {name}"), move |text| {
            let offset = text.floor_char_boundary(text.len() / part);
            let cursor = Cursor::new(path, text, offset).unwrap();
            let mut preset = preset::context();
            preset.budget = preset::budget(1000);
            let view = View::new(&snapshot, &cursor).unwrap();
            let mut control = Control::default();
            let retrieval = CursorRetrieval::new(view, &cursor, &preset, &count, &mut control);
            let format = Format::named("qwen2.5-coder").unwrap();
            let _ = retrieval.prompt(Target { format, repository: "shop", count: &count });
        })
        .read_as(Language::of_path(path, ""))
    };
    let mut res = Vec::new();
    for path in ["a.py", "a.rs", "a.ts", "a.go", "a.html", "a.txt"] {
        res.extend([at(path, 1), at(path, 2)]);
    }
    res.push(entry("place: line and column", |text| {
        let _ = black_box(place::offset_of(text, 1, Some(text.len() / 2)));
    }));
    res
}

/// What models and their servers write, and what they are sent.
fn models() -> Vec<Entry> {
    let cleaned = |name: &str, writer| {
        entry(&format!("clean: {name}"), move |text| {
            let half = text.floor_char_boundary(text.len() / 2);
            let stop = ["\n\n\n".to_owned()];
            let point = InsertionPoint {
                prefix: &text[..half],
                suffix: &text[half..],
                stop: &stop,
                specials: &["<|fim_prefix|>"],
                extent: Extent::Block(usize::MAX),
                writer,
            };
            clean(text, &point);
            clean(text, &InsertionPoint { prefix: "a", suffix: "b", ..point });
        })
    };
    vec![
        cleaned("completion", Writer::Base),
        cleaned("chat", Writer::Chat),
        entry("clean: stream", |text| {
            let mut stream = Stream::new(InsertionPoint::default());
            for line in text.split_inclusive('\n') {
                black_box(stream.push(line));
            }
            black_box(stream.finish());
        }),
        entry("prompt: special tokens", |text| {
            for format in Format::ALL {
                black_box(neutralise(format, text));
            }
        }),
        entry("prompt: composition", |text| {
            for format in Format::ALL {
                let hole = Hole {
                    repository: "shop",
                    path: text,
                    line_comment: Some("#"),
                    language_name: None,
                    prefix: text,
                    suffix: text,
                };
                compose(format, &hole, &[Part { path: text, text }, Part { path: "c.py", text }]);
            }
        }),
        entry("tokens: vocabulary", |text| _ = black_box(tokens::general().unwrap().count(text))),
        entry("tokens: estimate", |text| _ = black_box(TokenCounter::general().count(text))),
        entry("completion: embedded model", |text| {
            let half = text.floor_char_boundary(text.len() / 2);
            let (prefix, suffix) = text.split_at(half);
            let hole = embedded::Hole {
                prefix,
                suffix,
                pieces: &[text],
                nearby: &[text],
                background: None,
                cache: None,
            };
            embedded::complete(&hole, Extent::Block(10), 3);
        }),
        entry("stream of a server", |text| {
            let mut lines = Lines::default();
            for piece in text.as_bytes().chunks(7) {
                black_box(lines.push(piece));
            }
            black_box(lines.finish());
        }),
        entry("control characters", |text| drop(visible::printable(text))),
    ]
}
