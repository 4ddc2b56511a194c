/** All systems, and how to select some by name. */
import { InputError, type Parameters, parseParameters } from "mnemosyne-edge";
import { baselines } from "./baselines.js";
import { ablationNames, ablationsOf, mnemosyneName, mnemosyneSystems } from "./mnemosyne-systems.js";
import type { SystemDefinition } from "./system.js";

const comparison: readonly SystemDefinition[] = [...baselines, ...mnemosyneSystems];

/**
 * Systems by name, each once, in the order of the reports. `parameters` are the caller's: an ablation that does not differ
 * from Mnemosyne with them is left out.
 */
export function selectSystems(names: readonly string[], parameters: Partial<Parameters> = {}): SystemDefinition[] {
  const all = [...comparison, ...ablationsOf(parseParameters(parameters))];
  // Ablations only make sense together with the system they are compared with.
  const ablations = all.filter(({ name }) => name === mnemosyneName || ablationNames.includes(name));
  const selections: Readonly<Record<string, readonly SystemDefinition[]>> = { comparison, ablations, all };
  const chosen = new Set(names.flatMap((name) => findSystems(name, selections)));
  return all.filter((system) => chosen.has(system));
}

/** `selections`: names that mean several systems. */
function findSystems(
  name: string,
  selections: Readonly<Record<string, readonly SystemDefinition[]>>,
): readonly SystemDefinition[] {
  if (Object.hasOwn(selections, name)) return selections[name]!;
  const known = selections["all"]!;
  const found = known.filter((system) => system.name === name);
  if (found.length > 0) return found;
  if (ablationNames.includes(name)) {
    throw new InputError("option_invalid", `system "${name}" is mnemosyne itself: it changes no parameter`);
  }
  const usable = [...known.map((system) => system.name), ...Object.keys(selections)];
  throw new InputError("option_invalid", `system "${name}" is unknown; use some of: ${usable.join(", ")}`);
}
