/**
 * A blind human study: `makeStudy` turns an audit file into a page for the judges and a key that stays with the author, and
 * `scoreStudy` turns the returned judgments into win rates.
 */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { InputError } from "mnemosyne-edge";
import { readAudit } from "../report/audit.js";
import type { JudgmentSheet } from "./study-format.js";
import { type Study, type StudyOptions, planStudy } from "./study-pack.js";
import { renderStudyPage } from "./study-page.js";
import { parseJudgments, parseStudyKey } from "./study-parsing.js";
import { type StudyScores, scoreJudgments } from "./study-scores.js";
import { readWhole, writeWhole } from "mnemosyne-edge/internal/files/whole-file.js";

export interface MadeStudy extends Study {
  readonly page: string;
  readonly keyFile: string;
}

/** Writes PAGE.html and PAGE.key.json; never overwrites the key of another pack, because judgments may need it. */
export async function makeStudy(auditFile: string, page: string, options: StudyOptions): Promise<MadeStudy> {
  if (!/\.html?$/u.test(page)) {
    throw new InputError("option_invalid", `the page's file name must end in .html, unlike ${page}`);
  }
  const { header, records } = await readAudit(auditFile);
  const study = planStudy(header, records, options);
  const keyFile = page.replace(/\.html?$/u, ".key.json");
  await checkKeyFile(keyFile, study.key.pack);
  await writeWhole(keyFile, [`${JSON.stringify(study.key, null, 2)}\n`]);
  await writeWhole(page, [renderStudyPage(study.pack)]);
  return { ...study, page, keyFile };
}

export async function scoreStudy(keyFile: string, judgmentFiles: readonly string[]): Promise<StudyScores> {
  const key = parseStudyKey(await readWhole(keyFile), keyFile);
  const files = new Map<string, string>();
  const sheets: JudgmentSheet[] = [];
  for (const file of judgmentFiles) {
    const sheet = parseJudgments(await readWhole(file), file, key);
    const same = files.get(sheet.sheet);
    if (same !== undefined) {
      throw new InputError("dataset_invalid", `${same} and ${file} come from the same judge; pass only the later one`);
    }
    files.set(sheet.sheet, file);
    sheets.push(sheet.judge === "" ? { ...sheet, judge: basename(file) } : sheet);
  }
  return scoreJudgments(key, sheets);
}

async function checkKeyFile(keyFile: string, pack: string): Promise<void> {
  const text = await readFile(keyFile, "utf8").catch(() => null);
  if (text === null || parseStudyKey(text, keyFile).pack === pack) return;
  throw new InputError(
    "option_invalid",
    `${keyFile} is the key of another study, whose judgments could not be scored without it; choose another --out`,
  );
}
