/** Checks of options from a caller who may have no types: everything the engine reads has to be present. */
import { checkNames, describeName, describeValue, readFields } from "./engine/given-values.js";
import { isMoment } from "./engine/interaction.js";
import { InputError } from "./errors.js";
import type { Clock } from "./ports/clock.js";
import type { Embedder } from "./ports/embedder.js";
import type { Profile } from "./profiles/profile.js";

/** What the engine calls of every store; the conformance suite checks that it does what it should. */
const storeMethods = ["describe", "read", "write", "persons", "due", "lease", "damage", "erase", "close"];

export function checkStoreOptions({ path, encryptionKey, store }: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries({ path, encryptionKey })) {
    if (value === undefined || typeof value === "string") continue;
    throw new InputError("option_invalid", `${name} must be text, not ${describeValue(value)}`);
  }
  checkMethods(store, "store", storeMethods);
}

export function checkEmbedder(embedder: unknown): void {
  // Names are checked where they are looked up.
  if (embedder === undefined || typeof embedder === "string") return;
  checkMethods(embedder, "embedder", ["embed", "close"]);
  const isWhole = reads(() => {
    const { identity, textsPerCall } = embedder as { identity: Record<string, unknown>; textsPerCall: unknown };
    return (
      typeof identity["name"] === "string" &&
      Number.isInteger(identity["dimensions"]) &&
      Number.isInteger(textsPerCall) &&
      (textsPerCall as number) > 0
    );
  });
  if (isWhole) return checkWordDimensions(embedder as Partial<Embedder>);
  const message = "embedder needs an identity with name and dimensions, and textsPerCall; see docs/extend.md";
  throw new InputError("option_invalid", message);
}

/** Four numbers of a word's vector share a byte. */
function checkWordDimensions({ wordDimensions, embedWords }: Partial<Embedder>): void {
  if (wordDimensions === undefined && embedWords === undefined) return;
  const isWhole = Number.isInteger(wordDimensions) && wordDimensions! > 0 && wordDimensions! % 4 === 0;
  if (isWhole && typeof embedWords === "function") return;
  const message = `embedder has wordDimensions ${describeValue(wordDimensions)}; with embedWords it must be a multiple of 4, without it must be left out`;
  throw new InputError("option_invalid", message);
}

/** Refuses names that nobody reads, and a key from a variable that is not set: neither may be left out silently. */
export function checkGiven(given: object, names: readonly string[], what: string): void {
  checkNames(given, names, what);
  const { encryptionKey } = given as { encryptionKey?: unknown };
  if (!Object.hasOwn(given, "encryptionKey") || encryptionKey !== undefined) return;
  throw new InputError("option_invalid", "encryptionKey is undefined; leave it out for a store without encryption");
}

const readerMethods = ["read", "relate", "close"];

/** `false` turns reading off; anything else has to read. */
export function checkReader(reader: unknown): void {
  if (reader === undefined || reader === false) return;
  if (typeof reader !== "object" || reader === null) {
    const needed = "false, or an object with name, read, relate and close; see docs/extend.md";
    throw new InputError("option_invalid", `reader is ${describeValue(reader)}; it must be ${needed}`);
  }
  checkMethods(reader, "reader", readerMethods);
  const { name } = readFields(reader, ["name"], "reader");
  if (typeof name === "string") return;
  throw new InputError("option_invalid", `reader needs a name, which traces show; its name is ${describeValue(name)}`);
}

/** An object with these methods, if it is given at all. */
export function checkMethods(value: unknown, name: string, methods: readonly string[]): void {
  if (value === undefined) return;
  const missing = methods.find(
    (method) => !reads(() => typeof (value as Record<string, unknown>)[method] === "function"),
  );
  if (missing === undefined) return;
  throw new InputError("option_invalid", `${name} needs a function \`${missing}\`; it is ${describeValue(value)}`);
}

export function findProfile(profile: unknown, profiles: Readonly<Record<string, Profile>>): Profile {
  if (profile === undefined) return profiles["general"]!;
  if (typeof profile !== "string") return checkProfile(profile as Profile);
  if (Object.hasOwn(profiles, profile)) return profiles[profile]!;
  throw new InputError(
    "option_invalid",
    `profile ${describeName(profile)} is unknown; use one of: ${Object.keys(profiles).join(", ")}`,
  );
}

function checkProfile(profile: Profile): Profile {
  const areTexts = (texts: unknown): boolean =>
    Array.isArray(texts) && texts.length > 0 && texts.every((text) => typeof text === "string" && text.trim() !== "");
  const isWhole = reads(() => {
    const { name, categories, mundane, wording, prompts } = profile;
    return (
      typeof name === "string" &&
      Array.isArray(categories) &&
      categories.length > 0 &&
      categories.every((category) => typeof category.name === "string" && areTexts(category.examples)) &&
      areTexts(mundane) &&
      areTexts(Object.values(wording ?? {})) &&
      areTexts(Object.values(prompts ?? {}))
    );
  });
  if (isWhole) return profile;
  throw new InputError(
    "option_invalid",
    "the profile needs a name, categories with examples, mundane examples, wording and prompts; see profiles.general",
  );
}

export function checkTimeZone(timeZone: unknown): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: timeZone as string }).resolvedOptions().timeZone;
  } catch (cause) {
    const message = `time zone ${describeName(timeZone)} is unknown; use a name such as "Europe/London"`;
    throw new InputError("option_invalid", message, { cause });
  }
}

/** Read once: a time that is none would otherwise fail far from its cause. */
export function checkClock(clock: Clock): Clock {
  const nowMs: unknown = clock.nowMs();
  if (isMoment(nowMs)) return clock;
  const message = `the clock says ${describeName(nowMs)}; nowMs() must return milliseconds since 1970`;
  throw new InputError("option_invalid", message);
}

/** Whether a look at a value succeeds; a getter or a proxy may throw. */
function reads(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}
