//! Tests of detection. Tokens are written in two parts, so that this file contains none.

use proptest::prelude::*;

use super::shapes::Rule;
use super::{find, is_service_account, mask, masked};

/// Pseudo-random characters, determined by the seed.
fn letters(alphabet: &str, n: usize, seed: u64) -> String {
    let alphabet = alphabet.as_bytes();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(alphabet[(state >> 33) as usize % alphabet.len()])
    };
    (0..n).map(|_| next()).collect()
}

const BASE62: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX: &str = "0123456789abcdef";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const NAMED: &str = "value of a secret's name";

/// Checks that exactly the text between `before` and `after` is masked.
#[track_caller]
fn check(kind: &str, before: &str, secret: &str, after: &str) {
    let text = format!("{before}{secret}{after}");
    let found = find(&text);
    assert_eq!(found.len(), 1, "{text}");
    assert_eq!(found[0].kind, kind);
    assert_eq!(masked(text.clone()), format!("{before}{}{after}", "*".repeat(secret.len())));
    assert_eq!(find(&masked(text)), []);
}

#[track_caller]
fn check_none(text: &str) {
    assert_eq!(find(text), [], "{text}");
}

#[test]
fn tokens_are_known_by_the_prefix_that_their_maker_gave_them() {
    let base = |n: usize| letters(BASE62, n, n as u64);
    check("GitHub token", "token = \"ghp_", &base(36), "\"\n");
    check("GitHub token", "github_pat_", &format!("{}_{}", base(22), base(59)), "\n");
    check("AWS access key", "id: AKIA", &letters(UPPER, 16, 3), " # mine\n");
    check(NAMED, "aws_secret_access_key = ", &letters(BASE62, 40, 4), "\n");
    check(NAMED, "{\"SecretAccessKey\": \"", &letters(BASE62, 40, 5), "\"}");
    check("GitLab token", "glpat-", &base(20), ".\n");
    check(
        "Slack token",
        "xoxb-",
        &format!("{}-{}-{}", 2_345_987_612_u64, 8_723_465_190_u64, base(24)),
        "'",
    );
    check("Stripe key", "Stripe.api_key = 'sk_live_", &base(24), "'");
    check("Google API key", "key=AIza", &base(35), "&x=1");
    check("npm token", "//registry.npmjs.org/:_authToken=npm_", &base(36), "\n");
    check("PyPI token", "password = pypi-AgEIcHlwaS5vcmc", &base(140), "\n");
    check("OpenAI key", "OPENAI_API_KEY=sk-proj-", &base(120), "\n");
    check("OpenAI key", "sk-", &format!("{}T3BlbkFJ{}", base(20), letters(BASE62, 20, 9)), "\n");
    check("Anthropic key", "sk-ant-", &format!("api03-{}", base(95)), "\n");
    check("Hugging Face token", "hf_", &base(34), "\n");
    check("DigitalOcean token", "dop_v1_", &letters(HEX, 64, 7), "\n");
    check(NAMED, "AccountName=a;AccountKey=", &(base(86) + "=="), ";EndpointSuffix=x");
    check(
        "Slack webhook",
        "https://hooks.slack.com/services/T024BE7LD/B024BE7LH/",
        &base(24),
        "\n",
    );
    check("SendGrid key", "SG.", &format!("{}.{}", base(22), letters(BASE62, 43, 8)), "\n");
}

#[test]
fn passwords_of_commands_and_calls_are_known_by_their_place() {
    let kind = "password of a command";
    let secret = "k8Jq2vX9tLw7*Zd";
    check(kind, "curl -u admin:'", secret, "' https://api.internal\n");
    check(kind, "mysqldump -u root -p'", secret, "' shop\n");
    check(kind, "redis-cli -h cache -a ", secret, " ping\n");
    check(kind, "ConvertTo-SecureString -String \"", secret, "\" -AsPlainText\n");
    let kind = "password of a call";
    check(kind, "DriverManager.getConnection(\"jdbc:oracle:thin:@db\", \"app\", \"", secret, "\")");
    check(kind, "new PDO($dsn, 'app',\n    '", secret, "');\n");
    check_none("getConnection(\"jdbc:h2:mem\", \"app\", PASSWORDS[\"k8Jq2vX9tLw7\"])");
    check_none("getConnection(); var x = f(a, b, \"k8Jq2vX9tLw7*Zd\");");
    check_none("docker run -p'8080:80' redis-cli -h cache ping\nls -a k8Jq2vX9tLw7*Zd\n");
    check(NAMED, "buildConfigField 'String', 'API_KEY', '\"", secret, "\"'\n");
    check(NAMED, "MYSQL_PASSWORD=", "!k8Jq2vX9tLw7", "\n");
    check(NAMED, "PRIVATE_KEY=", &format!("0x{}", letters(HEX, 64, 5)), "\n");
    check(NAMED, "secret_key_base: \"", &format!("a0x{}", letters(BASE62, 40, 6)), "\"\n");
}

#[test]
fn a_secret_beside_its_public_half_is_masked() {
    let twice = |text: &str, secrets: [&str; 2]| {
        let shown = masked(text.to_owned());
        assert!(secrets.iter().all(|it| !shown.contains(it)), "{shown}");
    };
    let (id, secret) = (letters(UPPER, 16, 3), letters(BASE62, 40, 4));
    twice(&format!("new BasicAWSCredentials(\"AKIA{id}\", \"{secret}\")"), [&id, &secret]);
    twice(&format!("Auth('LTAI{}', '{secret}')", &secret[..20]), [&secret[..20], &secret]);
    let (account, token) = (letters(HEX, 32, 5), letters(HEX, 32, 6));
    check("Twilio token", &format!("twilio('AC{account}', '"), &token, "');");
    check("Razorpay secret", "(\"rzp_live_ILgsfZCZoFIKMb\", \"", &letters(BASE62, 24, 7), "\")");
    check_none(&format!("('AC{account}', 'created')"));
    check(
        "Telegram token",
        "https://api.telegram.org/bot",
        &format!("234567891:AA{}", letters(BASE62, 33, 8)),
        "/x",
    );
}

#[test]
fn keys_are_known_by_their_place_in_a_call_a_header_or_a_command() {
    let key = letters(BASE62, 40, 2);
    check("key of a call", "co = cohere.Client('", &key, "')");
    check("key of a call", "NewClient(\"http://influx:8086\", \"", &key, "\")");
    check("key of a call", "jwt.sign({ id: it.id, at: 1 }, '", &key, "', {})");
    check("password of a call", "DBI->connect('dbi:mysql:a', 'a', '", "k8Jq2vX9tLw7", "')");
    check("password of a call", "get(url, auth=('svc', '", "k8Jq2vX9tLw7", "'))");
    check("token of a header", "-H \"Authorization: Token ", &key, "\"");
    check("token of a header", "'Authorization': 'key=", &key, "',");
    check(NAMED, "'Fastly-Key: ", &key, "'");
    check("password of a command", "docker login -u a -p ", "k8Jq2vX9tLw7", " r.io");
    check("password of a command", "mysql -u root -p", "k8Jq2vX9tLw7", " shop");
    check("private key", "accounts: ['0x", &letters(HEX, 64, 3), "'],");
    check_none("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
    check_none("client.login('user', process.env.PASSWORD)");
    check_none("mysql -u root -proot -P 3306\ndocker login -p $TOKEN1 -u a");
}

#[test]
fn a_value_stands_in_the_next_element_cell_or_argument() {
    let key = letters(BASE62, 32, 3);
    check(NAMED, "<key>ApiKey</key>\n\t<string>", &key, "</string>");
    check(NAMED, "<string name=\"api_key\" translatable=\"false\">", &key, "</string>");
    check(NAMED, "<Password>\n <Value>", &key, "</Value>");
    check(NAMED, "| API_KEY | ", &key, " |");
    check(NAMED, "$ENV{'API_KEY'} = '", &key, "';");
    check(NAMED, "api_key <- \"", &key, "\"");
    check(NAMED, "fromEnvironment('API_KEY', defaultValue: '", &key, "')");
    check(NAMED, "getenv(\"API_KEY\") or \"", &key, "\"");
    check(NAMED, "var(\"API_KEY\").unwrap_or_else(|_| \"", &key, "\".into())");
    check(NAMED, "add_argument('--api-key', default='", &key, "')");
    check(NAMED, "{api_key, \"", &key, "\"}");
    check(NAMED, "std::string kApiKey{\"", &key, "\"};");
    check(NAMED, "API_KEY=", &key, " SITE=\"x.io\" bash");
    check(NAMED, "SECRET_KEY = '", "scf!_ml_3%7i&a()t08txyyql(+dio*b-5y@5&6+fl23-td5_0", "'");
    check_none("token_expires: 1\nadmin_secret: 2022-08-26T09:21:05Z\n");
    check_none("echo $PASSWORD | kdb5_util -r X");
    check_none(
        "\"assetToken\": \"Purple7/v4/65/04/4d/65044dae-15b0-a5e0-d021-5aa4162a03a3/x.jpg\"",
    );
    check_none("Sprintf(`{\"access_token\":%q,\"expiry\":\"0001-01-01T00:00:00Z\"}`, x)");
    check_none("PRIVATE_KEY=0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
}

#[test]
fn secrets_of_lists_blocks_and_columns_are_masked() {
    let (key, other) = (letters(BASE62, 32, 3), letters(BASE62, 32, 4));
    let all = |text: String| {
        let shown = masked(text);
        assert!(!shown.contains(&key) && !shown.contains(&other), "{shown}");
    };
    all(format!("api_keys = [\"{key}\", \"{other}\"]"));
    all(format!("api_keys:\n  - {key}\n  - {other}\n"));
    all(format!("API_KEYS={key},{other}\n"));
    all(format!("secrets:\n  main: {key}\n  mail: \"{other}\"\nport: 80\n"));
    all(format!("[secrets]\nmain = \"{key}\"\nmail = \"{other}\"\n"));
    all(format!("id,api_key,note\n1,{key},a\n2,{other},b\n"));
    all(format!("| env | token |\n|---|---|\n| a | `{key}` |\n| b | {other} |\n"));
    all(format!("INSERT INTO a (id, token)\nVALUES (1, '{key}'), (2, '{other}');"));
    all(format!("key = '{key}\n{other}'"));
    check_none("id,token,note\n1,first,a1\n2,second,b2\n");
    check_none("tokens:\n  - type: word\n  - type: number2\n");
    check_none("secrets:\n  name: app-tls-cert-2024\n");
}

#[test]
fn keys_without_a_block_are_known_by_their_structure() {
    let body = letters(BASE62, 64, 5);
    let kind = "private key";
    check(kind, "der = '", &format!("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC{body}"), "';");
    check(kind, "{\"kty\":\"OKP\",\"x\":\"11qYAYKxCrfVS_7TyWQH\",\"d\":\"", &body[..43], "\"}");
    let block = "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpN";
    check(kind, "client-data: ", &format!("{block}{body}"), "\n");
    check_none(&format!("ca-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{body}\n"));
    let words = "ripple scissors kick mammal hire column oak again sun offer wealth tomorrow";
    check("words of a wallet", "mnemonic = \"", words, "\"");
    check_none("mnemonic: 'test test test test test test test test test test test junk'");
    check("hash of a password", "anna:$2y$", &format!("10${}", letters(BASE62, 53, 6)), "\n");
}

#[test]
fn what_no_name_introduces_must_be_very_random() {
    let key = letters(BASE62, 40, 7);
    check("key of a call", "new SecretStore(new Uri(url), \"", &key, "\")");
    check("password of a command", "ldapsearch -w ", "k8Jq2vX9tLw7Zd", " -x");
    check("password of a command", "echo ", "k8Jq2vX9tLw7", " | sudo -S true");
    check_none("assert_eq!(f(\"aVeryLongCamelCaseName2WithManyWordsInIt\"), 1)");
    check_none("init(\"TLS_DH_RSA_WITH_AES_128_CBC_SHA256\", 1)");
    check_none("[Migration(\"20260113203012_ChangeOwnerIdToGuid\")]");
    check_none("uuid('550E8400-e29b-11D4-A716-446655440000')");
    check_none("mkdir -p build/x86_64-unknown/release2 -k testName2WithWords");
}

#[test]
fn the_key_of_a_webhook_is_masked_with_what_follows() {
    let key = letters(BASE62, 68, 1);
    check("webhook", "https://discord.com/api/webhooks/922337203685477580/", &key, "\n");
    let key = format!("{}/{}", letters(HEX, 32, 2), letters(HEX, 36, 3));
    check("Teams webhook", "webhook.office.com/webhookb2/a@b/IncomingWebhook/", &key, "\")");
    check_none("https://discord.com/api/webhooks/{id}/{token}");
}

#[test]
fn a_json_web_token_keeps_its_header() {
    let payload = format!("eyJ{}", letters(BASE62, 60, 1));
    let secret = format!("{payload}.{}", letters(BASE62, 43, 2));
    check("JSON web token", "Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.", &secret, "\n");
    check_none("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ9.abc");
}

#[test]
fn placeholders_and_examples_stay() {
    for text in [
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "ghp_1234567890abcdefghijklmnopqrstuvwxyz",
        "AKIAIOSFODNN7EXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "sk_live_your_key_here_and_nothing_else",
        "AIzaSyExampleExampleExampleExampleExamp",
        "npm_config_registry_and_other_long_names",
        "hf_hub_download_with_a_very_long_name_x",
        "glpat-some-words-with-dashes-in-between",
        "xoxb-not-a-real-token-at-all-but-long",
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "ghp_{token}",
    ] {
        check_none(text);
    }
}

#[test]
fn an_anchor_inside_a_word_is_none() {
    check_none(&format!("my_ghp_{}", letters(BASE62, 36, 1)));
    check_none(&format!("xAKIA{}", letters(UPPER, 16, 1)));
    check_none(&format!("AKIA{}", letters(UPPER, 40, 1)));
    check_none(&format!("dapi{}", letters(HEX, 40, 1)));
}

#[test]
fn passwords_in_addresses_are_masked_unless_they_guard_nothing() {
    let kind = "password in an address";
    check(kind, "DATABASE_URL=postgres://app:", "k8Jq2vX9tLw", "@db.internal:5432/app\n");
    check(kind, "mongodb+srv://svc:", "Zp4n7Rm1Qy", "@cluster0.mongodb.net/?retryWrites=true");
    check(kind, "url: postgresql+psycopg2://a:", "9fQ-w_7Lz.p", "@10.0.0.7/x");
    for text in [
        "postgres://postgres:postgres@localhost/db",
        "postgres://user:password123@db.internal/db",
        "postgres://app:k8Jq2vX9tLw@localhost:5432/app",
        "postgres://app:k8Jq2vX9tLw@example.com/app",
        "postgres://app:${DB_PASSWORD1}@db.internal/app",
        "postgres://app:<password1>@db.internal/app",
        "http://a%3A%01%40%2F%5C%3F:c%3A%01%40%2F%5C%3F%23%25b@ef:8080/",
        "http://user:one+two%3F@site.io/",
        "https://github.com/owner/repository@v1:2",
        "see https://example.com:8080/@user and mail a@b.c",
        "git+ssh://git@github.com:owner/name",
    ] {
        check_none(text);
    }
}

/// A key block; `line` writes a line of the key.
fn block(kind: &str, line: impl Fn(&str) -> String) -> String {
    let body: String = (1..6).map(|it| line(&letters(BASE62, 64, it))).collect();
    format!("-----BEGIN {kind}-----\n{body}-----END {kind}-----\n")
}

#[test]
fn a_key_block_is_masked_and_its_lines_stay() {
    for kind in ["RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"] {
        let text = format!("before\n{}after\n", block(kind, |it| format!("{it}\n")));
        let shown = masked(text.clone());
        assert_eq!(find(&text).len(), 1, "{kind}");
        assert_eq!(shown.lines().count(), text.lines().count());
        assert!(shown.starts_with(&format!("before\n-----BEGIN {kind}-----\n****")), "{shown}");
        assert!(shown.ends_with(&format!("****\n-----END {kind}-----\nafter\n")), "{shown}");
        assert!(!shown.contains(&letters(BASE62, 64, 3)));
    }
}

#[test]
fn a_key_block_in_strings_of_a_program_is_masked_and_stays_a_program() {
    let quoted = block("EC PRIVATE KEY", |it| format!("    \"{it}\\n\" +\n"));
    let shown = masked(quoted);
    assert!(shown.contains(&format!("    \"{}\\n\" +\n", "*".repeat(64))), "{shown}");
    let one_line = block("PRIVATE KEY", |it| format!("{it}\\n")).replace("-----\n", "-----\\n");
    let shown = masked(format!("key = \"{one_line}\""));
    assert!(shown.contains(&format!("\\n{}\\n*", "*".repeat(64))), "{shown}");
}

#[test]
fn a_program_that_reads_keys_holds_none() {
    check_none(
        "const BEGIN = '-----BEGIN PRIVATE KEY-----';\nfunction convertToPrivateKeyBlock(aLongParameterName) {}\n\
         const END = '-----END PRIVATE KEY-----';\n",
    );
    check_none(
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA...\n-----END RSA PRIVATE KEY-----\n",
    );
    check_none("it begins with PRIVATE KEY and ends -----");
    check_none(&block("CERTIFICATE", |it| format!("{it}\n")));
    check_none(&block("PUBLIC KEY", |it| format!("{it}\n")));
}

#[test]
fn the_private_lines_of_a_putty_key_are_masked() {
    let public = letters(BASE62, 64, 1);
    let private = letters(BASE62, 64, 2);
    let text = format!(
        "PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 1\n{public}\nPrivate-Lines: 1\n{private}\nPrivate-MAC: {}\n",
        letters(HEX, 64, 3)
    );
    let shown = masked(text);
    assert!(shown.contains(&public) && !shown.contains(&private), "{shown}");
    assert!(shown.contains(&letters(HEX, 64, 3)));
}

#[test]
fn the_key_of_a_service_account_is_known() {
    let key = block("PRIVATE KEY", |it| format!("{it}\\n")).replace('\n', "\\n");
    let text = |key: &str| {
        format!(
            "{{\"type\": \"service_account\", \"project_id\": \"p\", \"private_key\": \"{key}\"}}"
        )
    };
    assert!(is_service_account(&text(&key)));
    assert!(!is_service_account(&text("YOUR KEY")));
    assert!(!is_service_account(&format!("{{\"private_key\": \"{key}\"}}")));
}

proptest! {
    #[test]
    fn masking_keeps_lengths_lines_and_characters_and_is_done_once(
        parts in prop::collection::vec(
            prop_oneof![
                any::<String>(),
                "[ -~\n]{0,80}",
                Just("-----BEGIN RSA PRIVATE KEY-----\n".to_owned()),
                Just("-----END RSA PRIVATE KEY-----\n".to_owned()),
                Just("Private-Lines: 3\n".to_owned()),
                Just("postgres://u:k8Jq2vX9tLw@h.io/".to_owned()),
                Just("\\".to_owned()),
                (0_u64..9).prop_map(|it| format!("ghp_{}", letters(BASE62, 36, it))),
                (0_u64..9).prop_map(|it| letters(BASE62, 64, it) + "\n"),
            ],
            0..12,
        ),
    ) {
        let text: String = parts.concat();
        let mut shown = text.clone();
        let n = mask(&mut shown);
        prop_assert_eq!(shown.len(), text.len());
        let kept = |(a, b): (char, char)| a == b || (b == '*' && a.is_ascii_graphic());
        prop_assert!(text.chars().zip(shown.chars()).all(kept));
        prop_assert!(n >= find(&text).len());
        let again = masked(shown.clone());
        prop_assert_eq!(again, shown);
    }
}

/// Texts with an anchor every few bytes: of each shape, alone, and before characters that its scan reads on over.
fn hostile_tokens() -> Vec<String> {
    let runs = ["", "a1B2"];
    let others = [
        "",
        "-",
        "a1B2",
        " ",
        ".",
        "-----",
        ": 9\n",
        "\n",
        "9",
        "//x:y@",
        "=",
        "=a1B2c3D4\n",
        "=\"",
        ": \"a1B2",
        "('",
        "\nvalue",
        "\ndata:\n  a: b",
        " x:",
        ": a,",
        ">",
    ];
    let tails = |it: &super::shapes::Shape| match it.rule {
        Rule::Run(_) | Rule::Around(..) => &runs[..],
        Rule::Named | Rule::Other(_) => &others[..],
    };
    // Names differ in their words alone.
    let is_other = |it: &&super::shapes::Shape| !it.is_named() || it.anchor == "token";
    let with = |it: &super::shapes::Shape| {
        let anchor = it.anchor;
        tails(it).iter().map(move |tail| format!("{anchor}{tail}"))
    };
    let mut res: Vec<String> =
        super::makers::SHAPES.iter().filter(is_other).flat_map(with).collect();
    res.push("-----BEGIN RSA PRIVATE KEY-----".to_owned());
    res.push("https://a:b1C2d3E4f5@".to_owned());
    res
}

/// Measures time, but only to tell a factor of eight from one of sixty-four, at a size where the latter takes seconds.
/// What looks slow is measured again: another program may have had the processor.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the engine has no clock; a test of how time grows needs one"
)]
fn a_text_eight_times_as_long_takes_about_eight_times_as_long() {
    let time = |token: &str, bytes: usize| {
        let text = token.repeat(bytes / token.len());
        let start = std::time::Instant::now();
        std::hint::black_box(find(&text));
        start.elapsed()
    };
    let is_slow = |token: &&String| {
        let (short, long) = (time(token, 2 << 10), time(token, 16 << 10));
        long > short * 8 * 4 + std::time::Duration::from_millis(60)
    };
    let tokens = hostile_tokens();
    let slow: Vec<&String> = tokens.iter().filter(|token| (0..6).all(|_| is_slow(token))).collect();
    assert!(slow.is_empty(), "{slow:#?}");
}

#[test]
fn words_without_quotes_have_the_marks_of_passwords() {
    check(NAMED, "POSTGRES_PASSWORD=", &["Tmz5S16IlLZ", "$KSP"].concat(), "\n");
    check(NAMED, "spring.datasource.password=", &["TmcbaKEFJgc", "!Otm"].concat(), "\n");
    check_none("DB_PASSWORD=$POSTGRES_PASSWORD\n");
    check_none("password=backup_$DATE\n");
    check_none("PASSWORD=Release2024$BUILD_NUMBER\n");
    check_none("let token: String! = session.accessToken!.value\n");
    check_none("key=Width%Height\n");
    check_none("secret_key=Width*Height\n");
    let password = ["WxA5FjxDVQW", "%Btt"].concat();
    check("password of a call", "c.simple_bind_s(\"cn=admin,dc=x\", \"", &password, "\")\n");
}
