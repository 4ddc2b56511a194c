// The page with sigma, bundled like the inspector: the same data, the same layout on the same kind of worker, and the same
// colours and sizes; only drawing and the graph in memory are sigma's and graphology's.
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { installLocked } from "../../../../scripts/setup.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** As sigma is, and with its own way to be faster while it moves. */
export async function sigmaPages() {
  installLocked(folder, "Installing sigma…");
  const { output } = await build({
    root: folder,
    configFile: false,
    logLevel: "warn",
    build: { write: false, target: "es2022", modulePreload: { polyfill: false } },
    worker: { format: "es" },
  });
  const files = new Map(output.map((each) => [`/${each.fileName}`, Buffer.from(each.code ?? each.source)]));
  files.set("/", files.get("/index.html"));
  return [
    { name: "sigma", files, address: "/" },
    { name: "sigma that hides edges while moving", files, address: "/?hide-edges" },
  ];
}
