/** `mnemosyne demo`: half a year on one screen or two. What is kept and why, some questions, what lasts, forgetting. */
import type { HistoryItem, PersonMemory, Recall } from "mnemosyne-edge";
import { formatReceipt } from "../forget-commands.js";
import { flatten, proseWidth, shorten, terminalWidth, wrap } from "../layout.js";
import { type Naming, describeWhy, formatLongDay, nameOthers, paintOutcome, textOf } from "../outcome-words.js";
import { colours, heading } from "../paint.js";
import { formatConfidence } from "../recall-command.js";
import { countOf, print, printWrapped } from "../terminal.js";
import { type Journey, type Stop, replay, saidUntil, stops } from "./journey.js";

const seed = 7;
/** Lines of each quoted memory. */
const quotedLineCountMax = 3;
const quotedCountMax = 2;
const leftOut = " …";
const factCountMax = 3;

export async function showShortDemo(journey: Journey, memory: PersonMemory): Promise<void> {
  const { timezone } = journey.person;
  const shown = new Set<string>();
  let fromIndex = 0;
  for (const stop of stops) {
    const coming = saidUntil(stop.at, fromIndex, journey);
    fromIndex += coming.length;
    const items = await replay(coming, journey, memory);
    const until = formatLongDay(stop.at, timezone);
    print(`\n${heading(`Until ${until}`)}  ${colours.dim(describeCounts(items))}`);
    await showExamples(items, shown, memory, timezone);
    await ask(stop, memory, timezone, stop === stops.at(-1) ? 1 : quotedCountMax);
  }
  await ask({ ...stops.at(-1)!, question: "What is the name of my dentist?" }, memory, timezone);
  await showCore(memory);
  await showChange(memory, stops.at(-1)!, timezone);
}

function describeCounts(items: readonly HistoryItem[]): string {
  const count = (outcome: string): number => items.filter((item) => item.outcome === outcome).length;
  return `${countOf(items.length, "conversation")}: ${count("committed")} new, ${count("paired")} repeated, ${count("discarded")} small talk`;
}

/** The first of each kind: not kept, repeated, updated. */
async function showExamples(
  items: readonly HistoryItem[],
  shown: Set<string>,
  memory: PersonMemory,
  timeZone: string,
): Promise<void> {
  const naming = await nameOthers(memory, items, timeZone);
  for (const item of items) {
    const kind = kindOf(item);
    if (kind === "kept" || shown.has(kind)) continue;
    shown.add(kind);
    showExample(item, naming);
  }
}

function kindOf({ outcome, updates }: HistoryItem): string {
  if (outcome !== "committed") return outcome;
  return updates !== null && updates.length > 0 ? "updated" : "kept";
}

function showExample(item: HistoryItem, naming: Naming): void {
  print(paintOutcome(item.outcome, wrap(describeWhy(item, naming), "  ", "    ")));
  print(colours.dim(`    ${shorten(textOf(item), terminalWidth() - 4)}`));
}

async function ask(
  { at, question: asked }: Pick<Stop, "at" | "question">,
  memory: PersonMemory,
  timeZone: string,
  quotedCount = quotedCountMax,
): Promise<void> {
  const recall = await memory.recall(asked, { at, seed, tokenBudget: 600 });
  printWrapped(`${colours.cyan("?")} ${heading(asked)}`);
  if (recall.answerable === false)
    return print(
      formatConfidence(recall, false)
        .map((line) => `  ${line}`)
        .join("\n"),
    );
  for (const quoted of quoteBest(recall, timeZone).slice(0, quotedCount)) {
    // Room for the sign that something is left out.
    const lines = wrap(quoted, "  ", "  ", proseWidth() - leftOut.length).split("\n");
    const cut = lines.length > quotedLineCountMax;
    print(lines.slice(0, quotedLineCountMax).join("\n") + (cut ? leftOut : ""));
  }
}

/** What the context quotes of the memories with the best scores: an item begins with the day of its memory. */
function quoteBest({ context, memories }: Recall, timeZone: string): string[] {
  const items = context
    .split(/\n(?=- )/u)
    .filter((item) => item.startsWith("- "))
    .map((item) => `- ${flatten(item.slice(2).replace("MEMORY>>>", ""))}`);
  const format = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone });
  const best = memories.filter(({ inContext }) => inContext).toSorted((x, y) => (y.score ?? 0) - (x.score ?? 0));
  const quoted = best.flatMap(({ at, naturalizedTime }) => {
    const day = format.format(Date.parse(at));
    return items.filter((item) => item.startsWith(`- ${naturalizedTime}`) && item.includes(day));
  });
  return [...new Set(quoted)];
}

async function showCore(memory: PersonMemory): Promise<void> {
  const { areas } = await memory.coreSummary();
  print(`\n${heading("What lasts")}  ${colours.dim("the core summary, always in the context")}`);
  for (const { title, facts } of areas.slice(0, factCountMax)) {
    print(`  ${shorten(`${title}: ${facts[0]!.text}`, terminalWidth() - 2)}`);
  }
}

const dayMs = 86_400_000;
const told = [
  { id: "key-box", text: "The code of the key box by my front door is 4417." },
  { id: "new-code", text: "The code of the key box by my front door is now 9035." },
];
const question = "What is the code of the key box?";

/** Something changes from one day to the next, is asked for, forgotten, and asked for again. */
async function showChange(memory: PersonMemory, { at }: Stop, timeZone: string): Promise<void> {
  const ids = told.map(({ id }) => id);
  for (const [day, { id, text }] of told.entries()) {
    const when = new Date(Date.parse(at) + day * dayMs);
    await memory.commit({ id, at: when, turns: [{ who: "user", text }] }, { wait: true });
  }
  const items = await memory.history({ ids });
  const naming = await nameOthers(memory, items, timeZone);
  print(`\n${heading("What changes, and what is forgotten")}`);
  for (const item of items) showExample(item, naming);
  const later = new Date(Date.parse(at) + told.length * dayMs).toISOString();
  await ask({ at: later, question }, memory, timeZone, 1);
  print(formatReceipt(await memory.forget(ids)));
  await ask({ at: later, question }, memory, timeZone, 1);
}
