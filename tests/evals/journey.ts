// What a caller read on the way to an answer.

export interface Journey {
  /** What is read before any question. */
  readonly entry: string;
  /** The answers, one after the other. */
  readonly read: readonly string[];
  /** What on the way was not as documented, each in a sentence. */
  readonly faults: readonly string[];
  /** A model's last words; a script says nothing, so what it read is its answer. */
  readonly answer?: string;
}
