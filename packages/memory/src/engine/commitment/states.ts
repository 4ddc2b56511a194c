/**
 * States of which a person has one at a time: a home, a job, a partner. People tell of their end without a word of what has
 * ended ("I moved to Porto", "I got fired", "we split up"), so that the two sentences have little in common. Words say which
 * pairs the judge is to compare, however unlike they are, and then it need not be sure.
 */
import { aboutUs, wordPattern } from "./own-words.js";
import type { Told } from "./warnings.js";

type StateEnd = "tells of a move" | "tells of a job's end" | "tells of a separation";

/** One that may have ended. */
export interface EndedState {
  readonly end: StateEnd;
  readonly isStated: (told: Told) => boolean;
  /** That the judge must give at least. Of a job it is seldom sure, and only has to exclude what is none. */
  readonly probabilityMin: number;
}

interface State extends EndedState {
  readonly ended: RegExp;
}

const lately = "(?: (?:just|finally|now|recently|both|all|also|officially|actually|sadly))?";
const living = /\b(?:i|we)(?:['’](?:m|re)| am| are)?(?: \p{L}+)? (?:live|living|stay|staying|based)\b/iu;
const moved = `(?:i|we)(?:['’]ve| have)?${lately} (?:moved|relocated) (?:to|into|back|in with)`;
const moving = wordPattern(moved, "iu");

const partners = wordPattern(
  "married|husband|wife|hubby|spouse|engaged|fianc[ée]e?|girlfriend|boyfriend|partner|civil partnership|(?:dating|seeing)",
  "iu",
);
const parted = [
  "(?:i|we)(?:['’](?:m|re|ve)| am| are| have| were)*(?: (?:now|just|finally|got|been|legally|officially))* " +
    "(?:divorced|separated|split(?: up)?|broke(?:n)? up|widowed|no longer together)",
  "(?:and i|and me)(?: have|['’]ve)?(?: just| finally)? (?:divorced|separated|split(?: up)?|broke(?:n)? up)",
  "(?:left|dumped|divorced) me(?= *(?:$|[.,;:!?]|for |after |and |when |because |last |this |in |on ))|broke up with me|i(?: have|['’]ve)?(?: just| finally)? (?:left|dumped|divorced) (?:him|her|my (?:husband|wife|partner|boyfriend|girlfriend))",
  "i(?: have|['’]ve)?(?: just| finally)? broke(?:n)? up with|called off the (?:wedding|engagement)|divorce (?:is|was|came) (?:final|through)",
];

const sacked = "(?:fired|sacked|let go|laid off|made redundant|dismissed)";
const jobEnds = [
  `i(?:['’]m|['’]ve| am| was| have| got| had)*(?: (?:just|been|now|officially|finally|recently))* ${sacked}(?! up)`,
  "(?:fired|sacked|dismissed) me|(?:laid me off|let me go|made me redundant)|lost (?:my|the) job|my (?:job|post|position) (?:is|was|has been|got) (?:gone|cut|axed|eliminated)",
  `i(?:['’]ve| have)?${lately} (?:quit|resigned|retired)(?= *(?:$|[.,;:!?)]|my job|my post|the job|from|last|yesterday|today|this|in|on|at|and|because|after|early|when|a (?:week|month|year)))`,
  "i(?:['’]m| am)(?: (?:now|officially|finally))? (?:retired|unemployed|jobless|out of work|between jobs)",
  "(?:handed|gave|put) in my notice|left (?:my|the|that) (?:job|company|firm|post)|stopped working|out of a job",
];

const jobEnd = wordPattern(jobEnds.join("|"), "iu");
const separation = wordPattern(parted.join("|"), "iu");

const states: readonly State[] = [
  {
    end: "tells of a move",
    isStated: ({ text }) => living.test(text) || moving.test(text),
    ended: moving,
    probabilityMin: 0.5,
  },
  {
    end: "tells of a job's end",
    // Whoever has told that it is over does not state it.
    isStated: ({ text, facts }) => isOf("work", facts) && aboutUs.test(text) && !jobEnd.test(text),
    ended: jobEnd,
    probabilityMin: 0.05,
  },
  {
    end: "tells of a separation",
    isStated: ({ text }) => partners.test(text) && aboutUs.test(text) && !separation.test(text),
    ended: separation,
    probabilityMin: 0.5,
  },
];

/** What nobody has done yet has not ended. */
const hedged = wordPattern(
  "if|might|may|could|would|should|wants?|wanted|wish|plan(?:s|ned|ning)?|hop(?:e|es|ing)|think(?:ing)? (?:of|about)|" +
    "nearly|almost|afraid|fear|worr(?:y|ied)|dream(?:t|ed)?|not|never|\\p{L}+n['’]t|will|['’]ll|going to",
  "iu",
);

function isOf(area: string, facts: Told["facts"]): boolean {
  return facts?.some((fact) => fact.area === area) ?? false;
}

/** Which of a person's states a text says is over; null if none. */
export function findEndedState(text: string): EndedState | null {
  // "May" is a month.
  if (hedged.test(text.replaceAll("May", ""))) return null;
  return findMove(text) ?? states.find(({ ended }) => ended.test(text)) ?? null;
}

const whoever = "(?<who>[Ii]|[Ww]e|[Mm]y \\p{L}+|\\p{Lu}\\p{L}+)";
const place = "(?<place>\\p{Lu}[\\p{L}'’-]*(?: \\p{Lu}[\\p{L}'’-]*){0,3})";
const after = " *(?:$|[.,;:!?()–—-]|\\n|(?:for|in|with|last|this|and|because|to|on|after|when|two|three|a)(?!\\p{L}))";
const movedToPlace = new RegExp(
  `(?<!\\p{L})${whoever}(?:['’](?:ve|s)| have| has)?${lately} (?:moved|relocated) (?:back )?to ${place}(?=${after})`,
  "u",
);
const pronoun = /^(?:he|she|they|it|that|this|you|who)$/iu;
/** A move of long ago may have been followed by others. */
const longAgo = wordPattern(
  "(?:19|20)\\d\\d|years? ago|when (?:i|we) (?:was|were)|as a (?:child|kid|teenager|student)|originally|at first|used to|before",
  "iu",
);

/** Whoever moves to another place by its name has left the one before, whatever the judge says: "Ada moved to Porto". */
function findMove(text: string): EndedState | null {
  const { who, place: there } = movedToPlace.exec(text)?.groups ?? {};
  if (who === undefined || there === undefined || pronoun.test(who) || longAgo.test(text)) return null;
  const isOwn = /^(?:i|we)$/iu.test(who);
  const lives = wordPattern(
    `${who}(?:['’]s| is| has)?(?: \\p{L}+)? (?:lives|living|stays|staying|based|moved|relocated)`,
    "iu",
  );
  return {
    end: "tells of a move",
    isStated: ({ text: older }) =>
      !older.includes(there) && (isOwn ? living.test(older) || moving.test(older) : lives.test(older)),
    probabilityMin: 0,
  };
}

/** Whether it is the reason for a pair that has little in common. */
export function isStateEnd(reason: string | undefined): boolean {
  return states.some(({ end }) => end === reason);
}
