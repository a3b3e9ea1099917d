//! Makes the system's allocator give large buffers back.
//!
//! glibc maps a large buffer on its own and unmaps it when it is freed, at first. But the size from which it does so
//! grows to that of the largest buffer that was ever freed, up to 32 MB: after some requests of megabytes theirs come
//! from the heap, which keeps them. The size is fixed by a variable that glibc reads when a process starts, so a
//! server starts itself again with it; the process stays the same.

/// The variable that fixes the size.
const VARIABLE: &str = "MALLOC_MMAP_THRESHOLD_";

/// Buffers of this many bytes and more are given back when they are freed. glibc's own value at the start.
const THRESHOLD: &str = "131072";

/// Starts this program again with the variable, unless it is set. What fails changes nothing but memory.
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
