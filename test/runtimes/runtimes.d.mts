export interface Runtime {
  readonly name: string;
  /** The binary, and what stands before the program. */
  readonly command: readonly [string, ...string[]];
}

export const newestNode: Runtime;
export function isThere(runtime: Runtime): boolean;
