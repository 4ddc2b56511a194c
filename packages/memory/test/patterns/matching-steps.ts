/**
 * How many steps a backtracking engine takes to find all matches of a pattern in a text: a small one that counts, so that a
 * test of speed needs no clock. The static analysis knows texts of one repeated character; this one is shown any.
 */
import { type AST, RegExpParser } from "@eslint-community/regexpp";

type Next = (at: number) => boolean;
/** Tries to match at a place, and what follows after it. */
type Matcher = (at: number, next: Next) => boolean;

export function parsePattern(source: string, flags: string): AST.Pattern {
  return new RegExpParser().parsePattern(source, 0, source.length, { unicode: flags.includes("u") });
}

/** At most `stepMax`. */
export function countSteps(pattern: AST.Pattern, flags: string, text: string, stepMax: number): number {
  const engine = new CountingEngine(flags, text, stepMax);
  const match = engine.anyOf(pattern.alternatives, 1);
  for (let start = 0; start <= text.length && engine.steps < stepMax;) {
    let end = -1;
    match(start, (at) => ((end = at), true));
    if (end <= start && flags.includes("y")) break;
    start = end > start ? end : start + 1;
  }
  return engine.steps;
}

class CountingEngine {
  steps = 0;
  readonly #flags: string;
  readonly #text: string;
  readonly #stepMax: number;
  readonly #captures = new Map<AST.CapturingGroup, string>();

  constructor(flags: string, text: string, stepMax: number) {
    this.#flags = flags.replaceAll(/[gydm]/gu, "");
    this.#text = text;
    this.#stepMax = stepMax;
  }

  /** `direction` is -1 within a look behind. */
  anyOf(alternatives: readonly AST.Alternative[], direction: 1 | -1): Matcher {
    const matchers = alternatives.map(({ elements }) => this.#inOrder(elements, direction));
    return (at, next) => matchers.some((matcher) => matcher(at, next));
  }

  #inOrder(elements: readonly AST.Element[], direction: 1 | -1): Matcher {
    const matchers = elements.map((element) => this.#one(element, direction));
    const ordered = direction === 1 ? matchers : matchers.toReversed();
    return ordered.reduceRight<Matcher>(
      (rest, matcher) => (at, next) => matcher(at, (after) => rest(after, next)),
      (at, next) => next(at),
    );
  }

  #one(element: AST.Element, direction: 1 | -1): Matcher {
    if (element.type === "Group") return this.anyOf(element.alternatives, direction);
    if (element.type === "CapturingGroup") return this.#captured(element, direction);
    if (element.type === "Assertion") return this.#asserted(element);
    if (element.type === "Quantifier") return this.#repeated(element, direction);
    if (element.type === "Backreference") return this.#again(element, direction);
    return this.#character(element.raw, direction);
  }

  #character(raw: string, direction: 1 | -1): Matcher {
    const single = new RegExp(`^(?:${raw})$`, this.#flags);
    const known = new Map<string, boolean>();
    return (at, next) => {
      if (++this.steps > this.#stepMax) return false;
      const character = this.#text[direction === 1 ? at : at - 1];
      if (character === undefined) return false;
      let isMatch = known.get(character);
      if (isMatch === undefined) known.set(character, (isMatch = single.test(character)));
      return isMatch && next(at + direction);
    };
  }

  #captured(group: AST.CapturingGroup, direction: 1 | -1): Matcher {
    const matcher = this.anyOf(group.alternatives, direction);
    return (at, next) =>
      matcher(at, (after) => {
        this.#captures.set(group, this.#text.slice(Math.min(at, after), Math.max(at, after)));
        return next(after);
      });
  }

  #again({ resolved }: AST.Backreference, direction: 1 | -1): Matcher {
    return (at, next) => {
      const captured = this.#captures.get(Array.isArray(resolved) ? resolved[0]! : resolved) ?? "";
      this.steps += captured.length;
      const start = direction === 1 ? at : at - captured.length;
      return this.#text.startsWith(captured, start) && next(at + direction * captured.length);
    };
  }

  #asserted(assertion: AST.Assertion): Matcher {
    if (assertion.kind === "lookahead" || assertion.kind === "lookbehind") {
      const matcher = this.anyOf(assertion.alternatives, assertion.kind === "lookahead" ? 1 : -1);
      return (at, next) => matcher(at, () => true) !== assertion.negate && next(at);
    }
    const isWord = (at: number): boolean => /\w/u.test(this.#text[at] ?? "");
    return (at, next) => {
      this.steps++;
      if (assertion.kind === "word") return (isWord(at) !== isWord(at - 1)) !== assertion.negate && next(at);
      return at === (assertion.kind === "start" ? 0 : this.#text.length) && next(at);
    };
  }

  #repeated({ element, min, max, greedy }: AST.Quantifier, direction: 1 | -1): Matcher {
    const matcher = this.#one(element, direction);
    const repeat = (at: number, count: number, next: Next): boolean => {
      const more = (): boolean =>
        count < max && matcher(at, (after) => (after !== at || count < min) && repeat(after, count + 1, next));
      if (count < min) return more();
      return greedy ? more() || next(at) : next(at) || more();
    };
    return (at, next) => repeat(at, 0, next);
  }
}
