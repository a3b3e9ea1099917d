//! Encodes batches of jobs and their analyses for the pipes between parent and worker.
//!
//! A batch is the length of its header (u32, little-endian), the header (bitcode), and the texts one after the other.
//! The reply for each text is the length of its analysis (u32), the analysis (bitcode), and the microseconds that it took
//! of the batch's shared time (u32).

use std::io::{self, Read, Write};
use std::time::Duration;

use bitcode::{Decode, Encode};
use foreword_chunk::{Analysis, Config, Language};

use super::job::{BatchLimits, Job};

/// Detects a program that was replaced on disk between the starts of the two sides.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " 2");

/// Maximum length of a header or analysis. Valid ones are shorter.
const MAX_BYTES: u32 = 1 << 30;

#[derive(Encode, Decode)]
struct Header {
    version: String,
    jobs: Vec<JobHeader>,
    /// Microseconds that the texts share beyond their own.
    shared: u64,
}

#[derive(Encode, Decode)]
struct JobHeader {
    text_len: u32,
    /// Index in [`Language::ALL`].
    language: Option<u8>,
    config: Config,
    document: Option<String>,
    /// Processor time in microseconds, and memory in bytes.
    limits: (u64, u64),
}

/// A job received by the worker, with its limits.
pub(super) struct LimitedJob<'t> {
    pub(super) job: Job<'t>,
    pub(super) time: Duration,
    pub(super) memory: u64,
}

/// A batch received by the worker.
pub(super) struct Batch {
    jobs: Vec<JobHeader>,
    texts: String,
    /// Processor time that the texts share beyond their own.
    pub(super) shared: Duration,
}

impl Batch {
    pub(super) fn jobs(&self) -> impl Iterator<Item = LimitedJob<'_>> {
        let mut start = 0;
        self.jobs.iter().map(move |it| {
            let text = &self.texts[start..start + it.text_len as usize];
            start += it.text_len as usize;
            let language = it.language.and_then(|code| Language::ALL.get(code as usize)).copied();
            let job = Job { text, language, config: it.config, document: it.document.as_deref() };
            let (time, memory) = it.limits;
            LimitedJob { job, time: Duration::from_micros(time), memory }
        })
    }

    /// Reads the next batch; `None` at the end of the input.
    pub(super) fn read(input: &mut impl Read) -> io::Result<Option<Self>> {
        let Some(len) = read_len(input)? else { return Ok(None) };
        let header: Header = decode(&read_bytes(input, len as usize)?)?;
        if header.version != VERSION {
            return Err(io::Error::other("another version of the program"));
        }
        let len = header.jobs.iter().map(|it| it.text_len as usize).sum();
        let texts = String::from_utf8(read_bytes(input, len)?).map_err(io::Error::other)?;
        let mut ends = header.jobs.iter().scan(0, |end, it| {
            *end += it.text_len as usize;
            Some(*end)
        });
        if !ends.all(|it| texts.is_char_boundary(it)) {
            return Err(io::Error::other("a text that is not UTF-8"));
        }
        let shared = Duration::from_micros(header.shared);
        Ok(Some(Self { jobs: header.jobs, texts, shared }))
    }

    /// Writes `jobs` as a batch.
    pub(super) fn write(
        jobs: &[Job<'_>],
        limits: BatchLimits<'_>,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let code = |it: Language| Language::ALL.iter().position(|other| *other == it);
        let header = |it: &Job<'_>| JobHeader {
            text_len: it.text.len() as u32,
            language: it.language.and_then(code).map(|it| it as u8),
            config: it.config,
            document: it.document.map(str::to_owned),
            limits: (limits.time_of(it).as_micros() as u64, limits.work.memory_of(it)),
        };
        let header = bitcode::encode(&Header {
            version: VERSION.to_owned(),
            jobs: jobs.iter().map(header).collect(),
            shared: limits.shared.unwrap_or_default().as_micros() as u64,
        });
        output.write_all(&(header.len() as u32).to_le_bytes())?;
        output.write_all(&header)?;
        jobs.iter().try_for_each(|it| output.write_all(it.text.as_bytes()))?;
        output.flush()
    }
}

/// Writes an analysis, and what it took of the shared time.
pub(super) fn write_analysis(
    analysis: &Analysis,
    taken: Duration,
    output: &mut impl Write,
) -> io::Result<()> {
    let bytes = bitcode::encode(analysis);
    output.write_all(&(bytes.len() as u32).to_le_bytes())?;
    output.write_all(&bytes)?;
    output.write_all(&(taken.as_micros() as u32).to_le_bytes())
}

pub(super) fn read_analysis(input: &mut impl Read) -> io::Result<(Analysis, Duration)> {
    let len = read_len(input)?.ok_or(io::ErrorKind::UnexpectedEof)?;
    let analysis = decode(&read_bytes(input, len as usize)?)?;
    let mut taken = [0; 4];
    input.read_exact(&mut taken)?;
    Ok((analysis, Duration::from_micros(u32::from_le_bytes(taken).into())))
}

/// Reads a length; `None` at the end of the input.
fn read_len(input: &mut impl Read) -> io::Result<Option<u32>> {
    let mut bytes = [0; 4];
    if input.read(&mut bytes[..1])? == 0 {
        return Ok(None);
    }
    input.read_exact(&mut bytes[1..])?;
    let len = u32::from_le_bytes(bytes);
    if len > MAX_BYTES {
        Err(io::Error::other("a message that is too long"))
    } else {
        Ok(Some(len))
    }
}

/// Reads exactly `len` bytes. Reserves no memory for bytes that never arrive.
fn read_bytes(input: &mut impl Read, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(len.min(1 << 20));
    input.take(len as u64).read_to_end(&mut bytes)?;
    if bytes.len() == len { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn decode<T: for<'b> Decode<'b>>(bytes: &[u8]) -> io::Result<T> {
    bitcode::decode(bytes).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::super::job::WorkLimits;
    use super::*;

    #[test]
    fn a_batch_is_read_as_it_was_written() {
        let config = Config { max_size: 7, ..Config::default() };
        let jobs = [
            Job::file("a.py", "def f(): pass\n", &config),
            Job::document("ü.rs", "fn ü() {}\n", &config),
            Job::plain(""),
        ];
        let mut bytes = Vec::new();
        let limits = BatchLimits { work: &WorkLimits::default(), shared: None };
        Batch::write(&jobs, limits, &mut bytes).unwrap();
        let mut input = bytes.as_slice();
        let batch = Batch::read(&mut input).unwrap().unwrap();
        let read: Vec<String> = batch.jobs().map(|it| format!("{:?}", it.job)).collect();
        assert_eq!(read, jobs.map(|it| format!("{it:?}")));
        assert!(Batch::read(&mut input).unwrap().is_none());
    }

    #[test]
    fn lengths_that_lie_are_errors_and_take_no_memory() {
        for bytes in [&[0xff; 4][..], &[0, 0, 0, 0x3f, 1, 2], &[3, 0, 0, 0, 9, 9, 9], &[1]] {
            assert!(Batch::read(&mut &*bytes).is_err(), "{bytes:?}");
            assert!(read_analysis(&mut &*bytes).is_err(), "{bytes:?}");
        }
    }
}
