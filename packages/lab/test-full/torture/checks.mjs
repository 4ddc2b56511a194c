/**
 * What counts as a fault. Everything here compares what was submitted and acknowledged with what a later process read, and
 * returns findings: `fault` is one of those of tally.mjs, `what` says what was seen.
 */
import { marksIn } from "./interactions.mjs";

/**
 * Everything acknowledged is there exactly once with the same words, everything forgotten is gone, and what was never
 * acknowledged is there whole or not at all.
 *
 * @param submitted what was submitted: `{ mark, person, input }` of an interaction, `{ mark, person, turn }` of a turn
 * @param acknowledged marks whose promise resolved
 * @param forgotten marks whose forgetting resolved
 * @param look what a later process read, as `readEverything` of reading.mjs returns it
 */
export function checkLook({ submitted, acknowledged, forgotten = new Set(), look }) {
  const findings = [];
  const stored = indexByMark(
    Object.entries(look.persons).flatMap(([person, { history }]) => withPerson(history, person)),
  );
  const exported = indexByMark(
    Object.entries(look.persons).flatMap(([person, { exported }]) => withPerson(exportedItems(exported), person)),
  );
  for (const entry of submitted) {
    const [inHistory, inExport] = [stored.get(entry.mark) ?? [], exported.get(entry.mark) ?? []];
    if (forgotten.has(entry.mark)) {
      if (inHistory.length + inExport.length > 0) findings.push(finding("kept", `${entry.mark} was forgotten`));
      continue;
    }
    if (acknowledged.has(entry.mark)) {
      if (inHistory.length === 0) findings.push(finding("lost", `${entry.mark} is not in the history`));
      else if (inExport.length === 0) findings.push(finding("lost", `${entry.mark} is not in the export`));
    }
    for (const [place, items] of [
      ["history", inHistory],
      ["export", inExport],
    ]) {
      if (items.length > 1) findings.push(finding("doubled", `${entry.mark} is ${items.length} times in the ${place}`));
      for (const item of items) {
        const difference = differenceOf(entry, item);
        if (difference !== null) findings.push(finding("silent", `${entry.mark} in the ${place}: ${difference}`));
      }
    }
  }
  for (const [person, { history, problems }] of Object.entries(look.persons)) {
    for (const problem of problems) findings.push(finding("silent", `${person}: ${problem}`));
    for (const id of repeated(history.map(({ id }) => id)))
      findings.push(finding("doubled", `${person} has ${id} twice`));
  }
  return findings;
}

/** What is different between what was submitted and an item of the history; null if nothing is. */
function differenceOf({ person, input, turn, mark }, item) {
  if (person !== undefined && item.person !== undefined && person !== item.person) return `is of ${item.person}`;
  if (turn !== undefined) {
    const found = item.turns.filter(({ text }) => text.includes(mark));
    if (found.length !== 1) return `${found.length} turns`;
    return found[0].text === turn.text && found[0].who === turn.who ? null : `turn ${JSON.stringify(found[0])}`;
  }
  const turns = Array.from(input.turns ?? []);
  if (item.turns.length !== turns.length) return `${item.turns.length} turns instead of ${turns.length}`;
  const other = turns.findIndex((said, i) => said?.text !== item.turns[i]?.text || said?.who !== item.turns[i]?.who);
  if (other !== -1) return `turn ${other} is ${shorten(item.turns[other])}`;
  if ((input.summary ?? null) !== item.summary) return `summary is ${shorten(item.summary)}`;
  if ((input.state ?? null) !== item.state) return `state is ${shorten(item.state)}`;
  if (input.id !== undefined && input.id !== item.id) return `id is ${shorten(item.id)}`;
  const atMs = momentOf(input.at);
  return atMs === null || atMs === Date.parse(item.at) ? null : `at is ${item.at}`;
}

/** Null for a time whose meaning depends on a time zone or on now. */
function momentOf(at) {
  if (at instanceof Date) return at.getTime();
  if (typeof at === "number") return Math.round(at);
  return typeof at === "string" && /Z$|[+-]\d{2}:\d{2}$/u.test(at) ? Date.parse(at) : null;
}

/** Marks that were forgotten and are still in the bytes of files. */
export function checkBytes(forgottenMarks, bytes) {
  return [...forgottenMarks]
    .filter((mark) => bytes.includes(mark))
    .map((mark) => finding("kept", `${mark} was forgotten and is in the bytes`));
}

/** How a process ended that nobody ended. */
export function checkEnd({ code, signal, errors, isEndedByUs, hasHung }) {
  if (hasHung) return [finding("hangs", "it had to be ended")];
  if (isEndedByUs) return [];
  if (signal !== null || code > 128) return [finding("aborts", `${signal ?? code} ${lastLine(errors)}`)];
  return code === 0 ? [] : [finding("raw", `exit code ${code}: ${lastLine(errors)}`)];
}

export function finding(fault, what) {
  return { fault, what };
}

function indexByMark(items) {
  const index = new Map();
  for (const item of items) {
    const texts = [item.summary ?? "", ...item.turns.map((turn) => turn?.text ?? "")];
    for (const mark of new Set(marksIn(texts.join("\n")))) index.set(mark, [...(index.get(mark) ?? []), item]);
  }
  return index;
}

function withPerson(items, person) {
  return items.map((item) => ({ ...item, person }));
}

/** The interactions of an export, in the form of a history. */
function exportedItems(lines) {
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === "interaction")
    .map(({ interaction }) => ({ ...interaction, at: new Date(interaction.initMs).toISOString() }));
}

function repeated(ids) {
  return new Set(ids.filter((id, i) => ids.indexOf(id) !== i));
}

/** What a process said last, or what it panicked about. */
function lastLine(text) {
  const lines = text.split("\n").filter((line) => /\w/u.test(line));
  const panic = lines.findIndex((line) => line.includes("panicked"));
  return (panic === -1 ? lines.slice(-1) : lines.slice(panic, panic + 2)).join(" ");
}

function shorten(value) {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 100 ? `${text.slice(0, 70)} … ${text.slice(-25)}` : text;
}
