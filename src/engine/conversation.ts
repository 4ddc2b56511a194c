/**
 * A conversation still going on (section 3: "a shorter-term iteratively updated running summary"). Every turn is stored as
 * it comes, so that a crash loses none; the running summary always covers all turns so far; ending the conversation
 * commits it as one interaction.
 */
import { InputError } from "../errors.js";
import type { Interaction, Turn } from "../ports/store.js";
import { parseTurn } from "./interaction.js";
import { summarizeStatements } from "./interaction-summary.js";
import type { PersonState } from "./person-state.js";
import { splitStatements } from "./statements.js";
import { SerialLock } from "./serial-lock.js";

export class Conversation {
  readonly id: string;
  readonly #state: PersonState;
  readonly #lock = new SerialLock();
  readonly #commitEnded: (interaction: Interaction) => Promise<void>;
  #interaction: Interaction;
  #hasEnded = false;

  constructor(interaction: Interaction, state: PersonState, commitEnded: (interaction: Interaction) => Promise<void>) {
    this.id = interaction.id;
    this.#interaction = interaction;
    this.#state = state;
    this.#commitEnded = commitEnded;
  }

  get turns(): readonly Turn[] {
    return this.#interaction.turns;
  }

  /** Adds a turn; it is stored when the promise resolves. */
  add(turn: Turn): Promise<void> {
    const parsed = parseTurn(turn);
    return this.#lock.run(async () => {
      this.#checkGoingOn();
      const next = { ...this.#interaction, turns: [...this.#interaction.turns, parsed] };
      const { store } = this.#state.context;
      if (!(await store.accept(this.#state.person, next, "open"))) this.#refuse();
      this.#interaction = next;
    });
  }

  /** The running summary. */
  async summary(): Promise<string> {
    const { embedding, parameters } = this.#state.context;
    const statements = splitStatements(this.#interaction);
    const vectors = await embedding.embed(
      statements.map(({ text }) => text),
      "commitment",
    );
    const embedded = statements.map((statement, i) => ({ ...statement, vector: vectors[i]! }));
    return summarizeStatements(embedded, parameters.summaryWordCountMax);
  }

  /** Commits the conversation; a later turn belongs to another one. */
  end(): Promise<void> {
    return this.#lock.run(async () => {
      this.#checkGoingOn();
      await this.#commitEnded(this.#interaction);
      this.#hasEnded = true;
    });
  }

  #checkGoingOn(): void {
    if (this.#hasEnded) this.#refuse();
  }

  #refuse(): never {
    throw new InputError("conversation_ended", `conversation "${this.id}" has ended; begin another one`);
  }
}
