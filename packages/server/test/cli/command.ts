/** The command line as a shell runs it, in its own folder, with only what a test sets in the environment. */
import { type ChildProcess, execFile } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ChatRequest } from "../../../memory/test/adapters/scripted-endpoint.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the running process, whose input then stays open. */
  readonly onStart?: (child: ChildProcess) => void;
}

const interactions = [
  { id: "allergy", at: "2025-01-15T08:00:00Z", summary: "Ada is allergic to penicillin; it gave her hives in 2012." },
  { id: "lisbon", at: "2025-01-05T09:00:00Z", summary: "Ada moved to Lisbon on 3 January to work at the harbour." },
];

/** A folder with databases filled without a language model. */
export class CommandFolder {
  readonly #scratch = new ScratchFolder();
  readonly #columns: string;

  /** Lines are long where a test is about what they say. */
  constructor(columns = "1000") {
    this.#columns = columns;
  }

  get path(): string {
    return this.#scratch.path;
  }

  /** Fills the database that every other is a copy of. */
  async fill(): Promise<void> {
    const lines = interactions.map((interaction) => JSON.stringify(interaction));
    writeFileSync(join(this.path, "two.jsonl"), lines.join("\n"));
    const { code, errors } = await this.run(["import", "two.jsonl"]);
    if (code !== 0) throw new Error(errors);
  }

  /** The name of a copy that a test may change. */
  copy(name: string): string {
    copyFileSync(join(this.path, "mnemosyne.db"), join(this.path, name));
    return name;
  }

  run(args: readonly string[], { input = "", env = {}, onStart }: RunOptions = {}): Promise<Ran> {
    const { PATH, SystemRoot } = process.env;
    const options = { cwd: this.path, env: { PATH, SystemRoot, COLUMNS: this.#columns, ...env } };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [program, ...args], options, (_error, out, errors) =>
        resolve({ code: child.exitCode, out, errors }),
      );
      child.stdin!.on("error", () => {});
      if (onStart === undefined) child.stdin!.end(input);
      else onStart(child);
    });
  }

  async runJson<Result>(args: readonly string[], options?: RunOptions): Promise<Result> {
    const { code, out, errors } = await this.run([...args, "--json"], options);
    if (code !== 0) throw new Error(`exit ${code}: ${errors}`);
    return JSON.parse(out) as Result;
  }
}

/** A good reply to any request of the memory or the doctor: it repeats the last line that was said. */
export function answerSteps(request: ChatRequest): object {
  const fields = request.response_format?.json_schema?.schema.required ?? [];
  if (fields.includes("answer")) return { answer: "yes" };
  const [, last = ""] = /([^\n]+)\nTEXT>>>/u.exec(request.messages.at(-1)!.content) ?? [];
  const said = last.replace(/^\w+: /u, "");
  if (fields.includes("coreSummary")) return { coreSummary: said };
  if (fields.includes("summary")) return { summary: said };
  return {
    substantial: 1,
    category: "health",
    keywords: [said.split(" ")[0]!, "harbour"],
    statements: [said],
    hypotheticalQueries: [`Who said: ${said}`],
  };
}
