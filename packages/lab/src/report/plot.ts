/** Charts from reports that were saved as JSON. */
import { InputError } from "mnemosyne-edge";
import type { Interval } from "./bootstrap.js";
import { type ChartOptions, type ChartReport, chartMeasures, drawChart } from "./chart.js";
import { type DatasetName, datasetNames } from "../data/dataset.js";
import { JsonReader } from "../data/json-reader.js";
import type { Scores } from "./report.js";
import { writeWhole } from "mnemosyne-edge/internal/files/whole-file.js";

export interface PlotOptions extends ChartOptions {
  /** Only these systems; by default all systems of every report. */
  readonly systems?: readonly string[];
  /** Names of the data sets, one per file. */
  readonly names?: readonly string[];
}

/** Draws the reports of these files into one chart; returns the systems in it. */
export async function plotReports(
  files: readonly string[],
  out: string,
  { systems, names, ...options }: PlotOptions = {},
): Promise<string[]> {
  if (names !== undefined && names.length !== files.length) {
    throw new InputError(
      "option_invalid",
      `${names.length} names for ${files.length} reports; give one name per report`,
    );
  }
  const reports = await Promise.all(files.map(async (file) => readReport(await JsonReader.open(file))));
  const known = [...new Set(reports.flatMap((report) => Object.keys(report.systems)))];
  const unknown = systems?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new InputError("option_invalid", `system "${unknown}" is in no report; use some of: ${known.join(", ")}`);
  }
  const chosen = known.filter((name) => systems?.includes(name) !== false);
  if (chosen.length === 0) throw new InputError("option_invalid", "no system to draw");
  const drawn = reports.map((report, i) => ({
    ...report,
    ...(names === undefined ? {} : { name: names[i]! }),
    systems: Object.fromEntries(Object.entries(report.systems).filter(([name]) => chosen.includes(name))),
  }));
  await writeWhole(out, [drawChart(drawn, options)], "everybody");
  return chosen;
}

function readReport(reader: JsonReader): ChartReport {
  const systems = reader.field("systems");
  return {
    dataset: reader.field("dataset").oneOf(Object.keys(datasetNames) as DatasetName[]),
    count: reader.field("count").number(),
    systems: Object.fromEntries(
      systems.names().map((name) => [name, { all: readScores(systems.field(name).field("all")) }]),
    ),
  };
}

function readScores(reader: JsonReader): Scores {
  const intervals = reader.field("intervals");
  return {
    count: reader.field("count").number(),
    ...Object.fromEntries(chartMeasures.map((measure) => [measure, reader.field(measure).share()])),
    intervals: Object.fromEntries(chartMeasures.map((measure) => [measure, readInterval(intervals.field(measure))])),
  };
}

function readInterval(reader: JsonReader): Interval {
  const [low, high, ...rest] = reader.items().map((end) => end.share());
  if (low === undefined || high === undefined || rest.length > 0) throw reader.wrong("an interval such as [0.2, 0.4]");
  return [low, high];
}
