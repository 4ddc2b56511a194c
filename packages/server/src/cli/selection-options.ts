/** `--filter`, `--from`, `--to` and `--metadata`: conditions and metadata as they are written on a command line. */
import { type Command, InvalidArgumentError } from "commander";
import type { FieldFilter, FilterValue, MemoryFilter, MemorySelection, Metadata, MetadataValue } from "mnemosyne-edge";
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
      "only what has this metadata: key=value, key!=value, key>=3, key=a,b for one of these, or JSON; repeat for more",
      collectFilter,
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

function collectFilter(text: string, others: readonly MemoryFilter[] = []): readonly MemoryFilter[] {
  return [...others, parseCondition(text)];
}

const operators: Readonly<Record<string, keyof FieldFilter>> = { ">": "gt", ">=": "gte", "<": "lt", "<=": "lte" };

export function parseCondition(text: string): MemoryFilter {
  if (text.trimStart().startsWith("{")) return parseJson(text) as MemoryFilter;
  const [, name, operator, value] = /^([^<>=!]+)(>=|<=|!=|>|<|=)(.*)$/su.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("write it as key=value, key>=3, or as JSON");
  const [field, written] = [name.trim(), value!.trim()];
  if (operator === "=") return { [field]: { in: readValues(written) } };
  if (operator === "!=") return { [field]: { nin: readValues(written) } };
  return { [field]: { [operators[operator!]!]: toValue(written) } };
}

/** A text that looks like a number or a truth value may have been noted as either. */
function readValues(text: string): FilterValue[] {
  if (text.startsWith('"')) return [String(parseJson(text))];
  if (text.startsWith("[")) return parseJson(text) as FilterValue[];
  return splitList(text).flatMap((part) => [...new Set([toValue(part), part])]);
}

function toValue(text: string): FilterValue {
  if (text === "true" || text === "false") return text === "true";
  if (text.startsWith('"')) return String(parseJson(text));
  // Not "007", nor "1e3": what is to be compared as a number is written as one.
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(text) ? Number(text) : text;
}

export function collectMetadata(text: string, others: Metadata = {}): Metadata {
  if (text.trimStart().startsWith("{")) return { ...others, ...(parseJson(text) as Metadata) };
  const [, name, value] = /^([^=]+)=(.*)$/su.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("write it as key=value, or as JSON");
  const written = value!.trim();
  return { ...others, [name.trim()]: readNoted(written) };
}

/** What begins with a quotation mark or a bracket is JSON. */
function readNoted(written: string): MetadataValue {
  if (written.startsWith("[")) return parseJson(written) as string[];
  const isList = written.includes(",") && !written.startsWith('"');
  return isList ? splitList(written) : toValue(written);
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
