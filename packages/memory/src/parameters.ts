/**
 * Parameters as the engine takes them: a preset's values, overridden by the caller's, with every range and relation
 * checked.
 */
import { describeName, describeValue } from "./engine/given-values.js";
import { InputError } from "./errors.js";
import { type ParameterDefinition, parameterDefinitions } from "./parameter-definitions.js";

export type ParameterName = keyof typeof parameterDefinitions;
export type Parameters = Readonly<Record<ParameterName, number>>;
export type Preset = "default" | "paper";
export const presets: readonly Preset[] = ["default", "paper"];

/** The parameters of a preset, overridden by the caller's values, with every range and relation checked. */
export function parseParameters(
  overrides: Partial<Record<string, number>> = {},
  preset: Preset = "default",
): Parameters {
  if (!presets.includes(preset)) {
    throw new InputError(
      "option_invalid",
      `preset ${describeName(preset)} is unknown; use one of: ${presets.join(", ")}`,
    );
  }
  const parameters = presetParameters(preset);
  for (const [name, value] of readOverrides(overrides)) {
    if (value === undefined) continue;
    if (!isParameterName(name)) {
      throw new InputError(
        "parameter_unknown",
        `parameter ${describeName(name)} is unknown; \`mnemosyne parameters\` lists them all`,
      );
    }
    checkRange(name, value);
    parameters[name] = value;
  }
  checkRelations(parameters);
  return Object.freeze(parameters);
}

function readOverrides(overrides: unknown): [string, number | undefined][] {
  if (typeof overrides !== "object" || overrides === null) {
    throw new InputError("option_invalid", `parameters must be an object, not ${describeValue(overrides)}`);
  }
  try {
    return Object.entries(overrides as Record<string, number | undefined>);
  } catch (cause) {
    throw new InputError("option_invalid", "parameters cannot be read: a getter or a proxy throws", { cause });
  }
}

function presetParameters(preset: Preset): Record<ParameterName, number> {
  const entries = Object.entries(parameterDefinitions).map(([name, definition]: [string, ParameterDefinition]) => [
    name,
    preset === "paper" ? (definition.paper ?? definition.default) : definition.default,
  ]);
  return Object.fromEntries(entries) as Record<ParameterName, number>;
}

function isParameterName(name: string): name is ParameterName {
  return Object.hasOwn(parameterDefinitions, name);
}

function checkRange(name: ParameterName, value: number): void {
  const { min, max, integer }: ParameterDefinition = parameterDefinitions[name];
  if (typeof value !== "number" || !(value >= min && value <= max) || (integer === true && !Number.isInteger(value))) {
    const kind = integer === true ? "an integer" : "a number";
    throw new InputError(
      "parameter_out_of_range",
      `parameter "${name}" is ${describeValue(value)}; it must be ${kind} from ${min} to ${max}`,
    );
  }
}

const weightSumTolerance = 1e-9;

function checkRelations(p: Parameters): void {
  const thetaSum = p.centralConnectivityWeight + p.centralBoostWeight + p.centralRecencyWeight + p.centralEntropyWeight;
  if (Math.abs(thetaSum - 1) > weightSumTolerance) {
    throw new InputError(
      "parameters_conflict",
      `the four central...Weight parameters must sum to 1 (section 3.3); they sum to ${thetaSum}`,
    );
  }
  if (p.metaWeightMax < p.metaWeightBase) {
    throw new InputError(
      "parameters_conflict",
      `metaWeightMax (${p.metaWeightMax}) is below metaWeightBase (${p.metaWeightBase}); the weight rises with age`,
    );
  }
}
