//! The table of secret shapes; comments name the vendors' documentation.

use std::ops::Range;

use super::plausible::is_random;
use super::runs::run_within;
use super::{Secret, addresses, blocks};

/// A kind of secret.
pub(super) struct Shape {
    pub(super) kind: &'static str,
    /// The exact text that introduces it.
    pub(super) anchor: &'static str,
    rule: Rule,
}

/// The text that must follow the anchor.
#[derive(Clone, Copy)]
enum Rule {
    /// A run of characters of an alphabet with this length, then a word boundary.
    Run(Alphabet, Length),
    /// Anything else, found by a function.
    Other(Finder),
}

/// Finds a secret at an anchor.
type Finder = fn(&[u8], Range<usize>) -> Option<Vec<Range<usize>>>;

/// Minimum and maximum length.
#[derive(Clone, Copy)]
struct Length {
    min: usize,
    max: usize,
}

/// The alphabet of a token.
#[derive(Clone, Copy)]
enum Alphabet {
    /// `A-Z0-9`.
    Upper,
    /// `0-9a-fA-F`.
    Hex,
    /// `A-Za-z0-9`.
    Base62,
    /// `A-Za-z0-9_-`.
    Url,
    /// `A-Za-z0-9_-.`: several parts.
    Parts,
}

const fn run(
    kind: &'static str,
    anchor: &'static str,
    alphabet: Alphabet,
    min: usize,
    max: usize,
) -> Shape {
    Shape { kind, anchor, rule: Rule::Run(alphabet, Length { min, max }) }
}

const fn other(kind: &'static str, anchor: &'static str, finder: Finder) -> Shape {
    Shape { kind, anchor, rule: Rule::Other(finder) }
}

use Alphabet::{Base62, Hex, Parts, Upper, Url};

/// Length limit of tokens without a documented maximum.
const MAX_LENGTH: usize = 4096;

/// If one anchor is a prefix of another, the longer comes first.
pub(super) const SHAPES: &[Shape] = &[
    // RFC 7468, RFC 4880 and OpenSSH's PROTOCOL.key for the blocks; the appendix of PuTTY's manual.
    other("private key", "PRIVATE KEY", blocks::pem),
    other("private key", "Private-Lines: ", blocks::putty),
    // https://age-encryption.org/v1: Bech32 of 32 bytes.
    run("age key", "AGE-SECRET-KEY-1", Upper, 58, 58),
    // docs.aws.amazon.com, "IAM identifiers": unique ids of access keys; a secret key has 40 characters of Base64.
    run("AWS access key", "AKIA", Upper, 16, 16),
    run("AWS access key", "ASIA", Upper, 16, 16),
    other("AWS secret key", "secret_access_key", addresses::aws_secret),
    other("AWS secret key", "SECRET_ACCESS_KEY", addresses::aws_secret),
    other("AWS secret key", "ecretAccessKey", addresses::aws_secret),
    // github.blog, "Behind GitHub's new authentication token formats"; docs.github.com, fine-grained tokens.
    run("GitHub token", "github_pat_", Url, 60, 120),
    run("GitHub token", "ghp_", Base62, 36, 255),
    run("GitHub token", "gho_", Base62, 36, 255),
    run("GitHub token", "ghu_", Base62, 36, 255),
    run("GitHub token", "ghs_", Base62, 36, 255),
    run("GitHub token", "ghr_", Base62, 36, 255),
    // docs.gitlab.com, "Token overview": prefixes.
    run("GitLab token", "glpat-", Parts, 20, 300),
    run("GitLab token", "gldt-", Parts, 20, 300),
    run("GitLab token", "glrt-", Parts, 20, 300),
    run("GitLab token", "glptt-", Url, 40, 300),
    run("GitLab token", "glcbt-", Parts, 20, 300),
    // api.slack.com, "Token types"; incoming webhooks.
    run("Slack token", "xoxb-", Url, 24, 300),
    run("Slack token", "xoxp-", Url, 24, 300),
    run("Slack token", "xoxa-", Url, 24, 300),
    run("Slack token", "xoxs-", Url, 24, 300),
    run("Slack token", "xoxe-", Url, 24, 300),
    run("Slack token", "xapp-1-", Url, 24, 300),
    other("Slack webhook", "hooks.slack.com/services/", addresses::slack_webhook),
    // docs.stripe.com, "API keys". Test keys protect nothing.
    run("Stripe key", "sk_live_", Base62, 20, 250),
    run("Stripe key", "rk_live_", Base62, 20, 250),
    run("Stripe webhook secret", "whsec_", Base62, 32, 250),
    // cloud.google.com, "API keys"; OAuth clients' secrets.
    run("Google API key", "AIza", Url, 35, 35),
    run("Google OAuth secret", "GOCSPX-", Url, 28, 28),
    // docs.npmjs.com, "About access tokens"; pypi.org/help (macaroons that start with the site's name); rubygems.org;
    // crates.io tokens since 2020.
    run("npm token", "npm_", Base62, 36, 36),
    run("PyPI token", "pypi-AgEIcHlwaS5vcmc", Url, 50, MAX_LENGTH),
    run("PyPI token", "pypi-AgENdGVzdC5weXBpLm9yZw", Url, 50, MAX_LENGTH),
    run("RubyGems key", "rubygems_", Hex, 48, 48),
    // platform.openai.com and console.anthropic.com, API keys; older OpenAI keys contain its name in Base64.
    run("Anthropic key", "sk-ant-", Url, 80, 200),
    run("OpenAI key", "sk-proj-", Url, 40, 250),
    run("OpenAI key", "sk-svcacct-", Url, 40, 250),
    run("OpenAI key", "sk-admin-", Url, 40, 250),
    other("OpenAI key", "T3BlbkFJ", addresses::openai_legacy),
    // huggingface.co, "User access tokens".
    run("Hugging Face token", "hf_", Base62, 34, 34),
    // Each vendor's page on API tokens.
    run("DigitalOcean token", "dop_v1_", Hex, 64, 64),
    run("Shopify token", "shpat_", Hex, 32, 32),
    run("Docker Hub token", "dckr_pat_", Url, 27, 27),
    run("HashiCorp Vault token", "hvs.", Url, 90, 200),
    run("Grafana token", "glsa_", Url, 41, 41),
    run("Databricks token", "dapi", Hex, 32, 32),
    run("Linear key", "lin_api_", Base62, 40, 40),
    run("New Relic key", "NRAK-", Upper, 27, 27),
    run("SendGrid key", "SG.", Parts, 66, 66),
    // learn.microsoft.com, "Configure Azure Storage connection strings": 64 bytes in Base64.
    other("Azure storage key", "AccountKey=", addresses::azure_storage),
    // RFC 7519: two JSON objects and a signature, in URL-safe Base64.
    other("JSON web token", "eyJ", addresses::jwt),
    // RFC 3986, user information: the password of a database or site.
    other("password in an address", "://", addresses::password),
];

impl Shape {
    /// The secret at an anchor, if there is one.
    pub(super) fn secret_at(&self, text: &[u8], anchor: Range<usize>) -> Option<Secret> {
        match self.rule {
            Rule::Other(find) => Some(Secret { kind: self.kind, spans: find(text, anchor)? }),
            Rule::Run(alphabet, Length { min, max }) => {
                let before = anchor.start.checked_sub(1).map(|at| text[at]);
                if before.is_some_and(|it| it.is_ascii_alphanumeric() || it == b'_') {
                    return None;
                }
                let most = max + MAX_FULL_STOPS;
                let span = run_within(text, anchor.end, most, |it| alphabet.has(it))?;
                let span = trimmed(text, span);
                let next = text.get(span.end).copied();
                let is_word = next.is_some_and(|it| it.is_ascii_alphanumeric() || it == b'_');
                let fits = (min..=max).contains(&span.len()) && !is_word;
                (fits && is_random(&text[span.clone()])).then(|| Secret::of(self.kind, span))
            }
        }
    }
}

impl Alphabet {
    fn has(self, letter: u8) -> bool {
        match self {
            Self::Upper => letter.is_ascii_uppercase() || letter.is_ascii_digit(),
            Self::Hex => letter.is_ascii_hexdigit(),
            Self::Base62 => letter.is_ascii_alphanumeric(),
            Self::Url => letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'-'),
            Self::Parts => letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'-' | b'.'),
        }
    }
}

/// Full stops after a token that are read before it counts as too long.
const MAX_FULL_STOPS: usize = 8;

/// Removes the full stops of a sentence.
fn trimmed(text: &[u8], span: Range<usize>) -> Range<usize> {
    let dots = text[span.clone()].iter().rev().take_while(|it| **it == b'.').count();
    span.start..span.end - dots
}
