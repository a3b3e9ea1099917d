//! Errors of a cluster, with their remedies.

use foreword_engine::index::ExportError;

/// An error of a cluster.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// No answer.
    #[error(
        "the cluster at {url} cannot be reached: {reason}; check the address and that OpenSearch runs there"
    )]
    Unreachable {
        /// The address.
        url: String,
        /// The reason that the connection gave.
        reason: String,
    },
    /// Something else answers, or another version.
    #[error("{url} is {found}; foreword needs OpenSearch 2.10 or later of version 2, or version 3")]
    Version {
        /// The address.
        url: String,
        /// Its name and version, as it gives them.
        found: String,
    },
    /// The cluster does not accept the user.
    #[error(
        "the cluster at {url} refuses this user ({status}); set FOREWORD_CLUSTER_USER and FOREWORD_CLUSTER_PASSWORD to one \
         that may use the index {index}"
    )]
    Rights {
        /// The address.
        url: String,
        /// The status.
        status: u16,
        /// The index.
        index: String,
    },
    /// The index there was made by another version or by something else.
    #[error(
        "the index {index} has another layout ({found}, this version writes {expected}); use a version of foreword that fits, or \
         name another index with --cluster-index and push again"
    )]
    Mapping {
        /// The index.
        index: String,
        /// Its version.
        found: String,
        /// Ours.
        expected: u64,
    },
    /// The cluster refused a request.
    #[error("the cluster refused a request ({status}): {reason}")]
    Refused {
        /// The status.
        status: u16,
        /// The reason that it gave.
        reason: String,
    },
    /// The cluster does not allow writes: a disk is full, or its operator forbids them.
    #[error(
        "the cluster allows no writes now ({reason}); free its disks or lift the block (`foreword doctor --cluster URL` tells which), \
         and push again, it goes on where it was"
    )]
    Blocked {
        /// The reason that it gave.
        reason: String,
    },
    /// The cluster was too busy for longer than a push waits.
    #[error(
        "the cluster is too busy: it refused writes for {seconds} s; push again later, it goes on where it was"
    )]
    Busy {
        /// Time of the refusals.
        seconds: u64,
    },
    /// Nothing was pushed under this name.
    #[error(
        "{repository} was not pushed to this cluster; `foreword push --cluster URL` in its directory does it"
    )]
    NoRepository {
        /// The repository.
        repository: String,
    },
    /// The repository has no such branch.
    #[error("{repository} has no branch {branch} on this cluster; it has: {known}")]
    NoBranch {
        /// The repository.
        repository: String,
        /// The branch.
        branch: String,
        /// The branches that it has.
        known: String,
    },
    /// Another version analysed the files.
    #[error(
        "{repository} ({branch}) was pushed by another version of foreword; push it again with this one, or use that one"
    )]
    OtherAnalysis {
        /// The repository.
        repository: String,
        /// The branch.
        branch: String,
    },
    /// A newer state is there.
    #[error(
        "{repository} ({branch}) has a newer state on the cluster than this one; --force replaces it"
    )]
    Older {
        /// The repository.
        repository: String,
        /// The branch.
        branch: String,
    },
    /// Other pushes came first, again and again.
    #[error("{repository}: other pushes came first {tries} times; push again")]
    Contended {
        /// The repository.
        repository: String,
        /// Number of tries.
        tries: usize,
    },
    /// The repository was pushed with another key, or with none.
    #[error(
        "{repository} was pushed {pushed}, and this is asked {asked}; name the file of the right key with --cluster-key, or \
         remove the repository (`foreword push --remove-all`) and push it again"
    )]
    OtherKey {
        /// The repository.
        repository: String,
        /// The key that it was pushed with.
        pushed: String,
        /// The key in use here.
        asked: String,
    },
    /// A key that could be guessed.
    #[error("the key has {bytes} bytes and needs {least}; make one with `openssl rand -hex 32`")]
    ShortKey {
        /// Its length.
        bytes: usize,
        /// Fewest bytes.
        least: usize,
    },
    /// Documents that a branch names are gone.
    #[error(
        "{repository}: {missing} documents of the branch are not on the cluster; push it again"
    )]
    Missing {
        /// The repository.
        repository: String,
        /// Their number.
        missing: usize,
    },
    /// A document cannot be read.
    #[error("{repository}: a document on the cluster is damaged ({what}); push it again")]
    Damaged {
        /// The repository.
        repository: String,
        /// Which part.
        what: &'static str,
    },
    /// An answer is larger than what is read.
    #[error(
        "the cluster's answer has more than {most} bytes, which no state of foreword needs; see what answers at that address"
    )]
    TooLarge {
        /// Bytes that are read at most.
        most: u64,
    },
    /// The answer was not there in time.
    #[error(
        "the cluster did not answer in time; ask again, or see its health with `foreword doctor --cluster URL`"
    )]
    Late,
    /// A node took the request and did not answer.
    #[error(
        "the cluster at {url} said nothing for {seconds} s; ask again (--cluster-timeout waits longer), or see its health with \
         `foreword doctor --cluster URL`"
    )]
    Silent {
        /// The address.
        url: String,
        /// Time of the silence.
        seconds: u64,
    },
    /// Some of the cluster's shards did not answer.
    #[error(
        "{failed} of {shards} shards of the cluster did not answer, and half an answer would mislead; ask again, or see its health"
    )]
    Partial {
        /// Shards that failed.
        failed: u64,
        /// All shards.
        shards: u64,
    },
    /// A question that needs all files of the repository.
    #[error(
        "the cluster cannot tell {question}; ask in a clone of the repository, without --cluster"
    )]
    Unanswerable {
        /// The question.
        question: &'static str,
    },
    /// A file could not be exported or used.
    #[error(transparent)]
    File(#[from] ExportError),
    /// The system.
    #[error("cannot start a request: {0}")]
    System(#[from] std::io::Error),
}
