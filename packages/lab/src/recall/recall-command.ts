/** `lab -- recall`: one table of all data sets and systems. */
import { parseArgs } from "node:util";
import { InputError, parameterDefinitions } from "mnemosyne-edge";
import { findDataFolder } from "../data/files.js";
import type { Change } from "../systems/system.js";
import { checkSystems, systemNames } from "../systems/systems.js";
import { saveResults } from "./results-file.js";
import { runRecall } from "./run.js";
import { type Grouping, writeTable } from "./table.js";

const groupings = ["set", "person", "kind"] as const satisfies Grouping[];

export async function recallCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sets: { type: "string" },
      systems: { type: "string" },
      without: { type: "string", multiple: true, default: [] },
      set: { type: "string", multiple: true, default: [] },
      encoder: { type: "string" },
      by: { type: "string", default: "set" },
      jobs: { type: "string", default: "1" },
      save: { type: "string" },
      data: { type: "string" },
    },
  });
  const names = checkSystems(values.systems?.split(",") ?? systemNames);
  const by = groupings.find((name) => name === values.by);
  const jobs = Number(values.jobs);
  if (by === undefined) throw new InputError("option_invalid", `--by must be one of: ${groupings.join(", ")}`);
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new InputError("option_invalid", "--jobs must be a whole number from 1");
  const change = readChange(values.without, values.set);
  const sets = values.sets?.split(",") ?? null;
  const startedMs = performance.now();
  const data = findDataFolder(values.data);
  const options = { sets, systems: names, data, change, encoderFolder: values.encoder, jobs };
  const results = await runRecall(options, (done) => {
    process.stderr.write(`${((performance.now() - startedMs) / 1000).toFixed(0)} s: ${done}\n`);
  });
  if (values.save !== undefined) saveResults(values.save, change, results);
  process.stdout.write(writeTable(results, names, by));
}

/** `--without reader` leaves the reader out, any other name is a parameter that 0 turns off. */
export function readChange(without: readonly string[], set: readonly string[]): Change {
  const off = without.flatMap((name) => name.split(","));
  const given = set.map((assignment) => {
    const [name, value] = assignment.split("=");
    if (value !== undefined && value !== "" && Number.isFinite(Number(value))) return [name!, Number(value)] as const;
    throw new InputError("option_invalid", `--set takes name=number, not "${assignment}"`);
  });
  const parameters = [...off.filter((name) => name !== "reader").map((name) => [name, 0] as const), ...given];
  const unknown = parameters.find(([name]) => !Object.hasOwn(parameterDefinitions, name));
  if (unknown !== undefined) throw new InputError("option_invalid", `there is no parameter "${unknown[0]}"`);
  return { parameters: Object.fromEntries(parameters), isUnread: off.includes("reader") };
}
