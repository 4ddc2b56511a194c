/** Submits hostile inputs, in the actor: each is refused with an error of ours or comes back as it was, and the rest stays. */
import { differenceOf, finding, shorten } from "./checks.mjs";
import { hostileInput } from "./hostile-inputs.mjs";
import { interactionOf, numbers } from "./interactions.mjs";
import { Random } from "./random.mjs";
import { describeError } from "./reading.mjs";

const ordinaryCount = 12;

export async function submitHostileInputs({ memories, seed, meter, count }) {
  const session = new Session(memories);
  for (const number of numbers(0, ordinaryCount)) {
    const { person, input } = interactionOf(seed, number, { hasId: true });
    await memories.person(person).commit(input);
    session.expect(person, input.id, input);
  }
  await memories.settled();
  const random = new Random(`hostile ${seed}`);
  for (const number of numbers(0, count)) {
    const hostile = hostileInput(random.branch(number));
    await meter.measure(`input ${number}, ${hostile.door} of ${shorten(describeValue(hostile.value))}`, () =>
      session.submit(hostile, number),
    );
  }
  const { findings } = session;
  await meter.measure("settling", () => session.settle());
  await session.compare();
  return { acceptedCount: session.acceptedCount, refusedCount: session.refusedCount, findings };
}

class Session {
  acceptedCount = 0;
  refusedCount = 0;
  findings = [];
  #memories;
  /** What is to be there: by person, by id. */
  #expected = new Map();
  /** Who got something whose ids are not known, such as an import. */
  #unsure = new Set();

  constructor(memories) {
    this.#memories = memories;
  }

  expect(person, id, input) {
    const ids = this.#expected.get(person) ?? new Map();
    this.#expected.set(person, ids);
    // An id that is known already stays as it is.
    if (!ids.has(id)) ids.set(id, input);
  }

  async submit({ door, person, value, options }, number) {
    try {
      const memory = this.#memories.person(person);
      await this[`_${door}`](memory, person, value, options);
      this.acceptedCount++;
    } catch (error) {
      const { isOurs, message } = describeError(error);
      if (isOurs) this.refusedCount++;
      else
        this.findings.push(finding("raw", `input ${number}, ${door} of ${shorten(describeValue(value))}: ${message}`));
    }
    if ({}.polluted !== undefined) {
      this.findings.push(finding("silent", `input ${number}, ${door}, changed every object`));
      delete Object.prototype.polluted;
    }
  }

  async _commit(memory, person, value) {
    const { id } = await memory.commit(value);
    this.expect(person, id, value);
  }

  async _recall(memory, _person, value, options) {
    const { context, memories } = await memory.recall(value, options);
    if (typeof context !== "string" || !Array.isArray(memories)) throw new TypeError("recall returned no recall");
  }

  async _talk(memory, person, turn, options) {
    const conversation = await memory.conversation(options);
    const { who, text } = turn;
    await conversation.add(turn);
    const known = this.#expected.get(person)?.get(conversation.id);
    const turns = [...(known?.turns ?? []), { who, text }];
    this.#expected.get(person)?.delete(conversation.id);
    this.expect(person, conversation.id, {
      ...(options.state === undefined ? {} : { state: options.state }),
      ...known,
      turns,
    });
  }

  async _import(memory, person, value) {
    this.#unsure.add(person);
    await memory.import(value);
  }

  _forget(memory, _person, value) {
    return memory.forget(value);
  }

  _get(memory, _person, value) {
    return memory.get(value);
  }

  _restore(memory, _person, value) {
    return memory.restore(value);
  }

  async settle() {
    try {
      await this.#memories.settled();
    } catch (error) {
      const { isOurs, message } = describeError(error);
      this.findings.push(finding(isOurs ? "unusable" : "raw", `settling: ${message}`));
    }
  }

  async compare() {
    const persons = new Set(await this.#memories.persons());
    for (const [person, ids] of this.#expected) {
      if (!persons.has(person)) this.findings.push(finding("lost", `everything of ${shorten(person)}`));
      else await this.#comparePerson(person, ids);
    }
    for (const person of persons) {
      if (!this.#expected.has(person) && !this.#unsure.has(person)) {
        this.findings.push(finding("silent", `nobody submitted for ${shorten(person)}`));
      }
    }
  }

  async #comparePerson(person, ids) {
    const memory = this.#memories.person(person);
    const history = await memory.history();
    for (const [id, input] of ids) {
      const items = history.filter((item) => item.id === id);
      if (items.length === 0) this.findings.push(finding("lost", `${shorten(id)} of ${shorten(person)}`));
      if (items.length > 1) this.findings.push(finding("doubled", `${shorten(id)} of ${shorten(person)}`));
      for (const item of items) {
        const difference = differenceOf({ input }, item);
        if (difference !== null) this.findings.push(finding("silent", `${shorten(id)}: ${difference}`));
      }
    }
    const surplus = history.filter(({ id }) => !ids.has(id));
    if (surplus.length > 0 && !this.#unsure.has(person)) {
      this.findings.push(
        finding("silent", `${surplus.length} more of ${shorten(person)}, such as ${shorten(surplus[0].id)}`),
      );
    }
    for (const problem of await memory.check()) this.findings.push(finding("silent", `${shorten(person)}: ${problem}`));
    for await (const line of memory.export()) JSON.parse(line);
  }
}

function describeValue(value) {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
