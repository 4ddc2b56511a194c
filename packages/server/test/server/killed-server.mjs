/**
 * A server that is killed while clients commit, each sending a request again with the same Idempotency-Key until it is
 * answered with 202, and sometimes giving up on an answer to ask again. What was acknowledged must be there exactly once.
 */
import { setTimeout as delay } from "node:timers/promises";
import { seededRandom } from "../../../memory/test/durability/hashing-embedder.mjs";
import { JsonClient } from "./served-process.mjs";

const retryMs = 20;
/** Of the requests whose answer nobody waits for. */
const impatientShare = 0.1;

/** Returns what was sent, acknowledged and found. */
export async function commitWhileKilling({ served, personCount, killCount, killEveryMs, seed = "1" }) {
  const random = seededRandom(`killed server ${seed}`);
  const client = new JsonClient(served.port);
  const people = Array.from({ length: personCount }, (_, i) => ({ name: `person-${i}`, acknowledged: [] }));
  const state = { isOver: false, retryCount: 0, impatientCount: 0, refusals: new Map() };
  const clients = people.map((person) => commitOnAndOn(person, client, state, random));
  let inFlightKillCount = 0;
  for (let i = 0; i < killCount; i++) {
    const before = acknowledgedCount(people);
    while (acknowledgedCount(people) < before + personCount) await delay(retryMs);
    await delay(killEveryMs * (0.5 + random()));
    const retriesBefore = state.retryCount;
    await served.kill();
    await delay(50);
    if (state.retryCount > retriesBefore) inFlightKillCount++;
    await served.restart();
  }
  const before = acknowledgedCount(people);
  while (acknowledgedCount(people) < before + personCount) await delay(retryMs);
  state.isOver = true;
  await Promise.all(clients);
  const found = await compareHistories(people, client);
  client.close();
  const { isOver: _, refusals, ...counts } = state;
  const acknowledged = acknowledgedCount(people);
  return {
    acknowledgedCount: acknowledged,
    killCount,
    inFlightKillCount,
    ...counts,
    refusals: [...refusals],
    ...found,
  };
}

function acknowledgedCount(people) {
  return people.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
}

async function commitOnAndOn({ name, acknowledged }, client, state, random) {
  for (let i = 0; !state.isOver; i++) {
    const text = `${name} told me about visit ${i} to the bakery of ${Math.floor(random() * 1e6)}.`;
    const headers = { "idempotency-key": `${name} ${i}` };
    for (let isDone = false; !isDone;) {
      const isImpatient = random() < impatientShare;
      const signal = isImpatient ? AbortSignal.timeout(1 + Math.floor(random() * 4)) : undefined;
      try {
        const path = `/v1/persons/${name}/interactions`;
        const { status, body } = await client.send("POST", path, { body: { text }, headers, signal });
        isDone = status === 202;
        if (isDone) acknowledged.push({ id: body.id, text });
        else state.refusals.set(status, 1 + (state.refusals.get(status) ?? 0));
      } catch {
        if (isImpatient) state.impatientCount++;
        else state.retryCount++;
      }
      if (!isDone) await delay(retryMs);
    }
    await delay(retryMs);
  }
}

/** Acknowledged and not there, there and not acknowledged, there twice. */
async function compareHistories(people, client) {
  const [lost, strange, doubled] = [[], [], []];
  for (const { name, acknowledged } of people) {
    const history = await readHistory(name, client);
    const texts = history.map(({ turns }) => turns[0].text);
    const ids = new Set(history.map(({ id }) => id));
    const expected = new Set(acknowledged.map(({ text }) => text));
    lost.push(...acknowledged.filter(({ id, text }) => !ids.has(id) || !texts.includes(text)).map(({ text }) => text));
    strange.push(...texts.filter((text) => !expected.has(text)));
    doubled.push(...texts.filter((text, i) => texts.indexOf(text) < i));
  }
  return { lost, strange, doubled };
}

async function readHistory(name, client) {
  const all = [];
  for (let cursor = ""; cursor !== null;) {
    const query = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await client.send("GET", `/v1/persons/${name}/history?limit=500${query}`);
    all.push(...body.interactions);
    cursor = body.nextCursor;
  }
  return all;
}
