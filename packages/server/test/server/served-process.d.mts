export declare class ServedProcess {
  static start(options: {
    path: string;
    args?: readonly string[];
    script?: string | null;
    answers?: string;
    dying?: string;
  }): Promise<ServedProcess>;
  readonly port: number;
  restart(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Bytes in memory, and the most there were; null where the system does not say. */
  memory(): { readonly resident: number; readonly residentMax: number } | null;
}
