/** A report of `mnemosyne eval trust` as a table. */
import type { TrustReport } from "../trust/trust-evaluation.js";
import type { TrustScores } from "../trust/trust-part.js";
import { type PartName, partNames } from "../trust/trust-system.js";
import { formatFoldedTable, wrap } from "mnemosyne-edge-server/internal/cli/layout.js";
import { colours, heading } from "mnemosyne-edge-server/internal/cli/paint.js";
import { countOf, formatNumber } from "mnemosyne-edge-server/internal/cli/terminal.js";
import { formatFacts, formatInterval } from "./eval-report.js";

/** What is shown of each part, the rest is in the JSON; a figure is better if it is higher, or lower, or neither. */
const shown: Readonly<
  Record<PartName, readonly (readonly [figure: string, title: string, better: "higher" | "lower" | "-"])[]>
> = {
  substance: [
    ["factsKept", "facts kept", "higher"],
    ["smallTalkDropped", "small talk dropped", "higher"],
    ["smallTalkF1", "small talk F1", "higher"],
  ],
  pairs: [
    ["repetitionF1", "repetition F1", "higher"],
    ["updateF1", "update F1", "higher"],
    ["repetitionsFound", "repetitions found", "higher"],
    ["differentMerged", "different merged", "lower"],
    ["updatesMerged", "updates merged", "lower"],
    ["lost", "pairs with one lost", "lower"],
  ],
  corrections: ["", "Present", "Past"].flatMap((about) => {
    const suffix = about === "" ? "" : `, ${about.toLowerCase()}`;
    return [
      [`currentAboveOutdated${about}`, `current above outdated${suffix}`, "higher"],
      [`currentFirst${about}`, `current first${suffix}`, "higher"],
      [`currentFound${about}`, `current found${suffix}`, "higher"],
    ] as const;
  }),
  unanswerable: [
    ["auc", "AUC of confidence", "higher"],
    ["hit3", "hit@3 of the answerable", "higher"],
    ["abstained", "abstained", "higher"],
    ["abstainedWrongly", "abstained wrongly", "lower"],
  ],
  core: [
    ["mustKnow", "what lasts is said", "higher"],
    ["outdatedSaid", "what is outdated is said", "lower"],
    ["words", "words of the summary", "-"],
  ],
  "small-talk": [["dropped", "requests dropped", "higher"]],
};

/** Numbers, not shares. */
const counts: ReadonlySet<string> = new Set(["lost", "words"]);

export function formatTrustReport(report: TrustReport): string {
  const { systems, profile, judge } = report;
  const [first] = Object.values(systems);
  const parts = partNames.filter((part) => first?.[part] !== undefined);
  const sizes = parts.map((part) => `${part} ${first![part]!.count}`);
  const facts = `Profile ${profile}, judge ${judge ?? "none"}. ${formatFacts(report)}`;
  return [
    wrap(`${heading("trust")}  ${countOf(parts.length, "part")}: ${sizes.join(", ")}`, "", "  "),
    formatFoldedTable(
      ["part", "figure", "better", ...Object.keys(systems)],
      parts.flatMap((part) =>
        formatRows(
          part,
          Object.values(systems).map((scores) => scores[part]),
        ),
      ),
      2,
    ),
    colours.dim(wrap(`${facts} In brackets: 95 % intervals, over items or whole stories.`)),
  ].join("\n\n");
}

function formatRows(part: PartName, scores: readonly (TrustScores | undefined)[]): string[][] {
  return shown[part].map(([figure, title, better]) => [
    part,
    title,
    better,
    ...scores.map((ofSystem) => formatFigure(figure, ofSystem)),
  ]);
}

/** Empty where a system was not measured. */
function formatFigure(figure: string, scores: TrustScores | undefined): string {
  if (scores === undefined) return "";
  const { value, interval } = scores.figures[figure]!;
  if (value === null || interval === null) return "-";
  const digits = counts.has(figure) ? 0 : 3;
  return `${formatNumber(value, digits)} ${colours.dim(formatInterval(interval, digits))}`;
}
