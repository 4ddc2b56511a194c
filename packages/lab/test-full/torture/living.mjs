/** A life with everything that can be done to a memory, in random order: what the processes of several kinds of faults do. */
import { join } from "node:path";
import { markOf, numbers } from "./interactions.mjs";

/** Numbers of corrections and turns, apart from those of interactions; multiples of 6 keep the person. */
const correctionsFrom = 600;
const turnsFrom = 3000;
export const question = { person: "ada", question: "How was the garden?" };

const alone = ["edit", "correct", "prune", "forget", "talk", "backup", "export", "recall"];
const sequences = [...alone, "close open", "settle pin", "settle pin unpin", "settle prune restore"];

/** Interactions from a number on, each followed by deeds to one of those before. `name`: of this life's files. */
export function livingActs({ random, folder, seed }, { first, count, name }) {
  const known = [];
  let next = 0;
  const deeds = {
    edit: (number) => ["edit", { number, version: ++next }],
    correct: (number) => ["correct", { number: number + correctionsFrom, of: number }],
    prune: (number) => ["prune", { number, memoryCountMax: random.between(1, 6) }],
    talk() {
      const turns = turnsOf(seed, turnsFrom + (first + ++next) * 3, 3);
      return ["talk", { id: `talk ${name} ${next}`, person: "ada", turns, isEnded: random.chance(0.5) }];
    },
    backup: () => ["backup", { file: join(folder, `${name}-${++next}.db`) }],
    export: () => ["exportTo", { person: "ada", file: join(folder, `${name}-${++next}.jsonl`) }],
    recall: () => ["recall", question],
    forget(number) {
      known.splice(known.indexOf(number), 1);
      return ["forget", [number]];
    },
  };
  return numbers(first, count).flatMap((number) => {
    known.push(number);
    const one = random.pick(known);
    const names = random.pick(sequences).split(" ");
    return [["commit", { number }], ...names.map((each) => deeds[each]?.(one) ?? [each, one])];
  });
}

export function turnsOf(seed, first, count) {
  return numbers(first, count).map((number) => ({
    number,
    who: number % 2 === 0 ? "user" : "assistant",
    text: `Sentence about the garden of plums, ${markOf(seed, number)}.`,
  }));
}
