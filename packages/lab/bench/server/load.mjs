/** Clients of 100 persons at once, each committing and recalling in turn, against `mnemosyne serve` with the bundled embedder. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { JsonClient, ServedProcess } from "../../../server/test/server/served-process.mjs";

const personCount = 100;
/** So that nobody's memory is empty. */
const firstCount = 2;
const sampleMs = 1_000;

/** A file in which everybody has said something, for every measurement to begin with. */
export async function fillFirst(folder, talk) {
  const path = join(folder, `first of ${talk.title}.db`);
  const served = await ServedProcess.start({ path });
  const client = new JsonClient(served.port);
  await fillPersons(client, talk);
  client.close();
  await served.stop();
  return path;
}

/** `talk` is what they say. With `pauseMs`, a person waits that long between two requests; else each asks as soon as it is answered. */
export async function measureLoad({ folder, first, talk, name, seconds, pauseMs = 0 }) {
  const path = join(folder, `${name}.db`);
  copyFileSync(first, path);
  const served = await ServedProcess.start({ path });
  const client = new JsonClient(served.port);
  try {
    await client.send("POST", pathOf(0, "recall"), { body: { query: "Who is there?" } });
    const run = { untilMs: performance.now() + seconds * 1_000, commit: [], recall: [], errors: new Map() };
    const samples = [];
    const sampling = setInterval(() => samples.push(served.memory()?.resident ?? NaN), sampleMs);
    const startMs = performance.now();
    await Promise.all(Array.from({ length: personCount }, (_, i) => converse(i, talk, client, run, pauseMs)));
    const tookSeconds = (performance.now() - startMs) / 1_000;
    clearInterval(sampling);
    const queuedCount = await countQueued(client);
    return {
      name,
      seconds: tookSeconds,
      requestsPerSecond: (run.commit.length + run.recall.length) / tookSeconds,
      commit: percentiles(run.commit),
      recall: percentiles(run.recall),
      errors: [...run.errors],
      queuedCount,
      resident: { first: samples[0], middle: samples[Math.floor(samples.length / 2)], last: samples.at(-1) },
      residentMax: served.memory()?.residentMax ?? null,
    };
  } finally {
    client.close();
    await served.stop();
  }
}

const pathOf = (i, end) => `/v1/persons/person-${i}/${end}`;

async function fillPersons(client, talk) {
  const all = Array.from({ length: personCount }, (_, i) => i);
  await Promise.all(
    all.map((i) => {
      const interactions = Array.from({ length: firstCount }, (_, n) => ({ text: talk.say(i, n) }));
      return client.send("POST", pathOf(i, "interactions:batch"), { body: { interactions } });
    }),
  );
  while ((await countQueued(client)) > 0) await delay(500);
}

async function converse(i, talk, client, run, pauseMs) {
  // Not all at the same moment.
  if (pauseMs > 0) await delay((i / personCount) * pauseMs);
  for (let n = firstCount; performance.now() < run.untilMs; n++) {
    const isCommit = n % 2 === 0;
    const end = isCommit ? "interactions" : "recall";
    const body = isCommit ? { text: talk.say(i, n) } : { query: talk.ask(i, n) };
    const headers = isCommit ? { "idempotency-key": `${i} ${n}` } : {};
    const startMs = performance.now();
    const status = await client.send("POST", pathOf(i, end), { body, headers }).then(
      (answer) => answer.status,
      (error) => error.code ?? "failed",
    );
    if (status === (isCommit ? 202 : 200)) run[isCommit ? "commit" : "recall"].push(performance.now() - startMs);
    else run.errors.set(status, 1 + (run.errors.get(status) ?? 0));
    if (pauseMs > 0) await delay(pauseMs);
  }
}

async function countQueued(client) {
  let count = 0;
  for (let i = 0; i < personCount; i++) {
    const { body } = await client.send("GET", pathOf(i, "stats"));
    count += body.outcomes?.queued ?? 0;
  }
  return count;
}

function percentiles(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
