/** `mnemosyne eval judge` as a shell runs it, against an endpoint on the loopback that plays answerer and judge. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AuditRecord, readAudit, writeAudit } from "../../src/report/audit.js";
import type { JudgmentSummary } from "../../src/judging/judgment-summary.js";
import { type ChatRequest, type ScriptedEndpoint, saying, startEndpoint } from "../../../memory/test/adapters/scripted-endpoint.js";
import { header, makeRecord } from "./audit-fixtures.js";

const program = fileURLToPath(new URL("../../../server/dist/cli/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mnemosyne-judge-"));
const outPath = join(folder, "judged.jsonl");

const records: AuditRecord[] = [
  makeRecord({ questionId: "right" }),
  makeRecord({ questionId: "split", question: "Which tool does Ada lack?", goldAnswer: "a reed knife" }),
  makeRecord({ questionId: "garbled", question: "Where is the shop?", kind: "dated", goldAnswer: "in Faro" }),
  makeRecord({ questionId: "never", question: "What is the dog called?", kind: "adversarial", goldAnswer: null }),
];
const answers: Readonly<Record<string, string>> = {
  "What does Ada repair?": "clarinets",
  "Which tool does Ada lack?": "a knife",
  "Where is the shop?": "in Lagos",
  "What is the dog called?": "not mentioned",
};

let endpoint: ScriptedEndpoint;
beforeEach(async () => {
  rmSync(outPath, { force: true });
  await writeAudit(join(folder, "audit.jsonl"), header, records);
  endpoint = await startEndpoint((request) => saying(isJudge(request) ? judge(request) : answer(request)));
});
afterEach(() => endpoint.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function section(request: ChatRequest, name: string): string | undefined {
  return new RegExp(`<<<${name}\n([\\s\\S]*?)\n${name}>>>`, "u").exec(request.messages[1]!.content)?.[1];
}

function isJudge(request: ChatRequest): boolean {
  return section(request, "ANSWER") !== undefined;
}

function answer(request: ChatRequest): object {
  return { answer: answers[section(request, "QUESTION")!] };
}

/** Knows the correct answers; votes both ways on the second question; gives no verdict on the third. */
function judge(request: ChatRequest): string | object {
  const given = section(request, "ANSWER")!;
  const expected = section(request, "EXPECTED");
  if (expected === "a reed knife") return { reason: "a knife of some kind", correct: request["seed"] !== 1 };
  if (expected === "in Faro") return "Hard to say.";
  return { reason: "compared", correct: given === (expected ?? "not mentioned") };
}

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** The environment contains only what a test sets; columns are side by side. */
function environment(env: object): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  return { PATH, SystemRoot, COLUMNS: "200", ...env };
}

function run(args: readonly string[], env: object = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, "eval", "judge", ...args],
      { cwd: folder, env: environment(env) },
      (_error, out, errors) => resolve({ code: child.exitCode ?? -1, out, errors }),
    );
  });
}

const files = ["audit.jsonl", "--out", "judged.jsonl"];
const model = (): string[] => ["--llm-url", endpoint.baseUrl, "--llm-model", "small"];

interface Report {
  readonly answerModel: string;
  readonly judgeModel: string;
  readonly file: string;
  readonly judgments: readonly JudgmentSummary[];
}

describe("answers and judges", () => {
  it("are combined into scores", async () => {
    const { code, out, errors } = await run([...files, ...model(), "--json"]);
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    const report = JSON.parse(out) as Report;
    expect(report).toMatchObject({ answerModel: "openai:small", judgeModel: "openai:small", file: "judged.jsonl" });
    expect(report.judgments.map((summary) => summary.judge)).toEqual(["strict", "lenient"]);
    for (const summary of report.judgments) {
      expect(summary).toMatchObject({
        all: { correctCount: 3, count: 4, score: 0.75 },
        answerable: { correctCount: 2, count: 3 },
        byKind: { adversarial: { correctCount: 1 }, dated: { correctCount: 0 }, single: { correctCount: 2, count: 2 } },
        voteCount: 12,
        unparsableVoteCount: 3,
        splitCount: 1,
        unjudgedCount: 0,
      });
    }
    const saved = await readAudit(outPath);
    expect(saved.records.map((record) => record.answer)).toEqual(Object.values(answers));
    expect(saved.records[2]!.verdicts![0]).toEqual({ judge: "strict", correct: false, reply: "Hard to say." });
  });

  it("are asked as they should be: one answer, three seeds per judge, schemas", async () => {
    await run([...files, ...model(), "--limit", "1", "--judges", "lenient"]);
    const asked = endpoint.requests.map(({ temperature, seed, response_format }) => ({
      temperature,
      seed,
      wants: response_format?.json_schema?.schema.required,
    }));
    expect(asked).toEqual([
      { temperature: 0, seed: 0, wants: ["answer"] },
      ...[0, 1, 2].map((seed) => ({ temperature: 0.3, seed, wants: ["reason", "correct"] })),
    ]);
  });

  it("are shown as tables", async () => {
    const { code, out } = await run([...files, ...model(), "--votes", "1", "--judges", "strict"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^mnemosyne +strict +4 +75\.0 \[30\.1, 95\.4\] +66\.7 \[20\.8, 93\.9\] +0 +1 of 4 +0$/mu);
    expect(out).toMatch(/^mnemosyne +strict +adversarial +1 +100\.0 \[20\.7, 100\.0\]$/mu);
    expect(out).toContain("Every answer and verdict is in judged.jsonl.");
  });

  it("come from the environment's endpoint if no other is named", async () => {
    const env = { OPENAI_BASE_URL: endpoint.baseUrl, MNEMOSYNE_LLM_MODEL: "from-env", OPENAI_API_KEY: "key-1" };
    expect((await run(files, env)).code).toBe(0);
    expect(new Set(endpoint.requests.map((request) => request.model))).toEqual(new Set(["from-env"]));
    expect(new Set(endpoint.headers.map(({ authorization }) => authorization))).toEqual(new Set(["Bearer key-1"]));
  });

  it("may be two models at two endpoints, and the key of one is not sent to the other", async () => {
    const other = await startEndpoint((request) => saying(judge(request)));
    try {
      const judgeOptions = ["--judge-url", other.baseUrl, "--judge-model", "large"];
      const env = { ANSWER_KEY: "key-1", JUDGE_KEY: "key-2" };
      await run([...files, ...model(), "--llm-key-env", "ANSWER_KEY", ...judgeOptions, "--limit", "1"], env);
      expect(endpoint.requests.map((request) => request.model)).toEqual(["small"]);
      expect(endpoint.headers[0]!.authorization).toBe("Bearer key-1");
      expect(other.requests).toHaveLength(6);
      expect(other.headers.every(({ authorization }) => authorization === undefined)).toBe(true);
      await run([...files, ...model(), ...judgeOptions, "--judge-key-env", "JUDGE_KEY", "--limit", "2"], env);
      expect(other.headers.at(-1)!.authorization).toBe("Bearer key-2");
      expect(readFileSync(outPath, "utf8")).not.toMatch(/key-[12]/u);
    } finally {
      await other.close();
    }
  });
});

it("a run that was killed continues without asking again", async () => {
  await endpoint.close();
  let isStuck = true;
  let noticeStuck = (): void => {};
  const stuck = new Promise<void>((resolve) => (noticeStuck = resolve));
  endpoint = await startEndpoint((request) => {
    if (isStuck && section(request, "QUESTION") === records[2]!.question) {
      noticeStuck();
      return "silence";
    }
    return saying(isJudge(request) ? judge(request) : answer(request));
  });
  const args = [program, "eval", "judge", ...files, ...model(), "--concurrency", "1"];
  const child: ChildProcess = spawn(process.execPath, args, { cwd: folder, env: environment({}), stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await stuck;
  child.kill("SIGKILL");
  await ended;
  isStuck = false;
  const before = endpoint.requests.length;
  expect((await readAudit(outPath)).records.map(({ questionId }) => questionId)).toEqual(["right", "split"]);

  expect((await run([...files, ...model()])).code).toBe(0);
  const later = new Set(endpoint.requests.slice(before).map((request) => section(request, "QUESTION")));
  expect(later).toEqual(new Set([records[2]!.question, records[3]!.question]));
  expect((await readAudit(outPath)).records).toHaveLength(4);
});

describe("errors are clear:", () => {
  async function expectError(args: readonly string[], code: number, message: RegExp, env: object = {}): Promise<void> {
    const ran = await run([...args, "--json"], env);
    expect(ran.code).toBe(code);
    const { error } = JSON.parse(ran.errors) as { error: { message: string } };
    expect(error.message).toMatch(message);
  }

  it("no endpoint, and then nothing is asked or written", async () => {
    await expectError(files, 2, /no language model is configured; give --llm-url/u, { OPENAI_API_KEY: "key-1" });
    expect(() => readFileSync(outPath)).toThrow(/ENOENT/u);
  });

  it("no model", () => expectError([...files, "--llm-url", endpoint.baseUrl], 2, /no model is named/u));

  it("no key where one is named", () =>
    expectError([...files, ...model(), "--llm-key-env", "NO_SUCH_KEY"], 2, /NO_SUCH_KEY is not set/u));

  it("an even number of votes", () => expectError([...files, ...model(), "--votes", "2"], 2, /not an odd number/u));

  it("other votes, judges or temperatures than those the file was started with", async () => {
    expect((await run([...files, ...model(), "--limit", "1"])).code).toBe(0);
    const asked = endpoint.requests.length;
    await expectError([...files, ...model(), "--votes", "1"], 2, /started with votes 3 instead of 1/u);
    await expectError(
      [...files, ...model(), "--judges", "strict"],
      2,
      /started with judges \["lenient","strict"\] instead of \["strict"\]/u,
    );
    await expectError(
      [...files, ...model(), "--judge-temperature", "1"],
      2,
      /started with temperatures \{"answer":0,"judge":0\.3\} instead of \{"answer":0,"judge":1\}/u,
    );
    expect(endpoint.requests).toHaveLength(asked);
  });

  it("an endpoint that cannot be reached", async () => {
    const args = [...files, ...model()];
    await endpoint.close();
    await expectError(args, 5, /cannot be reached \(ECONNREFUSED\); is the server running\?/u);
  });

  it("an audit that is malformed", async () => {
    writeFileSync(
      join(folder, "audit.jsonl"),
      '{"format":"mnemosyne-audit-1","dataset":"d","seed":1,"commit":null}\n{}\n',
    );
    await expectError([...files, ...model()], 2, /audit\.jsonl, line 2: system is missing; it must be non-empty text/u);
  });

  it("a question that cannot be judged, after the scores of the others", async () => {
    await endpoint.close();
    endpoint = await startEndpoint((request) =>
      section(request, "QUESTION") === records[3]!.question
        ? { status: 400, body: "the context is too long" }
        : saying(isJudge(request) ? judge(request) : answer(request)),
    );
    const { code, out, errors } = await run([...files, ...model(), "--json"]);
    expect(code).toBe(5);
    expect((JSON.parse(out) as Report).judgments[0]).toMatchObject({ all: { count: 3 } });
    expect(errors).toMatch(
      /1 question could not be judged, the first being never of mnemosyne: .*context is too long.*\. The rest is in/u,
    );
  });
});
