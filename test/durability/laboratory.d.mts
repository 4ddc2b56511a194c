import type { InteractionInput, MnemosyneOptions } from "mnemosyne-edge";

export declare const nowMs: number;
export declare function laboratory(options?: MnemosyneOptions): MnemosyneOptions;
export declare const frozenKey: string;
export declare const discardEverything: { readonly substanceThreshold: number };
export declare function interactionAt(
  position: number,
): InteractionInput & { readonly id: string; readonly at: number };
export declare function personAt(position: number): string;
