//! C and C++: an included path is searched beside the including file, then at the end of paths.

use super::paths::Query;
use super::relative::join;
use crate::index::FileId;

/// Headers of C and POSIX. In brackets they are not in the repository, but an import does not record brackets.
const SYSTEM: &[&str] = &[
    "aio.h",
    "assert.h",
    "complex.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "errno.h",
    "fcntl.h",
    "fenv.h",
    "float.h",
    "getopt.h",
    "glob.h",
    "grp.h",
    "inttypes.h",
    "iso646.h",
    "libgen.h",
    "limits.h",
    "locale.h",
    "math.h",
    "netdb.h",
    "poll.h",
    "pthread.h",
    "pwd.h",
    "regex.h",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "spawn.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "syslog.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "utime.h",
    "wchar.h",
    "wctype.h",
];

/// The header; its extension must match.
pub(super) fn files(query: &Query<'_>, header: &str) -> Vec<FileId> {
    if SYSTEM.binary_search(&header).is_ok() {
        return Vec::new();
    }
    let beside = join(query.directory(), header).and_then(|it| query.snapshot.file(&it));
    let plain = header.trim_start_matches("../").trim_start_matches("./");
    // Headers of the C++ standard library have no extension.
    let elsewhere = || query.with_tail(plain).filter(|_| plain.contains(['.', '/']));
    beside.or_else(elsewhere).into_iter().collect()
}
