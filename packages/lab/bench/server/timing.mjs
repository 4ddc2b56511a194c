/**
 * Whether the time of a refusal tells if a person exists. Refusals about somebody and about nobody in turn, compared by
 * ranks (Mann and Whitney's U as a normal deviate): beyond ±3 the two differ. The same for a key that may ask, whose answers
 * do differ (200 and 404), shows that a difference would be seen.
 */
import { join } from "node:path";
import { addKey } from "../../../server/dist/server/security/key-file.js";
import { JsonClient, ServedProcess } from "../../../server/test/server/served-process.mjs";
import { summarize } from "../harness.mjs";

const warmUpCount = 200;

export async function measureTiming({ folder, pairCount }) {
  const keysFile = join(folder, "timing.keys.json");
  const scope = { label: "", isAdmin: false, isReadOnly: false, expiresAt: null };
  const { key: own } = await addKey(keysFile, { ...scope, persons: ["known-*", "unknown-*"] });
  const { key: other } = await addKey(keysFile, { ...scope, persons: ["somebody-else"] });
  const served = await ServedProcess.start({ path: join(folder, "timing.db"), args: ["--keys", keysFile] });
  const client = new JsonClient(served.port);
  const ask = async (key, name) => {
    const startMs = performance.now();
    const { status } = await client.send("GET", `/v1/persons/${name}/stats`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return { ms: performance.now() - startMs, status };
  };
  try {
    for (let i = 0; i < 20; i++) {
      const body = { text: `I told you about the bakery number ${i}.` };
      const headers = { authorization: `Bearer ${own}` };
      await client.send("POST", "/v1/persons/known-person/interactions?wait=true", { body, headers });
    }
    const compare = async (key, statuses) => {
      const [known, unknown] = [[], []];
      for (let i = 0; i < warmUpCount + pairCount; i++) {
        const order = i % 2 === 0 ? ["known", "unknown"] : ["unknown", "known"];
        for (const which of order) {
          // Names of the same length.
          const { ms, status } = await ask(key, which === "known" ? "known-person" : "unknown-pers");
          if (!statuses.includes(status)) throw new Error(`answered with ${status}`);
          if (i >= warmUpCount) (which === "known" ? known : unknown).push(ms);
        }
      }
      return { known: summarize(known), unknown: summarize(unknown), deviate: compareRanks(known, unknown) };
    };
    return { pairCount, refused: await compare(other, [403]), allowed: await compare(own, [200, 404]) };
  } finally {
    client.close();
    await served.stop();
  }
}

/** 0 if neither tends to be larger; a normal deviate if they are alike. */
function compareRanks(a, b) {
  const all = [...a.map((value) => ({ value, isOfA: true })), ...b.map((value) => ({ value, isOfA: false }))];
  all.sort((x, y) => x.value - y.value);
  const rankSum = all.reduce((sum, { isOfA }, i) => sum + (isOfA ? i + 1 : 0), 0);
  const u = rankSum - (a.length * (a.length + 1)) / 2;
  const mean = (a.length * b.length) / 2;
  return (u - mean) / Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
}
