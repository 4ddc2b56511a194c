/** Somebody of whom nothing is stored yet: other programs answer with nothing there, not with an error. */
import { NotFoundError } from "../errors.js";

/** The result, or the other one if the person or the interaction is unknown. */
export async function orElse<T, U>(result: PromiseLike<T>, absent: U): Promise<T | U> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof NotFoundError) return absent;
    throw error;
  }
}
