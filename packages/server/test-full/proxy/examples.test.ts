/** The examples of the proxy run, and the page on it shows parts of them. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { codeBlocks, read, root } from "../../../../test/docs/project-files.js";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { areClientsThere, runWithClients } from "./chat-clients.js";
import { ProxyServer } from "../../test/server/proxy/proxy-server.js";
import {
  type Answer,
  ScriptedUpstream,
  anthropicMessage,
  chatPieces,
  completion,
  json,
  stream,
} from "../../test/server/proxy/scripted-upstream.js";

const scratch = new ScratchFolder();
let upstream: ScriptedUpstream;
let proxy: ProxyServer;

beforeAll(async () => {
  upstream = await ScriptedUpstream.start();
});
afterAll(() => upstream.stop());
beforeEach(async () => {
  proxy = await ProxyServer.start({ path: scratch.next(), upstream: { url: upstream.origin } });
  return () => proxy.stop();
});

/** A model that knows only what it is told in the request. */
const forgetful: Answer = async (response, request) => {
  const knows = request.text.includes("<<<MEMORY") && request.text.includes("lives in Porto.");
  const answer = knows ? "In Porto." : "I do not know.";
  const { stream: isStream } = request.json;
  const isAnthropic = request.path === "/v1/messages";
  const whole = isAnthropic ? json(anthropicMessage([{ type: "text", text: answer }])) : completion(answer);
  await (isStream === true ? stream(chatPieces([answer])) : whole)(response, request);
};

const ofClients = ["examples/proxy-openai.mjs", "examples/proxy-anthropic.mjs"] as const;

describe("an example", () => {
  it.runIf(areClientsThere).each(ofClients)("%s remembers from one conversation to the next", async (example) => {
    upstream.answer = forgetful;
    const MNEMOSYNE_URL = proxy.origin + (example.includes("openai") ? "/v1" : "");
    const env = { MNEMOSYNE_URL, OPENAI_API_KEY: "sk-x", ANTHROPIC_API_KEY: "sk-y" };
    expect(await runWithClients(example, scratch.path, [], env)).toBe("In Porto.\n");
  });

  it("examples/proxy-curl.sh does, too, and shows the headers", async () => {
    upstream.answer = forgetful;
    const env = { ...process.env, MNEMOSYNE_URL: `${proxy.origin}/v1` };
    const { stdout } = await promisify(execFile)("sh", [`${root}examples/proxy-curl.sh`], { env });
    expect(stdout).toContain("I do not know.");
    expect(stdout).toContain("In Porto.");
    expect(stdout).toMatch(/^mnemosyne-memory: used\r?$/mu);
  });
});

it("the page shows parts of them", () => {
  const examples = [...ofClients, "examples/proxy-curl.sh"].map(read).join("\n");
  const blocks = [...codeBlocks("docs/proxy.md", "js"), ...codeBlocks("docs/proxy.md", "sh")];
  expect(blocks).toHaveLength(4);
  expect(blocks.filter(({ code }) => !examples.includes(code))).toEqual([]);
});

it("the page names every header", () => {
  const page = read("docs/proxy.md");
  const sources = ["exchange", "chat-memory", "upstream-headers"].map((name) =>
    read(`packages/server/src/server/proxy/${name}.ts`),
  );
  const named = new Set(sources.join("").match(/(?<=")(?:mnemosyne-[a-z-]+[a-z]|x-upstream-[a-z]+)(?=")/gu));
  expect(named.size).toBeGreaterThan(6);
  expect([...named].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
