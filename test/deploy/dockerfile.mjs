/** The Dockerfile as instructions. */
import { readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

/** Its stages, each a list of instructions with their names and texts. */
export function readStages() {
  const lines = readFileSync(new URL("Dockerfile", root), "utf8")
    .replaceAll(/^#.*\n/gmu, "")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages = [];
  for (const line of lines) {
    const [, name, text] = /^(\w+)\s+(.*)$/u.exec(line);
    if (name === "FROM") stages.push([]);
    stages.at(-1).push({ name, text: text.trim() });
  }
  return stages;
}

/** What .dockerignore lets through; everything else is ignored. */
export function readContext() {
  return readFileSync(new URL(".dockerignore", root), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1));
}

/** The program and arguments of the image's health check. */
export function readHealthCheck() {
  const { text } = readStages()
    .at(-1)
    .find(({ name }) => name === "HEALTHCHECK");
  return JSON.parse(/CMD (\[.*\])$/u.exec(text)[1]);
}
