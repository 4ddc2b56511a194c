/** One person's memory behind a server: the library's methods, each of them one request. */
import type {
  CommitInput,
  CommitManyOptions,
  CommitManyResult,
  CommitOptions,
  CommitResult,
  ConversationOptions,
  CoreSummaryOptions,
  CoreSummaryView,
  CorrectOptions,
  ExportOptions,
  ForgettingReceipt,
  GraphView,
  HistoryItem,
  HistoryOptions,
  ImportResult,
  InteractionEdit,
  InteractionInput,
  ListOptions,
  Listing,
  Memory,
  MemoryDetail,
  MemorySelection,
  PersonStatistics,
  ProgressOptions,
  PruningLimits,
  PruningReport,
  Recall,
  RecallOptions,
  Time,
  UpdateOptions,
  UpdateResult,
} from "mnemosyne-edge";
import { ClientConversation } from "./client-conversation.js";
import { MnemosyneClientError } from "./client-error.js";
import { ClientListing } from "./client-listing.js";
import { type ClientEvent, type EventsOptions, readEvents } from "./event-reading.js";
import { type ImportSource, collectLines, commitInBatches, readLines } from "./bodies.js";
import { type Requests, explain, makeId, segment } from "./requests.js";

export interface ClientRecallOptions extends RecallOptions {
  /** False leaves the trace out of the answer, which is then much smaller. Default: true. */
  readonly trace?: boolean;
}

/** A recall without its trace. The seed replays it. */
export type PlainRecall = Omit<Recall, "trace"> & { readonly seed: number };
/** Reading a damaged store is left to the machine that has it. */
export type ClientHistoryOptions = Omit<HistoryOptions, "skipDamaged">;
export type ClientExportOptions = Omit<ExportOptions, "skipDamaged"> & { readonly signal?: AbortSignal };

const idLengthMax = 200;

export class PersonClient {
  readonly name: string;
  readonly #requests: Requests;
  readonly #path: string;

  constructor(name: string, requests: Requests) {
    this.name = name;
    this.#requests = requests;
    this.#path = `/v1/persons/${segment(name)}`;
  }

  /** Submits what the user says, messages, or an interaction; with `wait`, it says what became of it. */
  commit(input: CommitInput, options: CommitOptions & { wait: true }): Promise<CommitResult>;
  commit(input: CommitInput, options?: CommitOptions): Promise<{ id: string; isNew: boolean }>;
  async commit(input: CommitInput, { wait, signal }: CommitOptions = {}): Promise<{ id: string; isNew: boolean }> {
    const query = wait === true ? { wait: "true" } : {};
    const request = { method: "POST", query, body: toBody(input), signal } as const;
    const result = await this.#requests.json<CommitResult>(`${this.#path}/interactions`, request);
    return wait === true ? result : { id: result.id, isNew: result.isNew };
  }

  /** Submits many, some at a time; each lot is checked as a whole before it is stored. */
  commitMany(
    inputs: Iterable<CommitInput> | AsyncIterable<CommitInput>,
    options: CommitManyOptions = {},
  ): Promise<CommitManyResult> {
    return commitInBatches(inputs, toBody, options, (interactions) =>
      this.#post<CommitManyResult>("interactions:batch", { interactions }, options.signal),
    );
  }

  /** The memories that answer a question, and a context text for a model. */
  recall(query: string, options: ClientRecallOptions & { readonly trace: false }): Promise<PlainRecall>;
  recall(query: string, options?: ClientRecallOptions): Promise<Recall>;
  recall(query: string, { signal, ...given }: ClientRecallOptions = {}): Promise<Recall | PlainRecall> {
    return this.#post("recall", { query, trace: true, ...given }, signal);
  }

  /** What the assistant has learned about this person. */
  async coreSummary({ update, at }: CoreSummaryOptions = {}): Promise<CoreSummaryView> {
    const query = { update: update === undefined ? undefined : String(update), at: writeTime(at) };
    return this.#requests.json(`${this.#path}/core`, { query });
  }

  /** Keeps what the person says now in place of an earlier interaction, or of a statement of it, which is ended. */
  async correct(id: string, text: string, options: CorrectOptions = {}): Promise<CommitResult> {
    return this.#post(`memories/${segment(id)}:correct`, { text, ...options });
  }

  /** Changes an interaction in place, if it still has the tag. */
  async update(id: string, changes: InteractionEdit, { ifTag }: UpdateOptions = {}): Promise<UpdateResult> {
    const tags = ifTag === undefined ? [] : [ifTag].flat().map((tag) => `"${tag}"`);
    const headers: Record<string, string> = ifTag === undefined ? {} : { "if-match": tags.join(", ") };
    return this.#requests.json(this.#memory(id), { method: "PATCH", body: changes, headers });
  }

  /** Removes interactions, or single statements, and everything made from them, for good. */
  async forget(which: string | readonly string[] | MemorySelection): Promise<ForgettingReceipt> {
    if (typeof which === "string") return this.#requests.json(this.#memory(which), { method: "DELETE" });
    return this.#post("memories:forget", Array.isArray(which) ? { ids: which as string[] } : which);
  }

  /** Removes everything about this person, for good. */
  async forgetAll(): Promise<ForgettingReceipt> {
    return this.#requests.json(this.#path, { method: "DELETE" });
  }

  /**
   * Turns an interaction that was discarded, replaced or pruned into a memory again; lets a statement hold again that was
   * ended, taken out or held back; takes back a wish to forget.
   */
  async restore(id: string): Promise<void> {
    await this.#requests.json(`${this.#path}/interactions/${segment(id)}:restore`, { method: "POST" });
  }

  /** Fixes a fact in the core summary: the id of a statement or a memory, or a text, which is committed first. Returns the id. */
  async pin(idOrText: string, area?: string): Promise<string> {
    const isText = /\s/u.test(idOrText.trim());
    if (isText && idOrText.length > idLengthMax) return this.#pinText(idOrText, area);
    try {
      await this.#pin(idOrText, area);
      return idOrText;
    } catch (error) {
      if (!isText || explain(error).status !== 404) throw error;
      return this.#pinText(idOrText, area);
    }
  }

  async #pin(id: string, area: string | undefined): Promise<void> {
    await this.#requests.json(`${this.#memory(id)}/pin`, { method: "PUT", body: { area } });
  }

  async #pinText(text: string, area: string | undefined): Promise<string> {
    const { id } = await this.commit({ turns: [{ who: "user", text }], keep: true }, { wait: true });
    await this.#pin(id, area);
    return id;
  }

  /** Lets what is pinned be chosen or cut like any other. */
  async unpin(id: string): Promise<void> {
    await this.#requests.json(`${this.#memory(id)}/pin`, { method: "DELETE" });
  }

  /**
   * Takes a statement, or a memory, out of the core summary; with `"untrue"`, out of recall too, because it was never so.
   * `restore` takes it back.
   */
  async withdraw(id: string, reason: "removed" | "untrue" = "removed"): Promise<void> {
    await this.#requests.json(`${this.#memory(id)}/withdrawal`, { method: "PUT", body: { reason } });
  }

  /** Takes back that an interaction, or a statement, ended an earlier one: both hold. */
  async unlink(id: string, outdatedId: string): Promise<void> {
    await this.#requests.json(`${this.#memory(id)}/updates`, { method: "DELETE", query: { outdated: outdatedId } });
  }

  async get(id: string): Promise<MemoryDetail> {
    return this.#requests.json(this.#memory(id));
  }

  /** The memories that pass and have not expired, oldest first. */
  list(options: ListOptions = {}): Listing<Memory> {
    const { outdated } = options;
    const own = { ...writeSelection(options), outdated: outdated === undefined ? undefined : String(outdated) };
    return new ClientListing(options, async (page) => {
      const query = { ...page, ...own };
      const answer = await this.#requests.json<{ memories: Memory[]; nextCursor: string | null }>(
        `${this.#path}/memories`,
        { query },
      );
      return { entries: answer.memories, nextCursor: answer.nextCursor };
    });
  }

  /** The submitted interactions that pass with their outcomes, in order of arrival or the newest first. */
  history(options: ClientHistoryOptions = {}): Listing<HistoryItem> {
    const { ids, outcomes, newestFirst } = options;
    const order = { newestFirst: newestFirst === undefined ? undefined : String(newestFirst) };
    const named = { ids: ids === undefined ? undefined : JSON.stringify(ids), outcomes: outcomes?.join(",") };
    const own = { ...writeSelection(options), ...named, ...order };
    return new ClientListing(options, async (page) => {
      const query = { ...page, ...own };
      const answer = await this.#requests.json<{ interactions: HistoryItem[]; nextCursor: string | null }>(
        `${this.#path}/history`,
        { query },
      );
      return { entries: answer.interactions, nextCursor: answer.nextCursor };
    });
  }

  /** The memories of `list` and the edges between them. */
  async graph(selection: MemorySelection = {}): Promise<GraphView> {
    return this.#requests.json(`${this.#path}/graph`, { query: writeSelection(selection) });
  }

  async statistics(): Promise<PersonStatistics> {
    return this.#requests.json(`${this.#path}/stats`);
  }

  /** Prunes to the given limits, or to those of the parameters. */
  async prune(limits: PruningLimits = {}): Promise<PruningReport> {
    return this.#post("prune", limits);
  }

  /** Everything about this person as JSON Lines, or the part that passes. */
  async *export({ signal, sealed, ...selection }: ClientExportOptions = {}): AsyncGenerator<string> {
    const query = { ...writeSelection(selection), sealed: sealed === undefined ? undefined : String(sealed) };
    const body = await this.#requests.stream(`${this.#path}/export`, { query, signal });
    try {
      for await (const line of readLines(body)) if (line !== "") yield line;
    } catch (error) {
      signal?.throwIfAborted();
      throw explain(error);
    }
  }

  /** Imports an export, or a file of interactions, one JSON object per line; it is collected before it is sent. */
  async import(lines: ImportSource, { signal }: Pick<ProgressOptions, "signal"> = {}): Promise<ImportResult> {
    const blob = await collectLines(lines);
    return this.#requests.json(`${this.#path}/import`, { method: "POST", blob, signal });
  }

  /** A conversation in progress; the same id continues it. */
  async conversation(options: ConversationOptions = {}): Promise<ClientConversation> {
    const { id = `talk-${makeId()}` } = options;
    const conversation = `${this.#path}/conversations/${segment(id)}`;
    const interaction = `${this.#path}/interactions/${segment(id)}`;
    return new ClientConversation(this.#requests, { conversation, interaction }, { ...options, id }).open();
  }

  /** What happens to this person's memory, as it happens. */
  events(options: EventsOptions = {}): AsyncGenerator<ClientEvent, void, undefined> {
    return readEvents(this.#requests, `${this.#path}/events`, options);
  }

  #memory(id: string): string {
    return `${this.#path}/memories/${segment(id)}`;
  }

  #post<Result>(path: string, body: unknown, signal?: AbortSignal): Promise<Result> {
    return this.#requests.json(`${this.#path}/${path}`, { method: "POST", body, signal });
  }
}

function toBody(input: CommitInput): InteractionInput | { readonly text: string } {
  if (typeof input === "string") return { text: input };
  return Array.isArray(input) ? { messages: input as InteractionInput["messages"] & object } : (input as object);
}

function writeSelection({ filter, from, to }: MemorySelection): Record<string, string | undefined> {
  return {
    filter: filter === undefined ? undefined : JSON.stringify(filter),
    from: writeTime(from),
    to: writeTime(to),
  };
}

/** In an address a time is text. */
function writeTime(time: Time | undefined): string | undefined {
  if (time === undefined || typeof time === "string") return time;
  try {
    return new Date(time).toISOString();
  } catch (cause) {
    throw new MnemosyneClientError({ status: 0, code: "time_invalid", detail: "the time is none", cause });
  }
}
