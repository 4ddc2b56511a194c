/** Reads all of a person whatever is damaged: what is still whole, and what is wrong with the rest. */
import { type Edge, type EmbeddedNode, orderedPair } from "../../../core/graph/memory-node.js";
import type { AcceptedEntry, SalvagedPerson, StoreDamage } from "../../../ports/store.js";
import type { RedisCommand, RedisConnection } from "./connection.js";
import { findLost, readCounts } from "./counts.js";
import { aboutPerson, toDamage } from "./damage.js";
import type { RedisHistory } from "./history.js";
import type { PersonKeys, RedisKeys } from "./keys.js";
import { lostEdges, readMemory, readRemoval, toCount } from "./loading.js";
import { attempt, listRows } from "./person-rows.js";
import { RedisPersons } from "./persons.js";
import { type RedisRows, type Values, memoryFieldNames, readEdge, toScores, toTexts } from "./rows.js";

/** A person who changes while being looked at is looked at again. */
const triesMax = 5;
const memoriesPerPage = 100;
const headFields = ["revision", "sequence", "commits_since", "core_summary"] as const;

export class RedisExamination {
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #rows: RedisRows;
  readonly #history: RedisHistory;

  constructor(connection: RedisConnection, keys: RedisKeys, rows: RedisRows, history: RedisHistory) {
    this.#connection = connection;
    this.#keys = keys;
    this.#rows = rows;
    this.#history = history;
  }

  /** Everybody who is listed, or has a key although no list names them. */
  async #persons(): Promise<string[]> {
    const listed = await attempt(() => new RedisPersons(this.#connection, this.#keys).some({}));
    const found = (await this.#connection.scan(this.#keys.start)).map((key) => this.#keys.personOf(key));
    return [...new Set([...(listed ?? []), ...found.filter((person) => person !== null)])].sort();
  }

  async salvage(person: string): Promise<SalvagedPerson> {
    return (
      await new PersonExamination(this.#connection, this.#keys.person(person), person).run(this.#rows, this.#history)
    ).salvaged;
  }

  async damage(): Promise<StoreDamage[]> {
    const damage: StoreDamage[] = [];
    const persons = new RedisPersons(this.#connection, this.#keys);
    const lists = [
      { name: "persons", own: "head", listed: await attempt(() => persons.some({})) },
      { name: "persons with a queue", own: "queue", listed: await attempt(() => persons.having("queue")) },
      {
        name: "persons of whom something expires",
        own: "expiries",
        listed: await attempt(() => persons.having("expiries")),
      },
    ] as const;
    if (lists.some(({ listed }) => listed === undefined)) {
      damage.push({ person: null, id: null, part: "a list of persons is damaged" });
    }
    for (const person of await this.#persons()) {
      const keys = this.#keys.person(person);
      for (const { name, own, listed } of lists) {
        if (listed === undefined || listed.includes(person)) continue;
        if (own === "head" || (await this.#connection.send("EXISTS", keys[own])) === 1) {
          damage.push({ person, id: null, part: `not in the list of ${name}` });
        }
      }
      damage.push(...(await this.#damageOf(person, keys)));
    }
    return damage;
  }

  async #damageOf(person: string, keys: PersonKeys): Promise<StoreDamage[]> {
    const look = async (): Promise<string> =>
      String(await attempt(() => this.#connection.send("HMGET", keys.head, "revision", "sequence")));
    for (let tries = 1; ; tries++) {
      const before = await look();
      const { damage } = await new PersonExamination(this.#connection, keys, person).run(this.#rows, this.#history);
      if (damage.length === 0 || before === (await look()) || tries === triesMax) return damage;
    }
  }
}

class PersonExamination {
  readonly #connection: RedisConnection;
  readonly #keys: PersonKeys;
  readonly #person: string;
  readonly #damage: StoreDamage[] = [];

  constructor(connection: RedisConnection, keys: PersonKeys, person: string) {
    this.#connection = connection;
    this.#keys = keys;
    this.#person = person;
  }

  async run(rows: RedisRows, history: RedisHistory): Promise<{ salvaged: SalvagedPerson; damage: StoreDamage[] }> {
    const lost = await this.#noting(() => findLost(this.#connection, this.#keys, this.#person));
    for (const error of lost ?? []) this.#damage.push(toDamage(error));
    const head = ((await this.#noting(() => this.#send("HMGET", this.#keys.head, ...headFields))) ?? []) as Values;
    for (const [i, name] of headFields.slice(0, 3).entries()) {
      await this.#noting(() => toCount(this.#person, name, head[i] ?? null));
    }
    const coreSummary = await this.#noting(() => rows.readCoreSummary(this.#person, head[3] ?? null));
    for (const list of ["history", "memories", "removed"] as const) {
      const members = await this.#noting(async () => toTexts(await this.#send("ZRANGE", this.#keys[list], "0", "-1")));
      if (list !== "removed") continue;
      for (const removal of members ?? []) await this.#noting(() => readRemoval(this.#person, removal));
    }
    const { interactions, memories, neighbors } = await listRows(this.#connection, this.#keys, this.#person);
    const entries = await this.#entries(history, interactions);
    const nodes: EmbeddedNode[] = [];
    for (let from = 0; from < memories.length; from += memoriesPerPage) {
      const page = memories.slice(from, from + memoriesPerPage);
      nodes.push(...(await Promise.all(page.map((id) => this.#memory(rows, id)))).flat());
    }
    const edges = await this.#edges(neighbors);
    return { salvaged: { entries, nodes, edges, coreSummary: coreSummary ?? null }, damage: this.#damage };
  }

  async #entries(history: RedisHistory, ids: readonly string[]): Promise<AcceptedEntry[]> {
    const entries: AcceptedEntry[] = [];
    for (const entry of (await this.#noting(() => history.examine(this.#person, ids))) ?? []) {
      if (entry instanceof Error) this.#damage.push(toDamage(entry));
      else entries.push(entry);
    }
    const scores = async (list: string): Promise<Map<string, number>> =>
      (await this.#noting(async () => toScores(await this.#send("ZRANGE", list, "0", "-1", "WITHSCORES")))) ??
      new Map();
    const [queue, expiries] = [await scores(this.#keys.queue), await scores(this.#keys.expiries)];
    for (const { interaction, outcome } of entries) {
      const { id, expiresMs } = interaction;
      if ((outcome === "queued") !== queue.has(id)) this.#note(id, "the interaction and the queue do not agree");
      if (expiresMs !== (expiries.get(id) ?? null))
        this.#note(id, "the interaction and the list of what expires do not agree");
    }
    return entries;
  }

  async #memory(rows: RedisRows, id: string): Promise<EmbeddedNode[]> {
    const command: RedisCommand = ["HMGET", this.#keys.memory(id), ...memoryFieldNames, "tokens"];
    const values = (await this.#noting(() => this.#send(...command), id)) as Values | undefined;
    if (values === undefined) return [];
    const [tokens] = values.slice(memoryFieldNames.length);
    const whole = await this.#noting(
      () => readMemory(rows, this.#person, id, values.slice(0, memoryFieldNames.length)),
      id,
    );
    const tokenBytes = await this.#noting(() => rows.readTokens(this.#person, id, tokens ?? null), id);
    return whole === undefined ? [] : [{ ...whole, tokenBytes: tokenBytes ?? null }];
  }

  async #edges(ids: readonly string[]): Promise<Edge[]> {
    const edges = new Map<string, Edge>();
    let endCount = 0;
    for (const id of ids) {
      const texts = await this.#noting(async () => toTexts(await this.#send("HGETALL", this.#keys.neighbors(id))), id);
      for (let at = 0; at < (texts?.length ?? 0); at += 2) {
        const [a, b] = orderedPair(id, texts![at]!);
        endCount++;
        const edge = await this.#noting(() => readEdge(this.#person, a, b, texts![at + 1]!), id);
        if (edge !== undefined) edges.set(JSON.stringify([a, b]), edge);
      }
    }
    await this.#noting(async () => {
      const field = (await this.#send("HGET", this.#keys.head, "counts")) as Buffer | null;
      const expected = field === null ? endCount : readCounts(this.#person, field).edgeEnds;
      if (expected !== endCount) throw lostEdges(this.#person, endCount, expected);
    });
    return [...edges.values()];
  }

  #send(...command: RedisCommand): ReturnType<RedisConnection["send"]> {
    return this.#connection.send(...command);
  }

  #note(id: string | null, part: string): void {
    this.#damage.push({ person: this.#person, id, part });
  }

  /** Undefined where something is damaged, which is noted. */
  async #noting<Result>(work: () => Result | Promise<Result>, id: string | null = null): Promise<Result | undefined> {
    try {
      return await aboutPerson(this.#person, async () => work());
    } catch (error) {
      const damage = toDamage(error);
      this.#note(damage.id ?? id, damage.part);
      return undefined;
    }
  }
}
