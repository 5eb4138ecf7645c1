// The second factor of a login: a code that changes every 30 seconds (TOTP, RFC 6238), each of use
// once, and ten codes for the day on which the telephone is lost (contract 14.39).
import { Secret, TOTP } from 'otpauth';
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { Actor } from '../domain/decision.ts';
import { type Inbox, inTransaction } from '../inbox/open.ts';
import {
  confirmFactor,
  deleteFactor,
  getFactor,
  putCodes,
  putFactor,
  useCode,
  useStep,
} from '../inbox/second-factors.ts';
import { logAccess } from './editors.ts';
import { createWords } from './password.ts';
import { toCounted } from './secret.ts';

const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** A clock may be one step off. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** Two groups: 50 bits. */
const RECOVERY_GROUPS = 2;

const toTotp = (secret: string, label: string, issuer: string): TOTP =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), digits: 6, period: PERIOD_S });

/** The address of a secret, for the square that a telephone reads: `otpauth://totp/…`. */
export const toFactorUri = (secret: string, editor: string, issuer: string): string =>
  toTotp(secret, editor, issuer).toString();

/** Makes a secret for an editor, who has yet to confirm it. Throws AppError where one is in use. */
export function beginFactor(inbox: Inbox, editor: string): void {
  inTransaction(inbox, () => {
    if (hasFactor(inbox, editor))
      throw new AppError('invalid_parameter', 'factor: there is one already', 'factor_there');
    putFactor(inbox, editor, new Secret({ size: SECRET_BYTES }).base32);
  });
}

/** Whether the login of an editor asks for a code. */
export const hasFactor = (inbox: Inbox, editor: string): boolean =>
  typeof getFactor(inbox, editor)?.confirmed_at === 'string';

const toHash = (inbox: Inbox, code: string): string => toCounted(inbox, 'recovery code', code);

/** Uses up a code of six digits; false where it is wrong, or was used. */
function takeCode(inbox: Inbox, editor: string, code: string, now_ms: number): boolean {
  const secret = getFactor(inbox, editor)?.secret;
  if (secret === undefined || !/^\d{6}$/.test(code)) return false;
  const delta = toTotp(secret, editor, '').validate({
    token: code,
    timestamp: now_ms,
    window: WINDOW,
  });
  return delta !== null && useStep(inbox, editor, Math.floor(now_ms / 1000 / PERIOD_S) + delta);
}

/**
 * Confirms the secret with its first code; gives the recovery codes, which are not stored as they are.
 * Throws AppError where the code is wrong or nothing waits to be confirmed.
 */
export function confirm(inbox: Inbox, { editor, now_ms }: Actor, typed: string): readonly string[] {
  const codes = Array.from({ length: RECOVERY_CODES }, () => createWords(RECOVERY_GROUPS));
  logAccess(inbox, { editor, now_ms }, 'factor_on', editor, () => {
    if (hasFactor(inbox, editor) || !takeCode(inbox, editor, toDigits(typed), now_ms))
      throw new AppError('invalid_parameter', 'code: it is not the right one', 'wrong_code');
    confirmFactor(inbox, editor, formatTimestamp(now_ms));
    putCodes(
      inbox,
      editor,
      codes.map((code) => toHash(inbox, code)),
    );
  });
  return codes;
}

const toDigits = (typed: string): string => typed.replace(/\s/g, '');

/** Whether a typed code lets an editor in: one of six digits or a recovery code, each once. */
export function checkCode(inbox: Inbox, editor: string, typed: string, now_ms: number): boolean {
  const code = toDigits(typed).toLowerCase();
  return inTransaction(
    inbox,
    () => takeCode(inbox, editor, code, now_ms) || useCode(inbox, editor, toHash(inbox, code)),
  );
}

/** Takes the second factor of an editor away. */
export function removeFactor(inbox: Inbox, actor: Actor, name: string): void {
  logAccess(inbox, actor, 'factor_off', name, () => deleteFactor(inbox, name));
}
