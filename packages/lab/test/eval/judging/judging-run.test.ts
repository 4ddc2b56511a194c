/** A run over an audit file: every answer and verdict is saved at once, none is requested twice, failures are reported. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type AuditRecord, readAudit, writeAudit } from "../../../src/report/audit.js";
import { type JudgingOptions, judgeAudit } from "../../../src/judging/judging-run.js";
import { InputError, ModelError } from "../../../../memory/src/index.js";
import { ScriptedModel, header, makeRecord, makeVerdict } from "../audit-fixtures.js";

const folder = mkdtempSync(join(tmpdir(), "mnemosyne-judging-"));
const auditPath = join(folder, "audit.jsonl");
const outPath = join(folder, "judged.jsonl");
const questionIds = ["q1", "q2", "q3", "q4", "q5"];
const records = questionIds.map((questionId) => makeRecord({ questionId, question: `What of ${questionId}?` }));

afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  rmSync(outPath, { force: true });
  await writeAudit(auditPath, header, records);
});

const failing = (message = "it is down"): never => {
  throw new ModelError("language_model_failed", message);
};
const answering = (): ScriptedModel =>
  new ScriptedModel("answerer", (_, i) => JSON.stringify({ answer: `answer ${i}` }));
const judging = (correct = true): ScriptedModel => new ScriptedModel("judge", () => JSON.stringify({ correct }));

function options(changes: Partial<JudgingOptions> = {}): JudgingOptions {
  const judge = judging();
  return {
    auditPath,
    outPath,
    answerModel: answering(),
    voters: [judge, judge, judge],
    judges: ["strict", "lenient"],
    temperatures: { answer: 0, judge: 0.3 },
    concurrency: 1,
    ...changes,
  };
}

function requestCount(...models: readonly unknown[]): number[] {
  return models.map((model) => (model as ScriptedModel).requests.length);
}

describe("a run", () => {
  it("keeps each answer and each vote with its question, in the order of the audit", async () => {
    const voters = [judging(true), judging(false), judging(true)];
    const { records: result, failures } = await judgeAudit(options({ voters, concurrency: 3 }));
    expect(failures).toEqual([]);
    const saved = await readAudit(outPath);
    expect(saved.records).toEqual(result);
    expect(saved.records.map(({ questionId }) => questionId)).toEqual(questionIds);
    for (const [i, { answer, verdicts, ...asked }] of saved.records.entries()) {
      expect(asked).toEqual(records[i]);
      expect(answer).toMatch(/^answer \d$/u);
      expect(verdicts).toEqual(
        ["strict", "lenient"].flatMap((judge) => [true, false, true].map((correct) => makeVerdict(correct, judge))),
      );
    }
    expect(saved.header).toEqual({
      ...header,
      answerModel: "answerer",
      judgeModel: "judge",
      judges: ["lenient", "strict"],
      votes: 3,
      temperatures: { answer: 0, judge: 0.3 },
    });
  });

  it("keeps what the audit says about its origin", async () => {
    const origin = { version: "1.2.3", embedder: "small", parameters: { startCountMax: 3 } };
    await writeAudit(auditPath, { ...header, ...origin }, records);
    await judgeAudit(options());
    expect((await readAudit(outPath)).header).toMatchObject(origin);
  });

  it("shows the judge the answer that was given", async () => {
    const judge = judging();
    await judgeAudit(options({ voters: [judge], judges: ["strict"] }));
    expect(judge.requests.map(({ text }) => /<<<ANSWER\n(.*)\nANSWER>>>/u.exec(text)![1])).toEqual(
      questionIds.map((_, i) => `answer ${i}`),
    );
  });

  it("takes the systems that are named and the first questions of each", async () => {
    const others = records.map((record): AuditRecord => ({ ...record, system: "bm25" }));
    await writeAudit(auditPath, header, [...records, ...others, makeRecord({ system: "hybrid-rrf" })]);
    const chosen = options({ systems: ["mnemosyne", "bm25"], questionCountMax: 2 });
    const { records: result } = await judgeAudit(chosen);
    const names = result.map(({ system, questionId }) => `${system} ${questionId}`);
    expect(names).toEqual(["mnemosyne q1", "mnemosyne q2", "bm25 q1", "bm25 q2"]);
    await expect(judgeAudit(options({ systems: ["bm52"] }))).rejects.toThrow(/"bm52" is not in the audit; it has/u);
  });

  it("processes no more questions at a time than allowed", async () => {
    let underWay = 0;
    let most = 0;
    const answerModel = {
      name: "answerer",
      complete: async (): Promise<string> => {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay--;
        return "yes";
      },
    };
    await judgeAudit(options({ answerModel, concurrency: 2 }));
    expect(most).toBe(2);
  });

  it("does not answer again what the audit has an answer to", async () => {
    await writeAudit(auditPath, header, [makeRecord({ answer: "clarinets" })]);
    const answerModel = answering();
    const { records: result } = await judgeAudit(options({ answerModel }));
    expect(requestCount(answerModel)).toEqual([0]);
    expect(result[0]).toMatchObject({ answer: "clarinets" });
  });

  it("keeps what the audit has in full", async () => {
    await writeAudit(auditPath, header, [makeRecord({ answer: "clarinets", verdicts: [makeVerdict(true)] })]);
    await judgeAudit(options({ voters: [new ScriptedModel("judge", () => failing())], judges: ["strict"] }));
    expect((await readAudit(outPath)).records).toHaveLength(1);
  });
});

describe("a run that was interrupted", () => {
  /** The file as it is when a process dies while it writes its third record. */
  async function interrupt(): Promise<void> {
    await judgeAudit(options({ questionCountMax: 3 }));
    const lines = readFileSync(outPath, "utf8").trimEnd().split("\n");
    writeFileSync(outPath, `${lines.slice(0, 3).join("\n")}\n${lines[3]!.slice(0, 40)}`);
  }

  it("continues where it stopped", async () => {
    await interrupt();
    const [answerModel, judge] = [answering(), judging()];
    const { records: result } = await judgeAudit(options({ answerModel, voters: [judge, judge, judge] }));
    expect(requestCount(answerModel, judge)).toEqual([3, 3 * 6]);
    expect((await readAudit(outPath)).records).toEqual(result);
    expect(result.map(({ answer }) => answer)).toEqual(["answer 0", "answer 1", "answer 0", "answer 1", "answer 2"]);
    expect(result.every(({ verdicts }) => verdicts!.length === 6)).toBe(true);
  });

  it("asks nothing when all is done", async () => {
    await judgeAudit(options());
    const before = readFileSync(outPath, "utf8");
    const silent = new ScriptedModel("answerer", () => failing());
    const mute = new ScriptedModel("judge", () => failing());
    const { failures } = await judgeAudit(options({ answerModel: silent, voters: [mute, mute, mute] }));
    expect(failures).toEqual([]);
    expect(readFileSync(outPath, "utf8")).toBe(before);
  });

  it("asks only for the votes that are missing", async () => {
    const answered = { answer: "clarinets", verdicts: [makeVerdict(true)] };
    await writeAudit(
      auditPath,
      header,
      records.map((record) => ({ ...record, ...answered })),
    );
    const [answerModel, first, second, third] = [answering(), judging(), judging(), judging()];
    await judgeAudit(options({ answerModel, voters: [first, second, third] }));
    expect(requestCount(answerModel, first, second, third)).toEqual([0, 5, 10, 10]);
    const { records: result } = await readAudit(outPath);
    expect(result.map(({ verdicts }) => verdicts!.length)).toEqual([6, 6, 6, 6, 6]);
  });

  it("finds everything on disk that was done before", async () => {
    const seen: number[] = [];
    await judgeAudit(options({ onProgress: () => seen.push(readFileSync(outPath, "utf8").split("\n").length - 2) }));
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it("does not mix with another: other models, another audit, something that is not an audit", async () => {
    await judgeAudit(options());
    const other = new ScriptedModel("other", () => failing());
    await expect(judgeAudit(options({ answerModel: other }))).rejects.toThrow(
      /was started with answerModel "answerer" instead of "other"; write to another file/u,
    );
    await writeAudit(auditPath, { ...header, parameters: { startCountMax: 3 } }, records);
    await expect(judgeAudit(options())).rejects.toThrow(
      /started with parameters null instead of \{"startCountMax":3\}/u,
    );
    await writeAudit(auditPath, header, [makeRecord({ context: "something else" })]);
    await expect(judgeAudit(options())).rejects.toThrow(/started from another audit \(question q1 of mnemosyne/u);
    writeFileSync(outPath, "Notes: do not lose this");
    await expect(judgeAudit(options())).rejects.toThrow(/exists and is not an audit file/u);
    expect(readFileSync(outPath, "utf8")).toBe("Notes: do not lose this");
  });
});

describe("a run that was started with some settings does not continue with others:", () => {
  it.each<[string, Partial<JudgingOptions>, string]>([
    ["fewer votes", { voters: [judging()] }, "votes 3 instead of 1"],
    ["other judges", { judges: ["strict"] }, 'judges ["lenient","strict"] instead of ["strict"]'],
    [
      "another temperature",
      { temperatures: { answer: 0, judge: 1 } },
      'temperatures {"answer":0,"judge":0.3} instead of {"answer":0,"judge":1}',
    ],
  ])("%s", async (_, changes, difference) => {
    await judgeAudit(options());
    const before = readFileSync(outPath, "utf8");
    const answerModel = answering();
    const error: unknown = await judgeAudit(options({ answerModel, ...changes })).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toBe(`${outPath} was started with ${difference}; write to another file`);
    expect(requestCount(answerModel)).toEqual([0]);
    expect(readFileSync(outPath, "utf8")).toBe(before);
  });

  it("the same judges in another order are the same", async () => {
    await judgeAudit(options());
    const answerModel = answering();
    await judgeAudit(options({ answerModel, judges: ["lenient", "strict"] }));
    expect(requestCount(answerModel)).toEqual([0]);
  });
});

describe("a model that fails", () => {
  it("ends the run when it is unavailable, and nothing is lost", async () => {
    const answerModel = new ScriptedModel("answerer", (_, i) => (i < 2 ? "yes" : failing()));
    const error: unknown = await judgeAudit(options({ answerModel })).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelError);
    expect((error as Error).message).toMatch(
      /it is down\. What was judged so far is in .*judged\.jsonl; run the command again to continue/u,
    );
    expect(requestCount(answerModel)).toEqual([2 + 3]);
    expect((await readAudit(outPath)).records).toHaveLength(2);
  });

  it("with an internal error ends the run for all questions in progress", async () => {
    const answerModel = new ScriptedModel("answerer", (_, i) => {
      if (i === 0) throw new TypeError("a fault");
      return "yes";
    });
    await expect(judgeAudit(options({ answerModel, concurrency: 2 }))).rejects.toThrow(/a fault/u);
    expect(requestCount(answerModel)).toEqual([2]);
  });

  it.each([
    ['it answered 500: "boom"', 'it answered 500: "boom". What was'],
    ["it is down.", "it is down. What was"],
    ["is the server running?", "is the server running? What was"],
  ])("is reported in whole sentences: %s", async (message, told) => {
    const answerModel = new ScriptedModel("answerer", () => failing(message));
    await expect(judgeAudit(options({ answerModel }))).rejects.toThrow(told);
  });

  it("ends the run when it fails at the only question", async () => {
    const answerModel = new ScriptedModel("answerer", () => failing());
    await expect(judgeAudit(options({ answerModel, questionCountMax: 1 }))).rejects.toThrow(/it is down/u);
  });

  it("at one question skips it and says so; the next run tries again", async () => {
    const tooLong = new ScriptedModel("answerer", ({ text }) => (text.includes("q2") ? failing("too long") : "yes"));
    const { records: result, failures } = await judgeAudit(options({ answerModel: tooLong }));
    expect(failures).toEqual([{ system: "mnemosyne", questionId: "q2", message: "too long" }]);
    expect(result.map(({ answer }) => answer)).toEqual(["yes", undefined, "yes", "yes", "yes"]);
    const again = answering();
    expect((await judgeAudit(options({ answerModel: again }))).failures).toEqual([]);
    expect(requestCount(again)).toEqual([1]);
  });

  it("as judge does not lose the answer or the earlier votes", async () => {
    const broken = new ScriptedModel("judge", (_, i) => (i === 1 ? failing() : '{"correct":true}'));
    const { failures } = await judgeAudit(options({ voters: [judging(), broken, judging()], questionCountMax: 2 }));
    expect(failures).toHaveLength(1);
    const { records: saved } = await readAudit(outPath);
    expect(saved.map(({ verdicts }) => verdicts!.length).sort()).toEqual([4, 6]);
    const answerModel = answering();
    await judgeAudit(options({ answerModel, questionCountMax: 2 }));
    expect(requestCount(answerModel)).toEqual([0]);
  });
});

describe("what cannot work is refused before anything is asked", () => {
  it.each<[string, Partial<JudgingOptions>, RegExp]>([
    ["an even number of votes", { voters: [judging(), judging()] }, /votes 2 is not an odd number/u],
    ["no judge", { judges: [] }, /needs a judge/u],
    ["nothing at a time", { concurrency: 0 }, /concurrency 0/u],
    ["the audit as output", { outPath: auditPath }, /is the audit itself/u],
    ["an audit that is not there", { auditPath: join(folder, "nowhere") }, /nowhere cannot be read/u],
    ["a folder that is not there", { outPath: join(folder, "nowhere", "out") }, /cannot be written/u],
  ])("%s", async (_, changes, message) => {
    const answerModel = answering();
    const error: unknown = await judgeAudit(options({ answerModel, ...changes })).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect((error as Error).message).toMatch(message);
    expect(requestCount(answerModel)).toEqual([0]);
  });

  it.each<[string, string, RegExp]>([
    ["text", "hello", /line 7 is not JSON/u],
    ["a list", "[]", /line 7: the value must be an object/u],
    [
      "a record without a question",
      JSON.stringify({ ...records[0], question: 1 }),
      /line 7: question must be non-empty text/u,
    ],
    ["a record at no time", JSON.stringify({ ...records[0], at: "soon" }), /line 7: at must be a moment/u],
    ["half a verdict", JSON.stringify({ ...records[0], verdicts: [{}] }), /line 7: verdicts\[0\]\.judge is missing/u],
    ["the same question again", JSON.stringify(records[0]), /has question q1 of ada twice for mnemosyne/u],
  ])("an audit with %s", async (_, line, message) => {
    appendFileSync(auditPath, `${line}\n`);
    await expect(judgeAudit(options())).rejects.toThrow(message);
  });
});
