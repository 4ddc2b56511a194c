export declare class ServedProcess {
  static start(options: { path: string; args?: readonly string[]; script?: string | null }): Promise<ServedProcess>;
  readonly port: number;
  restart(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}
