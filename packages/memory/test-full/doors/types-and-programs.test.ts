/** Programs with the doors and the real packages: they compile, the examples run, and the AI SDK streams and calls tools. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../../../../test/docs/project-files.js";
import { DoorsFolder, areDoorsThere } from "./real-packages.js";

const programs = {
  langgraph: `
    import type { BaseStore, Item, Operation, OperationResults, SearchItem } from "@langchain/langgraph-checkpoint";
    import { Annotation, StateGraph, type LangGraphRunnableConfig } from "@langchain/langgraph";
    import type { Mnemosyne } from "mnemosyne-edge";
    import { MnemosyneStore } from "mnemosyne-edge/langgraph";
    export async function use(mnemosyne: Mnemosyne): Promise<[Item | null, SearchItem[], string[][]]> {
      const store: BaseStore = new MnemosyneStore(mnemosyne);
      const State = Annotation.Root({ text: Annotation<string> });
      const node = async (state: typeof State.State, config: LangGraphRunnableConfig) => {
        await config.store!.put(["a"], "k", { text: state.text });
        return {};
      };
      new StateGraph(State).addNode("n", node).addEdge("__start__", "n").compile({ store: new MnemosyneStore(mnemosyne) });
      const operations: Operation[] = [{ namespace: ["a"], key: "k" }];
      const results: OperationResults<Operation[]> = await new MnemosyneStore(mnemosyne).batch(operations);
      await store.put(["a"], "k", { any: [results] }, ["any"]);
      return [await store.get(["a"], "k"), await store.search(["a"], { query: "q" }), await store.listNamespaces()];
    }`,
  aiSdk: `
    import type { LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";
    import { generateText, streamText } from "ai";
    import type { PersonMemory } from "mnemosyne-edge";
    import { withMemory } from "mnemosyne-edge/ai-sdk";
    export async function use(model: LanguageModelV4, older: LanguageModelV3, person: PersonMemory): Promise<string> {
      const remembering: LanguageModelV4 = withMemory(model, { person });
      streamText({ model: withMemory(older, { person, onError: (error, step) => void [error, step] }), prompt: "p" });
      return (await generateText({ model: remembering, prompt: "p" })).text;
    }`,
  mem0: `
    import { Memory as RealMemory } from "mem0ai/oss";
    import { Memory } from "mnemosyne-edge/mem0";
    type Method = "add" | "search" | "get" | "getAll" | "update" | "delete" | "deleteAll" | "history" | "reset";
    export const memory: Pick<RealMemory, Method> = new Memory({ path: "m.db" });`,
};

describe.runIf(areDoorsThere)("a program with", () => {
  const folder = areDoorsThere ? new DoorsFolder() : null;
  afterAll(() => folder?.remove());

  /** Messages of the compiler. */
  function compile(name: string, program: string): string {
    writeFileSync(join(folder!.path, `${name}.ts`), program);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: "es2023",
      module: "nodenext",
      lib: ["es2023", "esnext.disposable", "dom"],
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(join(folder!.path, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    return spawnSync(process.execPath, [compiler, "-p", folder!.path], { encoding: "utf8" }).stdout;
  }

  it.each(Object.entries(programs))("%s compiles", (name, program) => {
    expect(compile(name, program)).toBe("");
  });

  it("something else in place of a door does not", () => {
    const wrong = programs.langgraph.replace("BaseStore = new MnemosyneStore(mnemosyne)", "BaseStore = mnemosyne");
    expect(compile("wrong", wrong)).toContain("error TS");
  });

  it.each([
    ["mem0.ts", /^I moved to Lisbon for the job at the aquarium\.\n$/u],
    ["langgraph.mjs", /^I practise the piano every Thursday evening\.\n\[\["ada","facts"\]\]\n$/u],
    ["ai-sdk.mjs", /^Noted\.\nNo penicillin for you\.\n$/u],
  ])("%s, an example of docs/integrations.md, runs", (name, expected) => {
    expect(folder!.run(`examples/${name}`)).toMatch(expected);
  });

  it("the AI SDK streams a reply, calls tools with the same memory in each step, and both are committed once", () => {
    const embedder = pathToFileURL(`${root}packages/memory/test/durability/hashing-embedder.mjs`).href;
    const results = JSON.parse(folder!.run("packages/memory/test-full/doors/ai-sdk-program.mjs", embedder)) as Record<
      "streamed" | "called",
      { text: string; systems: string[]; committed: object[] }
    >;
    const { streamed, called } = results;
    expect([streamed.text, called.text]).toEqual(["Penicillin is not fine.", "It is 21 degrees."]);
    for (const { systems } of [streamed, called]) expect(systems[0]).toMatch(/<<<MEMORY[^]*allergic[^]*MEMORY>>>$/u);
    expect(called.systems).toEqual([called.systems[0], called.systems[0]]);
    expect(streamed.committed).toMatchObject([{}, { turns: [{}, { text: "Penicillin is not fine." }] }]);
    expect(called.committed).toHaveLength(2);
    expect(JSON.stringify(called.committed[1])).toMatch(/Lisbon.*called weather.*21.*It is 21 degrees/u);
  });
});
