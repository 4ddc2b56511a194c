/**
 * A conversation in progress (section 3: "a shorter-term iteratively updated running summary"). Every turn is stored as
 * it arrives, so a crash loses none; the running summary always covers all turns so far; ending the conversation
 * commits it as one interaction.
 */
import { InputError } from "./errors.js";
import type { Interaction, Turn } from "./engine/records/person-data.js";
import { checkSize, checkWords, parseAddedTurn } from "./engine/interaction.js";
import { summarizeSaid } from "./reader/read.js";
import { summarizeTurnsWithModel } from "./model/language-model-steps.js";
import { MessageReader, type TurnInput } from "./engine/messages.js";
import type { PersonState } from "./engine/person-state.js";
import { SerialLock } from "./engine/serial-lock.js";

export class Conversation {
  readonly id: string;
  readonly #state: PersonState;
  readonly #lock = new SerialLock();
  readonly #messages = new MessageReader();
  readonly #onEnd: () => void;
  #interaction: Interaction;
  #isStored = false;
  /** A language model's summary of the first turns, and how many turns it covers. */
  #running: { readonly text: string; readonly turnCount: number } | null = null;

  constructor(interaction: Interaction, state: PersonState, onEnd: () => void) {
    this.id = interaction.id;
    this.#interaction = interaction;
    this.#state = state;
    this.#onEnd = onEnd;
  }

  get turns(): readonly Turn[] {
    return this.#interaction.turns;
  }

  /** Adds a turn, a message, or what the user says; it is stored when the promise resolves. */
  async add(turn: string | TurnInput): Promise<void> {
    const said = typeof turn === "string" ? { who: "user", text: turn } : turn;
    const { turns: read, isInstruction } = this.#messages.read(said, "the turn");
    if (isInstruction) {
      const message = "the turn is a message of the system, which nobody said; add what the user and the assistant say";
      throw new InputError("interaction_invalid", message);
    }
    const parsed = read.map((each) => parseAddedTurn(each, this.#state.context.parameters));
    if (parsed.length > 0) await this.#lock.run(() => this.#store((turns) => [...turns, ...parsed], "open"));
  }

  /** The running summary: a language model's, updated with the turns since, or sentences of all turns. */
  async summary(): Promise<string> {
    const { turns } = this.#interaction;
    const { modelCalls } = this.#state.context;
    const known = this.#running;
    if (modelCalls !== null && turns.length > (known?.turnCount ?? 0)) {
      const newTurns = turns.slice(known?.turnCount ?? 0);
      const text = await summarizeTurnsWithModel(known?.text ?? null, newTurns, modelCalls, this.#state.context);
      if (text === null) return this.#chooseSentences();
      this.#running = { text, turnCount: turns.length };
    }
    return this.#running?.text ?? this.#chooseSentences();
  }

  #chooseSentences(): Promise<string> {
    return summarizeSaid(this.#interaction, this.#state.graph, this.#state.context);
  }

  /** Commits the conversation; a later turn belongs to another one. */
  end(): Promise<void> {
    return this.#lock.run(async () => {
      await this.#store((turns) => turns, "queued");
      this.#onEnd();
    });
  }

  /** The store accepts only a continuation of what it holds, so turns added elsewhere are read first. */
  async #store(next: (turns: readonly Turn[]) => readonly Turn[], outcome: "open" | "queued"): Promise<void> {
    const { person, context } = this.#state;
    for (;;) {
      await this.#catchUp();
      const interaction = { ...this.#interaction, turns: next(this.#interaction.turns) };
      // What is stored already can always be ended, whatever the limits are now.
      if (outcome === "open") checkSize(interaction, context.parameters);
      else checkWords(interaction.turns, null);
      const options = { mustContinue: this.#isStored };
      if (await context.records.accept(person, interaction, outcome, options)) {
        context.expiries.expect(interaction.expiresMs);
        this.#interaction = interaction;
        this.#isStored = true;
        return;
      }
    }
  }

  /** Reads what the store holds. A conversation that was ended or forgotten cannot continue. */
  async #catchUp(): Promise<void> {
    const entry = await this.#state.findEntry(this.id);
    const isGone = entry === undefined ? this.#isStored : entry.outcome !== "open";
    if (isGone) throw new InputError("conversation_ended", `conversation "${this.id}" has ended; start another one`);
    if (entry === undefined) return;
    this.#interaction = entry.interaction;
    this.#isStored = true;
  }
}
