/**
 * Events: what this process did to memories, told to whoever listens once the store has it. What other processes do on the
 * same store is not told here. A listener that fails is logged and disturbs nothing.
 */
import { InputError } from "../errors.js";
import { checkSignal, onceAborted } from "../signals.js";
import { describeName, describeValue, readOptions } from "./given-values.js";
import type { CommitDecision } from "./commit-decision.js";
import type { LogEvent } from "./engine-context.js";

export interface CommitEvent extends CommitDecision {
  readonly person: string;
}

export interface MemoryEvents {
  /** An interaction became a memory of its own. */
  readonly committed: CommitEvent;
  /** It became a memory paired with one that says the same. */
  readonly paired: CommitEvent;
  /** It was not worth remembering and stays in the history. */
  readonly discarded: CommitEvent;
  /** It asks to forget something, which is held back until `forget` or `restore` settles it. */
  readonly forgetAsked: CommitEvent;
  /** A memory ended something in older ones. */
  readonly updated: { readonly person: string; readonly id: string; readonly updates: readonly string[] };
  /** An interaction was edited; if it is to be processed again, that comes after. */
  readonly edited: { readonly person: string; readonly id: string };
  /** Interactions were removed for good. */
  readonly forgotten: { readonly person: string; readonly ids: readonly string[]; readonly reason: ForgettingReason };
  /** The core memory says something else; null if nothing is known any more. */
  readonly core: { readonly person: string; readonly text: string | null };
  /** Processing stopped; it is tried again. */
  readonly error: { readonly person: string; readonly error: unknown };
}

/** Somebody asked for it, or its time had come: that of `expiresAt`, or of `historyRetentionDays`. */
export type ForgettingReason = "requested" | "expired";

export type MemoryEventName = keyof MemoryEvents;
export type MemoryListener<Name extends MemoryEventName> = (event: MemoryEvents[Name]) => void;
/** An event with its name. */
export type NamedEvent = {
  readonly [Name in MemoryEventName]: { readonly name: Name; readonly event: MemoryEvents[Name] };
}[MemoryEventName];

const eventNames: Readonly<Record<MemoryEventName, true>> = {
  committed: true,
  paired: true,
  discarded: true,
  forgetAsked: true,
  updated: true,
  edited: true,
  forgotten: true,
  core: true,
  error: true,
};

export class MemoryEmitter {
  readonly #listeners = new Set<(named: NamedEvent) => unknown>();
  /** Of each event and person with listeners, how many there are. */
  readonly #counts = new Map<string, number>();
  readonly #log: (event: LogEvent) => void;

  constructor(log: (event: LogEvent) => void) {
    this.#log = log;
  }

  /** Calls the listener from now on; the function that is returned ends that. `person`: null for everybody. */
  on<Name extends MemoryEventName>(name: Name, listener: MemoryListener<Name>, person: string | null): () => void {
    const listen = (named: NamedEvent): unknown => {
      const isMeant = named.name === name && (person === null || named.event.person === person);
      return isMeant ? listener(named.event as MemoryEvents[Name]) : undefined;
    };
    this.#listeners.add(listen);
    this.#count(name, person, 1);
    return () => {
      if (this.#listeners.delete(listen)) this.#count(name, person, -1);
    };
  }

  /** Whether anybody wants to hear of an event of a person. */
  hasListener(name: MemoryEventName, person: string): boolean {
    return [null, person].some((each) => (this.#counts.get(JSON.stringify([name, each])) ?? 0) > 0);
  }

  #count(name: MemoryEventName, person: string | null, change: number): void {
    const key = JSON.stringify([name, person]);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + change);
  }

  emit(named: NamedEvent): void {
    for (const listen of Array.from(this.#listeners)) {
      const report = (cause: unknown): void => {
        const message = `a listener to "${named.name}" failed`;
        this.#log({ level: "error", message, person: named.event.person, cause });
      };
      try {
        // It may return a promise, although nobody waits for it.
        Promise.resolve(listen(named)).catch(report);
      } catch (cause) {
        report(cause);
      }
    }
  }
}

export interface ListenOptions {
  /** Ends when it is aborted. */
  readonly signal?: AbortSignal;
}

/** For a caller who may have no types. */
export function listen<Name extends MemoryEventName>(
  events: MemoryEmitter,
  name: Name,
  listener: MemoryListener<Name>,
  person: string | null,
  options: ListenOptions,
): () => void {
  const { signal } = readOptions(options, ["signal"], "on's options");
  checkSignal(signal);
  if (typeof name !== "string" || !Object.hasOwn(eventNames, name)) {
    const names = Object.keys(eventNames).join(", ");
    throw new InputError("option_invalid", `there is no event ${describeName(name)}; there are: ${names}`);
  }
  if (typeof listener !== "function") {
    throw new InputError("option_invalid", `the listener must be a function, not ${describeValue(listener)}`);
  }
  if (signal?.aborted === true) return () => {};
  const stop = events.on(name, listener, person);
  let release = (): void => {};
  const end = (): void => {
    stop();
    release();
  };
  if (signal !== undefined) release = onceAborted(signal, end);
  return end;
}
