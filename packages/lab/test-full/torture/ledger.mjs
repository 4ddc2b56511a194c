/**
 * What may be there: everything that the actors began and what was acknowledged of it, with the times. Each interaction is
 * known by its mark and has three registers: its content (null once it is forgotten), whether it is pinned, and whether it
 * was restored. What was acknowledged last holds, or anything that began after it and was never acknowledged.
 */
export class Ledger {
  /** By mark and register, in the order in which they began. */
  #marks = new Map();
  #attempts = new Map();
  /** Marks that were acknowledged in any way. */
  acknowledged = new Set();

  /** `attempt` names it; `ms`: when it began. */
  begin({ attempt, mark, register, value }, ms) {
    if (this.#attempts.has(attempt)) return;
    const one = { mark, value, ms, acknowledgedMs: Infinity };
    this.#attempts.set(attempt, one);
    const registers = this.#marks.get(mark) ?? { content: [], pinned: [], restored: [] };
    this.#marks.set(mark, registers);
    registers[register].push(one);
    registers[register].sort((x, y) => x.ms - y.ms);
  }

  acknowledge(attempt, ms) {
    const one = this.#attempts.get(attempt);
    one.acknowledgedMs = ms;
    this.acknowledged.add(one.mark);
  }

  /** Each interaction with what a reading that began at a time may find of it. */
  expected(ms = Infinity) {
    return [...this.#marks].map(([mark, { content, pinned, restored }]) => ({
      mark,
      contents: possible(content, null, ms),
      // Each way of becoming or ceasing to be a memory may take a pin away.
      pinned: restored.length > 0 ? [true, false] : possible(pinned, false, ms),
      restored: possible(restored, false, ms),
    }));
  }

  /** Marks that were certainly forgotten by a time. */
  forgotten(ms) {
    return this.expected(ms)
      .filter(({ mark, contents }) => contents.every((content) => content === null) && this.acknowledged.has(mark))
      .map(({ mark }) => mark);
  }
}

function possible(attempts, initial, ms) {
  const last = attempts.findLastIndex(({ acknowledgedMs }) => acknowledgedMs < ms);
  const values = attempts.slice(Math.max(0, last)).map(({ value }) => value);
  return last === -1 ? [initial, ...values] : values;
}
