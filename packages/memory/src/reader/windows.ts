/**
 * Windows: statements of one turn that follow each other, after the words before them. The encoder reads a window in one
 * pass, so that each statement's vector and reading know the talk around it, and a commit reads every word about once.
 */
import type { Statement } from "../graph/statement.js";
import type { TalkWindow } from "../ports/embedder.js";
import { embeddedText } from "./cut.js";

type Told = Pick<Statement, "turn" | "who" | "text" | "asked" | "kind">;

/** A window is about as long as the longest that the encoder was trained on. */
const lengthMax = 480;
const statementCountMax = 12;
const beforeWordCount = 24;

/** The windows of statements in the order in which they were said; together they have one text for each statement. */
export function cutWindows(statements: readonly Told[]): TalkWindow[] {
  const windows: { before: string | null; isAnswer: boolean; texts: string[]; length: number; last: Told }[] = [];
  for (const [i, statement] of statements.entries()) {
    const text = embeddedText({ ...statement, asked: null });
    const open = windows.at(-1);
    if (open !== undefined && continues(open, statement) && open.length + text.length <= lengthMax) {
      open.texts.push(text);
      open.length += text.length;
      open.last = statement;
    } else {
      const { asked } = statement;
      const before = asked ?? lastWords(statements.slice(0, i), statement);
      windows.push({ before, isAnswer: asked !== null, texts: [text], length: text.length, last: statement });
    }
  }
  return windows.map(({ before, isAnswer, texts }) => ({ before, isAnswer, texts }));
}

function continues({ last, texts }: { last: Told; texts: readonly string[] }, { turn, asked, kind }: Told): boolean {
  return last.turn === turn && asked === null && kind !== "written" && texts.length < statementCountMax;
}

/** What a model wrote stands alone. */
function lastWords(earlier: readonly Told[], { kind }: Told): string | null {
  if (kind === "written") return null;
  const words: string[] = [];
  for (let i = earlier.length - 1; i >= 0 && words.length < beforeWordCount; i--) {
    words.unshift(...earlier[i]!.text.trim().split(/\s+/u));
  }
  return words.length === 0 ? null : words.slice(-beforeWordCount).join(" ");
}
