/**
 * What the actors submit: the journey of the durability tests, each interaction with a mark of its own in its words. The
 * mark says which one it is, whatever id it got, and is what to look for in the bytes of a file.
 */
import { interactionAt, personAt } from "../../../memory/test/durability/laboratory.mjs";
import { Random } from "./random.mjs";

const longLength = 20_000;
const signs = ["Zoë", "漢字仮名", "🧠", "e\u0301", "שלום", "\u202eabc\u202c", "ﷺ", "\u{1d54f}", "\ufeff", "\\u0000"];

/** The interaction with a number: whose it is, its mark, and what to submit; the same for the same seed. */
export function interactionOf(seed, number, { hasId } = {}) {
  const random = new Random(`${seed} said ${number}`);
  const { id, ...told } = interactionAt(number);
  const mark = markOf(seed, number);
  const isNamed = random.chance(0.6);
  const ending = ` ${random.chance(0.15) ? `${random.pick(signs)} ` : ""}${mark}.${lengthen(random, told)}`;
  const input = { ...told, ...((hasId ?? isNamed) ? { id } : {}) };
  if (input.summary !== undefined) input.summary += ending;
  else input.turns = input.turns.with(0, { ...input.turns[0], text: input.turns[0].text + ending });
  return { number, mark, person: personAt(number), input };
}

/** What of an interaction has to be there again, and whose it is. */
export function contentOf({ person, input: { id, turns = [], summary = null, state = null, at } }) {
  return { person, ...(id === undefined ? {} : { id }), turns, summary, state, at };
}

/** Other words of an interaction, or of the correction of one. */
export function editOf(seed, number, version) {
  const place = new Random(`${seed} edit ${number} ${version}`).pick(["bakery", "garden", "staircase"]);
  return `Bronwen wrote, for the ${version + 1}. time, how the ${place} of ${markOf(seed, number)} was sold.`;
}

export function markOf(seed, number) {
  const scene = Math.floor(new Random(`${seed} mark`).unit() * 36 ** 6);
  return `q${scene.toString(36)}n${number}q`;
}

/** The marks of any scene in a text. */
export function marksIn(text) {
  return text.match(/q[0-9a-z]{1,6}n\d+q/gu) ?? [];
}

export function numbers(from, count) {
  return Array.from({ length: count }, (_, i) => from + i);
}

function lengthen(random, { summary }) {
  if (summary === undefined || !random.chance(0.06)) return "";
  return ` ${summary} `.repeat(Math.ceil(longLength / summary.length)).slice(0, random.between(2000, longLength));
}
