//! A repository that is ready to be tested: `DIR/owner+name/environment.toml` beside `tree`, a checkout with all that its
//! tests need, and `tools`, programs that only it needs (a virtual environment). `benchmarks/pass/prepare` makes some.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::Deserialize;

/// How a repository is tested.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Environment {
    /// The commit in `tree`.
    pub(super) revision: String,
    /// The command that runs all tests, for a shell, in `tree`.
    pub(super) test: String,
    /// Directories of programs, searched before those of the system.
    #[serde(default)]
    pub(super) path: Vec<PathBuf>,
    /// Readable files and directories besides those of the system, such as a compiler below the user's home.
    #[serde(default)]
    pub(super) read: Vec<PathBuf>,
    /// Environment variables. No others but PATH, HOME, LANG and TMPDIR are set.
    #[serde(default)]
    pub(super) variables: BTreeMap<String, String>,
    /// The directory of the file.
    #[serde(skip)]
    pub(super) home: PathBuf,
}

impl Environment {
    /// Reads the environment of a repository; `None` if it has none.
    pub(super) fn read(all: &Path, repository: &str) -> Result<Option<Self>> {
        let home = all.join(repository.replace('/', "+"));
        let file = home.join("environment.toml");
        if !file.is_file() {
            return Ok(None);
        }
        let shown = file.display();
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {shown}"))?;
        let mut res: Self = toml::from_str(&text).with_context(|| format!("{shown} is wrong"))?;
        res.home = home.canonicalize().with_context(|| format!("cannot find {shown}"))?;
        Ok(Some(res))
    }

    /// The checkout.
    pub(super) fn tree(&self) -> PathBuf {
        self.home.join("tree")
    }

    /// PATH in the sandbox.
    pub(super) fn search_path(&self) -> String {
        let own = self.path.iter().map(|it| it.display().to_string());
        let system = ["/usr/local/bin", "/usr/bin", "/bin"].map(str::to_owned);
        own.chain(system).collect::<Vec<_>>().join(":")
    }
}
