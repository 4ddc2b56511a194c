/** The types of the doors fit those of the real packages: a program with both compiles, and one that misuses them does not. */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../../../../test/docs/project-files.js";
import { DoorsFolder, hasPackages } from "./real-packages.js";

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
    import { type LanguageModelMiddleware, generateText, streamText, wrapLanguageModel } from "ai";
    import type { PersonMemory } from "mnemosyne-edge";
    import { memoryMiddleware, withMemory } from "mnemosyne-edge/ai-sdk";
    export async function use(model: LanguageModelV4, older: LanguageModelV3, person: PersonMemory): Promise<string> {
      const remembering: LanguageModelV4 = withMemory(model, { person });
      const middleware: LanguageModelMiddleware = memoryMiddleware({ person });
      wrapLanguageModel({ model, middleware: [middleware, memoryMiddleware({ person })] });
      streamText({ model: withMemory(older, { person, onError: (error, step) => void [error, step] }), prompt: "p" });
      return (await generateText({ model: remembering, prompt: "p" })).text;
    }`,
  agents: `
    import { type AgentInputItem, type Session, Agent, run } from "@openai/agents-core";
    import type { PersonMemory } from "mnemosyne-edge";
    import { MnemosyneSession } from "mnemosyne-edge/openai-agents";
    export async function use(person: PersonMemory): Promise<AgentInputItem[]> {
      const session: Session = new MnemosyneSession<AgentInputItem>({ person, sessionId: "s" });
      await run(new Agent({ name: "a" }), "hello", { session: new MnemosyneSession<AgentInputItem>({ person }) });
      return session.getItems(3);
    }`,
  mem0: `
    import { Memory as RealMemory } from "mem0ai/oss";
    import { Memory } from "mnemosyne-edge/mem0";
    type Method = "add" | "search" | "get" | "getAll" | "update" | "delete" | "deleteAll" | "history" | "reset";
    export const memory: Pick<RealMemory, Method> = new Memory({ path: "m.db" });
    type Arguments<T, M extends keyof T> = T[M] extends (...given: infer A) => unknown ? A : never;
    /** Whatever the real one takes, ours takes. */
    export const taken: { [M in Method]: (given: Arguments<RealMemory, M>) => Arguments<Memory, M> } = {
      add: (given) => given, search: (given) => given, get: (given) => given, getAll: (given) => given,
      update: (given) => given, delete: (given) => given, deleteAll: (given) => given, history: (given) => given,
      reset: (given) => given,
    };`,
};

describe.runIf(hasPackages)("a program with", () => {
  const folder = hasPackages ? new DoorsFolder() : null;
  afterAll(() => folder?.remove());

  /** What the compiler says. */
  function compile(name: string, program: string): string {
    const types = join(folder!.path, "types");
    mkdirSync(types, { recursive: true });
    symlinkSync(join(root, "node_modules/@types/node"), join(types, `node-${name}`), "junction");
    writeFileSync(join(folder!.path, `${name}.ts`), program);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: "es2023",
      module: "nodenext",
      lib: ["es2023", "esnext.disposable", "dom"],
      types: [`node-${name}`],
      typeRoots: [types],
    };
    writeFileSync(join(folder!.path, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    return spawnSync(process.execPath, [compiler, "-p", folder!.path], { encoding: "utf8" }).stdout;
  }

  it.each(Object.entries(programs))("%s compiles", (name, program) => {
    expect(compile(name, program)).toBe("");
  });

  it("something else in place of a door does not", () => {
    const wrong = programs.langgraph.replace(
      "const store: BaseStore = new MnemosyneStore(mnemosyne)",
      "const store: BaseStore = mnemosyne",
    );
    expect(compile("wrong", wrong)).toContain("error TS");
  });
});
