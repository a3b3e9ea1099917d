//! The root of a workspace, its index directory, and paths relative to the root.

use std::path::Path;

use foreword_load::{Environment, LoadError, Options, Workspace, git_problem, index_dir, walk};

use crate::{Tree, everything, paths};

fn discover(path: &Path) -> Workspace {
    Workspace::discover(path, &Options::default()).unwrap()
}

/// A repository made without git, with the parts of its storage that are read.
fn repository() -> Tree {
    let tree = Tree::of(&["src/deep/a.rs", "top.rs"]);
    tree.write(".git/HEAD", "ref: refs/heads/main\n");
    tree
}

#[test]
fn the_root_is_the_top_of_the_work_tree() {
    let tree = repository();
    for path in ["", "src", "src/deep/a.rs"] {
        assert_eq!(discover(&tree.path(path)).root, tree.root);
    }
}

#[test]
fn a_sub_folder_can_be_the_root_if_it_is_named() {
    let tree = repository();
    tree.write(".gitignore", "deep/\n/src/x.rs\n").write("src/x.rs", "").write("src/y.rs", "");
    let options = Options { root_is_path: true, ..Options::default() };
    let sub = Workspace::discover(&tree.path("src"), &options).unwrap();
    assert_eq!(sub.root, tree.path("src"));
    assert_eq!(sub.store_key(), discover(&tree.root).store_key());
    assert_ne!(sub.view_key(), discover(&tree.root).view_key());
    let found = walk(&sub.root, &everything()).unwrap();
    assert_eq!(paths(&found), ["y.rs"], "the ignore files above the root count");
    assert_eq!(
        found.skipped[0].reason.to_string(),
        format!("ignored by {}:1: deep/", tree.path(".gitignore").display())
    );
}

#[test]
fn a_file_belongs_to_its_innermost_repository() {
    let tree = repository();
    let options = Options { root_is_path: true, ..Options::default() };
    assert_eq!(Workspace::discover(&tree.path("src/deep/a.rs"), &options).unwrap().root, tree.root);
}

#[test]
fn a_plain_directory_is_its_own_root() {
    let tree = Tree::of(&["a/b/c.rs"]);
    let workspace = discover(&tree.path("a"));
    assert_eq!(
        (&workspace.root, workspace.name.as_str(), &workspace.git),
        (&tree.path("a"), "a", &None)
    );
    assert_eq!(discover(&tree.path("a/b/c.rs")).root, tree.path("a/b"));
}

#[test]
fn a_dot_git_file_that_points_nowhere_still_ends_the_search() {
    let tree = repository();
    tree.write("moved/.git", "gitdir: /no/such/place\n").write("moved/a.rs", "");
    let workspace = discover(&tree.path("moved/a.rs"));
    assert_eq!((workspace.root, workspace.git), (tree.path("moved"), None));
}

#[test]
fn a_dot_git_file_may_point_to_storage_elsewhere() {
    let storage = Tree::new();
    storage
        .write("tool.git/HEAD", "ref: refs/heads/main\n")
        .write("tool.git/info/exclude", "b.rs\n");
    let tree = Tree::of(&["a.rs", "b.rs"]);
    tree.write(".git", format!("gitdir: {}\n", storage.path("tool.git").display()));
    let workspace = discover(&tree.root);
    assert_eq!(workspace.git, None, "it may be another repository's");
    let problem = git_problem(&workspace).unwrap().to_string();
    assert!(problem.contains(&format!("core.worktree {}", tree.root.display())), "{problem}");
    storage.write("tool.git/config", format!("[core]\nworktree = {}\n", tree.root.display()));
    let workspace = discover(&tree.root);
    assert_eq!((workspace.name.as_str(), tree.files()), ("tool", vec!["a.rs".to_string()]));
    let git = workspace.git.unwrap();
    assert_eq!(
        (git.branch.as_deref(), git.is_worktree, git.is_submodule),
        (Some("main"), false, false)
    );
}

#[test]
fn the_home_directory_is_a_root_only_by_name() {
    let home = Tree::of(&["notes.txt", "project/a.rs"]);
    let options = Options { home: Some(home.root.clone()), ..Options::default() };
    let broad = Workspace::discover(&home.path("notes.txt"), &options);
    assert!(matches!(broad, Err(LoadError::TooBroad { .. })));
    assert_eq!(
        Workspace::discover(&home.path("project"), &options).unwrap().root,
        home.path("project")
    );
    let by_name = Options { root_is_path: true, ..options };
    assert_eq!(Workspace::discover(&home.root, &by_name).unwrap().root, home.root);
    assert!(matches!(
        Workspace::discover(Path::new("/"), &Options::default()),
        Err(LoadError::TooBroad { .. })
    ));
}

#[test]
fn a_missing_path_is_reported_as_missing() {
    let missing = Workspace::discover(&Tree::new().path("none"), &Options::default());
    assert!(matches!(missing, Err(LoadError::NotFound { .. })));
}

#[test]
fn the_index_directory_follows_the_order_of_precedence() {
    let tree = repository();
    let workspace = discover(&tree.root);
    let nowhere = Environment::default();
    assert!(matches!(index_dir(&workspace, None, &nowhere), Err(LoadError::NoIndexDir)));
    let cache = Environment { cache_dir: Some("/cache".into()), ..nowhere.clone() };
    let place = index_dir(&workspace, None, &cache).unwrap();
    assert!(place.starts_with(Path::new("/cache").join("foreword")));
    let name = place.file_name().unwrap().to_str().unwrap();
    assert_eq!(name.rsplit_once('-').unwrap().1, &workspace.store_key()[..12]);
    let named = index_dir(&workspace, Some(Path::new("/named")), &cache).unwrap();
    assert_eq!(named, Path::new("/named").join(name));
}

#[test]
fn a_path_is_resolved_relative_to_the_root() {
    let tree = repository();
    let workspace = discover(&tree.root);
    let relative = |path: &str| workspace.relative(&tree.path(path)).unwrap();
    assert_eq!(relative("src/deep/a.rs"), "src/deep/a.rs");
    assert_eq!(relative("src/./deep/../../top.rs"), "top.rs");
    assert_eq!(relative(""), "");
    assert_eq!(relative("src/new/file.rs"), "src/new/file.rs");
    assert_eq!(relative("src/new/../x.rs"), "src/x.rs");
}

#[test]
fn a_path_outside_is_refused_by_name() {
    let tree = repository();
    let workspace = discover(&tree.root);
    for path in ["../x", "src/../../x", "/"] {
        let error = workspace.relative(&tree.path(path)).unwrap_err();
        assert!(matches!(error, LoadError::OutsideRoot { .. }), "{error}");
    }
    // A sibling whose name begins with that of the root is not inside.
    let sibling = format!("{}-other/x", tree.root.display());
    assert!(matches!(workspace.relative(Path::new(&sibling)), Err(LoadError::OutsideRoot { .. })));
}

#[test]
fn a_relative_path_is_relative_to_the_working_directory() {
    let here = std::env::current_dir().unwrap();
    let options = Options { root_is_path: true, ..Options::default() };
    let workspace = Workspace::discover(&here, &options).unwrap();
    assert_eq!(workspace.relative(Path::new("tests/it/main.rs")).unwrap(), "tests/it/main.rs");
}

#[test]
#[cfg(unix)]
fn links_on_the_way_are_resolved() {
    use std::os::unix::fs::symlink;
    let tree = repository();
    let elsewhere = Tree::of(&["x"]);
    symlink(&tree.root, elsewhere.path("link")).unwrap();
    symlink("src", tree.path("alias")).unwrap();
    symlink(elsewhere.path("x"), tree.path("out")).unwrap();
    let workspace = discover(&elsewhere.path("link"));
    assert_eq!(workspace.root, tree.root);
    assert_eq!(workspace.relative(&elsewhere.path("link/src/deep/a.rs")).unwrap(), "src/deep/a.rs");
    assert_eq!(workspace.relative(&tree.path("alias/deep/a.rs")).unwrap(), "src/deep/a.rs");
    assert_eq!(workspace.relative(&tree.path("alias/new.rs")).unwrap(), "src/new.rs");
    assert_eq!(workspace.relative(&tree.path("alias/../top.rs")).unwrap(), "top.rs");
    assert!(matches!(workspace.relative(&tree.path("out")), Err(LoadError::OutsideRoot { .. })));
}
