/** The systems there are, and the choice of some by name. */
import { InputError } from "../index.js";
import { baselines } from "./baselines.js";
import { ablations, mnemosyneSystems } from "./mnemosyne-systems.js";
import type { SystemDefinition } from "./system.js";

const comparison: readonly SystemDefinition[] = [...baselines, ...mnemosyneSystems];
const everything: readonly SystemDefinition[] = [...comparison, ...ablations];

/** Names that stand for several. */
const selections: Readonly<Record<string, readonly SystemDefinition[]>> = { comparison, ablations, all: everything };

/** Systems by their names, each once, in the order of the reports. */
export function selectSystems(names: readonly string[]): SystemDefinition[] {
  const chosen = new Set(names.flatMap((name) => findSystems(name)));
  return everything.filter((system) => chosen.has(system));
}

function findSystems(name: string): readonly SystemDefinition[] {
  if (Object.hasOwn(selections, name)) return selections[name]!;
  const found = everything.filter((system) => system.name === name);
  if (found.length > 0) return found;
  const known = [...everything.map((system) => system.name), ...Object.keys(selections)];
  throw new InputError("option_invalid", `system "${name}" is unknown; use some of: ${known.join(", ")}`);
}
