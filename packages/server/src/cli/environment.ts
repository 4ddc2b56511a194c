/** The environment variables that the command line reads. An option overrides its variable; an empty variable counts as unset. */

const variables = {
  MNEMOSYNE_PATH: "database file or address of a server, as --path",
  MNEMOSYNE_PERSON: "whose memory, as --person",
  MNEMOSYNE_KEY: "the encryption key itself; --key-file names its file",
  MNEMOSYNE_KEYS: "file of a server's keys, as --keys",
  MNEMOSYNE_API_KEY: "a key, in the commands that serve prints",
  MNEMOSYNE_PROFILE: "domain, as --profile",
  MNEMOSYNE_TIME_ZONE: "IANA name, as --time-zone",
  MNEMOSYNE_HOST: "address to listen on, as serve --host",
  MNEMOSYNE_PORT: "port to listen on, as serve --port",
  MNEMOSYNE_ALLOWED_HOSTS: "names of the server, with commas, as --allowed-host",
  MNEMOSYNE_UPSTREAM: "model behind the memory proxy, as serve --upstream",
  MNEMOSYNE_UPSTREAM_KEY: "the key of that model, sent instead of the caller's",
  MNEMOSYNE_LLM_MODEL: "language model at an endpoint, as --llm-model",
  MNEMOSYNE_GGUF: "language model file, as --gguf",
  OPENAI_BASE_URL: "endpoint of a model that is named, as --llm-url",
  OPENAI_API_KEY: "its key",
  MNEMOSYNE_DEBUG: "1 shows where an internal error happened",
  COLUMNS: "width of what goes to a file or a pipe; 80 by default",
  NO_COLOR: "any value turns colours off",
  FORCE_COLOR: "1 turns colours on for files and pipes too, 0 off",
} as const;

export type VariableName = keyof typeof variables;

export function readVariable(name: VariableName): string | undefined {
  const value = process.env[name]?.trim();
  return value === "" ? undefined : value;
}

export function describeEnvironment(): string {
  const width = Math.max(...Object.keys(variables).map((name) => name.length));
  const lines = Object.entries(variables).map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`);
  return ["Environment:", ...lines].join("\n");
}
