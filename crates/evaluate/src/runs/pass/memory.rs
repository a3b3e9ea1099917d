//! The memory of all processes of a sandbox together.
//!
//! A cgroup would limit it exactly, but none can be made without rights over the hierarchy. So the sums of `/proc` are
//! read some times a second: between two readings a run may take more.

use std::collections::BTreeMap;
use std::fs;

/// The memory of a process and of all that descend from it, in KiB: what they do not share with files, and what was
/// swapped out. Pages that forks share count once for each. A process that just ended counts as nothing.
pub(super) fn of_group(root: u32) -> u64 {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    for pid in entries.filter_map(|it| it.file_name().to_str()?.parse().ok()) {
        if let Some(parent) = parent(pid) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut res = 0;
    let mut left = vec![root];
    while let Some(pid) = left.pop() {
        res += of_process(pid);
        // Each process is taken once, whatever was reused while `/proc` was read.
        left.extend(children.remove(&pid).unwrap_or_default());
    }
    res
}

fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may have any characters.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

fn of_process(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let counted =
        |it: &&str| ["RssAnon:", "RssShmem:", "VmSwap:"].iter().any(|key| it.starts_with(key));
    let amount = |it: &str| it.split_whitespace().nth(1)?.parse::<u64>().ok();
    status.lines().filter(counted).filter_map(amount).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_group_is_that_of_its_processes() {
        let own = std::process::id();
        assert!(of_process(own) > 0);
        let command = "x=$(head -c 30000000 /dev/zero | tr '\\0' a); echo; read it";
        let mut child = std::process::Command::new("sh")
            .args(["-c", command])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = [0];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut line).unwrap();
        // The child waits, so its memory stays; that of this process changes with the other tests.
        let of_child = of_group(child.id());
        assert!(of_child >= 25_000, "{of_child} KiB");
        assert!(of_group(own) > of_child);
        drop(child.stdin.take());
        child.wait().unwrap();
        assert_eq!(of_group(child.id()), 0);
    }
}
