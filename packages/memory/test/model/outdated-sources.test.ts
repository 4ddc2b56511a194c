/** A core summary never states what no longer holds, and does not wait for its interval to leave it out. */
import { describe, expect, it } from "vitest";
import type { CoreSummaryTrace, LanguageModelRequest, MnemosyneOptions, PersonMemory } from "mnemosyne-edge";
import { withoutOutdated } from "../../src/model/outdated-sources.js";
import { openMemories } from "../durability/opened-memories.js";
import { ScriptedModel, isAskedFor, judgment } from "../engine/scripted-model.js";

async function open(options: MnemosyneOptions = {}): Promise<PersonMemory> {
  const parameters = { redundancyThreshold: 10, coreSummaryIntervalCommits: 1_000, ...options.parameters };
  return (await openMemories({ path: ":memory:", reader: false, ...options, parameters })).person("ada");
}

async function tell(person: PersonMemory, id: string, summary: string, updates: string[] = []): Promise<void> {
  const day = (await person.list().catch(() => [])).length;
  await person.commit({ id, summary, updates, at: Date.UTC(2025, 4, 1 + day, 10) });
  await person.settled();
}

describe("without a model", () => {
  it("what became outdated is out of it at once, and of the central subset when that is found again", async () => {
    const person = await open();
    await tell(person, "boston", "Ada lives in Boston.");
    await tell(person, "lute", "Ada plays the lute.");
    expect((await person.coreSummary({ update: true })).text).toContain("Boston");
    await tell(person, "denver", "Ada lives in Denver.", ["boston"]);
    expect((await person.coreSummary()).text).toBe("- Ada plays the lute.");
    const { text, sourceIds, trace } = await person.coreSummary({ update: true });
    expect(text).toBe("- Ada plays the lute.\n- Ada lives in Denver.");
    expect(sourceIds.toSorted()).toEqual(["denver", "lute"]);
    expect((trace as CoreSummaryTrace).centralSubset.map(({ id }) => id)).not.toContain("boston");
  });
});

describe("with a model", () => {
  /** Says again all that it is shown, as far as it holds, or as it is told to. */
  function echo(coreSummary?: string): (request: LanguageModelRequest) => string {
    return (request) => {
      const shown = request.text.replaceAll(/<<<TEXT|TEXT>>>|Current core summary:|Memories:/gu, "").trim();
      const said = request.text.slice(request.text.indexOf("Interaction of")).split("\n")[1]!;
      if (isAskedFor("coreSummary", request)) return JSON.stringify({ coreSummary: coreSummary ?? shown });
      return JSON.stringify({ ...judgment, keywords: [said], statements: [], hypotheticalQueries: [] });
    };
  }

  async function move(answer: (request: LanguageModelRequest) => string) {
    let current = echo();
    const model = new ScriptedModel((request) => current(request));
    const person = await open({ languageModel: model });
    await tell(person, "boston", "Ada lives in Boston.");
    await tell(person, "lute", "Ada plays the lute.");
    const before = await person.coreSummary({ update: true });
    current = answer;
    await tell(person, "denver", "Ada lives in Denver.", ["boston"]);
    const atOnce = await person.coreSummary();
    const after = await person.coreSummary({ update: true });
    const asked = model.requests.filter((request) => isAskedFor("coreSummary", request));
    return { before, atOnce, after, asked };
  }

  it("the sentence is gone before the model is asked, which is told what no longer holds", async () => {
    const { before, atOnce, after, asked } = await move(echo("Ada plays the lute and lives in Denver."));
    expect(before.text).toBe("Ada lives in Boston. Ada plays the lute.");
    expect(atOnce.text).toBe("Ada plays the lute.");
    expect(asked).toHaveLength(2);
    expect(asked[1]!.text).toBe(
      "<<<TEXT\nCurrent core summary:\nAda plays the lute.\n\nNo longer holds:\n- Ada lives in Boston.\n\nMemories:\nAda plays the lute.\nAda lives in Denver.\nTEXT>>>",
    );
    expect(after.text).toBe("Ada plays the lute and lives in Denver.");
    // Its words may have come from there: forgetting it has to rewrite the summary.
    expect(after.sourceIds.toSorted()).toEqual(["boston", "denver", "lute"]);
  });

  it.each([
    ["a name that only the outdated memory has", "Ada lives in Boston. Ada plays the lute.", "Ada plays the lute."],
    ["nothing else", "Ada lives in Boston.", "- Ada plays the lute.\n- Ada lives in Denver."],
  ])("what it says again all the same is left out: %s", async (_kind, reply, text) => {
    expect((await move(echo(reply))).after.text).toBe(text);
  });
});

describe("a memory that becomes outdated", () => {
  const judged = JSON.stringify({ ...judgment, keywords: ["Ada"], statements: [], hypotheticalQueries: [] });

  it("while a model writes from it does not get into the summary", async () => {
    let meanwhile = async (): Promise<void> => {};
    const model = new ScriptedModel(async (request) => {
      if (!isAskedFor("coreSummary", request)) return judged;
      const work = meanwhile;
      meanwhile = async () => {};
      await work();
      return JSON.stringify({ coreSummary: request.text.slice(request.text.indexOf("Memories:") + 9, -8) });
    });
    const person = await open({ languageModel: model });
    await tell(person, "boston", "Ada lives in Boston.");
    meanwhile = () => tell(person, "denver", "Ada lives in Denver.", ["boston"]);
    expect((await person.coreSummary({ update: true })).text).toBe("Ada lives in Denver.");
  });

  it("by refining is out of the summary that was written before, too", async () => {
    let isDown = true;
    const model = new ScriptedModel((request) => {
      if (isDown || isAskedFor("coreSummary", request)) throw new Error("connection refused");
      const updates = request.text.includes("\nAda lives in Denver.") ? ["M1"] : [];
      return JSON.stringify({ ...(JSON.parse(judged) as object), updates });
    });
    const person = await open({ languageModel: model, parameters: { modelRestSeconds: 0 } });
    await tell(person, "boston", "Ada lives in Boston.");
    await tell(person, "denver", "Ada lives in Denver.");
    expect((await person.coreSummary({ update: true })).text).toBe("- Ada lives in Boston.\n- Ada lives in Denver.");
    const seen: string[] = [];
    isDown = false;
    await person.refine({ onProgress: () => void person.coreSummary().then(({ text }) => seen.push(text)) });
    expect((await person.coreSummary()).text).toBe("- Ada lives in Denver.");
    // It was so before all had been refined and the summary was written again.
    expect(seen.at(-1)).toBe("- Ada lives in Denver.");
  });
});

describe("a sentence", () => {
  const outdated = ["Ada lives in Boston near the river."];

  it("goes if most of its words are those of an outdated memory", () => {
    expect(withoutOutdated("Ada lives in Boston. She sings.", outdated, [])).toBe("She sings.");
    expect(withoutOutdated("- Ada lives in Boston.\n- She sings.", outdated, [])).toBe("- She sings.");
  });

  it("stays if a memory that holds has as many of them, or if it is about something else", () => {
    const text = "Ada lives near the river. Ada met Tom in Salem.";
    expect(withoutOutdated(text, outdated, ["Ada lives near a river in Salem."])).toBe(text);
    expect(withoutOutdated(text, outdated, [])).toBe("Ada met Tom in Salem.");
    expect(withoutOutdated(text, [], [])).toBe(text);
  });
});

describe("what is held back or was never so is said no more", () => {
  it.each([
    ["without a model", {}],
    [
      "with one",
      {
        languageModel: new ScriptedModel((request) =>
          isAskedFor("coreSummary", request) ? echoMemories(request) : "{}",
        ),
      },
    ],
  ])("%s, not even where its memory says something else", async (_kind, options) => {
    const person = await open(options);
    await tell(person, "both", "Ada lives in Boston. Ada plays the lute.");
    await tell(person, "cat", "Ada owns a tabby.");
    const told = ["Boston", "lute", "tabby"];
    const said = (text: string): string[] => told.filter((word) => text.includes(word));
    expect(said((await person.coreSummary({ update: true })).text)).toEqual(told);
    await person.withdraw("both#0", "untrue");
    await person.withdraw("cat", "untrue");
    expect(said((await person.coreSummary()).text)).toEqual(["lute"]);
    expect(said((await person.coreSummary({ update: true })).text)).toEqual(["lute"]);
  });

  function echoMemories({ text }: LanguageModelRequest): string {
    return JSON.stringify({ coreSummary: text.slice(text.indexOf("Memories:") + 9, -8) });
  }
});
