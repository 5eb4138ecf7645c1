// Into the desk: a name with its password, then a code where the editor has a second factor. What
// fails is counted, what is tried often is slowed down, and nobody is locked out (contract 14.38, 14.39).
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../domain/app-error.ts';
import { getEditor, getEditorHash } from '../inbox/editors.ts';
import type { Inbox } from '../inbox/open.ts';
import { isDeviceOf } from '../inbox/sessions.ts';
import { type Attempt, countAttempt, countCode, takeBack } from './attempts.ts';
import { findEditor } from './editors.ts';
import { checkCode, hasFactor } from './second-factor.ts';
import { derive, isSame, toDigest } from './secret.ts';
import { beginSession } from './sessions.ts';

const MAX_NAME = 40;
/** How long a right password is good for without the code. */
const TICKET_MS = 5 * 60_000;
/** Strangers that are slowed down at once in this process. */
const MAX_SLOWED = 20;
let slowed = 0;

/** Who tries to come in; all as typed. */
export interface LoginAttempt {
  readonly address: string;
  readonly name: string;
  readonly password: string;
  readonly now_ms: number;
  /** What the browser brought of a former session. */
  readonly former?: string | null;
  /** The device in words. */
  readonly device?: string;
}

/** What a right password gives where a code is asked for too, and the code. */
export interface CodeAttempt extends Omit<LoginAttempt, 'name' | 'password'> {
  readonly ticket: string;
  readonly code: string;
}

export type LoginResult =
  | { readonly kind: 'in'; readonly token: string; readonly name: string }
  /** The password is right; `ticket` goes with the code. */
  | { readonly kind: 'code'; readonly ticket: string; readonly name: string }
  | { readonly kind: 'wrong_code'; readonly ticket: string; readonly name: string }
  | { readonly kind: 'wrong' | 'too_many' | 'busy' | 'ended'; readonly name: string };

/** Counts the attempt before it looks at the password. `wait` is given by tests. */
export async function login(
  inbox: Inbox,
  attempt: LoginAttempt,
  wait: (ms: number) => Promise<unknown> = pause,
): Promise<LoginResult> {
  const name = attempt.name.normalize('NFC').trim().slice(0, MAX_NAME);
  const from = toAttempt(inbox, name, attempt);
  try {
    const counted = countAttempt(inbox, from);
    if (counted === null) return { kind: 'too_many', name };
    await slowDown(counted.wait_ms, wait);
    const comer = from.device === null ? 'stranger' : 'known';
    const editor = await findEditor(inbox, name, attempt.password, comer);
    if (editor === null) return { kind: 'wrong', name };
    takeBack(inbox, counted);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.reason === 'busy') return { kind: 'busy', name };
    throw thrown;
  }
  if (hasFactor(inbox, name))
    return { kind: 'code', ticket: createTicket(inbox, name, attempt.now_ms), name };
  return { kind: 'in', token: beginSession(inbox, name, attempt.now_ms, attempt), name };
}

/** Takes the code after a right password. */
export function loginWithCode(inbox: Inbox, attempt: CodeAttempt): LoginResult {
  const { ticket, code, now_ms } = attempt;
  const name = readTicket(inbox, ticket, now_ms);
  if (name === null) return { kind: 'ended', name: '' };
  const counted = countCode(inbox, toAttempt(inbox, name, attempt));
  if (counted === null) return { kind: 'too_many', name };
  if (!checkCode(inbox, name, code, now_ms)) return { kind: 'wrong_code', ticket, name };
  takeBack(inbox, counted);
  return { kind: 'in', token: beginSession(inbox, name, now_ms, attempt), name };
}

/** A device is known for the editor alone who came in from it before. */
function toAttempt(
  inbox: Inbox,
  name: string,
  { address, former, now_ms }: Pick<LoginAttempt, 'address' | 'former' | 'now_ms'>,
): Attempt {
  const hash = former ? toDigest(former) : '';
  return { address, name, now_ms, device: isDeviceOf(inbox, hash, name) ? hash : null };
}

/** Throws AppError where more are being slowed down than a process holds. */
async function slowDown(ms: number, wait: (ms: number) => Promise<unknown>): Promise<void> {
  if (ms === 0) return;
  if (slowed >= MAX_SLOWED)
    throw new AppError('rate_limited', 'login: too many at once. Try again', 'busy');
  slowed += 1;
  try {
    await wait(ms);
  } finally {
    slowed -= 1;
  }
}

/** Good for the password that was typed: a new one ends it. */
const signTicket = (inbox: Inbox, name: string, until: string): Buffer =>
  derive(inbox, 'login ticket', [name, until, getEditorHash(inbox, name) ?? ''].join('\n'));

function createTicket(inbox: Inbox, name: string, now_ms: number): string {
  const until = Math.floor(now_ms + TICKET_MS).toString(36);
  const words = Buffer.from(name).toString('base64url');
  return `${until}.${words}.${signTicket(inbox, name, until).toString('base64url')}`;
}

/** The name of a ticket; null where it is not ours, or too old. */
function readTicket(inbox: Inbox, ticket: string, now_ms: number): string | null {
  const [until = '', words = '', signature = ''] = ticket.split('.');
  const name = Buffer.from(words, 'base64url').toString();
  const left_ms = Number.parseInt(until, 36) - now_ms;
  const is_ours =
    getEditor(inbox, name) !== null &&
    isSame(Buffer.from(signature, 'base64url'), signTicket(inbox, name, until));
  return is_ours && left_ms > 0 && left_ms <= TICKET_MS ? name : null;
}
