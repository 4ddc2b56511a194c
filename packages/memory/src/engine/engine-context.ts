/** What every step of the engine works with: the ports, the parameters and the profile. */
import type { Parameters } from "../parameters.js";
import type { Clock } from "../ports/clock.js";
import type { Records } from "./records/records.js";
import type { Profile } from "../profiles/profile.js";
import type { CoreMemories } from "./core-memory.js";
import type { EmbeddingQueue } from "./embedding-queue.js";
import type { MemoryEmitter } from "./memory-events.js";
import type { AskedModel, AskedReader, Expiries, ProfileVectors } from "./parts.js";

export interface EngineContext {
  readonly records: Records;
  readonly embedding: EmbeddingQueue;
  /** Null where nobody reads, as in the paper. */
  readonly reading: AskedReader | null;
  /** Null if no language model is configured. */
  readonly modelCalls: AskedModel | null;
  readonly profile: Profile;
  readonly examples: ProfileVectors;
  readonly core: CoreMemories;
  readonly parameters: Parameters;
  readonly clock: Clock;
  readonly timeZone: string;
  readonly countTokens: (text: string) => number;
  readonly log: (event: LogEvent) => void;
  readonly events: MemoryEmitter;
  readonly expiries: Expiries;
}

/** Something an operator may want to know: a step that fell back, a queue that waits, what was not kept. Never what was said. */
export interface LogEvent {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly person?: string;
  /** The interaction, if it is about one. */
  readonly id?: string;
  readonly cause?: unknown;
}
