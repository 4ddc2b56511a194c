// Survivors that are explained, from accepted.json: `equivalent` (no input tells it from the source), `speed` (the same
// result, later), or `open` (a difference that no test has to see, with the reason). They count as survivors all the same.
import { existsSync, readFileSync } from "node:fs";
import { root } from "./find.mjs";

const path = `${root}test/mutants/accepted.json`;

export function readAccepted() {
  const entries = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
  return new Map(entries.map((entry) => [entry.id, entry]));
}
