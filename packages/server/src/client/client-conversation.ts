/** A conversation in progress. Each turn says its place, so that one which is sent again is not added twice. */
import type { ConversationOptions, HistoryItem, TurnInput } from "mnemosyne-edge";
import { MnemosyneClientError } from "./client-error.js";
import type { Requests } from "./requests.js";

type Turn = HistoryItem["turns"][number];

/** How often another client may be faster with the same place. */
const attemptCountMax = 20;

export class ClientConversation {
  readonly id: string;
  readonly #requests: Requests;
  readonly #paths: { readonly conversation: string; readonly interaction: string };
  readonly #circumstances: Omit<ConversationOptions, "id">;
  #turns: readonly Turn[] = [];
  /** One after the other, in the order of the calls. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    requests: Requests,
    paths: { readonly conversation: string; readonly interaction: string },
    { id, ...circumstances }: ConversationOptions & { readonly id: string },
  ) {
    this.id = id;
    this.#requests = requests;
    this.#paths = paths;
    this.#circumstances = circumstances;
  }

  /** As the server knew them when this client last asked. */
  get turns(): readonly Turn[] {
    return this.#turns;
  }

  /** Adds a turn, a message, or what the user says; it is stored when the promise resolves. */
  add(turn: string | TurnInput): Promise<void> {
    const said = typeof turn === "string" ? { who: "user", text: turn } : turn;
    return this.#inOrder(() => this.#add(said));
  }

  /** Commits the conversation; a later turn belongs to another one. */
  end(): Promise<void> {
    return this.#inOrder(async () => {
      await this.#requests.json(`${this.#paths.conversation}:close`, { method: "POST" });
    });
  }

  /** What is there already; refuses a conversation that has ended. */
  async open(): Promise<this> {
    await this.#refresh();
    return this;
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #add(said: TurnInput): Promise<void> {
    const plain = plainTurn(said);
    for (let count = 1; ; count++) {
      const index = this.#turns.length;
      const body = { ...said, ...(plain === null ? {} : { index }), ...this.#circumstances };
      try {
        await this.#requests.json(`${this.#paths.conversation}/turns`, { method: "POST", body });
        if (plain === null) await this.#refresh();
        else this.#turns = [...this.#turns, plain];
        return;
      } catch (error) {
        // Another client added a turn there.
        const isTaken = error instanceof MnemosyneClientError && error.code === "id_taken" && plain !== null;
        if (!isTaken || count >= attemptCountMax) throw error;
        await this.#refresh();
      }
    }
  }

  async #refresh(): Promise<void> {
    try {
      const { turns, outcome } = await this.#requests.json<HistoryItem>(this.#paths.interaction);
      if (outcome !== "open") throw this.#ended();
      this.#turns = turns;
    } catch (error) {
      if (!(error instanceof MnemosyneClientError) || error.status !== 404) throw error;
    }
  }

  #ended(): MnemosyneClientError {
    const detail = `conversation "${this.id}" has ended; start another one`;
    return new MnemosyneClientError({ status: 409, code: "conversation_ended", detail });
  }
}

/** As the memory keeps it, if it is kept as it is: messages with parts or calls may become several turns. */
function plainTurn(said: TurnInput): Turn | null {
  const { who, text, ...others } = said as Partial<Turn>;
  const isPlain = typeof who === "string" && typeof text === "string" && Object.keys(others).length === 0;
  if (isPlain) return { who, text };
  const { role, content, ...rest } = said as { role?: unknown; content?: unknown };
  const isMessage = (role === "user" || role === "assistant") && typeof content === "string";
  return isMessage && Object.keys(rest).length === 0 ? { who: role, text: content } : null;
}
