import type { InteractionInput, MnemosyneOptions, Turn } from "mnemosyne-edge";

export declare const nowMs: number;
export declare function laboratory(options?: MnemosyneOptions): MnemosyneOptions;
export declare const frozenKey: string;
export declare const discardEverything: { readonly substanceThreshold: number };
export declare function interactionAt(
  position: number,
): Omit<InteractionInput, "turns"> & { readonly id: string; readonly at: number; readonly turns?: readonly Turn[] };
export declare function personAt(position: number): string;
