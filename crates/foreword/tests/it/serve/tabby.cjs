// tabby-agent as a client of `foreword serve`: tabby.cjs PACKAGES URL TOKEN REQUEST. HOME is a directory of the test.

const [packages, url, token, text] = process.argv.slice(2);
const { TabbyAgent } = require(`${packages}/tabby-agent`);
const { file, line, column, expected } = JSON.parse(text);
const { filepath, language, text: source } = file;

async function main() {
  const agent = new TabbyAgent();
  const config = { server: { endpoint: url, token }, anonymousUsageTracking: { disable: true } };
  if (!(await agent.initialize({ config, clientProperties: { user: {}, session: {} } }))) {
    throw new Error("it does not start");
  }
  if (agent.getStatus() !== "ready") throw new Error(`status ${agent.getStatus()}`);
  const position = source.split("\n").slice(0, line).join("\n").length + 1 + column;
  const found = await agent.provideCompletions({
    filepath: `/shop/${filepath}`, workspace: "/shop", language, text: source, position, indentation: "    ",
    manually: true,
    git: { root: "/shop", remotes: [{ name: "origin", url: "https://example.com/acme/repository.git" }] },
    declarations: [{ filepath: "/usr/lib/bank.py", offset: 0, text: "def transfer(amount): ..." }],
    relevantSnippetsFromChangedFiles: [
      { filepath: "/shop/shop/new.py", offset: 0, text: "def changed_just_now(): pass", score: 0.7 },
    ],
  });
  const item = (found.items ?? found.choices ?? [])[0];
  const got = item?.insertText ?? item?.text;
  if (!got?.includes(expected)) throw new Error(`no completion: ${JSON.stringify(found)}`);
  const completion_id = found.id ?? item.data?.eventId?.completionId;
  for (const more of [{ type: "view" }, { type: "select", select_kind: "line", elapsed: 900 }]) {
    await agent.postEvent({ ...more, completion_id, choice_index: 0, view_id: "v" });
  }
  await agent.finalize();
  console.log(`done ${completion_id}`);
}

main().then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
