// How a submission is called: a short reference to say aloud, and the secret token of its status
// address.
import { createHash } from 'node:crypto';
import { derive } from '../inbox/secret.ts';

/** Digits and letters that nobody mistakes for one another. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const REFERENCE_LENGTH = 6;

/** `HC-7K3M9Q`. `attempt` gives another one where the first is taken. */
export function toReference(secret: Buffer, digest: string, attempt: number): string {
  const bytes = derive(secret, 'reference', `${digest} ${attempt}`);
  const letters = [...bytes.subarray(0, REFERENCE_LENGTH)].map(
    (byte) => LETTERS[byte % LETTERS.length],
  );
  return `HC-${letters.join('')}`;
}

/** What the status address ends with: 192 bits that only the sender is told. */
export function toToken(secret: Buffer, digest: string): string {
  return derive(secret, 'token', digest).toString('base64url').slice(0, 32);
}

/** The form in which a token is kept and looked up: sha-256, hexadecimal. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
