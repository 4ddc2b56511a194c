/** What 100 persons say and ask: everyday sentences of the project's own benchmark, or long talks in invented words. */
import { readFileSync } from "node:fs";
import { makeConversation, makeQuestion } from "../synthetic.mjs";

const files = ["core", "corrections", "unanswerable"];
/** The same question in other words is another text for the models. */
const openings = ["", "Remind me: ", "Quick question. ", "I forget. ", "Please tell me: ", "Do you still know? "];

/** A sentence at a time, 45 characters in the middle; those of all persons come from 60 lives. */
export function everydayTalk() {
  const lives = files.flatMap((name) =>
    JSON.parse(readFileSync(new URL(`../../benchmarks/trust/${name}.json`, import.meta.url), "utf8")),
  );
  const statements = [...new Set(lives.flatMap((life) => life.statements.map(({ text }) => text)))];
  const questions = [...new Set(lives.flatMap((life) => (life.questions ?? []).map(({ question }) => question)))];
  const asked = openings.flatMap((opening) => questions.map((question) => opening + question));
  return {
    title: "everyday sentences",
    say: (person, n) => statements[(person + 100 * n) % statements.length],
    ask: (person, n) => asked[(person + 100 * n) % asked.length],
  };
}

/** Sixty invented words at a time, of which the model makes about 150 pieces. */
export function longTalk() {
  return {
    title: "60 invented words",
    say: (person, n) => makeConversation(1_000 * person + n).statements.join(" "),
    ask: (person, n) => makeQuestion(100 * person + n),
  };
}
