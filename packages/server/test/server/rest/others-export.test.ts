/**
 * A key of one person, another person's export and another key's answers: nothing lands in the other, and nothing of the
 * other is told, at any door. Whoever holds the file already knows what is in it; that is all they get.
 */
import { beforeAll, expect, it } from "vitest";
import { addKey } from "../../../src/server/security/key-file.js";
import { Servers, type Serving } from "../serving.js";
import { Caller, type Reply } from "./http.js";

const servers = new Servers();
let serving: Serving;
let file: string;
const keys: Record<string, string> = {};
const bobs = [
  { id: "one", summary: "Bob hides the key under the third flowerpot.", keep: true, at: "2025-01-01" },
  { id: "two", summary: "Bob moved the key into the shed.", keep: true, at: "2025-02-01", updates: ["one"] },
];

const as = (key: string, method: string, path: string, asked: { raw?: string; body?: unknown } = {}, idem?: string) => {
  const type = asked.raw === undefined ? {} : { "content-type": "application/x-ndjson" };
  const again = idem === undefined ? {} : { "idempotency-key": idem };
  const headers = { authorization: `Bearer ${keys[key]!}`, ...type, ...again };
  return new Caller(serving.url).call(method, `/v1/persons/${path}`, { ...asked, headers });
};
/** All there is of Bob, as an admin sees it. */
const bob = async (): Promise<string> => (await as("admin", "GET", "bob/export")).text;
const shown = ({ status, text }: Pick<Reply, "status" | "text">): object => ({
  status,
  text: text.replaceAll(/\b(?:bob|nobody)\b/gu, "…"),
});

beforeAll(async () => {
  const keysFile = servers.folder.next(".keys.json");
  const scope = { label: "", expiresAt: null, isAdmin: false, isReadOnly: false, persons: [] };
  const scopes = {
    admin: { isAdmin: true },
    ada: { persons: ["ada"] },
    ada2: { persons: ["ada"] },
    cleo: { persons: ["cleo"] },
  };
  for (const [name, more] of Object.entries(scopes)) keys[name] = (await addKey(keysFile, { ...scope, ...more })).key;
  serving = await servers.start({ keysFile });
  await as("admin", "POST", "bob/interactions:batch", { body: { interactions: bobs } });
  await serving.mnemosyne.settled();
  file = await bob();
  expect(file).toContain('"bob"');
});

it("at the other's own address it is refused as for somebody who is not there, and nothing is read", async () => {
  const before = await bob();
  for (const raw of [file, '{"id":"three","summary":"A lie about Bob."}\n', "nonsense"]) {
    const [known, unknown] = [
      await as("ada", "POST", "bob/import", { raw }),
      await as("ada", "POST", "nobody/import", { raw }),
    ];
    expect(known.status).toBe(403);
    expect(shown(known)).toEqual(shown(unknown));
  }
  expect(await bob()).toBe(before);
});

it("at one's own address it becomes one's own, and stays apart from the other, whatever is done to it", async () => {
  const before = await bob();
  const told: string[] = [];
  for (const event of ["committed", "updated", "edited", "forgotten", "core"] as const) {
    serving.mnemosyne.person("bob").on(event, () => told.push(event));
  }
  const restored = await as("ada", "POST", "ada/import", { raw: file });
  expect(restored.body).toMatchObject({ mode: "restored", acceptedCount: 2, knownCount: 0 });
  expect((await as("ada", "GET", "ada/export")).text.split("\n")[0]).not.toContain("bob");
  // Twice, and where there is something else under these names.
  expect((await as("ada", "POST", "ada/import", { raw: file })).body).toMatchObject({
    knownCount: 2,
    differentIds: [],
  });
  const same = '{"id":"one","summary":"Cleo owns a kayak."}\n{"id":"three","summary":"Cleo sings."}\n';
  expect((await as("cleo", "POST", "cleo/import", { raw: same })).body).toMatchObject({
    acceptedCount: 2,
    knownCount: 0,
  });
  await serving.mnemosyne.settled();
  expect((await as("cleo", "POST", "cleo/import", { raw: file })).body).toMatchObject({ differentIds: ["one"] });
  await serving.mnemosyne.settled();
  await as("ada", "PATCH", "ada/memories/one", { body: { text: "Something else." } });
  await as("ada", "POST", "ada/memories:forget", { body: { ids: ["two"] } });
  await as("ada", "DELETE", "ada");
  await as("cleo", "DELETE", "cleo");
  expect(told).toEqual([]);
  expect(await bob()).toBe(before);
});

it("ids that only the other has are as unknown as any", async () => {
  await as("ada", "POST", "ada/interactions?wait=true", {
    body: { id: "own", summary: "Ada keeps bees.", keep: true },
  });
  const before = await bob();
  const tryWith = async (id: string): Promise<object[]> => {
    const updating = `${JSON.stringify({ id: `later-${id}`, summary: "Ada sells bees.", updates: [id] })}\n`;
    const tried = [
      await as("ada", "POST", "ada/import", { raw: updating }),
      await as("ada", "POST", "ada/interactions:batch", { body: { interactions: [{ text: "x", updates: [id] }] } }),
      await as("ada", "POST", `ada/memories/${id}:correct`, { body: { text: "No." } }),
      await as("ada", "GET", `ada/memories/${id}`),
      await as("ada", "GET", `ada/interactions/${id}`),
      await as("ada", "DELETE", `ada/memories/${id}`),
    ];
    return tried.map(({ status, text }) => ({ status, text: text.replaceAll(id, "…") }));
  };
  const unknown = await tryWith("none");
  expect(unknown.map((each) => (each as Reply).status)).toEqual([200, 404, 404, 404, 404, 404]);
  for (const id of ["one", "two"]) expect(await tryWith(id)).toEqual(unknown);
  expect(await bob()).toBe(before);
});

it("a damaged or foreign header, and an export of two persons in one file, are refused as a whole", async () => {
  const before = [await bob(), (await as("ada", "GET", "ada/export")).text];
  const [header, ...lines] = file.trimEnd().split("\n");
  const files = [
    [header, ...lines, header, ...lines],
    [header!.replace('"version":3', '"version":4'), ...lines],
    [header, ...lines.slice(0, -1)],
    [...lines, header],
    [header, ...lines.toReversed()],
  ];
  for (const each of files) {
    const { status, text } = await as("ada", "POST", "ada/import", { raw: `${each.join("\n")}\n` });
    expect(status).toBe(400);
    expect(text).not.toContain("flowerpot");
  }
  expect([await bob(), (await as("ada", "GET", "ada/export")).text]).toEqual(before);
});

it("the same Idempotency-Key of another API key is another write: no answer of one is given to the other", async () => {
  for (const id of ["x", "y"]) {
    await as("ada", "POST", "ada/interactions?wait=true", { body: { id, summary: `Ada has a ${id}.`, keep: true } });
  }
  const first = await as("ada", "DELETE", "ada/memories/x", {}, "shared");
  expect(first.status).toBe(200);
  expect((await as("ada2", "DELETE", "ada/memories/x", {}, "shared")).status).toBe(404);
  expect((await as("ada2", "DELETE", "ada/memories/y", {}, "shared")).body.forgotten).toEqual(["y"]);
  expect((await as("ada", "DELETE", "ada/memories/x", {}, "shared")).text).toBe(first.text);
  for (const path of ["ada/memories/x", "ada/memories/none"]) {
    expect((await as("cleo", "DELETE", path, {}, "shared")).status).toBe(403);
  }
});
