/** What `mnemosyne serve` says when it runs: where, and what to try. Commands are to be copied: a shell joins their lines. */
import { colours, heading } from "./paint.js";
import { print, printJson } from "./terminal.js";
import type { ShownPerson } from "./shown-person.js";

export interface Welcome extends ShownPerson {
  readonly url: string;
  readonly path: string;
  readonly profile: string;
  readonly keysFile: string | null;
  readonly upstream: string | null;
}

export function printWelcome(welcome: Welcome, isJson: boolean): void {
  if (isJson) printJson(welcome);
  else for (const line of describe(welcome)) print(line);
}

const columns = 80;

function describe({ url, path, profile, person, keyId, isReadOnly, keysFile, upstream }: Welcome): string[] {
  const name = encodeURIComponent(person);
  const memory = `${url}/v1/persons/${name}`;
  const key = keysFile === null ? [] : [`-H "authorization: Bearer $MNEMOSYNE_API_KEY"`];
  const json = `-H 'content-type: application/json'`;
  const plain = `-H 'accept: text/plain'`;
  const tool = ["claude mcp add", "--transport http", "mnemosyne", `"${url}/mcp?person=${name}"`];
  const tell = breakLines(["curl -s", `"${memory}/interactions?wait=true"`, ...key, json, `-d '{"text": "${told}"}'`]);
  return [
    `${heading("Mnemosyne is running")} at ${url} ${colours.dim("(stop it with Ctrl+C)")}`,
    `  memory  ${path}, profile ${profile}; ${person}'s in what follows`,
    `  look    ${url}/ in a browser`,
    `  API     ${url}/docs`,
    `  keys    ${keysFile === null ? "none are asked for: only this machine can reach it" : keysFile}`,
    `  proxy   ${upstream === null ? "off; --upstream <url> names a model to chat with" : `${url}/v1 → ${upstream}`}`,
    "",
    heading("Try it"),
    ...(keyId === null ? [] : [colours.dim(`# export MNEMOSYNE_API_KEY=mnk_${keyId}_… (the whole key)`)]),
    breakLines(["curl -s", `"${memory}/recall"`, ...key, plain, json, `-d '{"query": "What am I allergic to?"}'`]),
    ...(isReadOnly ? [] : [tell]),
    // What was told just now is at its top.
    breakLines(["curl -s", `"${memory}/core"`, ...key, plain]),
    "",
    heading("MCP"),
    breakLines([...tool, ...(keysFile === null ? [] : [`--header "Authorization: Bearer $MNEMOSYNE_API_KEY"`])]),
  ];
}

/** The demo's person has never said so, and it is what a core summary says first. */
const told = "I am allergic to latex.";

/** A shell joins the lines again. */
function breakLines(parts: readonly string[]): string {
  const lines: string[] = [];
  let line = "";
  for (const part of parts) {
    const longer = line === "" ? part : `${line} ${part}`;
    // Two columns for the backslash.
    if (line === "" || longer.length + 2 <= columns) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = `  ${part}`;
  }
  return [...lines, line].join(" \\\n");
}
