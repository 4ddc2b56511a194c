/** What the benchmarks of journeys share: a journey committed as it took place, and what somebody wants to know then. */
import { lendEmbedder } from "../dist/embedding-cache.js";
import { Mnemosyne } from "../../memory/dist/index.js";

/** `look` is given the person once everything is committed. */
export async function replay({ interactions, timeZone, profile }, embedder, look, options = {}) {
  const clock = { nowMs: () => interactions.at(-1).atMs };
  const memories = await Mnemosyne.open({
    path: ":memory:",
    embedder: lendEmbedder(embedder),
    timeZone,
    profile,
    clock,
    ...options,
  });
  const person = memories.person();
  for (const { id, atMs, turns, summary, state } of interactions) {
    await person.commit({ id, at: atMs, turns, summary, ...(state === null ? {} : { state }) });
  }
  await person.settled();
  const seen = await look(person);
  await memories.close();
  return seen;
}
