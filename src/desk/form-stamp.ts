// When a form was shown, signed: what comes back too soon was not filled in by a person (decisions,
// Submissions 4).
import { timingSafeEqual } from 'node:crypto';
import { derive, readSecret } from '../inbox/secret.ts';
import type { Inbox } from '../inbox/open.ts';

/** Nobody fills in the form faster. */
export const MIN_FORM_MS = 4_000;
/** A form left open longer is shown anew, with what was typed. */
export const MAX_FORM_MS = 24 * 3_600_000;
const MAX_CLOCK_ERROR_MS = 60_000;

const sign = (inbox: Inbox, moment: string): Buffer =>
  derive(readSecret(inbox), 'form', moment).subarray(0, 16);

/** For a hidden field: the moment and its signature. */
export function createFormStamp(inbox: Inbox, now_ms: number): string {
  const moment = Math.floor(now_ms).toString(36);
  return `${moment}.${sign(inbox, moment).toString('base64url')}`;
}

/** `ok`, or why not: not ours, too soon, too long ago. */
export function checkFormStamp(
  inbox: Inbox,
  stamp: string,
  now_ms: number,
): 'ok' | 'forged' | 'too_soon' | 'too_old' {
  const [moment = '', signature = ''] = stamp.split('.');
  const [given, right] = [Buffer.from(signature, 'base64url'), sign(inbox, moment)];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return 'forged';
  const age_ms = now_ms - Number.parseInt(moment, 36);
  // Shown long after now: by a clock that ran ahead. A new stamp helps, waiting does not.
  if (age_ms < -MAX_CLOCK_ERROR_MS) return 'too_old';
  if (age_ms < MIN_FORM_MS) return 'too_soon';
  return age_ms > MAX_FORM_MS ? 'too_old' : 'ok';
}
