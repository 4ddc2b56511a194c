/** A question that names the person is judged as one about whoever speaks, unless the name is somebody else's. */
import { describe, expect, it } from "vitest";
import { openMemories } from "../../durability/opened-memories.js";
import { ScriptedJudge } from "../scripted-judge.js";

/** What the judge was asked, and what the trace says of it. */
async function ask(person: string, told: readonly string[], query: string) {
  const questions: string[] = [];
  const relevance = (question: string): number => {
    questions.push(question);
    return 1;
  };
  const memory = (await openMemories({ path: ":memory:", judge: new ScriptedJudge({ relevance }) })).person(person);
  for (const text of told) await memory.commit({ turns: [{ who: "user", text }] }, { wait: true });
  const { trace } = await memory.recall(query);
  return { judged: questions[0], judgedAs: trace.judgedAs };
}

describe("a question", () => {
  const told = ["I live in Lisbon.", "I'm allergic to penicillin."];

  it.each([
    ["ada", "Where does Ada live?", "Where do I live?"],
    ["ada", "What is Ada allergic to?", "What am I allergic to?"],
    ["ada-byron", "What is Ada Byron's job?", "What is my job?"],
    ["Ada Byron", "Where does Byron live, and where did Ada?", "Where do I live, and where did I?"],
    ["ada", "Ada's allergies?", "my allergies?"],
    ["ada", "Tell me about Ada.", "Tell me about the user."],
    ["ada", "Is Ada married?", "am I married?"],
  ])("of %s: %s", async (person, query, judged) => {
    expect(await ask(person, told, query)).toEqual({ judged, judgedAs: judged });
  });

  it.each([
    ["ada", "Where do I live?"],
    ["ada", "Where does Adam live?"],
    ["ada", "Who are the ada members?"],
    ["will", "Will she come?"],
    ["mark", "Mark the day, when do I move?"],
    ["u-1815", "Where does U live?"],
  ])("of %s stays as it is: %s", async (person, query) => {
    expect(await ask(person, told, query)).toEqual({ judged: query, judgedAs: null });
  });

  it("is about whoever introduced themselves by this name", async () => {
    const { judgedAs } = await ask("ada", [...told, "Hello, my name is Ada, and I paint."], "Where does Ada live?");
    expect(judgedAs).toBe("Where do I live?");
  });

  it("may be about somebody else of this name", async () => {
    const others = ["My name is Ada.", "My grandmother Ada lives in Faro."];
    expect((await ask("ada", [...told, ...others], "Where does Ada live?")).judgedAs).toBe(null);
  });
});
