/** What a run does, from its seed alone: the scenarios in their order, as long as there is time for them. */

/** Scenarios of a kind go through its stores; rounds go through all stores of all kinds. */
export function* planOf(kinds, seed) {
  for (let round = 0; ; round++) {
    const widest = Math.max(...kinds.map(({ stores }) => stores.length));
    for (let turn = 0; turn < widest; turn++) {
      for (const kind of kinds) {
        if (turn < kind.stores.length) yield scenarioOf(kind, seed, round * kind.stores.length + turn);
      }
    }
  }
}

/** The seed of a scenario names the run's and its number: "1.17". */
export function scenarioOf(kind, seed, number) {
  return {
    kind: kind.kind,
    store: kind.stores[number % kind.stores.length],
    seed: `${seed}.${number}`,
    number,
    play: kind,
  };
}

/** "1.17" is one scenario, "1" all of them. */
export function parseSeed(text) {
  const [, seed, number] = /^(\d+)(?:\.(\d+))?$/u.exec(text) ?? [];
  if (seed === undefined)
    throw new RangeError(`--seed is ${text}; it must be a number such as 1, or 1.17 for one scenario`);
  return { seed, number: number === undefined ? null : Number(number) };
}
