/** What one key takes, another one with the same address still has. */
import { expect, it } from "vitest";
import { addKey } from "../../../src/server/security/key-file.js";
import { type Serving, Servers } from "../serving.js";

const servers = new Servers();

async function startWithTwoKeys(
  limits: object,
): Promise<{ serving: Serving; ada: Record<string, string>; bob: Record<string, string> }> {
  const keysFile = servers.folder.next(".keys.json");
  const headersOf = async (person: string): Promise<Record<string, string>> => {
    const wanted = { label: "", isAdmin: false, persons: [person], isReadOnly: false, expiresAt: null };
    return { authorization: `Bearer ${(await addKey(keysFile, wanted)).key}` };
  };
  const [ada, bob] = [await headersOf("ada"), await headersOf("bob")];
  return { serving: await servers.start({ keysFile, limits }), ada, bob };
}

it("requests a minute are counted per key, not per address", async () => {
  const { serving, ada, bob } = await startWithTwoKeys({ requestsPerMinuteMax: 3 });
  const ask = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${serving.url}/v1/persons`, { headers })).status;
  const statuses = [];
  for (const headers of [ada, ada, ada, ada, bob, bob, ada, bob, bob]) statuses.push(await ask(headers));
  expect(statuses).toEqual([200, 200, 200, 429, 200, 200, 429, 200, 429]);
});

it("requests at once are counted per key, too", async () => {
  const { serving, ada, bob } = await startWithTwoKeys({ requestsAtOnceMax: 1 });
  const leaving = new AbortController();
  const events = await fetch(`${serving.url}/v1/persons/ada/events`, { headers: ada, signal: leaving.signal });
  expect(events.status).toBe(200);
  expect((await fetch(`${serving.url}/v1/persons`, { headers: ada })).status).toBe(429);
  expect((await fetch(`${serving.url}/v1/persons`, { headers: bob })).status).toBe(200);
  leaving.abort();
});
