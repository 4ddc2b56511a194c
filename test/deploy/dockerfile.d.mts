export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export declare function readStages(): Instruction[][];
export declare function readContext(): string[];
export declare function readHealthCheck(): string[];
