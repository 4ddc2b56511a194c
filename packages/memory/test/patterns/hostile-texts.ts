/** Pieces that, repeated, make a pattern take long: of any kind, and what the pattern itself begins and goes on with. */
import type { AST } from "@eslint-community/regexpp";

const anyPieces = [
  "a",
  "aé",
  "e\u0301",
  "\u0301",
  "7",
  "7a",
  " ",
  "\n",
  "a ",
  "no ",
  "no was ",
  ", ",
  "’",
  '"',
  "([",
  ".",
  "?",
  "#",
  "/",
  ":",
];
const characters = ["a", " ", "7", "é", "A", ",", ".", "'", "\n", "/", "-", "#"];
const ownPieceMax = 60;

export interface Hostile {
  readonly prefix: string;
  readonly piece: string;
}

export function hostileTexts(pattern: AST.Pattern, flags: string): Hostile[] {
  const own = new Map<string, Hostile>();
  for (const alternative of pattern.alternatives) addPieces(alternative, flags, own);
  return [...anyPieces.map((piece) => ({ prefix: "", piece })), ...[...own.values()].slice(0, ownPieceMax)];
}

/** What each alternative may begin with and be, at any depth, in the shortest way; and what of it may be repeated. */
function addPieces(alternative: AST.Alternative, flags: string, found: Map<string, Hostile>): void {
  const add = (prefix: string, piece: string): void => {
    if (piece !== "") found.set(JSON.stringify([prefix, piece]), { prefix, piece });
  };
  let text = "";
  for (const element of alternative.elements) {
    const inner = unrepeated(element);
    const choices = "alternatives" in inner ? (inner.alternatives as readonly AST.Alternative[]) : [];
    for (const each of choices) addPieces(each, flags, found);
    if (element.type === "Quantifier" && element.max === Infinity) {
      for (const each of choices) add(text, examplesOf(each.elements, flags));
      if (choices.length === 0) add(text, exampleOf(inner, flags));
      add("", text + exampleOf(inner, flags));
    }
    text += exampleOf(inner, flags);
  }
  add("", text);
}

function examplesOf(elements: readonly AST.Element[], flags: string): string {
  return elements.map((each) => exampleOf(unrepeated(each), flags)).join("");
}

function unrepeated(element: AST.Element): Exclude<AST.Element, AST.Quantifier> {
  return element.type === "Quantifier" ? unrepeated(element.element) : element;
}

function exampleOf(element: Exclude<AST.Element, AST.Quantifier>, flags: string): string {
  if (element.type === "Assertion" || element.type === "Backreference") return "";
  if (element.type === "Character") return String.fromCodePoint(element.value);
  if ("alternatives" in element) {
    const [first] = element.alternatives as readonly AST.Alternative[];
    return examplesOf(first?.elements ?? [], flags);
  }
  const single = new RegExp(element.raw, flags.replaceAll(/[gy]/gu, ""));
  return characters.find((character) => single.test(character)) ?? "";
}
