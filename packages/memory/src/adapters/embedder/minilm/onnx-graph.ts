/**
 * Writes an ONNX model: operations in sequence, each with a name for its result, and the tensors they read. ONNX is
 * protocol buffers; the few messages and fields that a model needs are written by hand, with the numbers of
 * https://github.com/onnx/onnx/blob/v1.14.0/onnx/onnx.proto3.
 */

/** A piece of a message: bytes, or pieces that are joined only at the end. */
type Piece = Uint8Array | { readonly pieces: readonly Piece[]; readonly length: number };

export const elementType = { float32: 1, int8: 3, int64: 7, float16: 10 } as const;
export type ElementType = (typeof elementType)[keyof typeof elementType];

export interface Tensor {
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly content: Uint8Array | FilePart;
}

/** Bytes that stay in their file. onnxruntime resolves it from the working directory and maps it into memory. */
export interface FilePart {
  readonly path: string;
  readonly start: number;
  readonly byteCount: number;
}

/** Integers, a single float, or one of two ways. */
export type Attribute = number | readonly number[] | { readonly float: number } | Branch;

/** One way of an `If`: operations that may read all results so far. */
export interface Branch {
  readonly graph: OnnxGraph;
  readonly results: readonly Value[];
}

/** A size known only at run time has a name. */
export interface Value {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly (number | string)[];
}

/** Version 8 of the format came with version 17 of the operators, the first with `LayerNormalization`. */
const formatVersion = 8;
const operatorVersion = 17;
/** onnxruntime's operators beyond the standard. */
export const runtimeDomain = "com.microsoft";
const runtimeOperatorVersion = 1;

export class OnnxGraph {
  readonly #prefix: string;
  readonly #nodes: Piece[] = [];
  readonly #tensors = new Map<string, Piece>();

  /** `prefix` tells the results of a branch from those around it. */
  constructor(prefix = "") {
    this.#prefix = prefix;
  }

  /** Adds an operation and returns the name of its result. */
  add(
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
    domain = "",
    result = `${this.#prefix}${operator} ${this.#nodes.length + 1}`,
  ): string {
    const fields = [
      ...inputs.map((input) => text(1, input)),
      text(2, result),
      text(4, operator),
      ...Object.entries(attributes).map(([name, value]) => message(5, attributeFields(name, value))),
      text(7, domain),
    ];
    this.#nodes.push(message(1, fields));
    return result;
  }

  /** Adds a tensor, once per name, and returns its name. */
  addTensor(name: string, { type, shape, content }: Tensor): string {
    const fields = [...shape.map((size) => whole(1, size)), whole(2, type), text(8, name), ...contentFields(content)];
    this.#tensors.set(name, message(5, fields));
    return name;
  }

  addWholeNumbers(name: string, numbers: readonly number[]): string {
    const content = new Uint8Array(BigInt64Array.from(numbers, BigInt).buffer);
    return this.addTensor(name, { type: elementType.int64, shape: [numbers.length], content });
  }

  /** The model as the bytes of an `.onnx` file. */
  toBytes(name: string, inputs: readonly Value[], outputs: readonly Value[]): Uint8Array {
    const fields = [
      whole(1, formatVersion),
      message(8, [text(1, ""), whole(2, operatorVersion)]),
      message(8, [text(1, runtimeDomain), whole(2, runtimeOperatorVersion)]),
      message(7, this.toFields(name, inputs, outputs)),
    ];
    return join(together(fields));
  }

  /** The graph alone, as it lies in a model or in an attribute. */
  toFields(name: string, inputs: readonly Value[], outputs: readonly Value[]): Piece[] {
    return [
      ...this.#nodes,
      text(2, name),
      ...this.#tensors.values(),
      ...inputs.map((value) => message(11, valueFields(value))),
      ...outputs.map((value) => message(12, valueFields(value))),
    ];
  }
}

const externalLocation = 1;

function contentFields(content: Uint8Array | FilePart): Piece[] {
  if (content instanceof Uint8Array) return [block(9, content)];
  const entries = { location: content.path, offset: content.start, length: content.byteCount };
  const fields = Object.entries(entries).map(([key, value]) => message(13, [text(1, key), text(2, String(value))]));
  return [...fields, whole(14, externalLocation)];
}

const attributeType = { float: 1, int: 2, graph: 5, ints: 7 };

function attributeFields(name: string, value: Attribute): Piece[] {
  if (typeof value === "number") return [text(1, name), whole(3, value), whole(20, attributeType.int)];
  if ("graph" in value) {
    const fields = value.graph.toFields(name, [], value.results);
    return [text(1, name), message(6, fields), whole(20, attributeType.graph)];
  }
  if ("float" in value) return [text(1, name), float(2, value.float), whole(20, attributeType.float)];
  return [text(1, name), ...value.map((item) => whole(8, item)), whole(20, attributeType.ints)];
}

function valueFields({ name, type, shape }: Value): Piece[] {
  const sizes = shape.map((size) => message(1, [typeof size === "string" ? text(2, size) : whole(1, size)]));
  return [text(1, name), message(2, [message(1, [whole(1, type), message(2, sizes)])])];
}

const wire = { varint: 0, block: 2, fixed32: 5 };

function whole(field: number, value: number): Piece {
  return together([tag(field, wire.varint), varint(value)]);
}

function float(field: number, value: number): Piece {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return together([tag(field, wire.fixed32), bytes]);
}

function text(field: number, value: string): Piece {
  return block(field, Buffer.from(value));
}

function block(field: number, bytes: Uint8Array): Piece {
  return message(field, [bytes]);
}

function message(field: number, fields: readonly Piece[]): Piece {
  const content = together(fields);
  return together([tag(field, wire.block), varint(content.length), content]);
}

function together(pieces: readonly Piece[]): Piece {
  return { pieces, length: pieces.reduce((sum, { length }) => sum + length, 0) };
}

function tag(field: number, type: number): Uint8Array {
  return varint((field << 3) | type);
}

/** Seven bits at a time, lowest first; a negative number as its 64-bit complement. */
function varint(value: number): Uint8Array {
  if (value >= 0 && value <= 0x7f) return Buffer.of(value);
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

function join(piece: Piece): Uint8Array {
  const bytes = new Uint8Array(piece.length);
  let end = 0;
  const write = (part: Piece): void => {
    if (!(part instanceof Uint8Array)) part.pieces.forEach(write);
    else {
      bytes.set(part, end);
      end += part.length;
    }
  };
  write(piece);
  return bytes;
}
