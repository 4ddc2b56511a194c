/**
 * Which facts a new memory says are over, by its words: "she had given up melatonin", "amlodipine was stopped". An end seldom
 * lasts in the judge's eyes, so that it is no fact itself and is compared with none; what it ends must not be said all the
 * same. All that is said to have ended has to be in the fact, of the same person.
 */
import type { MemoryNode } from "../../core/graph/memory-node.js";
import type { TermStatistics } from "../../core/text/keywords.js";
import { splitSentences } from "../../core/text/sentences.js";
import { isNumberWord, splitTerms, splitWords } from "../../core/text/words.js";
import { areRelativesShared, tellsEndOf } from "../commitment/ends.js";
import { aboutSelf, wordPattern } from "../commitment/own-words.js";
import { assistantPrefix } from "../commitment/relations.js";
import { embeddedText } from "../commitment/statements.js";
import type { ChangedFact } from "./changed-facts.js";
import { type CoreFact, keyOf, termsOf } from "./core-fact.js";
import { isMainName, memoryCountMin, noNames } from "./standing-alone.js";

const doing = "(?: (?:taking|using|wearing|having|doing|drinking|eating|playing|going to|with|on))?";
const ending = `(?:stopped|gave up|given up|quit|came off|come off|dropped|ditched|cancell?ed|done with|finished)${doing}`;
const noLonger = "no longer (?:on|in|at|\\p{L}+)|no more";
/** What has ended follows, up to where something else is said. */
const active = wordPattern(`(?:${ending}|${noLonger}) (?<ended>[^.;:!?\\n]+)`);
/** What has ended comes before, from where the clause begins. */
const passive =
  / (?:was|were|is|are|(?:has|have|had) been) (?:also |then |now )?(?:stopped|discontinued|withdrawn|cancell?ed|sold|over|given up|dropped|taken off|ended)(?![\p{L}\p{N}])/giu;
const beyond =
  /(?:[,(]|(?<!\p{L})(?:because|since|after|before|for|in|on|at|when|while|until|due|to|from|by|as|and|but|so|although|which|who|that|with|last|this|next|yesterday|\p{L}+day|altogether|completely)(?!\p{L}))/iu;
/** What nobody has done yet, or will take up again, has not ended. */
const hedged =
  /(?<![\p{L}\p{N}_])(?:never|not|\p{L}+n['’]t|if|would|should|might|may|could|wants?|wanted|wanna|plans?|planned|try|trying|tried|hopes?|almost|nearly|briefly|temporarily|until|today|tonight|for (?:a|an|one|two|three|a few|\d+) \p{L}+)\b/iu;
/** Words that go with many things, and units. */
const common = new Set(
  splitTerms("tablets pills dose doses medicine drug mg mcg ml units daily day week morning evening night time"),
);
const endedWordCountMax = 5;

/** By the keys of the facts that are over; those that are fixed or warn of something stay. */
export function findEndedFacts(
  node: MemoryNode,
  facts: readonly CoreFact[],
  memories: TermStatistics,
): Map<string, ChangedFact> {
  const ended = new Map<string, ChangedFact>();
  const open = facts.filter(
    ({ isPinned, area, sourceId, toldMs }) =>
      !isPinned && area !== "alert" && sourceId !== node.id && toldMs <= node.initMs,
  );
  if (open.length === 0) return ended;
  for (const sentence of sentencesOf(node)) {
    for (const terms of readEndedThings(sentence)) {
      const over = open.filter((fact) => isOver(fact, terms, sentence, memories));
      for (const fact of over) ended.set(keyOf(fact), { byId: node.id, byText: sentence, isSure: true });
    }
  }
  return ended;
}

function sentencesOf({ summaryText, statements }: MemoryNode): string[] {
  const told = statements.filter((statement) => !statement.startsWith(assistantPrefix));
  return [...new Set([summaryText, ...told].flatMap((text) => splitSentences(embeddedText(text))))];
}

/** The terms of each thing that a sentence says is over. */
export function readEndedThings(sentence: string): string[][] {
  const found = [
    ...[...sentence.matchAll(active)].map((match) => match.groups!["ended"]!.split(beyond)[0]!),
    ...clausesBefore(sentence, passive).map((clause) => clause.split(beyond).at(-1)!),
  ];
  return found.flatMap((words) => {
    const terms = splitTerms(words).filter((term) => !common.has(term) && !isNumberWord(term));
    return terms.length === 0 || splitWords(words).length > endedWordCountMax ? [] : [terms];
  });
}

/** What comes before each match, in its clause. A pattern that began with the clause would be tried at every word of it. */
function clausesBefore(sentence: string, pattern: RegExp): string[] {
  let start = 0;
  return [...sentence.matchAll(pattern)].map(({ index, 0: words }) => {
    const before = sentence.slice(start, index);
    start = index + words.length;
    return before.split(/[.;:!?\n]/u).at(-1)!;
  });
}

function isOver(fact: CoreFact, terms: readonly string[], sentence: string, memories: TermStatistics): boolean {
  const isNamed = terms.every((term) => termsOf(fact).has(term));
  if (!isNamed || hedged.test(sentence) || !tellsEndOf(fact.text, sentence)) return false;
  return areRelativesShared(fact.text, sentence) && areNamesShared(fact.text, sentence, terms, memories);
}

/** Whoever else the sentence names must be in the fact. */
function areNamesShared(fact: string, sentence: string, ended: readonly string[], memories: TermStatistics): boolean {
  const known = new Set([...splitTerms(fact), ...ended]);
  const names = splitWords(sentence).filter((word) => /^\p{Lu}\p{Ll}+/u.test(word) && !noNames.has(word.toLowerCase()));
  const others = names.filter((name) => !splitTerms(name).every((term) => known.has(term)));
  // Who speaks of themselves is the main person; with few memories any other name might be.
  const isOwn = aboutSelf.test(fact) && memories.documentCount < memoryCountMin;
  return others.every((name) => !isOwn && isMainName(name, memories));
}
