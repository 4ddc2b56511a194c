// `npm run build:kernel`: compiles assembly/ and writes its bytes as a TypeScript file, so that nothing has to be found and
// read at run time. `--check` only checks whether that file is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const root = new URL("../../../", import.meta.url);
const target = new URL("src/core/vectors/kernel-bytes.ts", root);

const files = {};
const { error, stderr } = await asc.main(
  [
    "assembly/dots.ts",
    "assembly/joint-sums.ts",
    "assembly/add-products.ts",
    "--outFile",
    "kernel.wasm",
    "-O3",
    "--noAssert",
    "--enable",
    "simd",
    "--runtime",
    "stub",
    "--initialMemory",
    "16",
  ],
  { writeFile: (name, contents) => void (files[name] = contents), baseDir: fileURLToPath(root) },
);
if (error !== null) {
  process.stderr.write(`${stderr.toString()}\n${error.message}\n`);
  process.exit(1);
}
const base64 = Buffer.from(files["kernel.wasm"]).toString("base64");
const lines = base64.match(/.{1,100}/gu).map((part) => `  "${part}",`);
const text = `/** Written by \`npm run build:kernel\` from assembly/; not to be edited. */
export const kernelBase64 = [
${lines.join("\n")}
].join("");
`;
if (process.argv.includes("--check")) {
  process.exit(readFileSync(target, "utf8") === text ? 0 : 1);
}
writeFileSync(target, text);
