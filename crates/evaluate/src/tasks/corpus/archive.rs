//! Reads the sources of an archive without unpacking it to disk: zip, tar, tar.gz (tgz), tar.xz (txz).
//!
//! Skips the files that an index skips by name, size or content. An archive is untrusted input: paths that leave it are
//! skipped, and no entry is read beyond the size limit of a source.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use foreword_engine::source::Source;
use foreword_load::{DEFAULT_MAX_FILE_SIZE, decode};

use super::source_paths::is_source;

/// The supported archive formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Zip,
    Tar,
    TarGz,
    TarXz,
}

fn packing(path: &Path) -> Option<Packing> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    let ends = |suffixes: &[&str]| suffixes.iter().any(|it| name.ends_with(it));
    match () {
        () if ends(&[".zip"]) => Some(Packing::Zip),
        () if ends(&[".tar"]) => Some(Packing::Tar),
        () if ends(&[".tar.gz", ".tgz"]) => Some(Packing::TarGz),
        () if ends(&[".tar.xz", ".txz"]) => Some(Packing::TarXz),
        () => None,
    }
}

pub(super) fn is_archive(path: &Path) -> bool {
    packing(path).is_some()
}

/// The sources below `inside`, sorted by path relative to it. Strips a single top directory named like the archive, as
/// hosting sites pack repositories.
pub(super) fn sources(path: &Path, inside: &str) -> Result<Vec<Source>> {
    let shown = || format!("cannot read {} as an archive", path.display());
    let file = BufReader::new(File::open(path).with_context(shown)?);
    let packing = packing(path).with_context(|| format!("{} is not an archive", path.display()))?;
    let read = match packing {
        Packing::Zip => of_zip(file),
        Packing::Tar => of_tar(file),
        Packing::TarGz => of_tar(flate2::bufread::MultiGzDecoder::new(file)),
        Packing::TarXz => of_tar(lzma_rust2::XzReader::new(file, true)),
    };
    let mut entries = read.with_context(shown)?;
    strip(&mut entries, path, inside);
    ensure!(!entries.is_empty(), "{} has nothing below `{inside}`", path.display());
    let names: BTreeSet<String> = entries.iter().map(|it| it.0.clone()).collect();
    entries.retain(|it| is_source(&it.0, &|path| names.contains(path)));
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    let source = |(path, bytes)| Some(Source { path, text: decode(bytes).ok()?.0 });
    Ok(entries.into_iter().filter_map(source).collect())
}

type Entry = (String, Vec<u8>);

fn of_zip(file: impl Read + std::io::Seek) -> Result<Vec<Entry>> {
    let mut archive = zip::ZipArchive::new(file)?;
    let mut res = Vec::new();
    for idx in 0..archive.len() {
        let entry = archive.by_index(idx)?;
        if let (true, Some(path)) = (entry.is_file(), inner_path(&entry.name()?)) {
            let size = entry.size();
            res.extend(read(entry, size)?.map(|bytes| (path, bytes)));
        }
    }
    Ok(res)
}

fn of_tar(file: impl Read) -> Result<Vec<Entry>> {
    let mut archive = tar::Archive::new(file);
    let mut res = Vec::new();
    for entry in archive.entries()? {
        let entry = entry?;
        let path = inner_path(&entry.path()?.to_string_lossy());
        if let (true, Some(path)) = (entry.header().entry_type().is_file(), path) {
            let size = entry.header().size()?;
            res.extend(read(entry, size)?.map(|bytes| (path, bytes)));
        }
    }
    Ok(res)
}

/// The bytes of an entry; `None` when its declared or actual size exceeds the limit of a source.
fn read(entry: impl Read, size: u64) -> Result<Option<Vec<u8>>> {
    if size > DEFAULT_MAX_FILE_SIZE {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    entry.take(DEFAULT_MAX_FILE_SIZE + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|it| it.len() as u64 <= DEFAULT_MAX_FILE_SIZE))
}

/// The path with `/`, or `None` when it leaves the archive.
fn inner_path(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let parts: Vec<&str> = path.split('/').filter(|it| !it.is_empty() && *it != ".").collect();
    let leads_out = path.starts_with('/') || parts.contains(&"..");
    (!leads_out && !parts.is_empty()).then(|| parts.join("/"))
}

fn strip(entries: &mut Vec<Entry>, archive: &Path, inside: &str) {
    let below = |root: &str, path: &str| -> Option<String> {
        Some(path.strip_prefix(root)?.strip_prefix('/')?.to_owned())
    };
    let under = |entries: &mut Vec<Entry>, root: &str| {
        let all = std::mem::take(entries).into_iter();
        entries.extend(all.filter_map(|it| Some((below(root, &it.0)?, it.1))));
    };
    let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let top = entries.first().and_then(|it| it.0.split_once('/')).map(|it| it.0.to_owned());
    let is_whole = |top: &str| entries.iter().all(|it| below(top, &it.0).is_some());
    if let Some(top) = top.filter(|it| name.starts_with(it.as_str()) && is_whole(it)) {
        under(entries, &top);
    }
    if !inside.is_empty() {
        under(entries, inside);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::path::PathBuf;

    use super::*;

    const FILES: [(&str, &str); 4] = [
        ("own-1/src/a.py", "a = 1\n"),
        ("own-1/src/b.py", "b = 2\n"),
        ("own-1/node_modules/x.js", "x\n"),
        ("own-1/go.sum", "x\n"),
    ];

    fn tar() -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (path, text) in FILES {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_cksum();
            builder.append_data(&mut header, path, text.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn zip() -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (path, text) in FILES.into_iter().chain([("../out.py", "o\n")]) {
            writer.start_file(path, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn gz() -> Vec<u8> {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        writer.write_all(&tar()).unwrap();
        writer.finish().unwrap()
    }

    fn xz() -> Vec<u8> {
        let options = lzma_rust2::XzOptions::with_preset(1);
        let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
        writer.write_all(&tar()).unwrap();
        writer.finish().unwrap()
    }

    fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        (dir, path)
    }

    fn paths(name: &str, bytes: &[u8], inside: &str) -> Vec<String> {
        let (_dir, path) = file(name, bytes);
        sources(&path, inside).unwrap().into_iter().map(|it| it.path).collect()
    }

    #[test]
    fn every_packing_has_the_same_sources() {
        let whole = ["own-1/src/a.py", "own-1/src/b.py"];
        assert_eq!(paths("x.tar", &tar(), ""), whole);
        assert_eq!(paths("x.tgz", &gz(), ""), whole);
        assert_eq!(paths("x.zip", &zip(), ""), whole);
        assert_eq!(paths("x.tar.xz", &xz(), ""), whole);
        let (_dir, path) = file("x.tar.xz", b"no xz at all");
        assert!(format!("{:#}", sources(&path, "").unwrap_err()).contains("as an archive"));
    }

    #[test]
    fn a_part_of_an_archive_and_a_directory_of_its_name_are_roots() {
        assert_eq!(paths("x.tar", &tar(), "own-1/src"), ["a.py", "b.py"]);
        assert_eq!(paths("own-1.zip", &zip(), ""), ["src/a.py", "src/b.py"]);
        assert_eq!(paths("own-1.tar.gz", &gz(), "src"), ["a.py", "b.py"]);
        let (_dir, path) = file("x.tar", &tar());
        assert!(sources(&path, "lib").unwrap_err().to_string().contains("nothing below `lib`"));
    }

    #[test]
    fn paths_that_lead_out_are_left_out() {
        assert_eq!(inner_path("./a//b.py").as_deref(), Some("a/b.py"));
        assert_eq!(inner_path("a\\b.py").as_deref(), Some("a/b.py"));
        assert_eq!(
            [inner_path("/etc/x"), inner_path("a/../../x"), inner_path("./")],
            [None, None, None]
        );
    }
}
