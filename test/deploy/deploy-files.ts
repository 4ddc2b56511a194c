/** What the files for deployment say, read as the programs that use them read them. */
import { parse } from "yaml";
import { read } from "../docs/project-files.js";

export interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string | null>>;
  readonly volumes: readonly string[];
  readonly networks: readonly string[];
  readonly [setting: string]: unknown;
}

export interface Composition {
  readonly services: Readonly<Record<"mnemosyne" | "redis", Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

export function readComposition(): Composition {
  return parse(read("compose.yaml"), { strict: true, uniqueKeys: true }) as Composition;
}

/** The settings of a unit by section and name, in order. */
export function readUnit(name: string): ReadonlyMap<string, readonly string[]> {
  const settings = new Map<string, string[]>();
  let section = "";
  for (const line of read(`deploy/${name}`).split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const heading = /^\[(\w+)\]$/u.exec(line)?.[1];
    if (heading !== undefined) section = heading;
    else {
      const [, key, value] = /^(\w+)=(.*)$/u.exec(line)!;
      const place = `${section}.${key}`;
      settings.set(place, [...(settings.get(place) ?? []), value!]);
    }
  }
  return settings;
}

/** Every option behind the command, such as "--port". */
export function flagsIn(words: readonly string[], command: string): string[] {
  return words.slice(words.indexOf(command) + 1).filter((word) => word.startsWith("--"));
}
