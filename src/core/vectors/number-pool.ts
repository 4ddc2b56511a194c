/**
 * Long lists of numbers that a scan over all memories needs for a moment. They are used again, so that a question
 * allocates nothing that grows with the memories.
 */

/** Room for more memories, so that the next few do not make every kept list too short. */
const spareShare = 0.25;
const idleCountMax = 8;

export class NumberPool {
  readonly #idle: Float64Array[] = [];

  /** A list with whatever numbers are in it; one that is never given back is garbage as any other. */
  take(length: number): Float64Array {
    const idle = this.#idle.pop();
    const whole = idle !== undefined && idle.length >= length ? idle : new Float64Array(withSpare(length));
    return whole.subarray(0, length);
  }

  /** The caller does not touch the lists any more. */
  giveBack(...lists: readonly Float64Array[]): void {
    for (const { buffer } of lists) if (this.#idle.length < idleCountMax) this.#idle.push(new Float64Array(buffer));
  }
}

function withSpare(length: number): number {
  return length + Math.ceil(length * spareShare);
}
