/** Every import keeps to the table of rooms in docs/architecture.md, and one that does not is noticed. */
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listFiles, read, root } from "../docs/project-files.js";
import { findBreaches, readRooms, roomOf } from "./imports.js";

const rooms = readRooms();
const sources = listFiles("src").filter((path) => /\.tsx?$/u.test(path));

describe("the rooms", () => {
  it("exist, each once, and so does what they may import", () => {
    const paths = rooms.map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(20);
    expect(paths).toEqual([...new Set(paths)]);
    const named = rooms.flatMap(({ path, allowed }) => [path, ...allowed.filter((name) => name.startsWith("src/"))]);
    expect(named.filter((path) => !existsSync(root + path))).toEqual([]);
  });

  it("hold every folder of the source, each with a README that says what it is", () => {
    const folders = new Set(sources.map((path) => path.slice(0, path.lastIndexOf("/"))));
    const bare = [...folders].filter((folder) => folder !== "src" && !existsSync(`${root}${folder}/README.md`));
    expect(bare).toEqual([]);
    expect(sources.filter((path) => roomOf(path, rooms) === undefined)).toEqual([]);
  });

  it("import nothing that the table does not allow", () => {
    expect(sources.flatMap((path) => findBreaches(path, read(path), rooms, read))).toEqual([]);
  });

  it("may import nothing that none of their files imports", () => {
    const unused = rooms.flatMap(({ path, allowed }) => {
      const files = sources.filter((file) => roomOf(file, rooms)?.path === path);
      const isUsed = (name: string): boolean => {
        const others = rooms.map((room) =>
          room.path === path ? { ...room, allowed: allowed.filter((other) => other !== name) } : room,
        );
        return files.some((file) => findBreaches(file, read(file), others, read).length > 0);
      };
      return allowed.filter((name) => name !== path && !isUsed(name)).map((name) => `${path}: ${name}`);
    });
    expect(unused).toEqual([]);
  });
});

/** For each room an import that would be useful there and is refused. */
const probes: Readonly<Record<string, readonly string[]>> = {
  "src/core": ["../errors.js", "node:fs", "./paper/decay.js"],
  "src/core/paper": ["node:fs", "../../engine/recall/recall.js", "../question-time/time-words.js", "../../errors.js"],
  "src/core/graph": ["node:crypto", "../../parameters.js", "../question-time/question-time.js"],
  "src/core/vectors": ["../graph/memory-graph.js", "node:worker_threads", "../../parameters.js"],
  "src/core/text": ["../paper/entropy.js", "node:util", "../../parameters.js"],
  "src/core/question-time": ["../graph/memory-graph.js", "node:util", "../../engine/recall/recall-time.js"],
  "src/ports": ["../core/graph/memory-graph.js", "../errors.js", "../engine/recall/recall.js"],
  "src/profiles": ["../parameters.js", "../engine/commitment/substance.js"],
  "src/engine": [
    "node:fs",
    "node:timers/promises",
    "../adapters/store/memory/store.js",
    "../core/question-time/holidays.js",
    "../mnemosyne.js",
    "../index.js",
  ],
  "src/adapters/store": ["node:fs", "../../errors.js", "./sqlite/rows.js"],
  "src/adapters/store/memory": ["node:fs", "../sqlite/rows.js", "libsql", "../../../core/graph/memory-graph.js"],
  "src/adapters/store/sqlite": [
    "../redis/rows.js",
    "@redis/client",
    "../../../engine/interaction.js",
    "../../../index.js",
  ],
  "src/adapters/store/redis": ["../sqlite/rows.js", "libsql", "ioredis", "../../../index.js"],
  "src/adapters/store/conformance": ["vitest", "node:fs", "../memory/store.js"],
  "src/adapters/embedder": ["@lat.md/embed", "node:fs", "../store/memory/store.js"],
  "src/adapters/embedder/minilm": [
    "onnxruntime-node",
    "../../../core/vectors/quantized-vector.js",
    "../../store/memory/store.js",
  ],
  "src/adapters/embedder/gte-small": ["onnxruntime-node", "../../../engine/embedding-queue.js"],
  "src/adapters/embedder/onnx": ["@lat.md/embed", "../../../engine/embedding-queue.js"],
  "src/adapters/embedder/openai": ["node:http", "openai", "../minilm/bundled.js"],
  "src/adapters/judge": ["node:fs", "../language-model/openai/model.js", "../../engine/commitment/substance.js"],
  "src/adapters/language-model": ["../../errors.js", "node:fs", "../embedder/by-name.js"],
  "src/adapters/language-model/gguf": ["../../../engine/language-model/model-reply.js", "../../../index.js"],
  "src/adapters/language-model/openai": ["node:http", "openai", "../../../engine/language-model/model-reply.js"],
  "src/files": ["../cli/terminal.js", "../eval/replay.js", "../index.js"],
  "src/eval": [
    "../cli/terminal.js",
    "../engine/recall/recall.js",
    "../mnemosyne.js",
    "../core/paper/decay.js",
    "commander",
  ],
  "src/import": [
    "node:fs",
    "../mnemosyne.js",
    "../cli/terminal.js",
    "../engine/commitment/commitment.js",
    "stream-json",
  ],
  "src/server/mcp": ["node:http", "../../engine/recall/recall.js", "../../cli/terminal.js", "pino"],
  "src/doors": [
    "mem0ai/oss",
    "@langchain/langgraph-checkpoint",
    "ai",
    "@openai/agents-core",
    "../mnemosyne.js",
    "node:fs",
  ],
  "src/cli": [
    "../mnemosyne.js",
    "../engine/forgetting.js",
    "../adapters/store/sqlite/rows.js",
    "../core/paper/decay.js",
    "libsql",
  ],
  "src/server": ["../mnemosyne.js", "../engine/forgetting.js", "../cli/terminal.js", "express"],
  "src/server/rest": ["../listening.js", "../mcp/tool.js", "../../mnemosyne.js", "node:fs", "express"],
  "src/client": ["../errors.js", "../server/schemas.js", "node:crypto", "zod", "undici"],
  "src/server/security": ["../listening.js", "../log.js", "../../mnemosyne.js", "jsonwebtoken"],
  "src/server/proxy": [
    "../../mnemosyne.js",
    "../../engine/conversation.js",
    "../../adapters/store/sqlite/store.js",
    "../schemas.js",
    "openai",
    "undici",
  ],
  "src/inspector": ["../server/app.js", "../mnemosyne.js", "node:fs", "react", "sigma"],
  src: ["./cli/main.js", "./eval/evaluation.js", "./adapters/store/sqlite/rows.js", "node:fs", "libsql"],
};

describe("a probe", () => {
  it("is there for every room", () => {
    expect(Object.keys(probes).toSorted()).toEqual(rooms.map(({ path }) => path).toSorted());
  });

  const cases = Object.entries(probes).flatMap(([room, names]) => names.map((name) => [room, name] as const));

  it.each(cases)("in %s that imports %s is refused", (room, name) => {
    const file = `${room}/probe.ts`;
    for (const code of [
      `import { a } from "${name}";`,
      `import type { A } from "${name}";`,
      `import {\n  a,\n  b,\n} from "${name}";`,
      `import '${name}';`,
      `export * from "${name}";`,
      `const a = await import("${name}");`,
      `const wanted = "${name}";\nconst a = await import(wanted);`,
      `type A = import("${name}").A;`,
    ]) {
      expect(findBreaches(file, code, rooms, read), code).toHaveLength(1);
    }
  });

  it("that computes what it imports is refused", () => {
    expect(findBreaches("src/engine/probe.ts", 'await import("node:" + name);', rooms, read)).toHaveLength(1);
    expect(findBreaches("src/engine/probe.ts", "await import(`${folder}/decay.js`);", rooms, read)).toHaveLength(1);
  });

  it("that starts a file of another room is refused", () => {
    const code = 'new Worker(new URL("../../packages/memory/test/adapters/store/sqlite/worker.js", import.meta.url));';
    expect(findBreaches("src/engine/probe.ts", code, rooms, read)).toHaveLength(1);
  });

  it("that starts a built file of another room, or loads what it may not, is refused", () => {
    for (const code of [
      'new Worker(packageFile("dist/adapters/store/sqlite/worker.js"));',
      "new Worker(packageFile(path));",
      'const Database = requireFromPackage("libsql");',
    ]) {
      expect(findBreaches("src/engine/probe.ts", code, rooms, read), code).toHaveLength(1);
    }
    const own = 'new Worker(packageFile("dist/adapters/store/sqlite/worker.js"));';
    expect(findBreaches("src/adapters/store/sqlite/probe.ts", own, rooms, read)).toEqual([]);
  });

  it("that only speaks of an import, or keeps to the rules, is not", () => {
    const code =
      '/** import { a } from "node:fs"; */\n// from "node:fs"\nimport { decay } from "../../packages/memory/test/core/paper/decay.js";';
    expect(findBreaches("src/engine/probe.ts", code, rooms, read)).toEqual([]);
  });

  it("outside every room is refused", () => {
    expect(findBreaches("lib/probe.ts", "", rooms, read)).toEqual(["lib/probe.ts is in no room"]);
  });
});
