/**
 * What counts as a fault. Everything here compares what was submitted and acknowledged with what a later process read, and
 * returns findings: `fault` is one of those of tally.mjs, `what` says what was seen.
 */
import { marksIn } from "./interactions.mjs";

/**
 * Everything acknowledged is there exactly once with the same words, everything forgotten is gone to the last byte, and
 * what was never acknowledged is there whole or not at all.
 *
 * @param expected as `expected` of a Ledger returns it
 * @param look what a later process read, as `readEverything` of reading.mjs returns it
 */
export function checkLook({ expected, look }) {
  const persons = Object.entries(look.persons);
  const history = persons.flatMap(([person, { history }]) => history.map((item) => ({ ...item, person })));
  const findings = checkItems(expected, history, "history");
  for (const [person, { problems, exported }] of persons) {
    findings.push(...problems.map((problem) => finding("silent", `${person}: ${problem}`)));
    findings.push(...checkExport(ofPerson(expected, person, history), exported, person));
  }
  for (const id of repeated(history.map(({ id, person }) => `${id} of ${person}`)))
    findings.push(finding("doubled", `${id} is there twice`));
  const ids = new Set(persons.flatMap(([person, { pinned }]) => pinned.map((id) => `${person} ${id}`)));
  const stored = indexByMark(history);
  for (const entry of expected) {
    for (const item of stored.get(entry.mark) ?? []) findings.push(...checkState(entry, item, ids));
  }
  return findings;
}

/** A person's export, by itself: whatever is expected of others is not its. */
export function checkExport(expected, lines, person) {
  const findings = checkItems(expected, exportedItems(lines, person), "export");
  const text = lines.join("\n") + lines.map((line) => decoded(line)).join("\n");
  const gone = expected.filter(({ contents }) => contents.every((content) => content === null));
  const marks = gone.map(({ mark }) => mark);
  return [...findings, ...checkBytes(marks, Buffer.from(text))];
}

/** Of those who may be somebody's: by what was submitted, or where the history has it. */
export function ofPerson(expected, person, history = []) {
  const stored = new Set(marksIn(JSON.stringify(history.filter((item) => item.person === person))));
  return expected.filter(({ mark, contents }) => {
    const owners = contents.filter((content) => content !== null).map((content) => content.person);
    return owners.length === 0 || owners.includes(person) || stored.has(mark);
  });
}

function checkItems(expected, items, place) {
  const index = indexByMark(items);
  return expected.flatMap(({ mark, contents }) => {
    const found = index.get(mark) ?? [];
    const mayBe = contents.filter((content) => content !== null);
    if (found.length === 0) return contents.includes(null) ? [] : [finding("lost", `${mark} is not in the ${place}`)];
    if (mayBe.length === 0) return [finding("kept", `${mark} was forgotten and is in the ${place}`)];
    const many = `${mark} is ${found.length} times in the ${place}`;
    const findings = found.length > 1 ? [finding("doubled", many)] : [];
    for (const item of found) {
      const differences = mayBe.map((content) => differenceOf(content, item, mark));
      if (!differences.includes(null))
        findings.push(finding("silent", `${mark} in the ${place}: ${differences.at(-1)}`));
    }
    return findings;
  });
}

function checkState({ mark, pinned, restored }, { id, person, outcome, restored: isRestored }, pinnedIds) {
  const findings = [];
  // The pin of a memory that was replaced is that of the newer one.
  if (!pinned.includes(false) && outcome !== "replaced" && !pinnedIds.has(`${person} ${id}`))
    findings.push(finding("lost", `${mark} was pinned and is ${outcome} without a pin`));
  if (!restored.includes(isRestored) && !isRestored) findings.push(finding("lost", `${mark} was restored and is not`));
  return findings;
}

/** What is different between what was submitted and an item of the history; null if nothing is. */
function differenceOf({ person, turn, ...input }, item, mark) {
  const at = input.at === undefined ? item.at : new Date(input.at).toISOString();
  const said = { id: item.id, summary: null, state: null, turns: [], ...input, at };
  const wanted = turn === undefined ? { person, ...said } : { person, turns: [turn] };
  const turns = item.turns.filter((one) => turn === undefined || one.text.includes(mark));
  const found = { ...item, turns };
  const other = Object.keys(wanted).find((name) => JSON.stringify(wanted[name]) !== JSON.stringify(found[name]));
  return other === undefined ? null : `${other} is ${shorten(found[other])} instead of ${shorten(wanted[other])}`;
}

/**
 * Every answer of a damaged store is that of the whole one, or the damage is named, by an error or by asking for it.
 * Both are what `readInAllWays` of reading.mjs returns.
 */
export function checkDamaged(whole, damaged) {
  const findings = [];
  for (const [way, result] of Object.entries(damaged.ways)) {
    const { raw, code = "" } = result;
    const isSame = JSON.stringify(result) === JSON.stringify(whole.ways[way]);
    if (raw !== undefined) findings.push(finding("raw", `${way}: ${raw}`));
    else if (!isSame && damaged.named.length === 0 && (code === "" || code.startsWith("unknown_")))
      findings.push(finding("silent", `${way} is different and nothing names the damage: ${shorten(result)}`));
  }
  return findings;
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

/** By the marks in what they say and said before they were edited. */
function indexByMark(items) {
  const index = new Map();
  for (const item of items) {
    const marks = marksIn(JSON.stringify([item.summary, item.turns, item.versions]));
    for (const mark of new Set(marks)) index.set(mark, [...(index.get(mark) ?? []), item]);
  }
  return index;
}

/** The interactions of an export, in the form of a history. */
function exportedItems(lines, person) {
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === "interaction")
    .map(({ id, text }) => {
      const [packed, outcome] = text.split("\n");
      const [initMs, , turns, summary, state, restored, , , , , versions] = JSON.parse(packed);
      return { person, id, turns, summary, state, restored, versions, outcome, at: new Date(initMs).toISOString() };
    });
}

function decoded(line) {
  const { bytes = "" } = JSON.parse(line);
  return Buffer.from(bytes, "base64").toString("latin1");
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
