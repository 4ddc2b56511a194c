/** The systems by the names of the command line. */
import { InputError } from "mnemosyne-edge";
import { openBm25, openFused, openTurnsFused, openVectorStore } from "./baselines.js";
import { openOurs, openPaper } from "./ours.js";
import { openPlainMemory } from "./plain-memory.js";
import type { OpenSystem } from "./system.js";

export const systems: Readonly<Record<string, OpenSystem>> = {
  ours: openOurs,
  paper: openPaper,
  bm25: openBm25,
  vector: openVectorStore,
  fused: openFused,
  turns: openTurnsFused,
  plain: openPlainMemory,
};

export const systemNames = Object.keys(systems);

export function checkSystems(names: readonly string[]): readonly string[] {
  const unknown = names.find((name) => !Object.hasOwn(systems, name));
  if (unknown === undefined) return names;
  throw new InputError("option_invalid", `system "${unknown}" is unknown; use some of: ${systemNames.join(", ")}`);
}
