/** Questions about a person: as a whole, where the facts of the core summary come first, or about areas of life. */
import type { LifeArea, MnemosyneOptions, Recall } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { areaJudge, at, openLife, tell } from "../core-summary/lives.js";
import { ScriptedJudge } from "../scripted-judge.js";

const facts = {
  allergy: "I am allergic to penicillin.",
  home: "I live in a flat in Graz.",
  ramipril: "I take 5 mg of ramipril.",
  zinc: "The zinc has 10 mg.",
};
const notes = ["Rain fell on the tiles.", "The bus was late.", "A parcel came.", "Somebody rang the bell."];
/** The allergy before all; health is more vital than a home, but it was said once before. */
const inTurn = ["allergy", "zinc", "home", "ramipril"];
const whole = "What should a new carer know about me?";

/** Facts, and what is passing; so few start nodes that a gain decides. */
async function openFacts({ parameters, ...options }: MnemosyneOptions = {}) {
  const person = await openLife({ ...options, parameters: { startCountMax: 4, startScoreMin: -1, ...parameters } });
  let day = 1;
  for (const [id, text] of Object.entries(facts)) await tell(person, id, text, day++);
  for (const [i, text] of notes.entries()) await tell(person, `note${i}`, text, day++);
  return person;
}

const gainsIn = ({ trace }: Recall): [string, number][] =>
  [...trace.starts, ...trace.passedOver]
    .filter(({ areaGain }) => areaGain !== 0)
    .map(({ id, areaGain }) => [id, Number(areaGain.toFixed(4))]);

const asked = { at: at(20), seed: 1 };

describe("a question about a whole person", () => {
  it("starts from the memories of the facts, the most vital first, the areas in turn", async () => {
    const recall = await (await openFacts()).recall(whole, asked);
    expect(recall.trace.starts.map(({ id }) => id)).toEqual(inTurn);
    expect(gainsIn(recall)).toEqual(inTurn.map((id, i) => [id, 2 - i / 2]));
    expect(recall.memories.slice(0, 4).map(({ found }) => found)).toEqual(Array(4).fill("start"));
  });

  it("counts its gain in the score", async () => {
    const [{ trace: plain }, { trace: gained }] = (await Promise.all(
      [0, 0.15].map(async (areaWeight) => (await openFacts({ parameters: { areaWeight } })).recall(whole, asked)),
    )) as [Recall, Recall];
    const scoreIn = ({ starts, passedOver }: Recall["trace"]): number =>
      [...starts, ...passedOver].find(({ id }) => id === "allergy")!.score;
    expect(scoreIn(gained) - scoreIn(plain)).toBeCloseTo(2, 10);
  });

  it("is answered by the version of the time it asks from", async () => {
    const recall = await (await openFacts()).recall(whole, { ...asked, at: at(3) });
    expect(gainsIn(recall)).toEqual([
      ["allergy", 2],
      ["ramipril", 1.3333],
      ["home", 0.6667],
    ]);
  });

  it("does not lead to a forgotten memory", async () => {
    const person = await openFacts();
    await person.forget("home");
    expect(gainsIn(await person.recall(whole, asked)).map(([id]) => id)).toEqual(["allergy", "zinc", "ramipril"]);
  });
});

describe("of the questions", () => {
  /** Knows "Ada" as the one whom the memories are about, and "Tom" from one of them. */
  async function openNamed() {
    const judge = new ScriptedJudge({ areas: (text) => (text.startsWith("Ada is") ? ["self", 0.9] : null) });
    const person = await openLife({ judge, parameters: { startScoreMin: -1 } });
    await tell(person, "kind", "Ada is kind.", 1);
    await tell(person, "tall", "Ada is tall as an oak.", 2);
    await tell(person, "tom", "Tom called about Greek.", 3);
    return person;
  }

  it("each of these is about a whole person, and none of those", async () => {
    const person = await openNamed();
    const found = async (questions: readonly string[]): Promise<string[]> => {
      const gained: string[] = [];
      for (const question of questions) {
        if (gainsIn(await person.recall(question, asked)).length > 0) gained.push(question);
      }
      return gained;
    };
    expect(await found(aboutSomebody)).toEqual(aboutSomebody);
    expect(await found(aboutSomethingElse)).toEqual([]);
  });

  const aboutSomebody = [
    "What should a new carer know about me?",
    "What do carers need to know about her?",
    "What does a new carer have to know about Ada?",
    "what do you know about ada lovelace? What do you know about Ada?",
    "What do you know about Ada in general?",
    "Tell me about Ada Lovelace.",
    "Tell me everything about myself!",
    "What have you learned about this patient so far?",
    "What has been learnt about him already?",
    "What did I tell you about myself?",
    "What would you say about the resident?",
    "What do you remember of me?",
    "What should I be aware of? What do you know of Ada?",
    "What must a nurse keep in mind about my client",
    "I do like tea.\nWhat do you know about me?",
    "Describe me.",
    "Please introduce her",
    "Summarise Ada.",
    "summarize this person",
    "Sum up Ada overall.",
    "Who am I?",
    "Who is she?",
    "Who's Ada?",
    "Who was the patient?",
    "What am I like?",
    "What's she like as a person?",
    "What is Ada like?",
    "What are they like?",
    "What sort of person am I?",
    "What kind of a woman is Ada?",
    "What type of patient are they?",
    "What do I care about?",
    "What does she worry about most?",
    "What does Ada think most about?",
    "What matters to me?",
    "What matters most to Ada?",
    "What is important to him?",
    "What counts the most for the user?",
  ];

  const aboutSomethingElse = [
    "What did she say about the wound?",
    "What did the doctor say about me?",
    "What did Dr Shah tell Tom about Ada?",
    "What does Tom know about Greek?",
    "What does Tom know about Ada?",
    "Does the family know about me?",
    "Who told the relatives about Ada?",
    "What do you know about Tom?",
    "What do you know about penicillin?",
    "What do you know about my valve?",
    "What do you know about Ada's wound?",
    "What do you know about Ada and her knee?",
    "Tell me the phone number of Ada.",
    "Describe the wound.",
    "Describe Tom.",
    "Who is Tom?",
    "Who is picking?",
    "Who are they?",
    "What is it?",
    "What was wrong?",
    "What is she eating?",
    "What am I allergic to?",
    "What is the soup like?",
    "What kind of soup is Ada cooking?",
    "What does Ada think about Greek?",
    "What does Tom care about?",
    "What matters to Tom?",
    "What is important for the operation?",
    "Where do I live?",
    "What do you know about me? Nothing, I guess, so where do I live?",
  ];

  it("a name is also that of the person if it is their key, or if there is little to tell by", async () => {
    const judge = new ScriptedJudge({ areas: (text) => (text.includes("flat") ? "home" : null) });
    const person = await openLife({ judge, parameters: { startScoreMin: -1 } });
    const gained = async (question: string): Promise<number> => gainsIn(await person.recall(question, asked)).length;
    await tell(person, "graz", "I live in a flat in Graz.", 1);
    expect(await gained("Who is Tom?")).toBe(1);
    await tell(person, "rain", "It rained.", 2);
    await tell(person, "bus", "The bus was late.", 3);
    expect([await gained("Who is Tom?"), await gained("Who is Ada?")]).toEqual([0, 1]);
  });
});

describe("a question about an area", () => {
  /** What statements and questions are about, by a word. */
  const words: readonly [string, LifeArea, number][] = [
    ["soup", "food", 0.9],
    ["plums", "food", 0.7],
    ["cook", "food", 1],
    ["sister", "people", 0.9],
    ["family", "people", 1],
    ["nearly", "food", 0.6],
    ["perhaps", "food", 0.8],
  ];
  const judge = () =>
    new ScriptedJudge({
      areas: (text) => {
        const [, area, probability] = words.find(([word]) => text.includes(word)) ?? [];
        return area === undefined ? null : [area, probability!];
      },
    });

  async function openKitchen(parameters: Record<string, number> = {}) {
    const person = await openLife({ judge: judge(), parameters: { startScoreMin: -1, ...parameters } });
    await tell(person, "soup", "I eat soup on Mondays.", 1);
    await tell(person, "plums", "I like plums.", 2);
    await tell(person, "sister", "My sister has a boat.", 3);
    await tell(person, "rain", "It rained all day.", 4);
    return person;
  }

  it("prefers memories with a lasting fact there, as far as it lasts", async () => {
    const recall = await (await openKitchen()).recall("What to cook?", asked);
    // 0.15 for the weight, half of which is for telling who somebody is, which food does not.
    expect(gainsIn(recall)).toEqual([
      ["soup", 0.0675],
      ["plums", 0.0525],
    ]);
  });

  it("that tells who somebody is gains for both halves, and others of the kind for one", async () => {
    const person = await openKitchen();
    await tell(person, "family", "The family comes at noon.", 5);
    expect(gainsIn(await person.recall("How is family?", asked)).toSorted()).toEqual([
      ["family", 0.15],
      ["sister", 0.135],
    ]);
  });

  it("may put a memory before one that is closer in words, by its weight", async () => {
    const first = async (areaWeight: number): Promise<string> =>
      (await (await openKitchen({ areaWeight })).recall("What to cook when it rained?", asked)).trace.starts[0]!.id;
    expect([await first(0.15), await first(10)]).toEqual(["rain", "soup"]);
  });

  it.each([
    ["What to do nearly?", 0],
    ["What perhaps?", 0.5],
    ["What now?", 0],
  ])("gains as far as it asks for what lasts: %s", async (question, share) => {
    const gained = new Map(gainsIn(await (await openKitchen()).recall(question, asked)));
    // The fact lasts by 0.9; of the question, its share of food counts, and what of it lasts beyond 0.6.
    expect(gained.get("soup") ?? 0).toBeCloseTo((0.15 / 2) * 0.9 * share * 0.8, 4);
  });
});

describe("nothing gains", () => {
  it.each<[string, MnemosyneOptions]>([
    ["without weight", { parameters: { areaWeight: 0 } }],
    ["without a judge", { judge: false }],
    ["with a judge that knows no areas", { judge: new ScriptedJudge() }],
    // It has none unless it is given one.
    ["in preset paper", { preset: "paper", ...({ judge: undefined } as object) }],
  ])("%s", async (_, options) => {
    const person = await openFacts(options);
    for (const question of [whole, "Where does my sister live?"]) {
      const { trace } = await person.recall(question, asked);
      const shown = [...trace.starts, ...trace.passedOver].map(({ areaGain }) => areaGain);
      expect(shown.length).toBeGreaterThan(4);
      expect(new Set(shown)).toEqual(new Set([0]));
    }
  });

  it("and the judge is not asked about the question where the weight is zero or it is about a whole person", async () => {
    const askedOf = async (question: string, areaWeight: number): Promise<boolean> => {
      const statements: string[] = [];
      const judge = areaJudge();
      const areas = judge.areas!;
      Object.assign(judge, { areas: (some: readonly string[]) => (statements.push(...some), areas(some)) });
      await (await openFacts({ judge, parameters: { areaWeight } })).recall(question, asked);
      return statements.includes(question);
    };
    expect(await askedOf("Where does my sister live?", 0.15)).toBe(true);
    expect(await askedOf("Where does my sister live?", 0)).toBe(false);
    expect(await askedOf(whole, 0.15)).toBe(false);
  });
});
