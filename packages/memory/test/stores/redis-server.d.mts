export declare const hasRedis: boolean;

export declare class RedisServer {
  static start(settings?: Readonly<Record<string, string>>): Promise<RedisServer>;
  private constructor();
  readonly port: number;
  readonly busPort: number;
  readonly url: string;
  readonly pid: number;
  start(): Promise<void>;
  command(...args: string[]): Promise<unknown>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export declare class RedisCluster {
  static start(options?: { hasReplicas?: boolean; settings?: Readonly<Record<string, string>> }): Promise<RedisCluster>;
  private constructor();
  readonly masters: RedisServer[];
  readonly replicas: RedisServer[];
  readonly url: string;
  ownerOf(slot: string): Promise<RedisServer>;
  stop(): Promise<void>;
}

export declare function eventually(what: string, isSo: () => Promise<boolean>): Promise<void>;
