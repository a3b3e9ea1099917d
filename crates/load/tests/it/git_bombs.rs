//! Git data that stand for far more work or memory than they have bytes. On Linux each is read in a process of its own,
//! whose largest memory is compared.

use std::fs;
use std::path::Path;

use foreword_load::{GitHistory, GitProblem, HistoryLimits, Options, Workspace, history};

use crate::Tree;
use crate::commit_diff::diff_below;
use crate::packs::{
    BLOB, COMMIT, Id, Pack, TREE, commit, copy, delta, hex, id, index, loose, repository, tree,
    zlib,
};

const MIB: usize = 1 << 20;

/// Maximum memory of a process that reads a bomb; without one it takes some 15 MB.
#[cfg(target_os = "linux")]
const MOST_MEMORY: usize = 160 * MIB;

/// The hashes of the last commit, of the one before, and of their trees.
const HEAD: u32 = 1;
const PARENT: u32 = 2;
const NEW: u32 = 3;
const OLD: u32 = 4;

/// A pack with two commits and the tree of the first; the tree of the second is the bomb.
fn commits() -> Pack {
    let mut pack = Pack::default();
    pack.whole(id(HEAD), COMMIT, &commit(id(NEW), &[id(PARENT)]));
    pack.whole(id(PARENT), COMMIT, &commit(id(OLD), &[]));
    pack.whole(id(OLD), TREE, &tree(&[("100644", "a.py", id(99))]));
    pack
}

/// Reads the repository that the function makes, in a process of its own.
fn check(name: &str, make: impl Fn(&Tree)) -> GitHistory {
    let bomb = Tree::new();
    make(&bomb);
    let root = bomb.path("repo");
    #[cfg(target_os = "linux")]
    {
        let program = std::env::current_exe().unwrap();
        let mut child = std::process::Command::new(program);
        child.args(["git_bombs::child", "--exact", "--nocapture"]).env("BOMB", &root);
        let output = String::from_utf8(child.output().unwrap().stdout).unwrap();
        let peak = output.lines().find_map(|it| it.strip_prefix("peak ")?.parse::<usize>().ok());
        let peak = peak.unwrap_or_else(|| panic!("{name}: {output}"));
        assert!(peak < MOST_MEMORY, "{name}: {} MiB", peak / MIB);
    }
    let workspace = Workspace::discover(&root, &Options::default()).unwrap();
    let read = history(&workspace, None, &HistoryLimits::usual());
    assert!(read.history.commits.len() < 10, "{name}");
    read
}

/// Not a test of its own: what `check` runs.
#[test]
#[expect(clippy::print_stdout, reason = "the other process reads it")]
fn child() {
    let Some(root) = std::env::var_os("BOMB") else { return };
    let root = Path::new(&root);
    let workspace = Workspace::discover(root, &Options::default()).unwrap();
    history(&workspace, None, &HistoryLimits::usual());
    let tree = Tree::new();
    fs::create_dir_all(tree.path("repo/.git")).unwrap();
    diff_below(&tree, root, &Options::default());
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|it| it.strip_prefix("VmHWM:")).unwrap();
    let kib: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
    println!("\npeak {}", kib << 10);
}

/// Instructions that insert `length` zeros.
fn zeros(length: usize) -> Vec<u8> {
    let part = [&[127][..], &[0; 127]].concat();
    assert_eq!(length % 127, 0);
    part.repeat(length / 127)
}

#[test]
fn wide_deltas_are_held_one_at_a_time() {
    let size = 127 * 150_000;
    check("wide deltas", |it| {
        let mut pack = commits();
        let mut base = pack.whole(id(100), TREE, b"");
        let wide = [delta(0, size, &zeros(size)), delta(size, size, &zeros(size))];
        for n in 0..60 {
            let number = if n == 59 { NEW } else { 101 + n };
            base = pack.delta_at(id(number), base, &wide[usize::from(n > 0)]);
        }
        repository(it, id(HEAD), pack);
    });
}

#[test]
fn short_deltas_with_large_results_end_with_the_work() {
    let size = 15 * MIB;
    let read = check("short deltas", |it| {
        let mut pack = commits();
        let mut base = pack.whole(id(100), TREE, &vec![0; size]);
        for n in 0..4000 {
            let number = if n == 3999 { NEW } else { 101 + n };
            base = pack.delta_at(id(number), base, &delta(size, size, &copy(size)));
        }
        repository(it, id(HEAD), pack);
    });
    assert_eq!(read.problem, Some(GitProblem::TooMuchWork));
}

#[test]
fn claimed_sizes_and_streams_without_an_end_cost_nothing() {
    check("a size of a pack", |it| {
        let mut pack = commits();
        pack.claimed(id(NEW), TREE, 1 << 40, &zlib(b"x"));
        repository(it, id(HEAD), pack);
    });
    check("a size of a delta", |it| {
        let mut pack = commits();
        let base = pack.whole(id(100), TREE, b"");
        pack.delta_at(id(NEW), base, &delta(0, 1 << 40, &[1, 0]));
        repository(it, id(HEAD), pack);
    });
    check("a stream of a pack", |it| {
        let mut pack = commits();
        pack.claimed(id(NEW), TREE, 1000, &zlib(&vec![0; 300 * MIB]));
        repository(it, id(HEAD), pack);
    });
    for head in ["tree 10", "tree 314572800", "tree 99999999999999999999", "tree -1"] {
        check(head, |it| {
            loose(&repository(it, id(HEAD), commits()), id(NEW), head, &vec![0; 300 * MIB]);
        });
    }
}

#[test]
fn deltas_that_lead_nowhere_are_no_object() {
    let one = delta(1, 1, &copy(1));
    check("of itself by name", |it| {
        let mut pack = commits();
        pack.delta_of(id(NEW), id(NEW), &one);
        repository(it, id(HEAD), pack);
    });
    check("a circle", |it| {
        let mut pack = commits();
        pack.delta_of(id(NEW), id(100), &one);
        pack.delta_of(id(100), id(NEW), &one);
        repository(it, id(HEAD), pack);
    });
    for distance in [0, 1, 1 << 20, 1 << 60] {
        check("before the start", |it| {
            let mut pack = commits();
            pack.delta_back(id(NEW), distance, &one);
            repository(it, id(HEAD), pack);
        });
    }
}

#[test]
fn directories_that_name_one_another_are_read_a_few_times() {
    let entries = |number: u32, count: u32| -> Vec<u8> {
        let names: Vec<String> = (0..count).map(|it| format!("d{it:03}")).collect();
        let all: Vec<(&str, &str, Id)> =
            names.iter().map(|it| ("40000", &**it, id(number))).collect();
        tree(&all)
    };
    check("itself", |it| {
        let mut pack = commits();
        pack.whole(id(NEW), TREE, &tree(&[("40000", "d", id(NEW)), ("40000", "e", id(NEW))]));
        repository(it, id(HEAD), pack);
    });
    let read = check("ten to the tenth files", |it| {
        let mut pack = commits();
        let names: Vec<String> = (0..100).map(|it| format!("f{it:03}")).collect();
        let files: Vec<_> = names.iter().map(|it| ("100644", &**it, id(98))).collect();
        pack.whole(id(200), TREE, &tree(&files));
        for level in 0..4 {
            let number = if level == 3 { NEW } else { 201 + level };
            pack.whole(id(number), TREE, &entries(200 + level, 100));
        }
        repository(it, id(HEAD), pack);
    });
    // The commit is known, what it changed is not.
    assert_eq!(read.history.commits.len(), 0);
    check("ten to the tenth empty directories", |it| {
        let mut pack = commits();
        pack.whole(id(200), TREE, b"");
        for level in 0..5 {
            let number = if level == 4 { NEW } else { 201 + level };
            pack.whole(id(number), TREE, &entries(200 + level, 100));
        }
        repository(it, id(HEAD), pack);
    });
}

#[test]
fn large_directories_in_one_another_are_not_all_held() {
    check("large ones in one another", |it| {
        let mut pack = commits();
        let name = "n".repeat(2000);
        let many: Vec<_> = (0..8000).map(|_| ("100644", &*name, id(98))).collect();
        for level in 0..40 {
            let mut all = vec![("40000", "d", id(301 + level))];
            all.extend(&many);
            let number = if level == 0 { NEW } else { 300 + level };
            let bytes = tree(&all);
            pack.claimed(id(number), TREE, bytes.len() as u64, &zlib(&bytes));
        }
        repository(it, id(HEAD), pack);
    });
}

#[test]
fn commits_of_many_parents_and_their_own_children_end() {
    let own = check("its own parent", |it| {
        let mut pack = commits();
        pack.whole(id(NEW), TREE, &tree(&[("100644", "b.py", id(98))]));
        pack.whole(id(50), COMMIT, &commit(id(NEW), &[id(50)]));
        repository(it, id(50), pack);
    });
    assert_eq!((own.history.commits.len(), own.problem), (1, None));
    let parents: Vec<Id> = (0..20_000).map(|it| id(1000 + it)).collect();
    let many = check("20,000 parents", |it| {
        let mut pack = commits();
        pack.whole(id(50), COMMIT, &commit(id(OLD), &parents));
        for it in &parents[..20] {
            pack.whole(*it, COMMIT, &commit(id(OLD), &parents));
        }
        repository(it, id(50), pack);
    });
    let problem = many.problem.unwrap();
    let expected = GitProblem::TooManyParents { commit: hex(id(50)), parents: 20_000 };
    assert_eq!(problem, expected);
    assert!(problem.to_string().contains("20000 parents"), "{problem}");
}

#[test]
fn equal_files_are_paired_without_comparing_all_with_all() {
    // 9,000 removed and 9,000 added files of one content: 81 million pairs.
    let files = |letter: char| -> Vec<u8> {
        let names: Vec<String> = (0..9000).map(|it| format!("{letter}{it:05}.py")).collect();
        let all: Vec<_> = names.iter().map(|it| ("100644", &**it, id(98))).collect();
        tree(&all)
    };
    let read = check("equal files", |it| {
        let mut pack = Pack::default();
        pack.whole(id(HEAD), COMMIT, &commit(id(NEW), &[id(PARENT)]));
        pack.whole(id(PARENT), COMMIT, &commit(id(OLD), &[]));
        pack.whole(id(OLD), TREE, &files('a'));
        pack.whole(id(NEW), TREE, &files('b'));
        pack.whole(id(98), BLOB, b"x = 1\n");
        repository(it, id(HEAD), pack);
    });
    assert_eq!(read.history.commits[0].moves.len(), 1);
}

#[test]
fn small_files_of_git_are_read_in_part() {
    let sparse = |path: &Path, bytes: u64| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::File::create(path).unwrap().set_len(bytes).unwrap();
    };
    let names = ["packed-refs", "config", "commondir", "index", "info/exclude"];
    for name in names {
        check(name, |it| {
            let root = repository(it, id(HEAD), commits());
            it.write("repo/.git/HEAD", "ref: refs/heads/main\n");
            sparse(&root.join(".git").join(name), 1 << 30);
        });
    }
    for name in ["objects/info/alternates", "objects/pack/pack-2.idx"] {
        check(name, |it| {
            sparse(&repository(it, id(HEAD), commits()).join(".git").join(name), 1 << 30);
        });
    }
    check("an index of objects that claims four billion", |it| {
        let root = repository(it, id(HEAD), commits());
        let path = root.join(".git/objects/pack/pack-1.idx");
        let mut bytes = fs::read(&path).unwrap();
        bytes[8..8 + 1024].fill(0xff);
        fs::write(&path, bytes).unwrap();
    });
    check("a circle of refs", |it| {
        repository(it, id(HEAD), commits());
        it.write("repo/.git/HEAD", "ref: refs/heads/a\n");
        it.write("repo/.git/refs/heads/a", "ref: refs/heads/b\n");
        it.write("repo/.git/refs/heads/b", "ref: refs/heads/a\n");
    });
    check("a circle of includes", |it| {
        repository(it, id(HEAD), commits());
        it.write("repo/.git/config", "[include]\n\tpath = config\n".repeat(40_000));
    });
}

#[test]
fn an_index_has_no_more_paths_than_bytes_allow() {
    let with_index = |bytes: Vec<u8>| {
        move |it: &Tree| {
            let mut pack = commits();
            pack.whole(id(NEW), TREE, &tree(&[("100644", "a.py", id(98))]));
            repository(it, id(HEAD), pack);
            it.write("repo/.git/index", &bytes);
        }
    };
    check("four billion entries", with_index(index(u32::MAX, &[(0, "a.py")])));
    // Each path is one byte longer than the last: 200,000 of them have 20 GB.
    let longer: Vec<(u8, &str)> = (0..200_000).map(|_| (0, "a")).collect();
    check("paths that grow", with_index(index(200_000, &longer)));
    let start = "p".repeat(4000);
    let mut long: Vec<(u8, &str)> = vec![(0, &start)];
    long.extend((0..300_000).map(|_| (1, "q")));
    check("long paths", with_index(index(300_001, &long)));
}
