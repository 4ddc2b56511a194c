/** What LangGraph's `BaseStore` takes and returns, in types of our own: this door needs none of its packages. */

export interface Item {
  value: Record<string, unknown>;
  key: string;
  namespace: string[];
  createdAt: Date;
  updatedAt: Date;
}

export interface SearchItem extends Item {
  score?: number;
}

export interface GetOperation {
  namespace: string[];
  key: string;
}

export interface SearchOptions {
  filter?: Record<string, unknown>;
  limit?: number;
  offset?: number;
  query?: string;
}

export interface SearchOperation extends SearchOptions {
  namespacePrefix: string[];
}

export interface PutOperation {
  namespace: string[];
  key: string;
  /** Null deletes the item. */
  value: Record<string, unknown> | null;
  /** Paths of what to search by; false for nothing. */
  index?: false | string[];
}

export interface MatchCondition {
  matchType: "prefix" | "suffix";
  path: string[];
}

export interface ListNamespacesOperation {
  matchConditions?: MatchCondition[];
  maxDepth?: number;
  limit: number;
  offset: number;
}

export interface ListNamespacesOptions {
  prefix?: string[];
  suffix?: string[];
  maxDepth?: number;
  limit?: number;
  offset?: number;
}

export type Operation = GetOperation | SearchOperation | PutOperation | ListNamespacesOperation;

export type OperationResults<Operations extends readonly Operation[]> = {
  [Index in keyof Operations]: Operations[Index] extends PutOperation
    ? void
    : Operations[Index] extends SearchOperation
      ? SearchItem[]
      : Operations[Index] extends GetOperation
        ? Item | null
        : Operations[Index] extends ListNamespacesOperation
          ? string[][]
          : never;
};
