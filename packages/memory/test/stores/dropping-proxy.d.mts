export declare class DroppingProxy {
  static start(targetPort: number): Promise<DroppingProxy>;
  private constructor();
  dropCount: number;
  readonly url: string;
  dropAfter(passCount: number): void;
  stop(): void;
}
