/** What `mnemosyne serve` says when it runs: where, and what to try. Commands are to be copied, so they are not wrapped. */
import { colours, heading } from "../paint.js";
import { print, printJson } from "../terminal.js";

export interface Welcome {
  readonly url: string;
  readonly path: string;
  readonly profile: string;
  readonly person: string;
  readonly keysFile: string | null;
  readonly upstream: string | null;
}

export function printWelcome(welcome: Welcome, isJson: boolean): void {
  if (isJson) printJson(welcome);
  else for (const line of describe(welcome)) print(line);
}

function describe({ url, path, profile, person, keysFile, upstream }: Welcome): string[] {
  const name = encodeURIComponent(person);
  const memory = `${url}/v1/persons/${name}`;
  const key = keysFile === null ? "" : ` -H "authorization: Bearer $MNEMOSYNE_API_KEY"`;
  const json = ` -H 'content-type: application/json'`;
  const plain = ` -H 'accept: text/plain'`;
  return [
    `${heading("Mnemosyne is running")} at ${url} ${colours.dim("(stop it with Ctrl+C)")}`,
    `  memory  ${path}, profile ${profile}; ${person}'s in what follows`,
    `  look    ${url}/ in a browser`,
    `  API     ${url}/docs`,
    `  keys    ${keysFile === null ? "none are asked for: only this machine can reach it" : keysFile}`,
    `  proxy   ${upstream === null ? "off; --upstream <url> names a model to chat with" : `${url}/v1 → ${upstream}`}`,
    "",
    heading("Try it"),
    `curl -s${key}${plain} ${memory}/core`,
    `curl -s${key}${plain}${json} ${memory}/recall \\\n  -d '{"query": "What am I allergic to?"}'`,
    `curl -s${key}${json} "${memory}/interactions?wait=true" \\\n  -d '{"text": "I moved to Lisbon."}'`,
    "",
    heading("MCP"),
    `claude mcp add --transport http mnemosyne "${url}/mcp?person=${name}"${keysFile === null ? "" : ` \\\n  --header "Authorization: Bearer $MNEMOSYNE_API_KEY"`}`,
  ];
}
