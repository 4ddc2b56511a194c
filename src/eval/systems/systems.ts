/** The systems there are, and the choice of some by name. */
import { InputError, type Parameters, parseParameters } from "../../index.js";
import { baselines } from "./baselines.js";
import { ablationNames, ablationsOf, mnemosyneName, mnemosyneSystems } from "./mnemosyne-systems.js";
import type { SystemDefinition } from "./system.js";

const comparison: readonly SystemDefinition[] = [...baselines, ...mnemosyneSystems];

/**
 * Systems by their names, each once, in the order of the reports. `parameters` are the caller's: an ablation that is no
 * different from Mnemosyne with them is left out.
 */
export function selectSystems(names: readonly string[], parameters: Partial<Parameters> = {}): SystemDefinition[] {
  const all = [...comparison, ...ablationsOf(parseParameters(parameters))];
  // Ablations mean something beside what they are compared with.
  const ablations = all.filter(({ name }) => name === mnemosyneName || ablationNames.includes(name));
  const selections: Readonly<Record<string, readonly SystemDefinition[]>> = { comparison, ablations, all };
  const chosen = new Set(names.flatMap((name) => findSystems(name, selections)));
  return all.filter((system) => chosen.has(system));
}

/** `selections`: names that stand for several. */
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
