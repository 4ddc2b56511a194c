/** Real text for measurements with the bundled embedder: the conversations of the demo. */
import { readFileSync } from "node:fs";

const demo = JSON.parse(readFileSync(new URL("../benchmarks/journeys/knee-replacement.json", import.meta.url), "utf8"));

/** Conversations to commit; starts over if more are requested than exist. */
export function readDemoConversations(count = demo.interactions.length) {
  return Array.from({ length: count }, (_, i) => {
    const { id, at, turns } = demo.interactions[i % demo.interactions.length];
    return { id: `${id}-${i}`, at, turns };
  });
}

export function readDemoQuestions() {
  return demo.queries.map(({ query }) => query);
}
