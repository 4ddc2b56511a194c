/** Parameters by what they steer, for whoever shows them to people: the command line and the inspector. */
import { parameterDefinitions } from "./parameter-definitions.js";
import type { ParameterName } from "./parameters.js";

export interface ParameterGroup {
  readonly title: string;
  /** Where it comes from, in the paper or in the design. */
  readonly source: string;
  readonly names: readonly ParameterName[];
}

const otherTitle = "Other";

/** In the order in which a text meets them: the first that fits a name has it. */
const patterns: readonly (readonly [title: string, source: string, names: RegExp])[] = [
  ["What is kept", "substance filter; Algorithm B1", /^substance/u],
  [
    "What counts as said before",
    "redundancy and rewind; 3.1.1, Equation 1",
    /^redundancy|^temporalBonus|^rewind|^replaced|^repetition/u,
  ],
  ["What makes something outdated", "updates", /^relation|^update|^shownMemory/u],
  [
    "What a memory is made of",
    "summary, keywords, cues, edges; 3.1",
    /^edge|^keyword|^degree|^statementCount|^summary/u,
  ],
  ["When a question is about", "time in the question", /^questionTime/u],
  ["How the words of a question count", "lexical index and late interaction", /^lexical|^token/u],
  ["Where a recall starts", "start nodes; 3.2, Algorithm B3", /^meta|^statement|^questionWeight|^candidate|^start/u],
  ["How far a recall goes", "traversal and decay; Equation 2", /^exploration|^traversal|^recallNode|^decay/u],
  ["Whether an answer is known", "confidence", /^answerable/u],
  ["What enters the context", "formatted context; section 3", /^coreShare|^contextToken/u],
  ["What lasts", "core summary; 3.3", /^coreSummary|^cluster|^critical|^central|^lasting/u],
  ["The language model", "if there is one", /^model/u],
  ["Limits and pruning", "section 3.2", /Max$|^history|^queueLease|^futureTolerance/u],
];

export const parameterGroups: readonly ParameterGroup[] = [...patterns, [otherTitle, "", /^/u] as const]
  .map(([title, source]) => ({ title, source, names: namesOf(title) }))
  .filter(({ names }) => names.length > 0);

function namesOf(title: string): ParameterName[] {
  const titleOf = (name: string): string => patterns.find(([, , names]) => names.test(name))?.[0] ?? otherTitle;
  return (Object.keys(parameterDefinitions) as ParameterName[]).filter((name) => titleOf(name) === title);
}
