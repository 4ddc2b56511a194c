/** One scenario: its store, its chance, its folder, what was submitted and acknowledged, and what was found. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ActorProcess } from "./actor-process.mjs";
import { checkEnd, checkLook, finding } from "./checks.mjs";
import { interactionOf, markOf } from "./interactions.mjs";
import { Random } from "./random.mjs";

export const encryptionKey = "correct horse battery staple";

export class Scene {
  findings = [];
  refusedCount = 0;
  acknowledged = new Set();
  forgotten = new Set();
  /** Marks of what was perhaps forgotten: whoever asked for it was killed or refused. */
  forgetting = new Set();
  #submitted = new Map();
  #lookCount = 0;

  /** @param redis a server that the scenarios of a run share */
  constructor({ kind, store, seed, number, folder, redis }) {
    Object.assign(this, { kind, store, seed, number, folder, redis });
    this.random = new Random(`${kind} ${seed}`);
    mkdirSync(folder, { recursive: true });
  }

  get isRedis() {
    return this.store.startsWith("redis");
  }

  /** Where the store is: the file, or an address with keys of this scene only. */
  path(name = "memory") {
    if (!this.isRedis) return join(this.folder, `${name}.db`);
    return `${this.redis.url}?prefix=${encodeURIComponent(`${this.kind}-${this.seed}-${name}:`)}`;
  }

  /** The store at a path, opened as this scene does. */
  at(path) {
    return { path, ...(this.store.endsWith("encrypted") ? { encryptionKey } : {}) };
  }

  open(name) {
    return this.at(this.path(name));
  }

  start(acts, { open = this.open(), command, ...argument } = {}) {
    return new ActorProcess({ seed: this.seed, open, acts, ...argument }, command);
  }

  async perform(acts, options) {
    const actor = this.start(acts, options);
    await this.finish(actor);
    return actor;
  }

  /** Waits for the end of an actor and counts what it said. */
  async finish(actor) {
    const end = await actor.ended;
    this.findings.push(...checkEnd({ ...end, ...actor }));
    this.count(actor);
  }

  count(actor) {
    for (const { number } of actor.said("acknowledged")) this.acknowledged.add(markOf(this.seed, number));
    for (const number of actor.said("try")) this.expect(number);
    for (const number of actor.said("forgetting").flat()) this.forgetting.add(markOf(this.seed, number));
    for (const number of actor.said("forgotten").flat()) this.forgotten.add(markOf(this.seed, number));
    for (const { message } of actor.said("raw")) this.note("raw", message);
    const refusals = actor.said("refused");
    this.refusedCount += refusals.length;
    // Nothing with a mark is wrong in itself.
    for (const { family, message } of refusals) if (family === "input") this.note("harness", message);
  }

  /** An interaction that was submitted; `hasId` as the actor was told. */
  expect(number, entry = interactionOf(this.seed, number)) {
    this.#submitted.set(entry.mark, this.#submitted.get(entry.mark) ?? entry);
  }

  note(fault, what) {
    this.findings.push(finding(fault, what));
  }

  /** Opens the store in a new process, lets it finish its work, and checks everything that is there. */
  async look({ name, open = this.open(name), command } = {}) {
    const look = await this.read({ open, command });
    if (look !== null) this.check(look);
    else for (const mark of this.acknowledged) this.note("lost", `${mark} cannot be read`);
    return look;
  }

  async read({ open = this.open(), command } = {}) {
    const file = join(this.folder, `look-${++this.#lookCount}.json`);
    const actor = await this.perform([["open"], ["settle"], ["look", file], ["close"]], { open, command });
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
    this.note(
      "unusable",
      actor
        .said("refused")
        .map(({ act, message }) => `${act}: ${message}`)
        .join("; "),
    );
    return null;
  }

  check(look) {
    const submitted = [...this.#submitted.values()].filter(
      ({ mark }) => this.forgotten.has(mark) || this.acknowledged.has(mark) || !this.forgetting.has(mark),
    );
    // What was perhaps forgotten is there or gone.
    const acknowledged = new Set([...this.acknowledged].filter((mark) => !this.forgetting.has(mark)));
    this.findings.push(...checkLook({ submitted, acknowledged, forgotten: this.forgotten, look }));
  }
}
