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
const ownPieceMax = 40;

export function hostilePieces(pattern: AST.Pattern, flags: string): string[] {
  const own = new Set<string>();
  for (const alternative of pattern.alternatives) addPieces(alternative, flags, own);
  return [...new Set([...anyPieces, ...[...own].slice(0, ownPieceMax)])];
}

/** What each alternative may begin with and be, at any depth, in the shortest way. */
function addPieces(alternative: AST.Alternative, flags: string, pieces: Set<string>): void {
  let text = "";
  for (const element of alternative.elements) {
    const inner = unrepeated(element);
    if ("alternatives" in inner)
      for (const each of inner.alternatives) addPieces(each as AST.Alternative, flags, pieces);
    text += exampleOf(inner, flags);
    if (element.type === "Quantifier" && element.max === Infinity && text !== "") pieces.add(text);
  }
  if (text !== "") pieces.add(text);
}

function unrepeated(element: AST.Element): Exclude<AST.Element, AST.Quantifier> {
  return element.type === "Quantifier" ? unrepeated(element.element) : element;
}

function exampleOf(element: Exclude<AST.Element, AST.Quantifier>, flags: string): string {
  if (element.type === "Assertion" || element.type === "Backreference") return "";
  if (element.type === "Character") return String.fromCodePoint(element.value);
  if ("alternatives" in element) {
    const [first] = element.alternatives as readonly AST.Alternative[];
    return (first?.elements ?? []).map((each) => exampleOf(unrepeated(each), flags)).join("");
  }
  const single = new RegExp(element.raw, flags.replaceAll(/[gy]/gu, ""));
  return characters.find((character) => single.test(character)) ?? "";
}
