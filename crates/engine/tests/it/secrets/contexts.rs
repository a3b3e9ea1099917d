//! Where secrets stand in files. `@UPPER@`, `@snake@`, `@camel@`, `@Pascal@`, `@kebab@` and `@dots@` are the name, `@value@`
//! is the secret. The rules were written with the forms of [`KNOWN`] in view; those of [`HELD_BACK`] were written first
//! and used once, at the end.

pub(super) type Context = (&'static str, &'static str);

pub(super) const KNOWN: &[Context] = &[
    (
        "Python",
        "client = Client(\n    base_url=\"https://api.internal\",\n    @snake@=\"@value@\",\n    timeout=30,\n)\n",
    ),
    ("Python", "@UPPER@: Final[str] = \"@value@\"\n"),
    ("TypeScript", "class Api {\n  private readonly @camel@: string = '@value@';\n}\n"),
    (
        "YAML",
        "services:\n  web:\n    environment:\n      - @UPPER@=@value@\n      - LOG_LEVEL=info\n",
    ),
    ("YAML", "config:\n  @camel@: @value@\n  replicas: 2\n"),
    ("JSON", "{\n  \"name\": \"@UPPER@\",\n  \"value\": \"@value@\"\n}\n"),
    ("properties", "@kebab@ : @value@\nserver.port=8080\n"),
    ("Dockerfile", "FROM alpine:3\nARG @UPPER@=@value@\nRUN make\n"),
    ("shell", ": \"${@UPPER@:-@value@}\"\n"),
    ("Terraform", "variable \"@snake@\" {\n  type    = string\n  default = \"@value@\"\n}\n"),
    ("Go", "const @camel@ = \"@value@\"\n"),
    ("Go", "func init() {\n\tos.Setenv(\"@UPPER@\", \"@value@\")\n}\n"),
    ("XML", "<settings>\n  <@camel@>@value@</@camel@>\n</settings>\n"),
    ("Java", "    private static final String @UPPER@ = \"@value@\";\n"),
    ("C#", "    public string @Pascal@ { get; set; } = \"@value@\";\n"),
    ("PHP", "    '@snake@' => env('@UPPER@', '@value@'),\n"),
    ("Ruby", "ENV['@UPPER@'] ||= \"@value@\"\n"),
    ("INI", "[production]\n@snake@ = @value@\n"),
    ("Markdown", "Set `@UPPER@=@value@` before you start.\n"),
    ("Groovy", "  environment {\n    @UPPER@ = '@value@'\n  }\n"),
    ("log", "2026-01-02 10:00:00 DEBUG login @snake@=@value@ status=200\n"),
    ("systemd", "[Service]\nEnvironment=\"@UPPER@=@value@\"\n"),
    ("SQL", "SELECT set_config('app.@snake@', '@value@', false);\n"),
    ("Kotlin", "    val @camel@ = \"@value@\"\n"),
    ("Swift", "let @camel@: String = \"@value@\"\n"),
];

pub(super) const HELD_BACK: &[Context] = &[
    ("Python", "os.environ.setdefault(\"@UPPER@\", \"@value@\")\n"),
    ("Python", "CONFIG = {\n    '@snake@': '@value@',\n    'debug': False,\n}\n"),
    (
        "TypeScript",
        "export const environment = {\n  production: true,\n  @camel@: '@value@',\n};\n",
    ),
    ("JavaScript", "module.exports.@camel@ = process.env.@UPPER@ || \"@value@\";\n"),
    ("YAML", "env:\n  - name: @UPPER@\n    value: \"@value@\"\n"),
    ("YAML", "      with:\n        @kebab@: @value@\n"),
    ("JSON", "{\"region\": \"eu-west-1\", \"@camel@\": \"@value@\"}\n"),
    ("JSON", "{\"body\": \"{\\\"@snake@\\\": \\\"@value@\\\"}\"}\n"),
    ("properties", "app.@dots@=@value@\napp.port=80\n"),
    ("Dockerfile", "ENV @UPPER@=@value@ \\\n    NODE_ENV=production\n"),
    ("Dockerfile", "ENV @UPPER@ @value@\n"),
    ("shell", "#!/bin/sh\nexport @UPPER@='@value@'\n"),
    ("shell", "./deploy --@kebab@ @value@ --verbose\n"),
    ("Terraform", "resource \"app\" \"main\" {\n  @snake@ = \"@value@\"\n}\n"),
    ("Go", "\tcfg := Config{@Pascal@: \"@value@\", Debug: true}\n"),
    ("XML", "<appSettings>\n  <add key=\"@Pascal@\" value=\"@value@\" />\n</appSettings>\n"),
    ("XML", "  <property name=\"@dots@\" value=\"@value@\"/>\n"),
    ("Java", "        props.setProperty(\"@dots@\", \"@value@\");\n"),
    ("C#", "        var @camel@ = @\"@value@\";\n"),
    ("PHP", "define('@UPPER@', '@value@');\n"),
    ("Ruby", "  config.@snake@ = '@value@'\n"),
    ("Rust", "const @UPPER@: &str = \"@value@\";\n"),
    ("TOML", "[service]\n@snake@ = \"@value@\"\n"),
    ("HTTP", "GET /v1/items?page=2&@snake@=@value@ HTTP/1.1\nHost: api.internal\n"),
    ("PowerShell", "$env:@UPPER@ = \"@value@\"\n"),
    ("Makefile", "@UPPER@ ?= @value@\n"),
    ("C", "#define @UPPER@ \"@value@\"\n"),
    ("Scala", "  val @camel@: Option[String] = Some(\"@value@\")\n"),
];

/// Forms that need no maker: a file kind and a text with formats as in the table of makers, without a name.
pub(super) const KNOWN_FORMS: &[Context] = &[
    ("shell", "curl -sS -u deploy:[w16] https://api.internal/v1\n"),
    ("HTTP", "POST /v1 HTTP/1.1\nAuthorization: Bearer [s44]\n"),
    ("netrc", "machine api.internal login deploy password [w18]\n"),
    ("npm", "//registry.internal/:_authToken=[h8]-[h4]-4[h3]-b[h3]-[h12]\n"),
    (
        "JSON",
        "{\n\t\"auths\": {\n\t\t\"registry.internal\": {\n\t\t\t\"auth\": \"ZGVwbG95[w28]\"\n\t\t}\n\t}\n}\n",
    ),
    (
        "YAML",
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  uri: [b43]=\n",
    ),
    ("C#", "  \"Default\": \"Server=db;Database=app;User Id=sa;Password=[p16];Encrypt=true\"\n"),
    ("Java", "jdbc:mysql://db.internal:3306/app?user=app&password=[w14]&useSSL=true\n"),
    (
        "Python",
        "BLOB = \"https://a.blob.core.windows.net/x?sv=2024-11-04&ss=b&sig=[w41]%3D&se=2026-01-01\"\n",
    ),
    ("Python", "text = \"first\\nghp_[w36]\\n\"\n"),
    ("Go", "\tu := \"https://x.internal/cb?token%3Dglpat-[s20]\"\n"),
    ("SQL", "CREATE USER app WITH PASSWORD '[p15]';\n"),
    ("shell", "PGPASSWORD=[w16] psql -h db -U app\n"),
    (
        "XML",
        "  <server>\n    <id>releases</id>\n    <username>ci</username>\n    <password>[w15]</password>\n  </server>\n",
    ),
    ("Ruby", "production:\n  adapter: postgresql\n  username: app\n  password: [w13]\n"),
    ("URL", "DATABASE_URL=postgres://app:[w4]bar[w7]@db.internal:5432/app\n"),
];

pub(super) const HELD_BACK_FORMS: &[Context] = &[
    ("shell", "curl --user 'ci:[p14]' -X POST https://jenkins.internal/job\n"),
    ("HTTP", "authorization: Basic ZGVwbG95O[w22]==\n"),
    ("Python", "headers = {\"Authorization\": \"Bearer [w40]\", \"Accept\": \"*/*\"}\n"),
    ("netrc", "machine git.internal\n  login ci\n  password [w16]\n"),
    ("npm", "_auth=ZGVwbG95[w24]=\nalways-auth=true\n"),
    ("YAML", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\nstringData:\n  dsn: [w24]\n"),
    (
        "YAML",
        "kind: Secret\nmetadata: {name: tls}\ndata:\n  license.txt: |\n    [b76]\n    [b76]\n",
    ),
    ("JSON", "\"conn\": \"Data Source=db;Initial Catalog=app;Uid=app;Pwd=[w12]\"\n"),
    ("SQL", "ALTER USER 'app'@'%' IDENTIFIED BY '[p13]';\n"),
    ("shell", "mysqldump -h db -u app --password=[w15] app > app.sql\n"),
    ("shell", "sshpass -p '[p12]' ssh deploy@host\n"),
    ("redis", "maxmemory 2gb\nrequirepass [w32]\n"),
    ("YAML", "url: amqp://svc:root[w9]@mq.internal:5672/\n"),
    ("PHP", "$token = \"Bearer\\txoxb-[d12]-[d13]-[w24]\";\n"),
    ("JavaScript", "fetch(`https://api.internal/v2/users?api_key=[h32]&limit=5`)\n"),
    ("Markdown", "| `PASSWORD` | `[p17]` |\n"),
];
