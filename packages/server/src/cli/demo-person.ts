/** The demo's person, for a server to show: the journey is committed once and stays in its file. */
import { readFileSync } from "node:fs";
import type { Mnemosyne } from "mnemosyne-edge";
import { readHistory } from "./interaction-ids.js";
import type { Settings } from "./settings.js";
import { printError, startProgress } from "./terminal.js";

interface Journey {
  readonly person: { readonly name: string; readonly timezone: string };
  readonly states: readonly { readonly from: string; readonly to: string; readonly state: string }[];
  readonly interactions: readonly {
    readonly id: string;
    readonly at: string;
    readonly turns: readonly { readonly who: string; readonly text: string }[];
    readonly summary: string;
  }[];
}

export const demoPath = "mnemosyne-demo.db";

const file = new URL("../../demo/knee-replacement.json", import.meta.url);
const readJourney = (): Journey => JSON.parse(readFileSync(file, "utf8")) as Journey;

export function demoSettings(settings: Settings): Settings {
  return { ...settings, profile: "healthcare", timeZone: settings.timeZone ?? readJourney().person.timezone };
}

/** Commits what is not there yet, and returns whose memory it is. Stops between two conversations on a signal. */
export async function fillDemo(mnemosyne: Mnemosyne, signal: AbortSignal): Promise<string> {
  const { person, states, interactions } = readJourney();
  const name = person.name.split(" ")[0]!.toLowerCase();
  const memory = mnemosyne.person(name);
  const known = new Set((await readHistory(memory)).flatMap(({ id, outcome }) => (outcome === "queued" ? [] : id)));
  const coming = interactions.filter(({ id }) => !known.has(id));
  if (coming.length === 0) return name;
  printError(`Remembering ${coming.length} conversations of the demo's person, once: a minute or two.`);
  const progress = startProgress("remembering", coming.length);
  for (const [i, { id, at, turns, summary }] of coming.entries()) {
    if (signal.aborted) break;
    const day = at.slice(0, 10);
    const state = states.find(({ from, to }) => from <= day && day <= to)?.state;
    await memory.commit({ id, at, turns, summary, ...(state === undefined ? {} : { state }) }, { wait: true });
    progress.update(i + 1, summary);
  }
  progress.stop();
  return name;
}
