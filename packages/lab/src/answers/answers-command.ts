/**
 * `lab -- answers`: what a reader answers from a context alone, which is the figure that counts. `packets FOLDER` writes
 * packet-N.txt for readers, who answer each item in at most 20 words, "unknown" where its context holds no answer, in
 * answers-N.json ({"x0000": "answer"}); `sheets FOLDER` writes sheet-N.txt for graders, who write grades-N.json
 * ({"x0000": "right|partly|stale|wrong|unknown"}); `score FOLDER` prints the table.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "mnemosyne-edge";
import { findDataFolder } from "../data/files.js";
import { readSets } from "../data/sets.js";
import { openModels } from "../model-cache.js";
import { readChange } from "../recall/recall-command.js";
import { alignColumns } from "../recall/table.js";
import { checkSystems } from "../systems/systems.js";
import {
  type PacketItem,
  collectContexts,
  grades,
  keyFile,
  readItems,
  readWritten,
  scoreGrades,
  shuffleItems,
  writePackets,
  writeSheets,
} from "./packets.js";

export async function answersCommand(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      sets: { type: "string", default: "lives" },
      people: { type: "string" },
      systems: { type: "string", default: "ours,plain" },
      without: { type: "string", multiple: true, default: [] },
      set: { type: "string", multiple: true, default: [] },
      encoder: { type: "string" },
      seed: { type: "string", default: "1" },
      data: { type: "string" },
    },
  });
  const [step, folder] = positionals;
  if (folder === undefined)
    throw new InputError("option_invalid", "answers takes packets, sheets or score, and a folder");
  if (step === "packets") {
    const items = shuffleItems(await collectAll(values), values.seed);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, keyFile), `${JSON.stringify(items, null, 1)}\n`);
    writeTexts(folder, writePackets(items));
  } else if (step === "sheets") {
    writeTexts(folder, writeSheets(readItems(folder), readWritten(folder, "answers")));
  } else if (step === "score") {
    const rows = scoreGrades(readItems(folder), readWritten(folder, "grades"));
    process.stdout.write(alignColumns([["", "answers", ...grades], ...rows]));
  } else throw new InputError("option_invalid", `"${step}" is not packets, sheets or score`);
}

interface Wanted {
  readonly sets: string;
  readonly people?: string | undefined;
  readonly systems: string;
  readonly without: string[];
  readonly set: string[];
  readonly encoder?: string | undefined;
  readonly data?: string | undefined;
}

async function collectAll({
  sets,
  people,
  systems,
  without,
  set,
  encoder,
  data,
}: Wanted): Promise<Omit<PacketItem, "id">[]> {
  const change = readChange(without, set);
  const named = people?.split(",");
  const asked = readSets(sets.split(","), findDataFolder(data)).flatMap((all) => all.people);
  const persons = asked.filter(({ id }) => named?.includes(id) ?? true);
  const changed = [...without.map((name) => ` without ${name}`), ...set.map((pair) => ` with ${pair}`)].join("");
  const models = await openModels({ encoderFolder: encoder });
  const items: Omit<PacketItem, "id">[] = [];
  try {
    for (const person of persons) {
      for (const system of checkSystems(systems.split(","))) {
        const label = system === "ours" ? `ours${changed}` : system;
        items.push(...(await collectContexts(person, system, label, models, change)));
        process.stderr.write(`${person.id} ${label}\n`);
      }
    }
  } finally {
    await models.close();
  }
  if (items.length > 0) return items;
  throw new InputError("option_invalid", "no question of these sets and people has an answer for graders");
}

function writeTexts(folder: string, texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  process.stdout.write(`${Object.keys(texts).join(", ") || "nothing to write"}\n`);
}
