/** What `mnemosyne serve` suggests is pasted into a shell, with the bundled model: what was told is there afterwards. */
import { type ChildProcess, execFile } from "node:child_process";
import { expect, it } from "vitest";
import { choosePerson } from "../../src/cli/serve/shown-person.js";
import { CommandFolder } from "./command.js";

const folder = new CommandFolder("80");

/** The lines of a server that is running, for as long as `work` does. */
async function whileServing(args: readonly string[], work: (welcome: string) => Promise<void>): Promise<void> {
  let welcome = "";
  let child: ChildProcess | undefined;
  const ended = folder.run([...args, "serve", "--port", "0"], { onStart: (started) => (child = started) });
  try {
    await new Promise<void>((resolve, reject) => {
      child!.stdout!.on("data", (data: Buffer) => {
        welcome += data.toString();
        if (/mcp\?person=/u.test(welcome)) resolve();
      });
      void ended.then(({ errors }) => reject(new Error(errors)));
    });
    await work(welcome);
  } finally {
    child!.kill("SIGTERM");
    await ended;
  }
}

function shell(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile("sh", ["-c", command], { env: { PATH: process.env["PATH"], ...env } }, (error, out) =>
      error === null ? resolve(out) : reject(error),
    );
  });
}

/** Each command, its lines together. */
function commandsOf(welcome: string): string[] {
  return [...welcome.matchAll(/^curl (?:.*\\\n)*.*$/gmu)].map(([command]) => command);
}

it("shows in its last line what the one before it told, in 80 columns", async () => {
  await whileServing(["--path", "new.db"], async (welcome) => {
    for (const line of welcome.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
    const [recall, commit, core] = commandsOf(welcome);
    expect(await shell(recall!)).not.toContain("latex");
    expect(JSON.parse(await shell(commit!))).toMatchObject({ outcome: "committed", reason: "kept" });
    expect(await shell(core!)).toBe("Allergies and alerts\n- I am allergic to latex.\n");
    expect(await shell(recall!)).toContain("I am allergic to latex.");
  });
});

it("is about the person whom the only key is for", async () => {
  const path = ["--path", "keys.db"];
  const { key } = await folder.runJson<{ key: string }>([...path, "keys", "add", "--for", "o'neil"]);
  await whileServing(path, async (welcome) => {
    expect(welcome).toContain("/mcp?person=o'neil");
    for (const line of welcome.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
    const [, commit, core] = commandsOf(welcome);
    const env = { MNEMOSYNE_API_KEY: key };
    expect(JSON.parse(await shell(commit!, env))).toMatchObject({ outcome: "committed" });
    expect(await shell(core!, env)).toContain("latex");
  });
  await folder.run([...path, "--person", "ada", "commit", "I live in Porto."]);
  await whileServing([...path, "--person", "ada"], async (welcome) => {
    expect(welcome).toContain("/mcp?person=o'neil");
  });
});

it("says which key it takes where there are several, and tells nothing with one that only reads", async () => {
  const path = ["--path", "several.db"];
  const { key } = await folder.runJson<{ key: string }>([...path, "keys", "add", "--for", "team-*", "--read-only"]);
  await whileServing(path, async (welcome) => {
    expect(welcome).toContain(`MNEMOSYNE_API_KEY=${key.slice(0, 12)}_…`);
    const [recall, core, ...others] = commandsOf(welcome);
    expect(others).toEqual([]);
    const env = { MNEMOSYNE_API_KEY: key };
    expect(await shell(`${recall!} -o /dev/null -w '%{http_code}'`, env)).not.toBe("403");
    expect(await shell(`${core!} -o /dev/null -w '%{http_code}'`, env)).not.toBe("403");
  });
});

it.each<[keys: string[], person: string, keyId: string | null]>([
  [[], "default", null],
  [["admin"], "default", "k0"],
  [["bea"], "bea", "k0"],
  [["bea", "carl"], "bea", "k0"],
  [["bea", "carl", "c*"], "carl", "k1"],
  [["admin", "bea"], "bea", "k0"],
  [["team-*"], "team-ada", "k0"],
  [["*"], "default", "k0"],
  [["bea revoked", "carl"], "carl", "k1"],
  [["bea expired"], "default", null],
  [["bea reading", "carl"], "carl", "k1"],
  [["default", "bea"], "default", "k0"],
])("with keys for %j the commands are about %s", (keys, person, keyId) => {
  const described = keys.map((text, i) => {
    const [name, state] = text.split(" ") as [string, string?];
    const past = "2020-01-01T00:00:00Z";
    return {
      id: `k${i}`,
      label: "",
      createdAt: past,
      isAdmin: name === "admin",
      persons: name === "admin" ? [] : [name],
      isReadOnly: state === "reading",
      expiresAt: state === "expired" ? past : null,
      revokedAt: state === "revoked" ? past : null,
    };
  });
  expect(choosePerson(["default"], described, Date.now())).toEqual({ person, keyId, isReadOnly: false });
});
