/** One scenario: its store, its chance, its folder, what was submitted and acknowledged, and what was found. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ActorProcess } from "./actor-process.mjs";
import { checkBytes, checkEnd, checkExport, checkLook, finding, ofPerson } from "./checks.mjs";
import { Ledger } from "./ledger.mjs";
import { Random } from "./random.mjs";
import { filesIn } from "./reading.mjs";
import { addressOf, emptyServer, valuesOf } from "./servers.mjs";

export const encryptionKey = "correct horse battery staple";

export class Scene {
  findings = [];
  refusedCount = 0;
  ledger = new Ledger();
  /** Copies and exports by their files, with the time at which they began and whether they were acknowledged. */
  #copies = new Map();
  #exports = new Map();
  #lookCount = 0;

  /** @param server that the scenarios of a run share, undefined for files */
  constructor({ kind, store, seed, number, folder, server }) {
    Object.assign(this, { kind, store, seed, number, folder, server });
    this.random = new Random(`${kind} ${seed}`);
    mkdirSync(folder, { recursive: true });
  }

  get acknowledged() {
    return this.ledger.acknowledged;
  }

  /** Where the store is: the file, or an address with keys or tables of this scene only. */
  path(name = "memory") {
    if (this.server === undefined) return join(this.folder, `${name}.db`);
    return addressOf(this.server, `torture-${this.kind}-${this.seed}-${name}`);
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
    for (const { word, value, ms } of actor.lines) this.#counting[word]?.(value, ms);
  }

  #counting = {
    try: (value, ms) => this.ledger.begin(value, ms),
    acknowledged: ({ attempt }, ms) => this.ledger.acknowledge(attempt, ms),
    copying: ({ file }, ms) => this.#copies.set(file, { ms }),
    backedUp: ({ file }) => (this.#copies.get(file).isThere = true),
    exporting: ({ person, file }, ms) => this.#exports.set(file, { person, ms }),
    exported: ({ file }) => (this.#exports.get(file).isThere = true),
    raw: ({ act, message }) => this.note("raw", `${act}: ${message}`),
    refused: ({ act, family, message }) => {
      this.refusedCount++;
      // Nothing that is asked for is wrong in itself.
      if (family === "input" || family === "not-found") this.note("harness", `${act}: ${message}`);
    },
  };

  note(fault, what) {
    this.findings.push(finding(fault, what));
  }

  /** Opens the store in a new process, lets it finish its work, and checks everything that is there, and every copy. */
  async look({ open = this.open() } = {}) {
    const look = await this.read({ open });
    if (look === null) for (const mark of this.acknowledged) this.note("lost", `${mark} cannot be read`);
    else this.check(look);
    await this.checkErased(look);
    for (const [file, { ms, isThere = false }] of this.#copies) await this.#checkCopy(file, ms, isThere);
    for (const [file, { person, ms, isThere = false }] of this.#exports) {
      const expected = ofPerson(this.ledger.expected(ms), person);
      if (isThere)
        this.findings.push(...checkExport(expected, readFileSync(file, "utf8").trimEnd().split("\n"), person));
    }
    return look;
  }

  async read({ open = this.open() } = {}) {
    const file = join(this.folder, `look-${++this.#lookCount}.json`);
    const actor = await this.perform([["open"], ["settle"], ["look", file], ["close"]], { open, isPersistent: true });
    if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
    this.note("unusable", `${open.path}: ${JSON.stringify(actor.said("refused"))}`);
    return null;
  }

  check(look, ms = Infinity) {
    this.findings.push(...checkLook({ expected: this.ledger.expected(ms), look }));
  }

  /** Neither when forgetting was acknowledged nor later; with a look, also what only began to be forgotten and is gone. */
  async checkErased(look = null) {
    const text = JSON.stringify(look);
    const gone = look === null ? [] : this.ledger.expected().filter(({ contents }) => contents.includes(null));
    const marks = [...this.ledger.forgotten(), ...gone.map(({ mark }) => mark)].filter((mark) => !text.includes(mark));
    if (marks.length === 0) return;
    const bytes = this.server === undefined ? filesIn(this.path()) : Buffer.from(await valuesOf(this.server));
    this.findings.push(...checkBytes(new Set(marks), bytes));
  }

  /** A copy that has its name is whole, whether its process was killed or not. */
  async #checkCopy(file, ms, isThere) {
    if (!existsSync(file)) return isThere && this.note("lost", `${file} was acknowledged and is not there`);
    this.findings.push(...checkBytes(this.ledger.forgotten(ms), filesIn(file)));
    const look = await this.read({ open: this.at(file) });
    if (look !== null) this.check(look, ms);
    return undefined;
  }

  async end() {
    if (this.server !== undefined) await emptyServer(this.server);
  }
}
