// Finished bytes and fresh text joined into one body, each copied once.

/** UTF-8 takes at most three bytes for each unit of a string. */
export const MAX_BYTES = 3;

/** The parts one after the other, text as UTF-8. */
export function joinBytes(parts: readonly (Buffer | string)[]): Buffer {
  let room = 0;
  for (const part of parts)
    room += typeof part === 'string' ? part.length * MAX_BYTES : part.length;
  const whole = Buffer.allocUnsafe(room);
  let at = 0;
  for (const part of parts)
    at += typeof part === 'string' ? whole.write(part, at) : part.copy(whole, at);
  return whole.subarray(0, at);
}
