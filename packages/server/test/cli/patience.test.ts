/** How long a model in a chat may be silent, and the sign that shows the wait. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { waitWhileSpeaking } from "../../src/cli/patience.js";
import { ReplyPrinter } from "../../src/cli/chat/reply-text.js";
import { showSign } from "../../src/cli/terminal.js";

describe("a model in a chat", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const pause = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

  it("may take as long as it likes while it speaks", async () => {
    const reply = waitWhileSpeaking(10, undefined, async (onPiece) => {
      for (let count = 0; count < 20; count++) {
        await pause(9);
        onPiece();
      }
      return "all of it";
    });
    await vi.advanceTimersByTimeAsync(200_000);
    expect(await reply).toBe("all of it");
  });

  it.each([
    ["before its first piece", 0],
    ["between two pieces", 3],
  ])("is abandoned when it is silent for too long, %s, even if it ignores the signal", async (_, pieceCount) => {
    let stop: AbortSignal | undefined;
    const reply = waitWhileSpeaking(10, undefined, async (onPiece, signal) => {
      stop = signal;
      for (let count = 0; count < pieceCount; count++) {
        await pause(9);
        onPiece();
      }
      return new Promise<string>(() => {});
    });
    const failure = expect(reply).rejects.toThrow(/it sent nothing for 10 s .*modelTimeBudgetSeconds/u);
    await vi.advanceTimersByTimeAsync(pieceCount * 9_000 + 9_000);
    expect(stop!.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await failure;
    expect(stop!.aborted).toBe(true);
  });

  it("is aborted by the caller's signal", async () => {
    const caller = new AbortController();
    const reply = waitWhileSpeaking(10, caller.signal, () => new Promise<string>(() => {}));
    caller.abort(new Error("enough"));
    await expect(reply).rejects.toThrow("enough");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the sign", () => {
  const { isTTY } = process.stdout;
  let written: string;
  beforeEach(() => {
    written = "";
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written += String(text);
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    process.stdout.isTTY = isTTY;
  });

  it("is erased once, before the first word and not by a thought", () => {
    process.stdout.isTTY = true;
    const printer = new ReplyPrinter(showSign("waiting…"));
    printer.add("<think>hm</think>");
    printer.add("");
    expect(written).toBe("waiting…");
    printer.add("You ");
    printer.add("are Ada.");
    printer.end("You are Ada.");
    expect(written).toBe("waiting…\r\u001b[KYou are Ada.\n");
  });

  it("is not shown if output is piped", () => {
    process.stdout.isTTY = false;
    const hide = showSign("waiting…");
    hide();
    expect(written).toBe("");
  });
});
