/**
 * What a BERT encoder does between its products of matrices: norms, attention shares, GELU. Numbers are stored in single
 * precision and computed in double.
 */
import type { Matrix } from "../../../core/vectors/matrix-kernel.js";

/** Each row with mean 0 and variance 1, then times `weight` plus `bias`. */
export function normalizeRows(
  numbers: Float32Array,
  rows: Matrix,
  weight: Matrix,
  bias: Matrix,
  epsilon: number,
): void {
  const { width } = rows;
  for (let r = 0; r < rows.rowCount; r++) {
    const start = rows.start + r * rows.stride;
    let sum = 0;
    for (let i = 0; i < width; i++) sum += numbers[start + i]!;
    const mean = sum / width;
    let squares = 0;
    for (let i = 0; i < width; i++) squares += (numbers[start + i]! - mean) ** 2;
    const scale = 1 / Math.sqrt(squares / width + epsilon);
    for (let i = 0; i < width; i++) {
      const normalized = (numbers[start + i]! - mean) * scale;
      numbers[start + i] = normalized * numbers[weight.start + i]! + numbers[bias.start + i]!;
    }
  }
}

/** Softmax: each row, times `scale`, as positive shares that add up to 1. */
export function toShares(numbers: Float32Array, rows: Matrix, scale: number): void {
  const { width } = rows;
  for (let r = 0; r < rows.rowCount; r++) {
    const start = rows.start + r * rows.stride;
    let largest = -Infinity;
    for (let i = 0; i < width; i++) largest = Math.max(largest, numbers[start + i]!);
    let sum = 0;
    for (let i = 0; i < width; i++) sum += numbers[start + i] = Math.exp((numbers[start + i]! - largest) * scale);
    for (let i = 0; i < width; i++) numbers[start + i]! /= sum;
  }
}

/** GELU: x times the share of a normal distribution below x. */
export function applyGelu(numbers: Float32Array, { start, rowCount, stride }: Matrix): void {
  const end = start + rowCount * stride;
  for (let i = start; i < end; i++) {
    const x = numbers[i]!;
    numbers[i] = (x / 2) * (1 + erf(x * Math.SQRT1_2));
  }
}

/** The error function, off by at most 1.5e-7 (Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26). */
export function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

/** A row for each column. */
export function transpose(source: Float32Array, from: Matrix, target: Float32Array, to: Matrix): void {
  for (let r = 0; r < from.rowCount; r++) {
    for (let i = 0; i < from.width; i++) {
      target[to.start + i * to.stride + r] = source[from.start + r * from.stride + i]!;
    }
  }
}
