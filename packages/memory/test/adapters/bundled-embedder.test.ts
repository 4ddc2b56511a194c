/** The bundled encoder: two ways to run one model, the same answers, and the one takes over for the other. */
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EmbeddedStatement, TalkWindow } from "../../src/ports/embedder.js";
import { Installation, ownPackage } from "./installation.js";

const texts = [
  "a",
  "The cat sleeps on the sofa, the old cat.",
  "A kitten naps on the couch.",
  "The tax return is due in April.",
  "Where do I live?",
  "I quit my job at the bakery last week, and we're moving to Porto in May because Tom found work there.",
  "I am allergic to penicillin, to 2 kinds of nuts and, since 2019, to my sister's cat.",
  "Naïve café, Ångström, El Niño; İstanbul'da ışık, ΟΔΥΣΣΕΥΣ, ĐẶNG",
  "日本語と漢字かな交じり。 안녕하세요 שלום مرحبا नमस्ते",
  "👩‍👩‍👧‍👦 at 5 🎉, ﬁne ½ cup, zero\u200Bwidth \uD83D apart",
  "[CLS] in the text [SEP], 120/80 mmHg, don't—won't…",
  "x".repeat(101),
  "In summer the whole family came to the harbour to help with the guests and the laundry. ".repeat(5),
];
const [cat, kitten, tax, typed] = [1, 2, 3, 10];
const windows: TalkWindow[] = [
  {
    before: null,
    isAnswer: false,
    texts: ["I moved to Lisbon for the job.", "It rains.", "My sister Ana is a nurse."],
  },
  { before: "Any news of your sister?", isAnswer: true, texts: ["A flat in Graz.", "She likes it."] },
  { before: "the bus was late", isAnswer: false, texts: ["I am allergic to penicillin."] },
];
const ways = ["fast", "portable"] as const;
const embedders = {
  fast: new BundledEmbedder({ way: "fast" }),
  portable: new BundledEmbedder({ way: "portable" }),
} as const;
const { fast, portable } = embedders;
afterAll(() => Promise.all(ways.map((way) => embedders[way].close())));

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0) / (Math.hypot(...a) * Math.hypot(...b));
const windowOf = (...some: string[]): TalkWindow => ({ before: null, isAnswer: false, texts: some });
type Read = readonly EmbeddedStatement[];
const readAll = async (...some: readonly TalkWindow[]): Promise<readonly [Read, Read, Read]> =>
  (await fast.embedTalk(some)) as unknown as [Read, Read, Read];
const vectorsOf = async (embedder: BundledEmbedder, window: TalkWindow): Promise<Float32Array[]> =>
  (await embedder.embedTalk([window]))[0]!.map(({ vector }) => vector);

describe("the two ways", () => {
  it("have one name and the same words, and their vectors have a cosine of at least 0.995", async () => {
    const [one, other] = [await fast.embedWords(texts), await portable.embedWords(texts)];
    expect(fast.identity).toEqual(portable.identity);
    expect(ways.map((way) => embedders[way].runtime)).toEqual(["onnxruntime", "WebAssembly as asked for"]);
    const cosines = one.map(({ vector }, i) => cosine(vector, other[i]!.vector));
    // The aim is 0.999. A number that is rounded to the other side of 8 bits in one layer changes others in the next.
    expect(texts.filter((_, i) => !(cosines[i]! >= 0.995))).toEqual([]);
    for (const [i, { vector, words, wordVectors }] of one.entries()) {
      expect(words).toEqual(other[i]!.words);
      expect(wordVectors).toHaveLength(words.length * fast.wordDimensions);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      if (words.length > 0) expect(cosine(wordVectors, other[i]!.wordVectors)).toBeGreaterThan(0.99);
    }
    expect(one[cat!]!.words).toEqual(["cat", "sleeps", "sofa", "old", "cat"]);
    expect(one[typed!]!.words).toEqual(["cls", "text", "sep", "120", "80", "mmhg"]);
    expect(one.map(({ vector }) => vector)).toEqual(await fast.embed(texts));
  });

  it("read alike: the same person and area, and probabilities that differ by at most 0.02", async () => {
    const [one, other] = [(await fast.embedTalk(windows)).flat(), (await portable.embedTalk(windows)).flat()];
    for (const [i, { reading, vector }] of one.entries()) {
      const { fact, lasting, alone, ...names } = reading;
      const { reading: another, vector: there } = other[i]!;
      expect(another).toMatchObject(names);
      expect(cosine(vector, there)).toBeGreaterThan(0.995);
      for (const name of ["fact", "lasting", "alone"] as const) {
        expect(Math.abs(reading[name] - another[name])).toBeLessThanOrEqual(0.02);
      }
      expect([fact, lasting, alone].filter((each) => !(each >= 0 && each <= 1))).toEqual([]);
    }
    const [news, rain] = one.map(({ reading }) => reading);
    expect(news!.fact).toBeGreaterThan(rain!.fact);
    expect(news!.lasting).toBeGreaterThan(rain!.lasting);
  });

  it("relate pairs alike, and tell which of two came first", async () => {
    const pairs = [
      ["I live in Porto.", "I moved to Lisbon."],
      ["I moved to Lisbon.", "I live in Porto."],
    ] as const;
    const [one, other] = [await fast.relatePairs(pairs), await portable.relatePairs(pairs)];
    for (const [i, scores] of one.entries()) {
      expect(scores.filter((score, k) => !(Math.abs(score - other[i]![k]!) <= 0.1))).toHaveLength(0);
    }
    expect(one[0]).not.toEqual(one[1]);
  });
});

describe.each(ways)("a text on the %s way", (way) => {
  const embedder = embedders[way];

  it("has the same vector, words and all, to the last bit: alone, beside others and again", async () => {
    const some = texts.slice(0, 5);
    const expected = await embedder.embedWords(some);
    for (const order of [
      [3, 0, 2],
      [4, 4, 1],
    ]) {
      await embedder.embedTalk(windows.slice(0, 1));
      expect(await embedder.embedWords(order.map((i) => some[i]!))).toEqual(order.map((i) => expected[i]));
    }
    const alone = await Promise.all(some.map((text) => embedder.embed([text])));
    expect(alone.flat()).toEqual(expected.map(({ vector }) => vector));
    expect(await vectorsOf(embedder, windowOf(some[1]!))).toEqual([expected[1]!.vector]);
    expect([await embedder.embed([]), await embedder.embedTalk([]), await embedder.relatePairs([])]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it("is cut after 256 word pieces, with the marks of start and end", async () => {
    const [whole, longer, shorter] = await embedder.embed([254, 255, 253].map((count) => "word ".repeat(count)));
    expect(longer).toEqual(whole);
    expect(shorter).not.toEqual(whole);
  });
});

it("near meanings have near vectors", async () => {
  const vectors = await fast.embed(texts);
  expect(cosine(vectors[cat!]!, vectors[kitten!]!)).toBeGreaterThan(cosine(vectors[cat!]!, vectors[tax!]!) + 0.3);
});

describe("a window", () => {
  it("gives one result for each of its statements, each with its own words, alone and beside other windows", async () => {
    const all = await fast.embedTalk(windows);
    expect(all.map((each) => each.length)).toEqual(windows.map(({ texts: told }) => told.length));
    expect(all[0]!.map(({ words }) => words)).toEqual([
      ["moved", "lisbon", "job"],
      ["rains"],
      ["sister", "ana", "nurse"],
    ]);
    for (const { words, wordVectors, vector } of all.flat()) {
      expect(wordVectors).toHaveLength(words.length * fast.wordDimensions);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
    for (const [i, window] of windows.entries()) expect(await fast.embedTalk([window])).toEqual([all[i]]);
  });

  it("is read as a whole: the words before and the other statements change a statement's vector and reading", async () => {
    const told = "She works there now.";
    const [[alone], [after], [, beside]] = await readAll(
      windowOf(told),
      { before: "My sister Ana has a new job in a bakery.", isAnswer: false, texts: [told] },
      windowOf("My sister Ana has a new job in a bakery.", told),
    );
    for (const each of [after!, beside!]) {
      expect(each.vector).not.toEqual(alone!.vector);
      expect(each.reading).not.toEqual(alone!.reading);
      expect(each.words).toEqual(alone!.words);
    }
    const [ana] = await fast.embed(["Ana works in a bakery."]);
    expect(cosine(after!.vector, ana!)).toBeGreaterThan(cosine(alone!.vector, ana!));
  });

  it("of an answer has its question in the first statement, and in no other", async () => {
    const answer: TalkWindow = {
      before: "Which medicine can't you take?",
      isAnswer: true,
      texts: ["Penicillin.", "It rains."],
    };
    const [[first, second], [plainFirst, plainSecond]] = await readAll(answer, { ...answer, isAnswer: false });
    expect(second).toEqual(plainSecond);
    expect(first!.vector).not.toEqual(plainFirst!.vector);
    expect(plainFirst!.words).toEqual(["penicillin"]);
    expect(first!.words).toEqual(["medicine", "penicillin"]);
    const [question] = await fast.embed([answer.before!]);
    expect(cosine(first!.vector, question!)).toBeGreaterThan(cosine(plainFirst!.vector, question!));
  });

  it("has 160 word pieces of a statement and the last 40 of the words before, and a pair 110 of each text", async () => {
    const long = (count: number): string => "word ".repeat(count);
    const ofLength = async (count: number) => vectorsOf(fast, windowOf(long(count)));
    expect(await ofLength(161)).toEqual(await ofLength(160));
    expect(await ofLength(159)).not.toEqual(await ofLength(160));
    const after = async (before: string) => vectorsOf(fast, { before, isAnswer: false, texts: ["I moved."] });
    expect(await after(`garden ${long(40)}`)).toEqual(await after(long(40)));
    expect(await after(`garden ${long(39)}`)).not.toEqual(await after(long(40)));
    const related = (first: number, second: number) => fast.relatePairs([[long(first), long(second)]]);
    expect(await related(111, 111)).toEqual(await related(110, 110));
    expect(await related(109, 110)).not.toEqual(await related(110, 110));
    expect(await related(110, 109)).not.toEqual(await related(110, 110));
  });

  it("with more pieces than the model takes is read in parts: each statement has its own unit vector", async () => {
    const towns = [..."東京大北山川海田中村小林"];
    const told = towns.map(
      (town) => `私は${town}町の古い家に家族と住んでいます。毎日犬と公園を歩き、図書館で本を読みます。`,
    );
    const statements = (await fast.embedTalk([windowOf(...told)]))[0]!;
    expect(statements).toHaveLength(told.length);
    for (const { vector } of statements) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(new Set(statements.map(({ vector }) => vector.join(" "))).size).toBe(told.length);
  });

  it.each(ways)("and a text that is empty have vectors of length 1 on the %s way", async (way) => {
    const vectors = [
      ...(await embedders[way].embed(["", " "])),
      ...(await vectorsOf(embedders[way], windowOf("", "It rains.", ""))),
    ];
    expect(vectors).toHaveLength(5);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it("takes marks that somebody typed for words: they are no border, and begin no other text", async () => {
    const [[border], [typedBorder]] = await readAll(
      { before: "It rains.", isAnswer: false, texts: ["I moved."] },
      windowOf("It rains. [SEP] I moved."),
    );
    expect(typedBorder!.vector).not.toEqual(border!.vector);
    expect(typedBorder!.words).toContain("sep");
    const [one, other] = await fast.relatePairs([
      ["It rains.", "I moved."],
      ["It rains. [SEP] I moved.", ""],
    ]);
    expect(one).not.toEqual(other);
  });
});

describe("the model's process", () => {
  const started: ChildProcess[] = [];
  const note = (message: unknown): number => started.push((message as { process: ChildProcess }).process);
  beforeEach(() => subscribe("child_process", note));
  afterEach(() => {
    unsubscribe("child_process", note);
    started.length = 0;
  });

  it("starts with the first text, off the caller's thread, and ends with close", async () => {
    const embedder = new BundledEmbedder({ way: "fast" });
    expect([embedder.runtime, started.length]).toEqual(["not started", 0]);
    let tickCount = 0;
    const ticking = setInterval(() => tickCount++, 1);
    await embedder.embed(["anything"]);
    clearInterval(ticking);
    expect(tickCount).toBeGreaterThan(5);
    expect(started).toHaveLength(1);
    await embedder.close();
    expect(embedder.runtime).toBe("not started");
    expect(started.map(({ signalCode }) => signalCode)).toEqual(["SIGKILL"]);
  });

  it("that ended by itself fails the text it had, and is started again by the next", async () => {
    const embedder = new BundledEmbedder({ way: "fast" });
    const [before] = await embedder.embed(["anything"]);
    const waiting = embedder.embed(["word ".repeat(254)]);
    await Promise.resolve();
    started[0]!.kill("SIGKILL");
    await expect(waiting).rejects.toMatchObject({ code: "embedder_failed", message: /ended with SIGKILL/u });
    expect(await embedder.embed(["anything"])).toEqual([before]);
    expect(started).toHaveLength(2);
    await embedder.close();
  });

  it("closed while it starts, fails the text it had and starts nothing else", async () => {
    const embedder = new BundledEmbedder();
    const waiting = embedder.embed(["anything"]);
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: "embedder_failed" }), embedder.close()]);
    expect(started.map(({ signalCode }) => signalCode)).toEqual(["SIGKILL"]);
  });
});

describe("where onnxruntime-node is not installed", () => {
  const remedy = "install onnxruntime-node, or onnxruntime-web where native code does not run";
  const reason = `the bundled embedder failed: onnxruntime-node is not installed; ${remedy}`;

  it("the portable way takes over and says why; forced, the fast way is an error", async () => {
    const installation = new Installation({ links: { "onnxruntime-web": ownPackage("onnxruntime-web") } });
    try {
      const { out, error } = await installation.run(`
        import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
        const told = [];
        const embedder = new BundledEmbedder({ onFallback: (reason) => told.push(reason) });
        const [{ words }] = await embedder.embedWords(["The cat sleeps on the sofa."]);
        const { runtime } = embedder;
        await embedder.close();
        const refusal = await new BundledEmbedder({ way: "fast" }).embed(["anything"]).catch(({ message }) => message);
        process.stdout.write(JSON.stringify({ runtime, told, words, refusal }));`);
      expect(error).toBe("");
      expect(JSON.parse(out)).toEqual({
        runtime: `WebAssembly, since native code does not work here: ${reason}`,
        told: [reason],
        words: ["cat", "sleeps", "sofa"],
        refusal: reason,
      });
    } finally {
      installation.remove();
    }
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ["nor is onnxruntime-web", {}],
    ["and empty packages stand for both", { "index.js": "" }],
  ])("%s: the error says what to install", async (_, files) => {
    const installation = new Installation();
    try {
      if (Object.keys(files).length > 0) {
        for (const name of ["onnxruntime-node", "onnxruntime-web"]) installation.addPackage(name, files);
      }
      const { out, error } = await installation.run(`
        import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
        const refusals = [];
        for (const options of [{}, { way: "portable" }]) {
          const embedder = new BundledEmbedder(options);
          await embedder.embed(["anything"]).catch(({ code, message }) => refusals.push([code, message]));
          await embedder.close();
        }
        process.stdout.write(JSON.stringify(refusals));`);
      expect(error).toBe("");
      const refusal = ["embedder_failed", reason.replace("onnxruntime-node", "onnxruntime-web")];
      expect(JSON.parse(out)).toEqual([refusal, refusal]);
    } finally {
      installation.remove();
    }
  });
});

it("a way that is unknown is refused at once", () => {
  expect(() => new BundledEmbedder({ way: "quick" as "fast" })).toThrow(/"quick" is unknown; use fast or portable/u);
});
