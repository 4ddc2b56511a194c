/** The examples of docs/integrations.md run as they are, with the real packages on the newest Node. */
import { afterAll, describe, expect, it } from "vitest";
import { codeBlocks, read } from "../../../../test/docs/project-files.js";
import { DoorsFolder, hasNewestNode } from "./real-packages.js";

const examples = ["mem0.ts", "langgraph.mjs", "ai-sdk.mjs", "openai-agents.mjs"].map((name) => `examples/${name}`);

describe.runIf(hasNewestNode)("the examples run:", () => {
  const folder = hasNewestNode ? new DoorsFolder() : null;
  afterAll(() => folder?.remove());

  it.each([
    ["mem0.ts", /^I moved to Lisbon for the job at the aquarium\.\n$/u],
    ["langgraph.mjs", /^I practise the piano every Thursday evening\.\n\[\["ada","facts"\]\]\n$/u],
    ["ai-sdk.mjs", /^Noted\.\nNo penicillin for you\.\n$/u],
    ["openai-agents.mjs", /^I have read 3 items\.\n.*Lisbon/u],
  ])("%s", (name, expected) => {
    expect(folder!.run(`examples/${name}`)).toMatch(expected);
  });
});

it("the page shows parts of the examples, one for each door", () => {
  const page = "docs/integrations.md";
  const blocks = [...codeBlocks(page, "ts"), ...codeBlocks(page, "js")].map(({ code }) => code);
  expect(blocks).toHaveLength(4);
  for (const path of examples)
    expect(
      blocks.filter((code) => read(path).includes(code)),
      path,
    ).toHaveLength(1);
});
