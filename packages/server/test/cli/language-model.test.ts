/** Commands with a language model, as a shell runs them, against an endpoint on the loopback. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PersonStatistics, Recall } from "mnemosyne-edge";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { flatten } from "../../src/cli/layout.js";
import { type ScriptedEndpoint, type ScriptedReply, saying, startEndpoint } from "../../../memory/test/adapters/scripted-endpoint.js";
import { CommandFolder, answerSteps } from "./command.js";

const folder = new CommandFolder();
beforeAll(async () => {
  await folder.fill();
  writeFileSync(join(folder.path, "whole.gguf"), "GGUF");
});

let endpoint: ScriptedEndpoint;
let reply: ((asked: ScriptedReply) => ScriptedReply) | null;
beforeEach(async () => {
  reply = null;
  endpoint = await startEndpoint((request) => {
    const good = saying(answerSteps(request));
    return reply === null ? good : reply(good);
  });
});
afterEach(() => endpoint.close());

const model = (): string[] => ["--llm-url", endpoint.baseUrl, "--llm-model", "small"];
const host = (): string => new URL(endpoint.baseUrl).host;

describe("a command that opens a memory", () => {
  it("uses the model, and sends nothing else", async () => {
    const path = folder.copy("commit.db");
    const env = { OPENAI_API_KEY: "secret" };
    const args = ["--path", path, "commit", "Ada plays the cello.", "--json", ...model()];
    const { code, out } = await folder.run(args, { env });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      trace: { languageModel: { name: "openai:small", steps: [{ step: "commitment", how: "as asked" }] } },
    });
    expect(endpoint.requests.map(({ messages }) => messages[1]!.content.includes("cello"))).toEqual([true]);
    expect(endpoint.headers[0]).toHaveProperty("authorization", "Bearer secret");
  });

  it("sends nothing to an address that only other programs use", async () => {
    const path = folder.copy("private.db");
    const env = { OPENAI_BASE_URL: endpoint.baseUrl, OPENAI_API_KEY: "secret" };
    const args = ["--path", path, "commit", "Ada plays the flute.", "--json"];
    expect(JSON.parse((await folder.run(args, { env })).out)).toHaveProperty("trace.languageModel", null);
    const doctor = await folder.run(["--path", path, "doctor"], { env });
    expect(doctor.out).toContain("nothing (OPENAI_BASE_URL and OPENAI_API_KEY set, but unused: no model is named)");
    expect(endpoint.requests).toEqual([]);
  });

  it.each([
    [["--llm-url", "http://127.0.0.1:9/v1"], /--llm-model/u],
    [["--llm-model", "small"], /--llm-url/u],
    [
      ["--llm-url", "localhost:8080", "--llm-model", "small"],
      /: --llm-url "localhost:8080" is not .* http:\/\/ is missing; write e\.g\. http:\/\/localhost:8080\/v1$/mu,
    ],
    [["--llm-url", "ftp://localhost/v1", "--llm-model", "small"], /--llm-url .* is not an http or https URL$/mu],
    [
      ["--llm-url", "http://ada:secret@localhost/v1", "--llm-model", "small"],
      /--llm-url at localhost contains a password; .*--llm-key-env/u,
    ],
    [["--gguf", "no.gguf", "--llm-model", "small"], /two language models/u],
    [
      ["--gguf", "whole.gguf"],
      /whole\.gguf needs node-llama-cpp; install it with `npm install node-llama-cpp`.*--omit=optional/u,
    ],
    [["--gguf", "not-there.gguf"], /not-there\.gguf cannot be read: no such file/u],
  ])("refuses %j", async (args, message) => {
    const { code, out, errors } = await folder.run(["list", ...args]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(errors).toMatch(/^error option_invalid: /u);
    expect(errors).toMatch(message);
  });
});

it("show says what was repaired in a reply, and what was requested again", async () => {
  const path = folder.copy("repaired.db");
  let count = 0;
  reply = (good) => {
    const { body } = good as { body: string };
    const text = (JSON.parse(body) as { choices: { message: { content: string } }[] }).choices[0]!.message.content;
    return ++count === 1 ? saying("I would rather not.") : saying(`Sure!\n\`\`\`json\n${text}\n\`\`\``);
  };
  const commit = (id: string, text: string): Promise<object> =>
    folder.run(["--path", path, "commit", text, "--id", id, ...model()]);
  await commit("retried", "Ada plays the cello.");
  await commit("repaired", "Ada broke her left wrist on the stairs in Faro.");
  const retried = (await folder.run(["--path", path, "show", "retried", "--explain"])).out;
  expect(retried).toMatch(/^model {6}openai:small: commitment retried \(the first reply: there is no JSON object/mu);
  const repaired = (await folder.run(["--path", path, "show", "repaired", "--explain"])).out;
  expect(repaired).toMatch(/^model {6}openai:small: commitment repaired \(repaired: code fence/mu);
  expect(repaired.match(/^cue +Ada broke/gmu)).toHaveLength(1);
  expect((await folder.run(["--path", path, "show", "lisbon", "--explain"])).out).not.toMatch(/^model /mu);
  const recall = await folder.run(["--path", path, "recall", "What happened to Ada on the stairs?"]);
  expect(recall.out.match(/Ada broke her left wrist/gu)).toHaveLength(1);
});

describe("recall --rewrite", () => {
  const question = ["recall", "Where does Ada live, and where did she move?", "--rewrite"];

  it("asks once, and --explain shows the wordings with the start nodes that match them", async () => {
    reply = () => saying({ questions: ["Where did Ada move?"] });
    const args = ["--path", folder.copy("rewritten.db"), ...question, ...model()];
    const { code, out } = await folder.run([...args, "--explain"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^also asked "Where did Ada move\?": (?:no start node|[\w, ]+)$/mu);
    expect(endpoint.requests).toHaveLength(1);
    const { trace } = JSON.parse((await folder.run([...args, "--json"])).out) as Recall;
    expect(trace.rewriting!.wordings).toEqual(["Where did Ada move?"]);
  });

  it("without a model recalls as ever, and says that it did not rewrite", async () => {
    const { code, out, errors } = await folder.run(question);
    expect(code).toBe(0);
    expect(out).toContain("Lisbon");
    expect(errors).toContain("the question was not rewritten: no language model is configured");
    expect(endpoint.requests).toEqual([]);
  });
});

describe("a model from the environment that cannot be used", () => {
  const env = { MNEMOSYNE_GGUF: "no.gguf" };

  it.each([
    ["list"],
    ["stats"],
    ["recall", "Where does Ada live?", "--json"],
    ["show", "lisbon"],
    ["export"],
    ["graph"],
  ])("does not affect %s", async (...args) =>
    expect(await folder.run(args, { env })).toMatchObject({ code: 0, errors: "" }),
  );

  it("causes one warning when it is needed, and refine makes up for it", async () => {
    const path = folder.copy("without.db");
    const turns = JSON.stringify([{ who: "user", text: "I began physiotherapy with Rui on 21 January." }]);
    const { code, out, errors } = await folder.run(["--path", path, "commit", "--turns", turns, "--id", "rui"], {
      env,
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^kept\n {2}rui {2}I began physiotherapy /u);
    expect(errors).toMatch(
      /^warning option_invalid: .*no\.gguf cannot be read: no such file.*`mnemosyne refine`.*\n$/u,
    );
    const refined = await folder.runJson<Refined>(["--path", path, "refine", ...model()]);
    expect(refined).toMatchObject({ refinedCount: 3, failedCount: 0 });
  });

  it("causes a warning that says how to install what it needs", async () => {
    const args = ["--path", folder.copy("uninstalled.db"), "commit", "Ada plays the viola in an orchestra."];
    const { code, errors } = await folder.run(args, { env: { MNEMOSYNE_GGUF: "whole.gguf" } });
    expect(code).toBe(0);
    expect(errors).toMatch(/^warning option_invalid: .*`npm install node-llama-cpp`.*--omit=optional`.*\n$/u);
  });

  it("causes a warning in JSON with --json", async () => {
    const args = ["--path", folder.copy("without-json.db"), "commit", "Ada plays the harp.", "--json"];
    const { code, out, errors } = await folder.run(args, {
      env: { OPENAI_BASE_URL: "localhost:8080", MNEMOSYNE_LLM_MODEL: "small" },
    });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ outcome: "committed" });
    const { warning } = JSON.parse(errors) as { warning: { code: string; message: string } };
    expect(warning.code).toBe("option_invalid");
    expect(warning.message).toMatch(/^OPENAI_BASE_URL "localhost:8080" .* http:\/\/ is missing/u);
  });

  it.each([[["refine"]], [["chat"]], [["list", "--gguf", "no.gguf"]]])("is an error to %j", async (args) => {
    const { code, out, errors } = await folder.run(args, { env });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(errors).toMatch(/^error option_invalid: .*no\.gguf/u);
  });

  it.each([
    ["in the environment", [], env],
    ["by an option", ["--gguf", "no.gguf"], {}],
    ["by half a configuration", [], { MNEMOSYNE_LLM_MODEL: "small" }],
  ])("is reported by the doctor, named %s, among the other findings", async (_, args, env) => {
    const { code, out, errors } = await folder.run(["doctor", ...args], { env });
    expect({ code, errors }).toEqual({ code: 6, errors: "" });
    expect(out).toContain("✗ language model  option_invalid: ");
    expect(out).toMatch(/✓ goes out +nothing/u);
    for (const name of ["database", "embedder", "person default"]) expect(out).toContain(`✓ ${name}`);
  });
});

describe("a model that hangs", () => {
  const budget = ["--set", "modelTimeBudgetSeconds=0.3", "--set", "modelRestSeconds=300"];

  it("is waited for by one process, and left alone by the next; refine asks it", async () => {
    const path = folder.copy("hangs.db");
    const commit = (text: string): Promise<object> =>
      folder.runJson(["--path", path, "commit", text, ...budget, ...model()]);
    reply = () => "silence";
    expect(await commit("Ada began physiotherapy with Rui on 21 January.")).toMatchObject({
      trace: { languageModel: { steps: [{ how: "without model", failure: "no reply within 0.3 s" }] } },
    });
    expect(endpoint.requests).toHaveLength(1);
    expect(await commit("Ada broke her left wrist on the stairs in Faro.")).toMatchObject({
      trace: { languageModel: { steps: [{ failure: "left alone for a while: no reply within 0.3 s" }] } },
    });
    expect(endpoint.requests).toHaveLength(1);
    reply = null;
    const refined = await folder.runJson<Refined>(["--path", path, "refine", ...model()]);
    expect(refined).toMatchObject({ refinedCount: 4, leftCount: 0 });
    expect(await commit("Ada bakes bread on Sundays.")).toMatchObject({
      trace: { languageModel: { steps: [{ how: "as asked" }] } },
    });
  });

  it("gets as much time from the doctor as from a step", async () => {
    reply = () => "silence";
    const { code, out } = await folder.run(["doctor", ...budget, ...model()]);
    expect(code).toBe(6);
    expect(out).toContain("✗ language model  no answer within 0.3 s");
    expect(out).toContain("modelTimeBudgetSeconds");
  });
});

interface Doctor {
  readonly ok: boolean;
  readonly findings: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
}

const detailOf = ({ findings }: Doctor, name: string): string | undefined =>
  findings.find((finding) => finding.name === name)?.detail;

describe("doctor", () => {
  it("says that there is no model, and that nothing goes out", async () => {
    const report = await folder.runJson<Doctor>(["doctor"]);
    expect(detailOf(report, "language model")).toBe("none configured; every step works without one");
    expect(detailOf(report, "goes out")).toBe("nothing");
  });

  it("asks the model once: name, time, schema; and says what is sent where, and how steps ended", async () => {
    const path = folder.copy("doctor.db");
    await folder.run(["--path", path, "commit", "Ada plays the cello.", ...model()]);
    const askedBefore = endpoint.requests.length;
    const report = await folder.runJson<Doctor>(["--path", path, "doctor", ...model()], {
      env: { OPENAI_API_KEY: "secret" },
    });
    expect(report.ok).toBe(true);
    expect(detailOf(report, "language model")).toMatch(/^openai:small answered in \d+ ms and keeps to a JSON schema$/u);
    expect(detailOf(report, "goes out")).toContain(`to ${host()}, with the key in OPENAI_API_KEY: what is committed`);
    expect(detailOf(report, "person default")).toBe("3 memories, 1 refined by a language model (steps: 1 as asked)");
    expect(JSON.stringify(report)).not.toContain("secret");
    expect(endpoint.requests).toHaveLength(askedBefore + 1);
  });

  it("says when the model does not keep to a schema", async () => {
    reply = () => saying("Yes, I can hear you!");
    const { code, out } = await folder.run(["doctor", ...model()]);
    expect(code).toBe(6);
    expect(flatten(out)).toContain('but does not follow the JSON schema ("Yes, I can hear you!")');
    reply = () => saying('Sure: {"answer": "yes"}');
    const report = await folder.runJson<Doctor>(["doctor", ...model()]);
    expect(detailOf(report, "language model")).toContain("such replies are repaired");
  });

  it("finds a model that does not answer, and says how to fix it", async () => {
    await endpoint.close();
    const { code, out } = await folder.run(["doctor", ...model()]);
    expect(code).toBe(6);
    expect(flatten(out)).toMatch(/✗ language model language_model_failed: .*cannot be reached .* ✓ goes out/u);
    expect(out).toContain("`mnemosyne refine`");
    expect(out).toContain("✓ embedder");
  });

  it("finds half a configuration", async () => {
    const { code, out } = await folder.run(["doctor", "--llm-model", "small"]);
    expect(code).toBe(6);
    expect(out).toMatch(/✗ language model {2}option_invalid: .*--llm-url/u);
  });

  it("says that nothing goes out for a model in this process", async () => {
    const { out } = await folder.run(["doctor", "--gguf", "whole.gguf"]);
    expect(out).toContain("nothing: whole.gguf runs in this process");
    expect(out).toContain("npm install node-llama-cpp");
  });
});

interface Refined {
  readonly refinedCount: number;
  readonly failedCount: number;
  readonly leftCount: number;
  readonly persons: readonly { readonly person: string; readonly failedIds: readonly string[] }[];
}

describe("refine", () => {
  it("upgrades memories in place, once; stats counts them", async () => {
    const path = folder.copy("refine.db");
    const list = (): Promise<{ id: string; at: string; keywords: string[] }[]> =>
      folder.runJson(["--path", path, "list"]);
    const before = await list();
    const report = await folder.runJson<Refined>(["--path", path, "refine", ...model()]);
    expect(report).toMatchObject({ refinedCount: 2, failedCount: 0, leftCount: 0, persons: [{ person: "default" }] });
    const after = await list();
    expect(after.map(({ id, at }) => [id, at])).toEqual(before.map(({ id, at }) => [id, at]));
    for (const { keywords } of after) expect(keywords).toContain("harbour");
    const stats = await folder.runJson<{ persons: PersonStatistics[] }>(["--path", path, "stats"]);
    expect(stats.persons[0]!.refinedCount).toBe(2);
    expect((await folder.run(["--path", path, "stats"])).out).toMatch(/^person +memories +refined /mu);
    expect((await folder.run(["--path", path, "refine", ...model()])).out).toBe('"default": nothing to refine.\n');
  });

  it("refines everybody's memories with --all", async () => {
    const path = folder.copy("all.db");
    await folder.run(["--path", path, "--person", "bea", "commit", "Bea sails to Faro with her brother."]);
    const { code, out } = await folder.run(["--path", path, "refine", "--all", ...model()]);
    expect({ code, out }).toEqual({ code: 0, out: '"bea": 1 memory refined.\n"default": 2 memories refined.\n' });
  });

  it("leaves memories as they were when the model does not answer, and exits with 5", async () => {
    const path = folder.copy("silent.db");
    await endpoint.close();
    const { code, out, errors } = await folder.run(["--path", path, "refine", "--json", ...model()]);
    expect(code).toBe(5);
    expect(JSON.parse(out)).toMatchObject({ refinedCount: 0, failedCount: 2, leftCount: 0 });
    expect(errors).toContain("2 memories could not be refined (the last reason: ");
    expect(errors).toContain("cannot be reached");
    expect(errors).toContain("they stay as they were");
  });

  it("gives up after three failures in a row, even across people, and says why", async () => {
    const path = folder.copy("given-up.db");
    await folder.run(["--path", path, "--person", "bea", "commit", "Bea sails to Faro with her brother."]);
    await folder.run(["--path", path, "--person", "cem", "commit", "Cem sails to Porto with his sister."]);
    await folder.run(["--path", path, "--person", "dot", "commit", "Dot repairs old clocks in Porto."]);
    reply = () => saying("");
    const { code, out, errors } = await folder.run(["--path", path, "refine", "--all", ...model()]);
    expect(code).toBe(5);
    expect(out).toBe(
      [
        '"bea": 0 memories refined, 1 failed.\n',
        '"cem": 0 memories refined, 1 failed.\n',
        '"default": 0 memories refined, 1 failed, 1 not tried.\n',
        '"dot": 0 memories refined, 1 not tried.\n',
      ].join(""),
    );
    expect(errors).toMatch(
      /5 memories could not be refined \(the model failed 3 times in a row: .*its answer contains no text/u,
    );
  });

  it("exits with 5 when a model answers nonsense, and says why", async () => {
    const path = folder.copy("nonsense.db");
    reply = () => saying("I would rather not.");
    const { code, out, errors } = await folder.run(["--path", path, "refine", ...model()]);
    expect({ code, out }).toEqual({ code: 5, out: '"default": 0 memories refined, 2 failed.\n' });
    expect(errors).toContain("there is no JSON object in the reply");
  });

  it("says what to do without a model, and who is unknown", async () => {
    const without = await folder.run(["refine"]);
    expect(without.code).toBe(2);
    expect(without.errors).toMatch(/localhost:8080.*llama\.cpp.*localhost:11434.*Ollama.*--gguf/u);
    expect((await folder.run(["--person", "nobody", "refine", ...model()])).code).toBe(3);
  });
});
