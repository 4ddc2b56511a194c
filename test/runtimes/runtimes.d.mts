export interface Runtime {
  readonly name: string;
  /** The binary, and the words before the program. */
  readonly command: readonly [string, ...string[]];
}

export const newestNode: Runtime;
export function isThere(runtime: Runtime): boolean;
