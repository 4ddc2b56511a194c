/**
 * What is shown, as an address: person, view and everything chosen in it. A link reopens the same. It is behind the #, so
 * that names and questions are in no server's log.
 */
import { signal } from "@preact/signals";

export const viewNames = ["graph", "recall", "log", "core", "overview"] as const;
export type ViewName = (typeof viewNames)[number];

export interface Place {
  readonly person: string;
  readonly view: ViewName;
  /** Of the view: memory, q, seed, at and the like. */
  readonly choices: Readonly<Record<string, string>>;
}

export const place = signal<Place>(readPlace(location.hash));

addEventListener("hashchange", () => {
  place.value = readPlace(location.hash);
});

function readPlace(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/u, "").split("?");
  const [person = "", view = ""] = path.split("/").map(decode);
  return {
    person,
    view: viewNames.find((name) => name === view) ?? (person === "" ? "overview" : "graph"),
    choices: Object.fromEntries(new URLSearchParams(query)),
  };
}

export function writePlace({ person, view, choices }: Place): string {
  const query = new URLSearchParams(Object.entries(choices).filter(([, value]) => value !== "")).toString();
  return `#/${encodeURIComponent(person)}/${view}${query === "" ? "" : `?${query}`}`;
}

/** Somewhere else, which the browser's back button undoes. */
export function go(change: Partial<Place>): void {
  const next = { ...place.value, ...change };
  place.value = next;
  history.pushState(null, "", writePlace(next));
}

/** Something else chosen in the same view; an empty value takes it out. */
export function choose(choices: Readonly<Record<string, string>>): void {
  const all = { ...place.value.choices, ...choices };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
  place.value = { ...place.value, choices: kept };
  history.replaceState(null, "", writePlace(place.value));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
