// Secrets: derives references, tokens, rate-limit digests and form tokens from the inbox's random secret (contract 14.6).
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { REFERENCE_PREFIX } from '../domain/change.ts';
import type { Inbox } from './open.ts';

/** Derives bytes with HMAC-SHA-256 from a purpose and a text. The purpose separates uses of the same text. */
export function deriveBytes(inbox: Inbox, purpose: string, text: string): Buffer {
  return createHmac('sha256', inbox.secret).update(`${purpose}\0${text}`).digest();
}

/** Derives the keyed digest under which a network address, email or name is counted without storing it. */
export const rateLimitDigest = (inbox: Inbox, purpose: string, text: string): string =>
  deriveBytes(inbox, purpose, text).toString('hex').slice(0, 32);

/** Compares two byte strings in a time that does not depend on their content. */
export function isEqualConstantTime(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Computes the hexadecimal SHA-256 under which keys, tokens and texts are stored and found. A fast digest suffices for
 * secrets with over a hundred random bits, and finding a row by it reveals nothing through timing.
 */
export const sha256Hex = (text: string): string => hash('sha256', text);

/** Digits and letters that are not easily confused. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const REFERENCE_LENGTH = 6;

/**
 * Derives a short reference such as `HC-7K3M9Q`, easy to read out.
 * @param attempt Another value gives another reference, in case of a collision.
 */
export function deriveReference(inbox: Inbox, digest: string, attempt: number): string {
  const bytes = deriveBytes(inbox, 'reference', `${digest} ${attempt}`);
  const letters = [...bytes.subarray(0, REFERENCE_LENGTH)].map(
    (byte) => LETTERS[byte % LETTERS.length],
  );
  return `${REFERENCE_PREFIX}-${letters.join('')}`;
}

const TOKEN_LENGTH = 32;

/** Derives the last part of a status address: 192 bits that only the sender receives. */
export const deriveStatusToken = (inbox: Inbox, reference: string): string =>
  deriveBytes(inbox, 'token', reference).toString('base64url').slice(0, TOKEN_LENGTH);

/** Derives the last part of an imported calendar's private address from its stored random seed. */
export const deriveImportToken = (inbox: Inbox, seed: string): string =>
  deriveBytes(inbox, 'batch token', seed).toString('base64url').slice(0, TOKEN_LENGTH);

/** A form that comes back sooner was filled in by a program. */
export const MIN_FORM_FILL_MS = 4_000;
/** A form that was open longer is shown again with its values. */
export const MAX_FORM_AGE_MS = 24 * 3_600_000;
const MAX_CLOCK_ERROR_MS = 60_000;

const signTime = (inbox: Inbox, moment: string): Buffer =>
  deriveBytes(inbox, 'form', moment).subarray(0, 16);

/** Creates the value of a hidden field: the time at which the form was shown, signed. */
export function createFormToken(inbox: Inbox, now_ms: number): string {
  const moment = Math.floor(now_ms).toString(36);
  return `${moment}.${signTime(inbox, moment).toString('base64url')}`;
}

/** Verifies the signature and age of a form token. @returns `ok`, or the reason to reject it. */
export function verifyFormToken(inbox: Inbox, token: string, now_ms: number) {
  const [moment = '', signature = ''] = token.split('.');
  if (!isEqualConstantTime(Buffer.from(signature, 'base64url'), signTime(inbox, moment)))
    return 'forged';
  const age_ms = now_ms - Number.parseInt(moment, 36);
  // Dated in the future by a fast clock: a new token helps, waiting does not.
  if (age_ms < -MAX_CLOCK_ERROR_MS) return 'too_old';
  if (age_ms < MIN_FORM_FILL_MS) return 'too_soon';
  return age_ms > MAX_FORM_AGE_MS ? 'too_old' : 'ok';
}
