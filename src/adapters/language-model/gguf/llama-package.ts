/** The package that runs a model file, `node-llama-cpp`: whether it is installed, and how to install it. */

export const llamaPackage: string = "node-llama-cpp";

export const installingLlama =
  "install it with `npm install node-llama-cpp` (some 700 MB, for every kind of GPU); the small way, 85 MB for a " +
  "processor alone, is on Linux `npm install node-llama-cpp @node-llama-cpp/linux-x64 @libsql/linux-x64-gnu " +
  "onnxruntime-node@1.16.3 --omit=optional`, whose last two names keep what else that option would remove";

/** Looks for it next to this package without loading anything. */
export function isLlamaInstalled(): boolean {
  try {
    import.meta.resolve(llamaPackage);
    return true;
  } catch {
    return false;
  }
}
