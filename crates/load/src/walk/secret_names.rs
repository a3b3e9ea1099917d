//! Names of files and directories in which programs keep keys, passwords and tokens.
//!
//! A name is listed if most files of that name are secrets, by the documentation of the program that reads them. A file
//! of settings that sometimes holds a password is not: its content is masked. Nor is source code, whatever its name. All
//! comparisons ignore ASCII case, as half of all file systems do.

use super::entries::EntryKind;

/// Directories of keys, at any depth.
const SECRET_DIRECTORIES: &[&str] = &[
    ".aliyun",
    ".aws",
    ".azure",
    ".cloudflared",
    ".gcloud",
    ".gnupg",
    ".gsutil",
    ".kube",
    ".oci",
    ".password-store",
    ".ssh",
];

/// Files that hold a key or a password.
const SECRET_FILES: &[&str] = &[
    ".authinfo",
    ".boto",
    ".clasprc.json",
    ".cvspass",
    ".databrickscfg",
    ".dockercfg",
    ".dockerconfigjson",
    ".envrc",
    ".fetchmailrc",
    ".ftpconfig",
    ".ftppass",
    ".git-credentials",
    ".histfile",
    ".htdigest",
    ".htpasswd",
    ".msmtprc",
    ".my.cnf",
    ".mylogin.cnf",
    ".netrc",
    ".npmrc",
    ".p4tickets",
    ".passwd-s3fs",
    ".pgpass",
    ".pypirc",
    ".renviron",
    ".s3cfg",
    ".s3curl",
    ".sentryclirc",
    ".serverlessrc",
    ".smbcredentials",
    ".terraformrc",
    ".vault-pass",
    ".vault-password",
    ".vault-token",
    ".vault_password",
    ".yarnrc.yml",
    ".zhistory",
    "_netrc",
    "application_default_credentials.json",
    "connectionstrings.config",
    "consolehost_history.txt",
    "credentials.tfrc.json",
    "credentials.yml.enc",
    "kaggle.json",
    "key.properties",
    "keystore.properties",
    "kubeconfig",
    "local.settings.json",
    "pgpass.conf",
    "rclone.conf",
    "recentservers.xml",
    "rootkey.csv",
    "secrets.yml.enc",
    "settings-security.xml",
    "sftp-config.json",
    "sitemanager.xml",
    "terraform.rc",
    "winscp.ini",
];

/// Names whose files are secrets if they hold data (`credentials.json`), and code otherwise (`credentials.py`).
const SECRET_STEMS: &[(&str, &str)] = &[
    (".credentials", "credentials.*"),
    ("credentials", "credentials.*"),
    (".secrets", SECRETS),
    ("secrets", SECRETS),
];

const SECRETS: &str = "secrets.*";

/// Extensions of data for [`SECRET_STEMS`]; the empty one is a file without extension.
const DATA_EXTENSIONS: &[&str] = &[
    "",
    "cfg",
    "conf",
    "csv",
    "enc",
    "ini",
    "json",
    "plist",
    "properties",
    "toml",
    "txt",
    "xml",
    "yaml",
    "yml",
];

/// Environments of .NET's `appsettings.*.json` in which services run with real keys. `Development`, `Test` and `Docker`
/// are shared by a team and are read.
const SECRET_ENVIRONMENTS: &[&str] = &[
    "live",
    "local",
    "preprod",
    "private",
    "prod",
    "production",
    "qa",
    "secret",
    "secrets",
    "stage",
    "staging",
    "stg",
    "uat",
];

/// Extensions of keys, key stores, and state files with keys in clear text.
const SECRET_EXTENSIONS: &[&str] = &[
    "env",
    "jceks",
    "jks",
    "kdbx",
    "key",
    "keystore",
    "keytab",
    "kubeconfig",
    "ovpn",
    "p12",
    "p8",
    "pem",
    "pfx",
    "pkcs12",
    "ppk",
    "publishsettings",
    "tfstate",
    "tfvars",
];

/// Private SSH keys, whose names may be extended: `id_rsa_work`, `id_ed25519.bak`.
const SECRET_PREFIXES: &[&str] = &[
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "client_secret",
    ".vault_pass",
    "vault_pass",
    "vault-pass",
];

/// Pairs of a directory and a secret entry in it, a file or a directory.
const SECRET_PATHS: &[(&str, &str)] = &[
    (".cargo", "credentials"),
    (".cargo", "credentials.toml"),
    (".circleci", "cli.yml"),
    (".codex", "auth.json"),
    (".composer", "auth.json"),
    (".config", "gcloud"),
    (".config", "hub"),
    (".config", "linode-cli"),
    (".dbt", "profiles.yml"),
    (".docker", "config.json"),
    (".fly", "config.yml"),
    (".gradle", "gradle.properties"),
    (".hex", "hex.config"),
    (".m2", "settings.xml"),
    (".mc", "config.json"),
    (".ngrok2", "ngrok.yml"),
    (".snowflake", "connections.toml"),
    (".snowsql", "config"),
    (".subversion", "auth"),
    (".vscode", "sftp.json"),
    ("age", "keys.txt"),
    ("composer", "auth.json"),
    ("containers", "auth.json"),
    ("doctl", "config.yaml"),
    ("etc", "shadow"),
    ("gh", "hosts.yml"),
    ("git", "credentials"),
    ("glab-cli", "config.yml"),
    ("hcloud", "cli.toml"),
    ("huggingface", "token"),
    ("ngrok", "ngrok.yml"),
];

/// Suffixes of copies. The copy of a secret is a secret.
const BACKUP_SUFFIXES: &[&str] = &["~", ".bak", ".old", ".orig", ".save", ".swp"];

/// Extensions that mark a template or a public key.
const TEMPLATE_EXTENSIONS: &[&str] = &["dist", "example", "pub", "sample", "template", "tmpl"];

/// The rule by which the name of an entry in the directory `parent` indicates secrets.
pub(crate) fn secret(parent: &str, name: &str, kind: EntryKind) -> Option<&'static str> {
    let name = &*name.to_ascii_lowercase();
    let in_parent = |rule: &&(&str, &str)| rule.1 == name && rule.0.eq_ignore_ascii_case(parent);
    let by_path = || SECRET_PATHS.iter().find(in_parent).map(|rule| rule.1);
    if kind.is_dir() {
        return SECRET_DIRECTORIES.iter().find(|rule| **rule == name).copied().or_else(by_path);
    }
    let original = BACKUP_SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix));
    // Vim's swap file of `.env` is `.env.swp`, that of `server.key` is `.server.key.swp`.
    let hidden = || secret_file(original?.strip_prefix('.')?);
    // Charts of Helm have templates of secrets under this name.
    let is_template = |rule: &&str| *rule == SECRETS && parent.eq_ignore_ascii_case("templates");
    let by_name = secret_file(original.unwrap_or(name)).filter(|it| !is_template(it));
    by_name.or_else(by_path).or_else(hidden)
}

/// The part of a path that is secret by its name, and the rule; `None` for a path without secrets. `root` is the name of
/// the directory that the path begins in, `is_excepted` the user's exceptions.
pub(crate) fn secret_part<'p>(
    root: &str,
    path: &'p str,
    is_excepted: impl Fn(&str, EntryKind) -> bool,
) -> Option<(&'p str, &'static str)> {
    let mut parent = root;
    let mut end = 0;
    for name in path.split('/') {
        end += name.len();
        let (part, is_last) = (&path[..end], end == path.len());
        let kind = if is_last { EntryKind::Other } else { EntryKind::Directory };
        if let Some(rule) = secret(parent, name, kind).filter(|_| !is_excepted(part, kind)) {
            return Some((part, rule));
        }
        (parent, end) = (name, end + 1);
    }
    None
}

/// The rule for a lower-case file name in any directory.
fn secret_file(name: &str) -> Option<&'static str> {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    if TEMPLATE_EXTENSIONS.contains(&extension) || TEMPLATE_EXTENSIONS.contains(&stem) {
        return None;
    }
    let starts = [".env.", ".env-", ".env_", ".envrc.", ".dev.vars."];
    if matches!(name, ".env" | ".dev.vars") || starts.iter().any(|it| name.starts_with(it)) {
        return Some(if name.starts_with(".env") { ".env*" } else { ".dev.vars*" });
    }
    let rule = SECRET_FILES.binary_search(&name).ok().map(|it| SECRET_FILES[it]);
    rule.or_else(|| by_stem(name)).or_else(|| by_ending(name, stem, extension))
}

/// The rule for the beginning of a name.
fn by_stem(name: &str) -> Option<&'static str> {
    let holds_data = |rest: &str| match rest.strip_prefix('.') {
        Some(extension) => DATA_EXTENSIONS.contains(&extension),
        None => rest.is_empty(),
    };
    let stem = SECRET_STEMS.iter().find(|it| name.strip_prefix(it.0).is_some_and(holds_data));
    let environment = name.strip_prefix("appsettings.").and_then(|it| it.strip_suffix(".json"));
    let is_environment = environment.is_some_and(|it| SECRET_ENVIRONMENTS.contains(&it));
    let by_prefix = || SECRET_PREFIXES.iter().find(|prefix| is_key_name(name, prefix)).copied();
    let is_host_key = name.starts_with("ssh_host_") && name.ends_with("_key");
    stem.map(|it| it.1)
        .or(is_environment.then_some("appsettings.*.json"))
        .or(is_host_key.then_some("ssh_host_*_key"))
        .or_else(by_prefix)
}

/// The rule for the end of a name.
fn by_ending(name: &str, stem: &str, extension: &str) -> Option<&'static str> {
    let by_extension = SECRET_EXTENSIONS.iter().find(|it| !stem.is_empty() && **it == extension);
    // `terraform.tfstate.backup` and `terraform.tfstate.1700000000.backup` hold the same secrets as the state itself.
    let is_state = stem.ends_with(".tfstate") || stem.contains(".tfstate.");
    // Input of a shell or a REPL: `.bash_history`, `.python_history`, `fish_history`.
    let is_history =
        name == "fish_history" || (name.starts_with('.') && name.ends_with("_history"));
    let others = [
        (extension == "backup" && is_state, "tfstate"),
        (name.ends_with(".tfvars.json"), "tfvars"),
        (is_history, "*_history"),
        // The console of AWS names the file of a new key `alice_accessKeys.csv`.
        (name.ends_with("accesskeys.csv"), "*accessKeys.csv"),
    ];
    let other = || others.into_iter().find(|it| it.0).map(|it| it.1);
    by_extension.copied().or_else(other)
}

/// Whether `name` is a key such as `id_rsa`, `id_rsa.old` or `client_secret_12.json`. `id_rsa.rs` is source code.
fn is_key_name(name: &str, prefix: &str) -> bool {
    let Some(rest) = name.strip_prefix(prefix) else { return false };
    match rest.rsplit_once('.') {
        None => !rest.starts_with(|c: char| c.is_ascii_alphanumeric()),
        Some((_, extension)) => matches!(extension, "bak" | "old" | "json" | "txt"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str) -> Option<&'static str> {
        let (parent, name) = name.rsplit_once('/').unwrap_or(("", name));
        secret(parent.rsplit('/').next().unwrap(), name, EntryKind::Other)
    }

    #[track_caller]
    fn secrets(names: &[&str]) {
        names.iter().for_each(|it| assert!(found(it).is_some(), "{it}"));
    }

    #[track_caller]
    fn no_secrets(names: &[&str]) {
        names.iter().for_each(|it| assert_eq!(found(it), None, "{it}"));
    }

    #[test]
    fn secrets_are_known_by_name() {
        assert!(SECRET_FILES.is_sorted());
        secrets(&[".env", ".env.local", ".ENV.production", "prod.env", ".dev.vars"]);
        secrets(&["server.pem", "a.key", "id_rsa", "id_rsa_work", "id_ed25519.bak", "x.p12"]);
        secrets(&["terraform.tfstate.backup", "terraform.tfstate.1700000000.backup"]);
        secrets(&["secrets.yml", ".netrc", "client_secret_1.json", ".vault-token"]);
        secrets(&["prod.auto.tfvars.json", ".terraformrc", "ssh_host_ed25519_key"]);
        secrets(&[".bash_history", ".node_repl_history", "fish_history"]);
        secrets(&[".s3cfg", ".boto", ".my.cnf", "rclone.conf", ".yarnrc.yml", ".BOTO"]);
        secrets(&["appsettings.Production.json", "appsettings.Staging.json"]);
        secrets(&[".Renviron", ".envrc.local", "vault_pass.txt", "vault-pass"]);
        secrets(&["deploy/.dockerconfigjson", "alice_accessKeys.csv", "kaggle.json"]);
        secrets(&["credentials", "credentials.xml", ".credentials.json", "secrets.ini"]);
        for name in [".ssh", ".AWS", ".kube"] {
            assert!(secret("", name, EntryKind::Directory).is_some(), "{name}");
        }
    }

    #[test]
    fn the_copy_of_a_secret_is_a_secret() {
        secrets(&[".env~", ".npmrc.bak", "server.key.old", ".env.swp", ".server.key.swp"]);
        secrets(&["credentials.json.orig", "appsettings.Production.json.bak"]);
        no_secrets(&["main.rs~", "notes.old", ".main.rs.swp", ".env.example~"]);
    }

    #[test]
    fn some_names_are_secrets_only_in_their_directory() {
        secrets(&[".cargo/credentials.toml", "gh/hosts.yml", "git/credentials"]);
        secrets(&[".docker/config.json", ".m2/settings.xml", "etc/shadow"]);
        no_secrets(&["chart/templates/secrets.yaml"]);
        no_secrets(&["src/hosts.yml", "src/config.json", "app/settings.xml"]);
        no_secrets(&["locales/auth.json", ".cargo/config.toml"]);
        assert!(secret(".config", "gcloud", EntryKind::Directory).is_some());
        assert_eq!(secret("src", "gcloud", EntryKind::Directory), None);
    }

    #[test]
    fn templates_public_keys_and_programs_about_keys_are_no_secrets() {
        no_secrets(&[".env.example", "example.env", ".env.sample", "id_rsa.pub", "id_rsa.rs"]);
        no_secrets(&["secrets.py", "key.rs", ".key", "environment.ts", "id_rsakey"]);
        no_secrets(&["server.pem.example", "credentials.py", "credentials.go", "secrets.md"]);
        no_secrets(&["credentials.ts", "Credentials.java", "credentials_test.go", "boto.py"]);
        no_secrets(&["my.cnf", "rclone.go", "yarnrc.yml", "credentials.example.json"]);
        no_secrets(&["appsettings.json", "appsettings.Development.json", "appsettings.cs"]);
        for name in ["secrets", "credentials", "aws"] {
            assert_eq!(secret("", name, EntryKind::Directory), None, "{name}");
        }
    }

    #[test]
    fn a_path_is_secret_by_any_of_its_names_unless_the_user_excepts_it() {
        let part = |path| secret_part("work", path, |_, _| false);
        assert_eq!(part("a/.aws/x/y.txt"), Some(("a/.aws", ".aws")));
        assert_eq!(part("a/.env"), Some(("a/.env", ".env*")));
        assert_eq!(part(".config/gcloud/x.db"), Some((".config/gcloud", "gcloud")));
        assert_eq!(part("a/.env.d/main.rs"), None);
        assert_eq!(secret_part("gh", "hosts.yml", |_, _| false), Some(("hosts.yml", "hosts.yml")));
        assert_eq!(secret_part("work", "a/.env", |it, _| it == "a/.env"), None);
    }
}
