/** `lab -- study make|score`: writes page and key of a study, and computes win rates from what judges saved. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { InputError } from "mnemosyne-edge";
import { readItems, readWritten } from "../answers/packets.js";
import { readJson } from "../data/files.js";
import { readCount } from "../options.js";
import { alignColumns } from "../recall/table.js";
import { type JudgmentSheet, type StudyKey, agreement, checkSheet, makeStudy, scoreStudy } from "./study.js";
import { writePage } from "./study-page.js";

/** Queries of the paper's study. */
const defaultCount = "40";

export function studyCommand(args: string[]): void {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { count: { type: "string", default: defaultCount }, seed: { type: "string", default: "1" } },
  });
  const [step, out, ...others] = positionals;
  if (out === undefined || others.length === 0) {
    throw new InputError("option_invalid", "study takes make OUT FOLDER… (of answers) or score OUT JUDGMENTS.json…");
  }
  if (step === "make") {
    // Ids are a folder's own, and so are the answers to them.
    const folders = others.map((folder, i) => {
      const rename = (id: string): string => `${i} ${id}`;
      const answers = Object.entries(readWritten(folder, "answers")).map(([id, text]) => [rename(id), text] as const);
      return { items: readItems(folder).map((item) => ({ ...item, id: rename(item.id) })), answers };
    });
    const items = folders.flatMap((folder) => folder.items);
    const answers = Object.fromEntries(folders.flatMap((folder) => folder.answers));
    const count = readCount("--count", values.count);
    const { key, comparisons } = makeStudy(items, answers, { count, seed: values.seed });
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, "study-key.json"), `${JSON.stringify(key, null, 1)}\n`);
    writeFileSync(join(out, "study.html"), writePage(key.study, comparisons));
    process.stdout.write(`${comparisons.length} comparisons: give judges study.html, and nobody study-key.json\n`);
  } else if (step === "score") {
    const key = readJson<StudyKey>(join(out, "study-key.json"));
    const sheets = others.map((file) => checkSheet(readJson<JudgmentSheet>(file), key, file));
    const head = ["", "win rate %", "95 % interval", "wins", "ties", "losses", "judged"];
    const agreed = agreement(sheets);
    process.stdout.write(alignColumns([head, ...scoreStudy(key, sheets)]));
    if (agreed !== null) process.stdout.write(`two judges agree on ${(100 * agreed).toFixed(1)} % of comparisons\n`);
  } else throw new InputError("option_invalid", `"${step}" is not make or score`);
}
