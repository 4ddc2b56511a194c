/**
 * Sentences that talk to the model instead of about the person: "ignore all previous instructions", role tags, a new
 * role for the assistant. They stay memories, but never become part of what is known about the person. How somebody
 * wants to be treated is not one of them: "call me Max", "always reply in British English", "remind me to call Bob".
 */
import { splitSentences } from "../text/sentences.js";
import { toPlainLine } from "../text/quotation.js";

const drop = "(?:ignore|disregard|forget|override|bypass)";
const before = "(?:previous|prior|above|earlier|preceding|foregoing|system|initial|original)";
const orders =
  "(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|commands?|messages?|restrictions?|guardrails?|context)";
const filler = `(?:(?:all|any|every|of|the|these|those|your|my|our|its|safety|content|and|or|${before}) ){0,6}`;
/** Where an order begins: with a clause, or after a word that introduces it. */
const start = "(?:^|[^\\p{L}\\p{N}\\s'’] ?|\\b(?:please|now|then|must|just|simply|you) )";
const machine =
  "(?:ai|llm|language model|chatbot|bot|assistant(?= ?(?:[.,;:!?]|$| (?:that|who|with|without|named|called)\\b)))";
const guise = "(?:dan|jailbroken|unrestricted|uncensored|unfiltered|in (?:developer|god|dan) mode|root)";
const some = "(?:\\p{L}+ ){0,4}";

const patterns: readonly RegExp[] = [
  `\\b${drop} ${filler}${before} ${filler}${orders}\\b`,
  `${start}${drop} ${filler}(?:${orders}|your (?:training|programming))\\b`,
  `${start}${drop} (?:everything|all|anything|what) (?:above|before|you|that came)\\b`,
  `${start}(?:do not|don['’]t|never|stop) (?:follow|obey|heed)(?:ing)? ${filler}${orders}\\b`,
  `\\b(?:follow|obey|execute) ${filler}(?:new|following|hidden|secret) ${orders}\\b`,
  `\\bnew (?:system )?(?:instructions?|prompt|orders|rules) ?[:.!]`,
  `\\byou(?: are|['’]re) (?:(?:now|no longer|actually) )?${some}(?:${machine}|${guise})\\b`,
  `\\b(?:act|behave|respond|answer|reply) (?:as|like) (?:if you were )?${some}(?:${machine}|${guise})\\b`,
  `\\bpretend (?:to be|that you are|you are|you['’]re) ${some}(?:${machine}|${guise})\\b`,
  "(?<!\\b(?:my|her|his|our|their|your) )\\b(?:ai|llm|language model|chatbot|assistant) (?:must|shall)\\b",
  `\\b(?:reveal|print|show|repeat|output|leak|display|disclose|tell|send) ${some}(?:system prompt|hidden prompt|initial prompt|your (?:instructions|prompt|guidelines))\\b`,
  "\\bsystem (?:prompt|override)\\b|\\b(?:god|dan|jailbreak) mode\\b|\\bdo anything now\\b|\\bjailbr(?:eak|oken)\\b",
  "\\b(?:end|start|begin) (?:of )?(?:the )?(?:system|prompt|context|memory|memories|instructions?|input)\\b ?[-=>\\])#*:]",
  // Roles and tags, as templates write them.
  "^\\P{L}*(?:system|developer|admin(?:istrator)?|root)\\b[^:.!?]{0,60}:",
  "(?<!#)#{2,} ?(?:new )?(?:instructions?|system|response|human|user|assistant|input|prompt)\\b",
  "< ?[|｜]|[|｜] ?>|< ?/?(?:s|bos|eos|system|user|assistant|human|instructions?|prompt|start_of_turn|end_of_turn|think|tool_call) ?>|<< ?/?SYS",
  // A tag may have lost its start where a sentence ended.
  "\\b(?:INST|SYS|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS) ?\\]|\\[ ?/?SYSTEM ?\\]",
  "[\"'“]role[\"'”] ?:",
  "(?:<<<|‹‹‹) ?[A-Z]|[A-Z] ?(?:>>>|›››)",
].map((pattern) => new RegExp(pattern, "iu"));

export function isInstruction(sentence: string): boolean {
  const line = toPlainLine(sentence.normalize("NFKC"));
  return patterns.some((pattern) => pattern.test(line));
}

/** A text without such sentences; as it is if it has none. */
export function withoutInstructions(text: string): string {
  const sentences = splitSentences(text);
  const kept = sentences.filter((sentence) => !isInstruction(sentence));
  return kept.length === sentences.length ? text : kept.join(" ");
}
