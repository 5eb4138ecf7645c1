// Safe parsing: limits an error of a parser to the item that it was parsing.

/** Returns the result of `parse`, or of `onError` if it throws. */
export function parseSafely<T, F>(parse: () => T, onError: () => F): T | F {
  try {
    return parse();
  } catch {
    return onError();
  }
}
