/** `mnemosyne eval trust` as a shell runs it, on tiny data. */
import { type ExecFileException, execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type TrustReport, evaluateTrust, readParts } from "../../src/trust/trust-evaluation.js";
import { HashingEmbedder } from "../../../memory/test/durability/hashing-embedder.mjs";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { writeClinc, writeTrust } from "../eval/trust/tiny-trust.js";

const program = fileURLToPath(new URL("../../../server/dist/cli/main.js", import.meta.url));
const scratch = new ScratchFolder();
const cache = scratch.next("");
const folder = writeTrust(scratch.next(""));
const clinc = writeClinc(scratch.next(".json"));
const common = ["--data", folder, "--cache", cache];

/** The real embedder is slow; its cache is filled with made-up vectors for every text, so that it is not needed. */
beforeAll(async () => {
  for (const profile of ["general", "healthcare"] as const) {
    const embedder = new HashingEmbedder({ name: "minilm-l6-v2", dimensions: 384 });
    const setting = { embedder, profile, parameters: {}, seed: 1, cacheFolder: cache };
    await evaluateTrust(await readParts(folder, [], clinc), setting);
  }
});

/** Columns are side by side. */
const wide = { ...process.env, COLUMNS: "200" };

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

function run(...args: string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, "eval", "trust", ...args],
      { cwd: scratch.path, env: wide },
      (error, out, errors) => {
        const code = error === null ? 0 : (error as ExecFileException).code;
        if (typeof code === "number") resolve({ code, out, errors });
        else reject(error as Error);
      },
    );
  });
}

it("as text: a row for each figure, a column for each system", async () => {
  const { code, out, errors } = await run(...common, "--small-talk", clinc);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  const figure = String.raw`\d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]`;
  expect(out).toMatch(/^part +figure +better +mnemosyne +plain-store +mnemosyne-paper$/mu);
  for (const title of ["facts kept", "repetition F1", "current first, past", "AUC of confidence", "requests dropped"]) {
    expect(out).toMatch(new RegExp(`^[a-z-]+ +${title} +higher +${figure} +${figure}$`, "mu"));
  }
  expect(out).toMatch(new RegExp(`^core +what lasts is said +higher +${figure} +${figure}$`, "mu"));
  expect(out).toMatch(/^core +words of the summary +- +\d+ \[\d+, \d+\] +\d+ \[\d+, \d+\]$/mu);
  expect(out).toMatch(/^pairs +pairs with one lost +lower +\d \[\d, \d\] +0 \[0, 0\]$/mu);
  expect(out).toContain("Profile general, judge bundled. Seed 1, embedder minilm-l6-v2");
});

it("as JSON, with the same figures for the same seed; --profile and --set count", async () => {
  const args = [...common, "--parts", "substance,pairs", "--json", "--seed", "4"];
  const { code, out, errors } = await run(...args);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  const report = JSON.parse(out) as TrustReport;
  expect(report).toMatchObject({ dataset: "trust", profile: "general", seed: 4, parameters: {} });
  expect(Object.keys(report.systems)).toEqual(["mnemosyne", "plain-store"]);
  expect(Object.keys(report.systems["mnemosyne"]!)).toEqual(["substance", "pairs"]);
  expect((await run(...args)).out).toBe(out);
  const changed = await run(...args, "--profile", "healthcare", "--set", "substanceThreshold=-10");
  expect(JSON.parse(changed.out)).toMatchObject({
    profile: "healthcare",
    parameters: { substanceThreshold: -10 },
    systems: { mnemosyne: { substance: { figures: { factsKept: { value: 1, interval: [1, 1] } } } } },
  });
});

it("--save writes every verdict", async () => {
  const save = scratch.next(".jsonl");
  expect((await run(...common, "--parts", "corrections", "--save", save)).code).toBe(0);
  const lines = readFileSync(save, "utf8").trimEnd().split("\n");
  const ids = lines.slice(1).map((line) => (JSON.parse(line) as { id: string }).id);
  expect(ids).toEqual(["c1-q1", "c1-q2", "c1-q1", "c1-q2"]);
});

describe("mistakes end with code 2 and name what is wrong:", () => {
  const refusal = async (...args: string[]): Promise<string> => {
    const { code, out, errors } = await run(...args, "--json");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    return (JSON.parse(errors) as { error: { message: string } }).error.message;
  };

  it("a part, a profile, a folder, a file to read, a file to write", async () => {
    expect(await refusal(...common, "--parts", "cores")).toMatch(/part "cores" is unknown/u);
    expect(await refusal(...common, "--profile", "pirate")).toMatch(/pirate/u);
    expect(await refusal("--data", scratch.next(""))).toMatch(/substance\.json cannot be read/u);
    expect(await refusal(...common, "--small-talk", scratch.next(".json"))).toMatch(/cannot be read/u);
    expect(await refusal(...common, "--save", join(scratch.next(""), "trust.jsonl"))).toMatch(/cannot be written/u);
  });
});

it("the help names parts, systems and options", async () => {
  const { out } = await run("--help");
  for (const name of [
    "substance",
    "pairs",
    "corrections",
    "unanswerable",
    "core",
    "plain-store",
    "mnemosyne-paper",
    "--small-talk",
    "--save",
  ]) {
    expect(out).toContain(name);
  }
});
