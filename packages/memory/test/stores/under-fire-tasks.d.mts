import type { InteractionInput } from "mnemosyne-edge";

export interface Task {
  readonly id: string;
  readonly person: string;
  readonly position: number;
}

export declare function makeTasks(size: {
  interactionCount: number;
  personCount: number;
  processCount: number;
  seed: string;
}): Task[][];
export declare function inputOf(task: Task): InteractionInput;
