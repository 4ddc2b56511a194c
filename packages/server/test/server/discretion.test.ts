/** The real server with its real log and audit log: what a whole exchange leaves there, and what a revoked key still hears. */
import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { createLog } from "../../src/server/log.js";
import { addKey, revokeKey } from "../../src/server/security/key-file.js";
import { type ServerSettings, defaultLimits } from "../../src/server/server-context.js";
import { startServer } from "../../src/server/server.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { openMemory } from "./serving.js";
import { loopback } from "./loopback-settings.mjs";

const scratch = new ScratchFolder();
const settings: ServerSettings = {
  ...loopback,
  limits: defaultLimits,
};
const secrets = ["zanzibar", "quinoa", "xylophone"];

async function startLogged() {
  const [keysFile, auditFile] = [scratch.next(".keys.json"), scratch.next(".audit.jsonl")];
  const wanted = { label: "test", isAdmin: false, persons: ["ada"], isReadOnly: false, expiresAt: null };
  const { key } = await addKey(keysFile, wanted);
  let logged = "";
  const log = createLog({ level: "debug", to: { write: (line) => void (logged += line) } });
  const mnemosyne = await openMemory(scratch.next());
  const server = await startServer({ mnemosyne, settings, log, keysFile, auditFile });
  afterAll(async () => {
    await server.stop();
    await mnemosyne.close();
  });
  const call = (path: string, method = "GET", body?: object, bearer = key): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return { url: server.url, call, key, keysFile, auditFile, logged: () => logged };
}

test("neither log has a text, a question or a key, whatever was done", async () => {
  const { call, key, auditFile, logged } = await startLogged();
  const path = "/v1/persons/ada";
  const said = { text: `I keep my ${secrets[0]} next to the ${secrets[1]}.`, keep: true, id: "first" };
  await call(`${path}/interactions?wait=true`, "POST", said);
  await call(`${path}/recall`, "POST", { query: `Where is the ${secrets[2]}?`, trace: true });
  await call(`${path}/memories/first`, "PATCH", { text: `The ${secrets[1]} is gone.` });
  await call(`${path}/interactions`, "POST", { text: secrets[0], unknown: secrets[1] });
  await call(`${path}/memories?filter=${encodeURIComponent(`{"${secrets[2]}":`)}`);
  await call(`/v1/persons/bob/recall`, "POST", { query: secrets[0] });
  await call(`${path}/core`, "GET", undefined, `${key}x`);
  await call(`${path}/memories/first`, "DELETE");
  const audited = await readFile(auditFile, "utf8");
  for (const text of [...secrets, key.split("_").slice(2).join("_")]) {
    expect(logged()).not.toContain(text);
    expect(audited).not.toContain(text);
  }
  // As a word: a random id may contain its letters.
  expect(logged()).not.toMatch(/\bada\b/u);
  const actions = audited
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { action: string }).action);
  expect(actions).toEqual(["commit", "read", "change", "commit", "read", "refuse", "refuse", "forget"]);
  expect(logged()).toContain('"operation":"recall"');
});

test("a stream ends when its key is revoked", async () => {
  const { call, key, keysFile } = await startLogged();
  const events = await call("/v1/persons/ada/events");
  const reader = events.body!.getReader();
  await reader.read();
  await revokeKey(keysFile, key);
  // The connection is cut, which fetch takes for an error.
  await expect(reader.read()).rejects.toThrow();
  expect((await call("/v1/persons/ada/core")).status).toBe(401);
});

test("the core summary and a context come as text to whoever accepts that first", async () => {
  const { url, key } = await startLogged();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", accept: "text/plain" };
  const core = await fetch(`${url}/v1/persons/ada/core`, { headers });
  expect([core.headers.get("content-type"), await core.text()]).toEqual(["text/plain; charset=utf-8", "N/A\n"]);
  const asked = { method: "POST", headers, body: JSON.stringify({ query: "Where?" }) };
  const recalled = await fetch(`${url}/v1/persons/ada/recall`, asked);
  expect(recalled.headers.get("content-type")).toBe("text/plain; charset=utf-8");
});
