//! Makes the system's allocator give large buffers back.
//!
//! At first glibc maps each large buffer separately and unmaps it when it is freed. The threshold then grows to the
//! largest buffer ever freed, up to 32 MB, and later buffers of that size come from the heap, which keeps them. An
//! environment variable, read when a process starts, fixes the threshold; so a server re-executes itself with it.

/// The variable that fixes the threshold.
const VARIABLE: &str = "MALLOC_MMAP_THRESHOLD_";

/// Threshold in bytes: freed buffers of this size or more are returned. glibc's initial value.
const THRESHOLD: &str = "131072";

/// Re-executes this program with the variable, unless it is set. A failure costs memory only.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn return_large_buffers() {
    use std::os::unix::process::CommandExt as _;
    if std::env::var_os(VARIABLE).is_some() {
        return;
    }
    let mut args = std::env::args_os();
    let name = args.next().unwrap_or_else(|| "foreword".into());
    let mut program = std::process::Command::new("/proc/self/exe");
    let _ = program.arg0(name).args(args).env(VARIABLE, THRESHOLD).exec();
}

/// Other allocators need no help.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn return_large_buffers() {
    let _ = (VARIABLE, THRESHOLD);
}
