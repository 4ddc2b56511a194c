/**
 * Text as data for a language model, between two marks that nothing inside can imitate. What a model's template might
 * take for a control token, such as <|im_start|> or [INST], is broken by a blank: many servers read such tokens wherever
 * they stand.
 */

/** `<|`, `<tag>`, `</tag>`, `[TAG]` and `[/TAG]`: where the blank goes. */
const tokenStart = /<(?=[|｜]|\/?[\p{L}_][\p{L}\p{N}_▁:.-]{0,40}>)|\[(?=\/?[A-Z][A-Z_]{2,40}\])/gu;
const tokenEnd = /(?<=[|｜])(?=>)/gu;

/** Three of them are a mark; the wide and the small forms look the same to a model. */
const marks = { opening: /[<＜﹤]{3}/gu, closing: /[>＞﹥]{3}/gu };

/** `note` says what is inside, on the line of the first mark. */
export function fence(name: string, text: string, note = ""): string {
  return `<<<${name}${note}\n${defuse(text)}\n${name}>>>`;
}

/** Without marks of a fence and without control tokens; anything else stays as it is. */
export function defuse(text: string): string {
  return text
    .replaceAll(marks.opening, "‹‹‹")
    .replaceAll(marks.closing, "›››")
    .replaceAll(tokenStart, (found) => `${found} `)
    .replaceAll(tokenEnd, " ");
}
