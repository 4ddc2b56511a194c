/** `--filter`, `--from`, `--to` and `--metadata`: conditions and metadata as they are written on a command line. */
import { type Command, InvalidArgumentError } from "commander";
import type { FilterValue, MemoryFilter, MemorySelection, Metadata, MetadataValue } from "mnemosyne-edge";
import { flatten } from "./layout.js";

export interface SelectionOptions {
  readonly filter?: readonly MemoryFilter[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function addSelectionOptions(command: Command): Command {
  return command
    .option(
      "--filter <condition>",
      "only what has this metadata: key=value, key=a,b for one of these, or JSON; repeat for more",
      (text: string, others: readonly MemoryFilter[] = []) => [...others, parseCondition(text)],
    )
    .option("--from <time>", "only what took place at this time or later, as for commit")
    .option("--to <time>", "only what took place before this time");
}

export function readSelection({ filter, from, to }: SelectionOptions): MemorySelection {
  return {
    ...(filter === undefined ? {} : { filter: filter.length === 1 ? filter[0]! : { and: filter } }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

export function isSelecting({ filter, from, to }: SelectionOptions): boolean {
  return filter !== undefined || from !== undefined || to !== undefined;
}

/** A text that looks like a number or a truth value may have been noted as either. */
function parseCondition(text: string): MemoryFilter {
  if (text.trimStart().startsWith("{")) return parseJson(text) as MemoryFilter;
  const [name, written] = splitPair(text);
  return { [name]: { in: splitList(written).flatMap((part) => [...new Set([toValue(part), part])]) } };
}

export function collectMetadata(text: string, others: Metadata = {}): Metadata {
  if (text.trimStart().startsWith("{")) return { ...others, ...(parseJson(text) as Metadata) };
  const [name, written] = splitPair(text);
  return { ...others, [name]: written.includes(",") ? splitList(written) : toValue(written) };
}

function splitPair(text: string): [name: string, value: string] {
  const [, name, value] = /^([^=]+)=(.*)$/su.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("write it as key=value, or as JSON");
  return [name.trim(), value!.trim()];
}

function toValue(text: string): FilterValue {
  if (text === "true" || text === "false") return text === "true";
  // Not "007", nor "1e3": what is to be compared as a number is written as one.
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(text) ? Number(text) : text;
}

function splitList(text: string): string[] {
  return text.split(",").map((part) => part.trim());
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidArgumentError("it is not JSON");
  }
}

/** "agent=support, tags=a,b"; empty without any. */
export function describeMetadata(metadata: Metadata): string {
  const show = (value: MetadataValue): string => (typeof value === "object" ? value.join(",") : String(value));
  return flatten(
    Object.entries(metadata)
      .map(([name, value]) => `${name}=${show(value)}`)
      .join(", "),
  );
}
