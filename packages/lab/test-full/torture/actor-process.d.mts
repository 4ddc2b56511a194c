export class ActorProcess {
  constructor(argument: object, command?: (args: string[]) => [file: string, args: string[]]);
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  readonly errors: string;
  readonly isEndedByUs: boolean;
  readonly hasHung: boolean;
}
