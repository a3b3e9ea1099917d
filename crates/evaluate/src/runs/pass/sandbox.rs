//! Runs the tests of foreign code in a sandbox: bubblewrap (bwrap) makes the namespaces, prlimit of util-linux sets the
//! limits, and this process ends what takes too long, writes too much, or takes too much memory together. There is no way to run tests without it.
//!
//! The tests see no network, no other process, no file of the user, and of the system only `/usr`, `/etc` and what the
//! environment names, read-only. They run in a copy of the checkout in memory, which goes when they end. They have no
//! capabilities; where root starts them, they run as `nobody`, since the limit of processes does not bind root.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;

use super::environment::Environment;
use super::memory;

/// Limits of one run of the tests.
#[derive(Clone, Copy, Debug, clap::Args, Serialize)]
pub struct Limits {
    /// Seconds for one run of the tests.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub test_seconds: u64,
    /// Memory of each process in MiB (its data: private, writable memory).
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    pub test_memory: u64,
    /// Memory of all processes together in MiB, read some times a second.
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub test_total_memory: u64,
    /// Processes and threads.
    #[arg(long, value_name = "N", default_value_t = 512)]
    pub test_processes: u64,
    /// Files written by a run in MiB, the copy of the checkout included. They are in memory.
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    pub test_disk: u64,
    /// Output of a run in KiB.
    #[arg(long, value_name = "KIB", default_value_t = 4096)]
    pub test_output: u64,
}

/// How a run of the tests ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Ending {
    /// Exit status 0.
    Passed,
    /// Another exit status.
    Failed,
    /// Killed at the limit of time.
    TooSlow,
    /// Killed at the limit of output.
    TooMuchOutput,
    /// Killed at the limit of memory of all processes.
    TooMuchMemory,
}

/// A run of the tests.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TestRun {
    /// How it ended.
    pub(crate) ending: Ending,
    /// The end of its output.
    pub(crate) output: String,
}

/// A sandbox that was seen to work.
#[derive(Debug)]
pub(super) struct Sandbox {
    limits: Limits,
    is_root: bool,
}

/// Copies the checkout, writes the file from stdin, says that the tests begin, and runs them.
const SCRIPT: &str = r#"exec 2>&1
cp -R --preserve=mode,timestamps,links /source "$1" && cat > "$1/$2" && cd "$1" || exit
echo "$3"
exec sh -c "$4" </dev/null"#;

/// Precedes the output of the tests; without it, they did not begin.
const BEGINS: &str = "foreword-evaluate: the tests begin";

/// Bytes of output that a run keeps.
const KEPT: usize = 4000;

/// Time between two looks at a run.
const PAUSE: Duration = Duration::from_millis(10);

/// Every how many looks its memory is summed up.
const LOOKS_AT_MEMORY: u64 = 5;

impl Sandbox {
    /// Tries a sandbox; the error says what this machine lacks.
    pub(super) fn new(limits: Limits) -> Result<Self> {
        let is_root = std::fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0);
        let res = Self { limits, is_root };
        let mut command = res.namespaces();
        res.limited(&mut command).arg("true");
        let output = command.output().context(
            "no sandbox: bwrap cannot be run (package bubblewrap). Tests of foreign code are not run without it",
        )?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.success(),
            "no sandbox: this machine allows no namespaces ({}). Tests of foreign code are not run without them",
            said.trim()
        );
        Ok(res)
    }

    /// Runs the tests of an environment with `text` in place of a file of its checkout.
    pub(super) fn run(&self, environment: &Environment, file: &str, text: &str) -> Result<TestRun> {
        let mut child = self
            .command(environment, file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot run bwrap")?;
        let (status, output) = self.attend(&mut child, text)?;
        let Some((_, output)) = output.split_once(&format!("{BEGINS}\n")) else {
            let mut said = String::new();
            child.stderr.take().context("no stderr")?.read_to_string(&mut said)?;
            anyhow::bail!("the sandbox did not start: {} {}", output.trim(), said.trim());
        };
        let ending = match status {
            Ok(status) if status.success() => Ending::Passed,
            Ok(_) => Ending::Failed,
            Err(ending) => ending,
        };
        let from = output.ceil_char_boundary(output.len().saturating_sub(KEPT));
        Ok(TestRun { ending, output: output[from..].to_owned() })
    }

    /// Feeds and reads a run, and kills it at its limits.
    fn attend(
        &self,
        child: &mut Child,
        text: &str,
    ) -> Result<(Result<ExitStatus, Ending>, String)> {
        let mut stdin = child.stdin.take().context("no stdin")?;
        let stdout = child.stdout.take().context("no stdout")?;
        let most = self.limits.test_output * 1024;
        let has_too_much = AtomicBool::new(false);
        std::thread::scope(|scope| {
            // Fails where the sandbox did not start, which its output tells.
            scope.spawn(move || drop(stdin.write_all(text.as_bytes())));
            let reader = scope.spawn(|| {
                let mut res = Vec::new();
                let read = stdout.take(most + 1).read_to_end(&mut res);
                has_too_much.store(res.len() as u64 > most, Ordering::Relaxed);
                read.map(|_| res)
            });
            let status = self.wait(child, &has_too_much)?;
            let output = reader.join().ok().context("the reader failed")??;
            // It may have ended by itself before the reader had seen all of it.
            let is_over = has_too_much.load(Ordering::Relaxed);
            let status = if is_over { Err(Ending::TooMuchOutput) } else { status };
            Ok((status, String::from_utf8_lossy(&output).into_owned()))
        })
    }

    fn wait(
        &self,
        child: &mut Child,
        has_too_much: &AtomicBool,
    ) -> Result<Result<ExitStatus, Ending>> {
        let end = Instant::now() + Duration::from_secs(self.limits.test_seconds);
        let most_memory = self.limits.test_total_memory << 10;
        let takes_too_much = |child: &Child| memory::of_group(child.id()) > most_memory;
        let mut look = 0_u64;
        loop {
            let status = child.try_wait().context("cannot wait for bwrap")?;
            let ending = match status {
                _ if has_too_much.load(Ordering::Relaxed) => Ending::TooMuchOutput,
                Some(status) => return Ok(Ok(status)),
                None if Instant::now() > end => Ending::TooSlow,
                None if look.is_multiple_of(LOOKS_AT_MEMORY) && takes_too_much(child) => {
                    Ending::TooMuchMemory
                }
                None => {
                    look += 1;
                    std::thread::sleep(PAUSE);
                    continue;
                }
            };
            // All processes of the sandbox end with bwrap; it may have ended by itself.
            drop(child.kill());
            child.wait().context("cannot wait for bwrap")?;
            return Ok(Err(ending));
        }
    }

    fn command(&self, environment: &Environment, file: &str) -> Command {
        let mut command = self.namespaces();
        let (home, tree) = (&environment.home, environment.tree());
        let tools = home.join("tools");
        let disk = (self.limits.test_disk << 20).to_string();
        command.args([Path::new("--ro-bind"), &tree, Path::new("/source")]);
        command.args(["--perms", "1777", "--size", &disk, "--tmpfs"]).arg(home);
        let readable = environment.read.iter().map(|it| ("--ro-bind", it));
        for (how, path) in readable.chain([("--ro-bind-try", &tools)]) {
            // Else they get the modes of the originals, and a user's home is closed to `nobody`.
            let parent = path.parent().unwrap_or(path);
            command.args(["--perms", "0755", "--dir"]).arg(parent).arg(how).arg(path).arg(path);
        }
        command.args(["--setenv", "PATH", &environment.search_path()]);
        for (name, value) in &environment.variables {
            command.args(["--setenv", name, value]);
        }
        self.limited(&mut command).args(["sh", "-c", SCRIPT, "sh"]);
        command.arg(tree).args([file, BEGINS, &environment.test]);
        command
    }

    /// The namespaces, and the part of the system that is seen in them.
    fn namespaces(&self) -> Command {
        let mut command = Command::new("bwrap");
        command.args(["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]);
        command.args(["--die-with-parent", "--new-session", "--clearenv"]);
        let capabilities = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"];
        match self.is_root {
            true => command.args(capabilities.iter().flat_map(|it| ["--cap-add", it])),
            false => command.arg("--unshare-user"),
        };
        for it in ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc"] {
            command.args(["--ro-bind-try", it, it]);
        }
        let disk = (self.limits.test_disk << 20).to_string();
        command.args(["--proc", "/proc", "--dev", "/dev"]);
        for it in ["/tmp", "/dev/shm"] {
            command.args(["--perms", "1777", "--size", &disk, "--tmpfs", it]);
        }
        for (name, value) in [("PATH", "/usr/bin:/bin"), ("HOME", "/tmp"), ("TMPDIR", "/tmp")] {
            command.args(["--setenv", name, value]);
        }
        command.args(["--setenv", "LANG", "C.UTF-8"]);
        command
    }

    /// Adds the limits; what follows is the limited command.
    fn limited<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.arg("--");
        if self.is_root {
            command.args(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]);
            command.args(["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]);
            // In a user namespace of its own, other processes of that user do not count.
            command.args(["unshare", "--user", "--map-current-user"]);
        }
        let Limits { test_memory, test_processes, test_disk, .. } = self.limits;
        command.args(["prlimit", "--core=0"]);
        command.arg(format!("--data={}", test_memory << 20));
        command.arg(format!("--nproc={test_processes}"));
        command.arg(format!("--fsize={}", test_disk << 20));
        command.arg("--")
    }
}
