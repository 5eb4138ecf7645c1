/** Rows of one statement: neither store takes any number of values in one. */
const PART = 500;

/** Rows in parts that one statement takes. */
export const inParts = <T>(rows: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(rows.length / PART) }, (_, at) =>
    rows.slice(at * PART, (at + 1) * PART),
  );
