export declare const hasPostgres: boolean;

export declare class PostgresServer {
  static start(settings?: Readonly<Record<string, string>>): Promise<PostgresServer>;
  private constructor();
  readonly port: number;
  readonly password: string;
  readonly dataFolder: string;
  /** Of the database "postgres", as the superuser "memory". */
  readonly url: string;
  readonly pid: number;
  /** On the same port, with what is on disk. */
  start(): Promise<void>;
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** All its processes at once, as if the power failed. */
  kill(): Promise<void>;
  /** As an administrator would, without waiting for its clients. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A way to a server that can lose the answer to a statement: it cuts the connection instead. */
export declare class CuttingProxy {
  static start(targetPort: number): Promise<CuttingProxy>;
  private constructor();
  /** Cuts the connection, once, when the server answers a request that contains this. */
  cutAnswerTo: string | undefined;
  readonly cutCount: number;
  /** Passes no request on. */
  isSilent: boolean;
  readonly port: number;
  stop(): void;
}
