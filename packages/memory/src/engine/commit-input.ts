/**
 * What `commit` takes: a text, messages, or an interaction with either. Whatever the shape, an interaction as plain data
 * comes of it. Names that nobody reads are refused.
 */
import { InputError } from "../errors.js";
import type { Turn } from "./records/person-data.js";
import type { EngineContext } from "./engine-context.js";
import { checkNames, describeValue, isList, readFields, readItems } from "./given-values.js";
import {
  type GivenInteraction,
  type InteractionInput,
  type Time,
  checkTurnCount,
  interactionFields,
  parseTime,
} from "./interaction.js";
import { MessageReader, type TurnInput, turnForm } from "./messages.js";

/** What the user says, messages, or an interaction. */
export type CommitInput = string | readonly TurnInput[] | InteractionInput;

type Reading = Pick<EngineContext, "parameters" | "timeZone" | "clock">;

const forms = 'write commit("…"), commit({ text: "…" }) or commit([{ role: "user", content: "…" }])';

/** `allowsOthers`: whether the caller's own fields are ignored instead of refused. */
export function readInteraction(input: CommitInput, reading: Reading, allowsOthers = false): GivenInteraction {
  if (typeof input === "string") return { turns: [{ who: "user", text: input }] };
  if (isList(input)) return readMessages(input, "message", reading, true);
  if (typeof input !== "object" || input === null) {
    const message = `the interaction must be a text, messages or an object, not ${describeValue(input)}; ${forms}`;
    throw new InputError("interaction_invalid", message);
  }
  const { text, turns, messages, ...others } = readFields(input, interactionFields, "the interaction");
  if (!allowsOthers) checkNames(input, interactionFields, "the fields of an interaction", "interaction_invalid");
  if (turns !== undefined && messages !== undefined) {
    throw new InputError("interaction_invalid", "the interaction has turns and messages, which are the same; give one");
  }
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  // A file may have a field of that name for something else.
  const said = text === undefined || allowsOthers ? [] : [{ who: "user", text: text as string }];
  const [list, name] = turns === undefined ? [messages, "message" as const] : [turns, "turn" as const];
  if (list === undefined) return said.length === 0 ? given : { turns: said, ...given };
  const read = readMessages(list, name, reading, said.length === 0 && others.summary === undefined);
  return { ...read, turns: [...said, ...(read.turns ?? [])], ...given };
}

/** Turns, and when the last message was if it says so. `mustSay`: there is nothing but these. */
function readMessages(
  list: unknown,
  name: "turn" | "message",
  { parameters, timeZone, clock }: Reading,
  mustSay: boolean,
): GivenInteraction {
  const items = readItems(list, `${name}s`, "interaction_invalid", (count) => checkTurnCount(count, parameters));
  if (items.length > 0 && items.every((item) => typeof item === "string")) {
    const message = `${name}s are texts, and nobody knows who said them; ${turnForm}. commitMany takes a list of texts`;
    throw new InputError("interaction_invalid", message);
  }
  const reader = new MessageReader();
  const read = items.map((item, i) => reader.read(item, `${name} ${i + 1}`));
  const turns: Turn[] = read.flatMap((each) => each.turns);
  if (mustSay && turns.length === 0 && read.some(({ isInstruction }) => isInstruction)) {
    const message =
      "these are messages of the system only, which nobody said; commit what the user and the assistant say";
    throw new InputError("interaction_empty", message);
  }
  const atMs = momentOfMessage(read.at(-1)?.time, timeZone);
  // A clock that is ahead is no reason to refuse what was said.
  return atMs === null ? { turns } : { turns, at: Math.min(atMs, clock.nowMs()) };
}

/** Below this a number counts seconds, as some APIs do: in milliseconds it would be before 1973. */
const secondsMax = 1e11;

/** Null if it says none, or none that can be read. */
function momentOfMessage(time: unknown, timeZone: string): number | null {
  if (time === undefined || time === null) return null;
  try {
    const ms = parseTime(time as Time, "createdAt", timeZone);
    return typeof time === "number" && time > 0 && time < secondsMax ? ms * 1000 : ms;
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
