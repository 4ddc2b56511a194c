/** The demo's person, for a server to show: the journey is replayed once and stays in its file. */
import { NotFoundError, type Mnemosyne } from "mnemosyne-edge";
import { readJourney, replay } from "../demo/journey.js";
import type { Settings } from "../settings.js";
import { printError } from "../terminal.js";

export function demoSettings(settings: Settings): Settings {
  return { ...settings, profile: "healthcare", timeZone: settings.timeZone ?? readJourney().person.timezone };
}

/** Commits what is not there yet, and returns whose memory it is. Stops between two conversations when it is told to. */
export async function fillDemo(mnemosyne: Mnemosyne, signal: AbortSignal): Promise<string> {
  const journey = readJourney();
  const person = journey.person.name.split(" ")[0]!.toLowerCase();
  const memory = mnemosyne.person(person);
  const known = await memory.history().catch((error: unknown) => {
    if (error instanceof NotFoundError) return [];
    throw error;
  });
  const ids = new Set(known.flatMap(({ id, outcome }) => (outcome === "queued" ? [] : id)));
  const coming = journey.interactions.filter(({ id }) => !ids.has(id));
  if (coming.length > 0)
    printError(`Remembering ${coming.length} conversations of the demo's person, once: a minute or two.`);
  await replay(coming, journey, memory, signal);
  return person;
}
