//! Encodes batches of jobs and their analyses for the pipes between parent and worker.
//!
//! A worker begins with a greeting: the length of its version (u32, little-endian) and the version. A batch is the length
//! of its header (u32), the header (bitcode), and the texts one after the other. The reply for each text is the length of
//! its analysis (u32), the analysis (bitcode), and the microseconds that it took of the batch's shared time (u32).

use std::io::{self, Read, Write};
use std::time::Duration;

use bitcode::{Decode, Encode};
use foreword_chunk::{Analysis, Config, Language};

use super::job::{BatchLimits, Job};

/// Maximum length of a header or analysis. Valid ones are shorter.
const MAX_BYTES: u64 = 1 << 30;

#[derive(Encode, Decode)]
struct Header {
    jobs: Vec<JobHeader>,
    /// Microseconds that the texts share beyond their own.
    shared: u64,
}

/// Maximum length of a greeting.
const MAX_GREETING: u64 = 256;

/// Everything that an analysis and its encoding depend on: the program, this format, the rules of chunking, and the
/// grammars of the build. Analyses of another version are not used.
pub(super) fn version() -> String {
    let (program, content) = (env!("CARGO_PKG_VERSION"), foreword_chunk::CONTENT_VERSION);
    let grammars = Language::ALL.iter().map(|it| if it.has_grammar() { '1' } else { '0' });
    format!("{program}.3.{content}.{}", grammars.collect::<String>())
}

/// Writes the greeting of a worker.
pub(super) fn write_greeting(output: &mut impl Write) -> io::Result<()> {
    let version = version();
    output.write_all(&(version.len() as u32).to_le_bytes())?;
    output.write_all(version.as_bytes())?;
    output.flush()
}

/// Reads the greeting of a worker; the error is of the kind `Unsupported` if the other side is something else.
pub(super) fn read_greeting(input: &mut impl Read) -> io::Result<()> {
    let other = |it| io::Error::new(io::ErrorKind::Unsupported, it);
    let len = match read_len(input, MAX_GREETING) {
        Ok(len) => len.ok_or(io::ErrorKind::UnexpectedEof)?,
        Err(it) if it.kind() == io::ErrorKind::InvalidData => {
            return Err(other("the program is no parser of foreword".to_owned()));
        }
        Err(it) => return Err(it),
    };
    let read = read_bytes(input, len)?;
    let (read, expected) = (String::from_utf8_lossy(&read), version());
    match read == expected {
        true => Ok(()),
        false => Err(other(format!("the program is another version: {read:?}, not {expected:?}"))),
    }
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
        let Some(len) = read_len(input, MAX_BYTES)? else { return Ok(None) };
        let Header { jobs, shared } = decode(&read_bytes(input, len)?)?;
        let len = jobs.iter().map(|it| u64::from(it.text_len)).sum();
        let texts = String::from_utf8(read_bytes(input, len)?).map_err(io::Error::other)?;
        let mut ends = jobs.iter().scan(0, |end, it| {
            *end += it.text_len as usize;
            Some(*end)
        });
        if !ends.all(|it| texts.is_char_boundary(it)) {
            return Err(io::Error::other("a text that is not UTF-8"));
        }
        Ok(Some(Self { jobs, texts, shared: Duration::from_micros(shared) }))
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

/// Reads an analysis of at most `most` bytes, and what it took of the shared time.
pub(super) fn read_analysis(input: &mut impl Read, most: u64) -> io::Result<(Analysis, Duration)> {
    let len = read_len(input, most.min(MAX_BYTES))?.ok_or(io::ErrorKind::UnexpectedEof)?;
    let analysis = decode(&read_bytes(input, len)?)?;
    let mut taken = [0; 4];
    input.read_exact(&mut taken)?;
    Ok((analysis, Duration::from_micros(u32::from_le_bytes(taken).into())))
}

/// Reads a length of at most `most`; `None` at the end of the input.
fn read_len(input: &mut impl Read, most: u64) -> io::Result<Option<u64>> {
    let mut bytes = [0; 4];
    if input.read(&mut bytes[..1])? == 0 {
        return Ok(None);
    }
    input.read_exact(&mut bytes[1..])?;
    let len = u64::from(u32::from_le_bytes(bytes));
    if len > most { Err(io::ErrorKind::InvalidData.into()) } else { Ok(Some(len)) }
}

/// Reads exactly `len` bytes. Reserves no memory for bytes that never arrive.
fn read_bytes(input: &mut impl Read, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(len.min(1 << 20) as usize);
    input.take(len).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == len { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
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
            assert!(read_analysis(&mut &*bytes, u64::MAX).is_err(), "{bytes:?}");
            assert!(read_greeting(&mut &*bytes).is_err(), "{bytes:?}");
        }
        let zeros = [&4096_u32.to_le_bytes()[..], &[0; 4096]].concat();
        let error = read_analysis(&mut &*zeros, 4095).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_greeting_is_of_this_version_or_refused() {
        let mut bytes = Vec::new();
        write_greeting(&mut bytes).unwrap();
        assert!(read_greeting(&mut bytes.as_slice()).is_ok());
        *bytes.last_mut().unwrap() ^= 1;
        for other in [&bytes[..], &[2, 0, 0, 0, b'0', b'1'], b"usage: parser FILE\n"] {
            let error = read_greeting(&mut &*other).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::Unsupported, "{error}");
        }
        let error = read_greeting(&mut [].as_slice()).unwrap_err();
        assert_eq!(
            error.kind(),
            io::ErrorKind::UnexpectedEof,
            "it was ended, which may be by chance"
        );
    }
}
