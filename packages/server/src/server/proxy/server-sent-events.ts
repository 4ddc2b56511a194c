/** The data of server-sent events, from text in pieces of any size. What is not an event is passed over. */

/** Of a longer line, such as one with an image, and of an event of such lines, nothing is kept. */
const characterCountMax = 2 ** 20;

export class EventReader {
  readonly #onData: (data: string) => void;
  #line = "";
  #lineLength = 0;
  #data: string[] = [];
  #dataLength = 0;
  #endsInReturn = false;

  constructor(onData: (data: string) => void) {
    this.#onData = onData;
  }

  add(text: string): void {
    if (text === "") return;
    // A line ends in \r\n, in \n or in \r, and the two of \r\n may come in different pieces.
    const rest = this.#endsInReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endsInReturn = text.endsWith("\r");
    for (const [i, piece] of rest.split(/\r\n|\n|\r/u).entries()) {
      if (i > 0) this.#endLine();
      this.#lineLength += piece.length;
      this.#line = this.#lineLength > characterCountMax ? "" : this.#line + piece;
    }
  }

  /** Many servers leave out the blank line after the last event. */
  end(): void {
    this.#endLine();
    this.#endEvent();
  }

  #endLine(): void {
    const line = this.#line;
    const length = this.#lineLength;
    this.#line = "";
    this.#lineLength = 0;
    if (length === 0) this.#endEvent();
    if (!line.startsWith("data:")) return;
    this.#dataLength += length;
    this.#data.push(line.slice(line[5] === " " ? 6 : 5));
    if (this.#dataLength > characterCountMax) this.#data = [];
  }

  #endEvent(): void {
    if (this.#data.length > 0) this.#onData(this.#data.join("\n"));
    this.#data = [];
    this.#dataLength = 0;
  }
}
