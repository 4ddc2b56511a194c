/** The version of this package, as MCP, the OpenAPI document and the command line name it. */
import { readFileSync } from "node:fs";

const description = readFileSync(new URL("../../package.json", import.meta.url), "utf8");

export const serverVersion = (JSON.parse(description) as { readonly version: string }).version;
