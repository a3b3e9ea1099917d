//! Arithmetic on relative paths.

/// Joins a relative path to `directory`, without `.` and `..`; `None` if it leaves the root.
pub(super) fn join(directory: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = directory.split('/').filter(|it| !it.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// `directory` and its parents, up to the root.
pub(super) fn upwards(directory: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(directory), |it| {
        (!it.is_empty()).then(|| it.rsplit_once('/').map_or("", |parent| parent.0))
    })
}
