/** Whether somebody asks in so many words to have something remembered. Such a wish is kept whatever a filter thinks. */

const wishes: readonly RegExp[] = [
  /(?:^|[.!?;:,\n]\s{0,3}|\b(?:please|pls|also|and|so|just|to|must|should|need you to|want you to|could you|can you|would you) )(?:remember|memori[sz]e|note|jot down|write down|keep in mind|bear in mind|don['’]?t (?:ever )?forget|do not forget|never forget)\b(?! me\b)/iu,
  /\b(?:make|take|keep) (?:a )?(?:mental )?note\b/iu,
  /\b(?:for (?:the record|future reference|your (?:records|information|memory))|for next time|from now on|going forward|in future|save (?:this|that) for)\b/iu,
  /\b(?:fyi|nb)\b/iu,
];

export function isWishToRemember(text: string): boolean {
  return wishes.some((wish) => wish.test(text));
}
