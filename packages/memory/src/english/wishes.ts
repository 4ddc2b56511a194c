/**
 * What people ask a memory in so many words: to remember something, which is kept whatever a filter thinks, and to forget
 * something, which is held back at once.
 */
const remembering: readonly RegExp[] = [
  /(?:^|[.!?;:,\n]\s{0,3}|\b(?:please|pls|also|and|so|just|to|must|should|need you to|want you to|could you|can you|would you) )(?:remember|memori[sz]e|note|jot down|write down|keep in mind|bear in mind|don['’]?t (?:ever )?forget|do not forget|never forget)\b(?! me\b)/iu,
  /\b(?:make|take|keep) (?:a )?(?:mental )?note\b/iu,
  /\b(?:for (?:the record|future reference|your (?:records|information|memory))|for next time|from now on|going forward|in future|save (?:this|that) for)\b/iu,
  /\b(?:fyi|nb)\b/iu,
];

export function isWishToRemember(text: string): boolean {
  return remembering.some((wish) => wish.test(text));
}

export interface ForgetWish {
  /** What it names; null for what stands beside it: "forget what I just said", "don't remember this". */
  readonly topic: string | null;
}

const polite =
  "(?:(?:can|could|would|will) you |i(?:['’]d| would) (?:like|want|prefer)(?: for)? you to |i (?:want|need) you to |you (?:can|should|must|may) )";
const start = `(?:^|[.!?;:,\\n–—-]\\s{0,3}|\\b(?:please|pls|plz|also|and|so|just|now|actually|ok|okay|hey|oh)[ ,]+|${polite}(?:please |just )?)`;
const drop = "(?:forget|delete|erase|remove|wipe|unlearn|disregard)";
const told =
  "(?:(?:i|i['’]ve|ive|we) (?:(?:just|ever|have|had) )*(?:said|told|tell|mentioned|shared|wrote|typed)(?: (?:to )?(?:you|u))?)";
const memory = "(?:from|in|out of) (?:your|the|my) (?:memory|memories|notes|records?|history)";
/** What names a topic after it. */
const topical: readonly RegExp[] = [
  new RegExp(
    `${start}${drop} (?:everything|anything|all|what(?:ever)?|that stuff|the (?:things?|stuff|part|bit)s?)(?: that)?,? ${told} (?:about|regarding|on|of|concerning) (?<topic>[^.!?\\n]+)`,
    "iu",
  ),
  new RegExp(
    `${start}${drop} (?:everything|anything|all|what you (?:know|have|remember)|(?:what|the (?:things?|stuff)) you (?:know|remember|stored|saved))(?: (?:you (?:know|have|remember|stored|saved)))? (?:about|on|regarding) (?<topic>[^.!?\\n]+)`,
    "iu",
  ),
  new RegExp(`${start}${drop} that ${told} (?<topic>(?!that\\b|this\\b|it\\b)[^.!?\\n]{4,})`, "iu"),
  new RegExp(
    `${start}(?:don['’]?t|do not|stop|never) (?:remember(?:ing)?|stor(?:e|ing)|sav(?:e|ing)|keep(?:ing)?|not(?:e|ing)|record(?:ing)?) (?:anything|what|everything|stuff)(?: (?:i (?:said|say|tell you|told you))?)? (?:about|regarding|on) (?<topic>[^.!?\\n]+)`,
    "iu",
  ),
  new RegExp(
    `${start}(?:delete|erase|remove|wipe|forget) (?:about )?(?<topic>(?:my|our|his|her|their|the) [^.!?\\n]{2,80}?)(?: ${memory})(?:[.!,;]|$)`,
    "iu",
  ),
];
/** What means the words around it. */
const deictic: readonly RegExp[] = [
  new RegExp(
    `${start}${drop} (?:that |what |everything |anything )?${told}(?: (?:that|this|it|anything|so|above|before|earlier|just now))*(?:[.!?,;]|$)`,
    "iu",
  ),
  new RegExp(
    `${start}(?:don['’]?t|do not|never) (?:remember|store|save|keep|record|memori[sz]e|write down|write(?= (?:this|that|it) down)|note)(?: down)? (?:this|that|it|any of (?:this|that|it)|what i (?:just )?(?:said|told you))(?: (?:down|please|pls|anywhere|one|bit|part|conversation|chat|message|in your memory|ok|okay|though))*(?:[.!,;]|$)`,
    "iu",
  ),
  new RegExp(
    `${start}(?:off the record|(?:delete|erase|wipe|remove) (?:this|that|it)(?: (?:${memory}|please))+)`,
    "iu",
  ),
];
const topicEnd =
  /[,;]|(?<!\s)\s+(?:please|pls|ok|okay|thanks|thank you|will you|would you|and (?:don['’]?t|never|please))\b/iu;

const contrary = /\b(?:don['’]?t|do not|never|won['’]?t|can['’]?t|cannot) (?:you )?(?:ever )?forget\b/iu;
const asked = /^(?:how|what|why|when|where|who|which|did|do(?! not\b)|does|is|are|was|were|have|has|should|if)\b/iu;

/** Null for anything else; "don't forget" asks for the contrary. */
export function readForgetWish(text: string): ForgetWish | null {
  if (contrary.test(text) || asked.test(text.trim())) return null;
  for (const wish of topical) {
    const topic = wish.exec(text)?.groups?.["topic"]?.split(topicEnd)[0]?.trim();
    if (topic !== undefined && topic !== "") return { topic };
  }
  return deictic.some((wish) => wish.test(text)) ? { topic: null } : null;
}
