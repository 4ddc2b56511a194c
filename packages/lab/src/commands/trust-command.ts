/** `mnemosyne eval trust`: measures what an everyday memory must get right, compared with plain systems. */
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import type { TrustEvaluation } from "../trust/trust-evaluation.js";
import type { TrustPart } from "../trust/trust-part.js";
import type { Parameters } from "mnemosyne-edge";
import { type Settings, parseNames, parseWholeNumber } from "mnemosyne-edge-server/internal/cli/settings.js";
import { print, printJson, startProgress } from "mnemosyne-edge-server/internal/cli/terminal.js";
import { checkWritable } from "./writable-file.js";

interface TrustSettings extends Settings {
  readonly data: string;
  readonly parts?: readonly string[];
  readonly smallTalk?: string;
  readonly judge?: string;
  readonly cache?: string;
  readonly seed: number;
  readonly save?: string;
}

const trustFolder = fileURLToPath(new URL("../../benchmarks/trust", import.meta.url));
const seedDefault = 1;

const help = `
Parts:
  substance      are facts kept and small talk dropped?
  pairs          is a repetition known from an update, and both from something
                 else?
  corrections    does what holds come before what no longer holds?
  unanswerable   does the memory know what it was never told?
  core           does the core summary say what lasts, and nothing that no
                 longer holds?
  small-talk     with --small-talk: are requests to an assistant dropped?

Systems:
  mnemosyne      through the public API, with --profile and --set
  plain-store    keeps everything, merges nothing, ranks by cosine; has no core
                 summary
  mnemosyne-paper
                 only for core: preset paper without the judge, sentences of the
                 central memories

Examples:
  mnemosyne eval trust --cache vectors --save trust.jsonl
  mnemosyne eval trust --judge training/judge-without-trust.safetensors
  mnemosyne eval trust --parts core --save core.jsonl
  mnemosyne eval trust --parts small-talk --small-talk train.json`;

export function addTrustCommand(evalCommand: Command): void {
  evalCommand
    .command("trust")
    .description(
      "check what is kept, merged, ranked, admitted as unknown and always known, compared with plain systems",
    )
    .option("--data <folder>", "folder with a JSON file for each part", trustFolder)
    .option("--parts <names>", "only these parts, separated by commas", parseNames)
    .option("--small-talk <file>", "also measure the small talk of CLINC150's train.json")
    .option("--judge <file>", "judge with this file, as training writes it, instead of the bundled one")
    .option("--seed <number>", "seed of the draws in recall and of the intervals", parseWholeNumber, seedDefault)
    .option("--cache <folder>", "cache vectors here, so that the next run takes seconds")
    .option("--save <file>", "write every verdict and its reasons as JSON Lines")
    .addHelpText("after", help)
    .action(async (_options: object, command: Command) => run(command.optsWithGlobals<TrustSettings>()));
}

async function run(settings: TrustSettings): Promise<void> {
  const { data, parts: chosen, smallTalk, save, json } = settings;
  const { readParts, saveTrust } = await import("../trust/trust-evaluation.js");
  if (save !== undefined) await checkWritable(save);
  const evaluation = await evaluateWithProgress(await readParts(data, chosen, smallTalk), settings);
  if (save !== undefined) await saveTrust(save, evaluation);
  if (json === true) return printJson(evaluation.report);
  const { formatTrustReport } = await import("./trust-report.js");
  print(formatTrustReport(evaluation.report));
}

async function evaluateWithProgress(parts: readonly TrustPart[], settings: TrustSettings): Promise<TrustEvaluation> {
  const { evaluateTrust } = await import("../trust/trust-evaluation.js");
  const { createEmbedder } = await import("mnemosyne-edge/internal/adapters/embedder/by-name.js");
  const { createOwnJudge } = await import("mnemosyne-edge/internal/adapters/judge/adapter-judge.js");
  let progress: ReturnType<typeof startProgress> | undefined;
  try {
    return await evaluateTrust(parts, {
      embedder: createEmbedder(settings.embedder as "fast" | undefined),
      profile: settings.profile as "general",
      parameters: (settings.set ?? {}) as Partial<Parameters>,
      seed: settings.seed,
      ...(settings.judge === undefined ? {} : { judge: createOwnJudge({ judgePath: settings.judge }) }),
      ...(settings.cache === undefined ? {} : { cacheFolder: settings.cache }),
      onProgress: (doneCount, totalCount, note) => {
        progress ??= startProgress("measuring", totalCount);
        progress.update(doneCount, note);
      },
    });
  } finally {
    progress?.stop();
  }
}
