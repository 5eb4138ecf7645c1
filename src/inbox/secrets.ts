// What is derived from the inbox's secret: references and tokens of submissions, counted senders,
// stamps of the form (contract 14.6).
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { REFERENCE_PREFIX } from '../domain/change.ts';
import type { Inbox } from './open.ts';

/** HMAC-SHA-256 of a purpose and a text: two purposes never give the same. */
export function deriveBytes(inbox: Inbox, purpose: string, text: string): Buffer {
  return createHmac('sha256', inbox.secret).update(`${purpose}\0${text}`).digest();
}

/** As what an address or a name is counted: nobody can tell from it whose it is. */
export const rateLimitDigest = (inbox: Inbox, purpose: string, text: string): string =>
  deriveBytes(inbox, purpose, text).toString('hex').slice(0, 32);

/** Whether two texts are equal, after the same time whatever they are. */
export function isEqualConstantTime(given: Buffer, right: Buffer): boolean {
  return given.length === right.length && timingSafeEqual(given, right);
}

/**
 * SHA-256, hexadecimal: the form in which keys, tokens and texts are stored and looked up. A fast digest is right for
 * what is hundreds of random bits; and a look-up by it takes no longer for a key that is nearly right.
 */
export const sha256Hex = (text: string): string => hash('sha256', text);

/** Digits and letters that nobody mistakes for one another. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const REFERENCE_LENGTH = 6;

/** `HC-7K3M9Q`, to say aloud. `attempt` gives another one where the first is taken. */
export function deriveReference(inbox: Inbox, digest: string, attempt: number): string {
  const bytes = deriveBytes(inbox, 'reference', `${digest} ${attempt}`);
  const letters = [...bytes.subarray(0, REFERENCE_LENGTH)].map(
    (byte) => LETTERS[byte % LETTERS.length],
  );
  return `${REFERENCE_PREFIX}-${letters.join('')}`;
}

const TOKEN_LENGTH = 32;

/** What the status address of a reference ends with: 192 bits that only the sender is told. */
export const deriveStatusToken = (inbox: Inbox, reference: string): string =>
  deriveBytes(inbox, 'token', reference).toString('base64url').slice(0, TOKEN_LENGTH);

/** What the address of a calendar ends with, made of the random text that is stored with it. */
export const deriveImportToken = (inbox: Inbox, seed: string): string =>
  deriveBytes(inbox, 'batch token', seed).toString('base64url').slice(0, TOKEN_LENGTH);

/** Nobody fills in the form faster: what comes back sooner was not filled in by a person. */
export const MIN_FORM_FILL_MS = 4_000;
/** A form left open longer is shown again, with what was typed. */
export const MAX_FORM_AGE_MS = 24 * 3_600_000;
const MAX_CLOCK_ERROR_MS = 60_000;

const sign = (inbox: Inbox, moment: string): Buffer =>
  deriveBytes(inbox, 'form', moment).subarray(0, 16);

/** For a hidden field: when the form was shown, and a signature. */
export function createFormToken(inbox: Inbox, now_ms: number): string {
  const moment = Math.floor(now_ms).toString(36);
  return `${moment}.${sign(inbox, moment).toString('base64url')}`;
}

/** `ok`, or why not: not ours, too soon, too long ago. */
export function verifyFormToken(inbox: Inbox, stamp: string, now_ms: number) {
  const [moment = '', signature = ''] = stamp.split('.');
  if (!isEqualConstantTime(Buffer.from(signature, 'base64url'), sign(inbox, moment)))
    return 'forged';
  const age_ms = now_ms - Number.parseInt(moment, 36);
  // Shown long after now: by a clock that ran ahead. A new stamp helps, waiting does not.
  if (age_ms < -MAX_CLOCK_ERROR_MS) return 'too_old';
  if (age_ms < MIN_FORM_FILL_MS) return 'too_soon';
  return age_ms > MAX_FORM_AGE_MS ? 'too_old' : 'ok';
}
