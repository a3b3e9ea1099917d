//! The `foreword` program.

use std::process::ExitCode;

/// A search is a tenth faster by it than by glibc's, and a server that runs for long keeps less
/// (`benchmarks/results/2026-11-21-fourth.md`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    foreword::cli::main()
}
