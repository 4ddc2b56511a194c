/** Arguments and results of `Memory` in mem0ai 3.3.1 (`mem0ai/oss`), in types of our own: this door needs no mem0. */

export interface Message {
  role: string;
  content: string | { type: "image_url"; image_url: { url: string } };
}

export interface Entity {
  userId?: string;
  agentId?: string;
  runId?: string;
}

export interface SearchFilters {
  user_id?: string;
  agent_id?: string;
  run_id?: string;
  [key: string]: unknown;
}

export interface AddMemoryOptions extends Entity {
  metadata?: Record<string, unknown>;
  filters?: SearchFilters;
  /** False keeps every message as a memory of its own. Default: true. */
  infer?: boolean;
  /** Date (YYYY-MM-DD) after which it is forgotten. */
  expirationDate?: string | null;
}

export interface UpdateMemoryOptions {
  text?: string;
  /** Merged into what is noted already. */
  metadata?: Record<string, unknown>;
  expirationDate?: string | null;
}

export interface SearchMemoryOptions {
  topK?: number;
  filters?: SearchFilters;
  /** Start score at least, see `minScore` of `recall`. */
  threshold?: number;
}

export interface GetAllMemoryOptions {
  topK?: number;
  filters?: SearchFilters;
}

export type DeleteAllMemoryOptions = Entity;

export interface MemoryItem {
  id: string;
  memory: string;
  hash?: string;
  createdAt?: string;
  updatedAt?: string;
  score?: number;
  metadata?: Record<string, unknown>;
  user_id?: string;
  agent_id?: string;
  run_id?: string;
}

export interface SearchResult {
  results: MemoryItem[];
}

/** A row of `history`, newest first. */
export interface HistoryRow {
  id: number;
  memory_id: string;
  previous_value: string | null;
  new_value: string | null;
  action: "ADD" | "UPDATE";
  created_at: string | null;
  updated_at: string | null;
  is_deleted: 0;
}
