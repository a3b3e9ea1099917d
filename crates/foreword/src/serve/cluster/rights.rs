//! Which repositories a token may read, from a file of hashes (docs/scale.md).

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use foreword_cluster::{Access, Rule};
use foreword_session::usage::usage;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

/// Most rules of a token: the cluster takes 1,024 patterns in a filter.
const MOST_RULES: usize = 1000;

/// The header in which a proxy names the groups of its user, as oauth2-proxy does.
const GROUPS_HEADER: &str = "x-forwarded-groups";

/// A SHA-256.
type Hash = [u8; 32];

/// The file as written.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FileEntries {
    token: Vec<TokenEntry>,
    proxy: Vec<ProxyEntry>,
    groups: BTreeMap<String, Vec<RuleEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenEntry {
    sha256: String,
    /// For people who read the file.
    #[serde(default, rename = "name")]
    _name: String,
    #[serde(default)]
    repositories: Vec<RuleEntry>,
    #[serde(default)]
    groups: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProxyEntry {
    sha256: String,
    from: Vec<IpAddr>,
    #[serde(default = "groups_header")]
    header: String,
}

fn groups_header() -> String {
    GROUPS_HEADER.to_owned()
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RuleEntry {
    Repository(String),
    Branches { name: String, branches: Vec<String> },
}

/// What each token may read.
pub(super) struct Rights {
    tokens: BTreeMap<Hash, Access>,
    proxies: BTreeMap<Hash, Proxy>,
    groups: BTreeMap<String, Vec<Rule>>,
}

/// A reverse proxy, which knows the groups of its users.
pub(super) struct Proxy {
    from: Vec<IpAddr>,
    /// In lower case.
    pub(super) header: String,
}

/// Whom a token belongs to.
pub(super) enum Holder<'r> {
    /// A user, with what may be read.
    User(&'r Access),
    Proxy(&'r Proxy),
}

impl Rights {
    /// Reads the text of a file.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let written: FileEntries = toml::from_str(text)?;
        let mut res =
            Self { tokens: BTreeMap::new(), proxies: BTreeMap::new(), groups: BTreeMap::new() };
        for (name, rules) in written.groups {
            res.groups.insert(name, rules_of(&rules)?);
        }
        for it in written.token {
            let mut rules = rules_of(&it.repositories)?;
            for name in &it.groups {
                let group = res.groups.get(name);
                let group = group.ok_or_else(|| usage(format!("there is no group {name:?}")))?;
                rules.extend_from_slice(group);
            }
            let hash = hash_of(&it.sha256)?;
            if res.tokens.insert(hash, access_of(rules)?).is_some() {
                return Err(usage(format!("two tokens have the hash {}", it.sha256)));
            }
        }
        for it in written.proxy {
            let hash = hash_of(&it.sha256)?;
            if res.tokens.contains_key(&hash) {
                return Err(usage("the token of a proxy is that of a user"));
            }
            let from = it.from.into_iter().map(|it| it.to_canonical()).collect();
            res.proxies.insert(hash, Proxy { from, header: it.header.to_ascii_lowercase() });
        }
        Ok(res)
    }

    /// Whose token it is, if it is sent from an address that may send it.
    pub(super) fn holder(&self, token: &str, peer: Option<IpAddr>) -> Option<Holder<'_>> {
        // The hash of what is sent tells nothing of those that are known, however long the search takes.
        let hash: Hash = Sha256::digest(token.as_bytes()).into();
        let is_from = |it: &&Proxy| peer.is_some_and(|peer| it.from.contains(&peer));
        let user = self.tokens.get(&hash).map(Holder::User);
        user.or_else(|| self.proxies.get(&hash).filter(is_from).map(Holder::Proxy))
    }

    /// What members of groups may read, whose names are separated by commas. Groups that the file does not have give
    /// nothing.
    pub(super) fn of_groups(&self, names: &str) -> anyhow::Result<Access> {
        let groups = names.split(',').filter_map(|it| self.groups.get(it.trim()));
        access_of(groups.flatten().cloned().collect())
    }
}

fn access_of(rules: Vec<Rule>) -> anyhow::Result<Access> {
    if rules.len() > MOST_RULES {
        return Err(usage(format!("a token has more than {MOST_RULES} rules; use patterns")));
    }
    Ok(Access::of(rules))
}

fn rules_of(written: &[RuleEntry]) -> anyhow::Result<Vec<Rule>> {
    let rule = |it: &RuleEntry| match it {
        RuleEntry::Repository(name) => Ok(Rule::new(name, &[])?),
        RuleEntry::Branches { name, branches } if branches.is_empty() => {
            Err(usage(format!("{name}: branches is empty; name some, or leave it out for all")))
        }
        RuleEntry::Branches { name, branches } => Ok(Rule::new(name, branches)?),
    };
    written.iter().map(rule).collect()
}

/// The hash of 64 hexadecimal digits.
fn hash_of(text: &str) -> anyhow::Result<Hash> {
    let wrong = || {
        usage(format!("{text:?} is no SHA-256 of a token; `printf %s TOKEN | sha256sum` prints it"))
    };
    let digits = text.as_bytes();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return Err(wrong());
    }
    let mut res = Hash::default();
    for (byte, digits) in res.iter_mut().zip(text.as_bytes().chunks(2)) {
        let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
        *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
    }
    if res == Hash::from(Sha256::digest(b"")) {
        return Err(usage("a token is empty: its hash is that of no characters"));
    }
    Ok(res)
}

/// What changes when a file is written: time, length, and on Unix the file itself.
#[derive(Clone, PartialEq, Eq)]
struct Stamp(Option<SystemTime>, u64, [i64; 3]);

/// A file of rights, which is read again when it changes.
pub(super) struct RightsFile {
    path: PathBuf,
    state: Mutex<Option<(Stamp, Arc<Rights>)>>,
}

impl RightsFile {
    /// Reads the file.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let res = Self { path: path.to_owned(), state: Mutex::new(None) };
        match res.current() {
            Ok(_) => Ok(res),
            Err(error) => Err(usage(format!("--rights {}: {error:#}", path.display()))),
        }
    }

    /// The rights as the file has them now. A file that cannot be read gives none, since it may take rights away.
    pub(super) fn current(&self) -> anyhow::Result<Arc<Rights>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = self.stamp()?;
        if let Some((_, rights)) = state.as_ref().filter(|it| it.0 == stamp) {
            return Ok(Arc::clone(rights));
        }
        *state = None;
        let text = std::fs::read_to_string(&self.path)?;
        let rights = Arc::new(Rights::parse(&text)?);
        *state = Some((stamp, Arc::clone(&rights)));
        Ok(rights)
    }

    fn stamp(&self) -> anyhow::Result<Stamp> {
        let about = std::fs::metadata(&self.path)?;
        #[cfg(unix)]
        let file = {
            use std::os::unix::fs::MetadataExt as _;
            if about.mode() & 0o002 != 0 {
                return Err(usage("everyone may write the file, and give rights; chmod o-w it"));
            }
            [about.ino() as i64, about.ctime(), about.ctime_nsec()]
        };
        #[cfg(not(unix))]
        let file = [0; 3];
        Ok(Stamp(about.modified().ok(), about.len(), file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(token: &str) -> String {
        Sha256::digest(token.as_bytes()).iter().map(|it| format!("{it:02x}")).collect()
    }

    fn rights() -> Rights {
        let [user, proxy] = ["user", "proxy"].map(hash);
        let text = format!(
            r#"
            [[token]]
            name = "shop"
            sha256 = "{user}"
            repositories = ["acme/*", {{ name = "lib/json", branches = ["main"] }}]
            groups = ["web"]

            [[proxy]]
            sha256 = "{proxy}"
            from = ["10.0.0.5", "::1"]

            [groups]
            web = ["web/**"]
            "#
        );
        Rights::parse(&text).unwrap()
    }

    fn access(rights: &Rights, token: &str) -> Access {
        match rights.holder(token, None) {
            Some(Holder::User(it)) => it.clone(),
            _ => panic!("{token} is no user's"),
        }
    }

    #[test]
    fn a_token_has_the_rights_of_its_entry_and_groups() {
        let rights = rights();
        let it = access(&rights, "user");
        assert!(it.reads_branch("acme/shop", "topic") && it.reads_branch("web/a/b", "main"));
        assert!(it.reads_branch("lib/json", "main") && !it.reads_branch("lib/json", "topic"));
        assert!(!it.reads_repository("other"));
        for token in ["", "User", "user ", &hash("user"), "proxy"] {
            assert!(rights.holder(token, None).is_none(), "{token:?}");
        }
    }

    #[test]
    fn a_proxy_is_trusted_at_its_address_alone() {
        let rights = rights();
        let holder = |peer: &str| rights.holder("proxy", Some(peer.parse().unwrap()));
        assert!(
            matches!(holder("10.0.0.5"), Some(Holder::Proxy(it)) if it.header == GROUPS_HEADER)
        );
        assert!(holder("10.0.0.6").is_none() && holder("::1").is_some());
        let groups = |names: &str| rights.of_groups(names).unwrap().reads_repository("web/a");
        assert!(groups("web") && groups("unknown, web") && !groups("") && !groups("WEB, **"));
    }

    #[test]
    fn a_file_with_a_mistake_is_refused() {
        let of = |text: &str| Rights::parse(text).err().unwrap().to_string();
        let token = |hash: &str, rest: &str| format!("[[token]]\nsha256 = \"{hash}\"\n{rest}");
        assert!(of(&token("secret", "")).contains("sha256sum"));
        assert!(of(&token(&hash(""), "")).contains("empty"));
        assert!(of(&token(&hash("a"), "groups = [\"no\"]")).contains("no group"));
        let branches = "repositories = [{ name = \"a\", branches = [] }]";
        assert!(of(&token(&hash("a"), branches)).contains("branches is empty"));
        let twice = token(&hash("a"), "") + "\n" + &token(&hash("a"), "");
        assert!(of(&twice).contains("two tokens"));
        assert!(of(&token(&hash("a"), "repository = []")).contains("unknown field"));
    }

    #[test]
    fn a_changed_file_is_read_again_and_a_broken_one_gives_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rights.toml");
        std::fs::write(&path, "").unwrap();
        let file = RightsFile::open(&path).unwrap();
        assert!(file.current().unwrap().holder("a", None).is_none());
        std::fs::write(&path, format!("[[token]]\nsha256 = \"{}\"\n", hash("a"))).unwrap();
        assert!(file.current().unwrap().holder("a", None).is_some());
        std::fs::write(&path, "[[token]").unwrap();
        assert!(file.current().is_err());
        std::fs::remove_file(&path).unwrap();
        assert!(file.current().is_err());
    }
}
