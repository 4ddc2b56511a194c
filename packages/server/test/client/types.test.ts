/** The client's types are the library's, method by method: what is written for one compiles for the other. */
import { describe, expectTypeOf, expect, it } from "vitest";
import type { ClientConversation, MnemosyneClient, PersonClient } from "mnemosyne-edge-server/client";
import type { Conversation, Mnemosyne, PersonMemory } from "../../../memory/src/index.js";

/** Arguments and result are the same. */
type Alike =
  | "commitMany"
  | "coreSummary"
  | "correct"
  | "forget"
  | "forgetAll"
  | "get"
  | "graph"
  | "list"
  | "pin"
  | "prune"
  | "restore"
  | "statistics"
  | "unlink"
  | "unpin"
  | "update";
/** The result is the same; some arguments are left out, or there are more. */
type AlikeInResult = "commit" | "export" | "history" | "import" | "recall";

describe("the client's types", () => {
  it("are the library's where methods are alike", () => {
    expectTypeOf<Pick<PersonClient, Alike>>().toEqualTypeOf<Pick<PersonMemory, Alike>>();
    expectTypeOf<PersonClient["commit"]>().toEqualTypeOf<PersonMemory["commit"]>();
    expectTypeOf<MnemosyneClient["persons"]>().toEqualTypeOf<Mnemosyne["persons"]>();
    expectTypeOf<Parameters<MnemosyneClient["person"]>>().toEqualTypeOf<Parameters<Mnemosyne["person"]>>();
    expectTypeOf<PersonClient["name"]>().toEqualTypeOf<PersonMemory["name"]>();
  });

  it("have the library's results where arguments differ", () => {
    expectTypeOf<ReturnType<PersonClient["history"]>>().toEqualTypeOf<ReturnType<PersonMemory["history"]>>();
    expectTypeOf<ReturnType<PersonClient["export"]>>().toEqualTypeOf<ReturnType<PersonMemory["export"]>>();
    expectTypeOf<ReturnType<PersonClient["import"]>>().toEqualTypeOf<ReturnType<PersonMemory["import"]>>();
    expectTypeOf<ReturnType<PersonClient["recall"]>>().toEqualTypeOf<ReturnType<PersonMemory["recall"]>>();
    expectTypeOf<Pick<PersonClient, AlikeInResult>>().toExtend<Pick<PersonMemory, AlikeInResult>>();
    expectTypeOf<Pick<ClientConversation, "id" | "turns" | "add" | "end">>().toEqualTypeOf<
      Pick<Conversation, "id" | "turns" | "add" | "end">
    >();
  });

  it("leave out what a server does not do for others, and add events", () => {
    type Missing = Exclude<keyof PersonMemory, keyof PersonClient>;
    expectTypeOf<Missing>().toEqualTypeOf<"check" | "on" | "refine" | "settled">();
    expectTypeOf<Exclude<keyof PersonClient, keyof PersonMemory>>().toEqualTypeOf<"events">();
    // The assertions above are the compiler's; this one keeps the file from being empty when it runs.
    expect(true).toBe(true);
  });
});
