/** The records of the scenes, and what must hold of them in every reading. */

/** The bytes of a record follow from its id. */
export function bytesOf(id) {
  const length = 1 + ([...id].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1_500);
  return Buffer.from(id.repeat(Math.ceil(length / id.length)).slice(0, length));
}

/** Sentences about records that cannot all be there, or lack something. */
export function findContradictions(records) {
  const found = [];
  const pairs = records.filter(({ kind }) => kind === "pair");
  const halves = new Map();
  const numbers = [];
  for (const { id, bytes } of pairs) {
    if (!Buffer.from(bytes).equals(bytesOf(id))) found.push(`${id} has other bytes`);
    const [name, number, half] = id.split(".");
    halves.set(name, (halves.get(name) ?? "") + half);
    if (half === "a" && number !== "append") numbers.push(Number(number));
  }
  for (const [name, both] of halves) if (both !== "ab" && both !== "ba") found.push(`${name} is there as "${both}"`);
  const textOf = ({ bytes }) => Buffer.from(bytes).toString();
  const count = Number(records.filter(({ kind }) => kind === "count").map(textOf)[0] ?? 0);
  const expected = Array.from({ length: count }, (_, i) => i + 1);
  const sorted = numbers.sort((x, y) => x - y);
  if (sorted.join() !== expected.join()) found.push(`the counter is at ${count}, the pairs have ${sorted.join()}`);
  const tokens = records.filter(({ kind }) => kind === "token").map(textOf);
  if (tokens.join() !== (count === 0 ? "" : String(count))) found.push(`at ${count}, the tokens are ${tokens.join()}`);
  return found;
}
