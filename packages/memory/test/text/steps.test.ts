/**
 * Texts made to take long: the work on them grows no faster than they do, and it comes in small steps. Counted are the
 * characters passed to the platform's segmenters and to tests of patterns, not time.
 */
import { expect, it, onTestFinished, vi } from "vitest";
import { finish } from "../../src/text/steps.js";
import { extractKeywordsSteps } from "../../src/text/keywords.js";
import { splitSentencesSteps } from "../../src/text/sentences.js";
import { splitTermsSteps, splitWordsSteps } from "../../src/text/words.js";
import { cutStatementsSteps, selectStatementsSteps } from "../../src/reader/cut.js";
import { Source } from "../../src/model/grounding.js";

const length = 6_000;
const statistics = { documentCount: 10, documentFrequency: () => 1 };

const pieces = {
  lines: "knee\n",
  "mixed lines": "knee\r\n\n\r \n",
  "blank lines": "\n",
  abbreviations: "Dr. ",
  initials: "A. ",
  clauses: "and I ran, ",
  "bound clauses": "if I ran, ",
  "numbered lists": "1. ",
  "one word": "a",
  digits: "7",
  brackets: "(",
  quotes: "\"'“”’",
  Chinese: "我的膝盖昨天很疼医生说要休息。",
  "Chinese without an end": "膝盖",
  Thai: "เข่าของฉันเจ็บ",
  "Chinese and Latin": "膝 knee. ",
  emoji: "👩‍👩‍👧‍👦",
  marks: "e\u0301\u0302",
  Arabic: "ركبتي تؤلمني اليوم. ",
  addresses: "https://a.b.c/d?e=f#g.h ",
};

const said = (text: string, who = "user"): { turns: { who: string; text: string }[]; summary: null } => ({
  turns: [{ who, text }],
  summary: null,
});

const works: Record<string, (text: string) => Generator<void, unknown>> = {
  sentences: splitSentencesSteps,
  words: splitWordsSteps,
  terms: splitTermsSteps,
  keywords: (text) => extractKeywordsSteps(text, statistics, 12),
  statements: (text) => cutStatementsSteps(said(text)),
  passages: (text) => cutStatementsSteps(said(text, "assistant")),
  "sentences of a summary": (summary) => cutStatementsSteps({ turns: [], summary }),
  *selection(text) {
    return yield* selectStatementsSteps(yield* cutStatementsSteps(said(text)), statistics, 48);
  },
  source: (text) => Source.readSteps(text),
};

interface Effort {
  readonly segmented: number;
  readonly tested: number;
  readonly segmentedInOneStep: number;
}

function effortOf(steps: Generator<void, unknown>): Effort {
  let [segmented, tested, segmentedInOneStep, before] = [0, 0, 0, 0];
  const { segment } = Intl.Segmenter.prototype;
  const { test } = RegExp.prototype;
  const spies = [
    vi.spyOn(Intl.Segmenter.prototype, "segment").mockImplementation(function (this: Intl.Segmenter, text) {
      segmented += text.length;
      return segment.call(this, text);
    }),
    vi.spyOn(RegExp.prototype, "test").mockImplementation(function (this: RegExp, text) {
      tested += text.length;
      return test.call(this, text);
    }),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  while (steps.next().done !== true) {
    segmentedInOneStep = Math.max(segmentedInOneStep, segmented - before);
    before = segmented;
  }
  spies.forEach((spy) => spy.mockRestore());
  return { segmented, tested, segmentedInOneStep: Math.max(segmentedInOneStep, segmented - before) };
}

it.each(Object.entries(works))("%s take steps of bounded size, and as many as the text is long", (_, work) => {
  const offenders = Object.entries(pieces).flatMap(([name, piece]) => {
    const text = piece.repeat(Math.ceil(length / piece.length));
    // What is known by then need not be looked up again.
    finish(work(text + text));
    const once = effortOf(work(text));
    const twice = effortOf(work(text + text));
    const isLinear =
      twice.segmented <= 2.5 * once.segmented + 5_000 &&
      twice.tested <= 2.5 * once.tested + 5_000 &&
      once.segmented <= 8 * text.length &&
      once.tested <= 40 * text.length &&
      once.segmentedInOneStep <= 6_000;
    return isLinear ? [] : [{ name, once, twice }];
  });
  expect(offenders).toEqual([]);
});
