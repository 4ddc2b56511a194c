/** The package that runs a model file, `node-llama-cpp`: whether it is installed, and how to install it. */

export const llamaPackage: string = "node-llama-cpp";

export const installingLlama =
  "install it with `npm install node-llama-cpp` (about 700 MB, for every kind of GPU); for the CPU alone (85 MB), on " +
  "Linux, run `npm install node-llama-cpp @node-llama-cpp/linux-x64 @libsql/linux-x64-gnu " +
  "onnxruntime-node@1.16.3 --omit=optional`, which names two packages that the option would otherwise remove, and leaves out those of the server";

/** Looks for it next to this package without loading anything. */
export function isLlamaInstalled(): boolean {
  try {
    import.meta.resolve(llamaPackage);
    return true;
  } catch {
    return false;
  }
}
