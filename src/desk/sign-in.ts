// Into the desk: a name with its password, then a code where the editor has a second factor (contract 14.38);
// who is in, and what they do with the own password and second factor (14.39).
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import type { Actor } from '../domain/decision.ts';
import { isGoodPassword, PASSWORD_LENGTH, toPassword } from '../domain/editor.ts';
import { countAttempt, takeBack } from '../inbox/login-attempts.ts';
import { deleteOldSessions, deleteSession, seeSession, useCode } from '../inbox/sessions.ts';
import { type Browser, openAuth, TICKET_COOKIE, toCodeHash } from './auth.ts';
import { logAccess, removeFactor } from './editors.ts';
import { derive, isSame, toCounted } from './secret.ts';

export interface Session {
  readonly editor: string;
  /** For the hidden field of every form. */
  readonly csrf: string;
  /** What it is called in the list; gives nobody access. */
  readonly id: string;
}

export type SignInResult =
  /** `cookie` is what the answer sets. */
  | { readonly kind: 'in'; readonly cookie: string; readonly name: string }
  /** The password is right; `ticket` goes with the code. */
  | { readonly kind: 'code' | 'wrong_code'; readonly ticket: string; readonly name: string }
  | { readonly kind: 'wrong' | 'too_many' | 'busy' | 'used_code' | 'ended'; readonly name: string };

const toHeaders = ({ device }: Browser, name: string, value: string): Headers =>
  new Headers({ cookie: `${name}=${value}`, 'user-agent': device });
const toOwnHeaders = (browser: Browser): Headers =>
  toHeaders(browser, browser.cookie_name, browser.session_token ?? '');

/** What an answer of the library sets; null where it sets none, or takes it back. */
function findCookie(answer: Response, name: string): string | null {
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith(`${name}=`));
  return cookie === undefined || cookie.startsWith(`${name}=;`) ? null : cookie;
}

/** Counts the attempt before the password is looked at; `sender` is as what the address is counted. */
export async function signIn(
  browser: Browser,
  typed: { readonly name: string; readonly password: string },
  sender: string,
  now_ms: number,
): Promise<SignInResult> {
  const { inbox, cookie_name } = browser;
  const name = typed.name.normalize('NFC').trim();
  const counted = await countAttempt(inbox, toCounted(inbox, 'login address', sender), now_ms);
  if (counted === null) return { kind: 'too_many', name };
  const auth = await openAuth(browser);
  let answer: Response;
  try {
    await deleteOldSessions(inbox);
    answer = await auth.api.signInUsername({
      body: { username: name, password: typed.password },
      headers: toHeaders(browser, '', ''),
      asResponse: true,
    });
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.reason === 'busy') return { kind: 'busy', name };
    throw thrown;
  }
  if (!answer.ok) return { kind: 'wrong', name };
  await takeBack(inbox, counted);
  const ticket = findCookie(answer, TICKET_COOKIE);
  if (ticket !== null) return { kind: 'code', ticket: /=([^;]*)/.exec(ticket)?.[1] ?? '', name };
  return { kind: 'in', cookie: findCookie(answer, cookie_name) ?? '', name };
}

const Refused = v.object({ code: v.string() });
const In = v.object({ token: v.string(), user: v.object({ name: v.string() }) });
const REFUSALS: Readonly<Record<string, 'wrong_code' | 'too_many'>> = {
  INVALID_CODE: 'wrong_code',
  INVALID_BACKUP_CODE: 'wrong_code',
  ACCOUNT_TEMPORARILY_LOCKED: 'too_many',
};

/** Takes the code after a right password: one of six digits or a recovery code, each once. */
export async function signInWithCode(
  browser: Browser,
  { ticket, name, code: typed }: Readonly<Record<'ticket' | 'name' | 'code', string>>,
): Promise<SignInResult> {
  const { inbox, cookie_name } = browser;
  if (!/^[\w.%-]+$/.test(ticket)) return { kind: 'ended', name };
  const headers = toHeaders(browser, TICKET_COOKIE, ticket);
  const code = toCode(typed);
  const { api } = await openAuth(browser);
  const is_digits = /^\d+$/.test(code);
  const answer = is_digits
    ? await api.verifyTOTP({ body: { code }, headers, asResponse: true })
    : await api.verifyBackupCode({
        body: { code: toCodeHash(inbox, code) },
        headers,
        asResponse: true,
      });
  const body: unknown = await answer.json();
  if (!answer.ok) {
    const kind = (v.is(Refused, body) && REFUSALS[body.code]) || 'ended';
    return kind === 'wrong_code' ? { kind, ticket, name } : { kind, name };
  }
  const { token, user } = v.parse(In, body);
  if (!is_digits || (await useCode(inbox, user.name, code)))
    return { kind: 'in', cookie: findCookie(answer, cookie_name) ?? '', name: user.name };
  // The library takes one of six digits as often as it comes, while it is good.
  await deleteSession(inbox, token);
  return { kind: 'used_code', name };
}

const toCode = (typed: string): string => typed.replace(/\s/g, '').toLowerCase();

/** Who is in, seen now; null for a stranger. */
export async function readSession(browser: Browser): Promise<Session | null> {
  const { inbox, session_token } = browser;
  if (session_token === null || session_token === '') return null;
  const { api } = await openAuth(browser);
  const found = await api.getSession({ headers: toOwnHeaders(browser) });
  if (found === null || !(await seeSession(inbox, found.session.id))) return null;
  const csrf = derive(inbox, 'csrf', found.session.token).toString('base64url');
  return { editor: found.user.name, csrf, id: found.session.id };
}

/** Whether a form came from a page of this session. */
export const isOwnForm = (session: Session, csrf: string): boolean =>
  isSame(Buffer.from(csrf), Buffer.from(session.csrf));

/**
 * An editor's own new password, in place of the one that is typed too; all sessions end, and one begins: gives its
 * cookie. Throws AppError where that one is wrong, or the new one is no good.
 */
export async function changePassword(
  browser: Browser,
  actor: Actor,
  current: string,
  next: string,
): Promise<string | null> {
  if (!isGoodPassword(toPassword(next), actor.editor))
    throw new AppError(
      'invalid_parameter',
      `password: at least ${PASSWORD_LENGTH.min} characters, six of them different, and not the name`,
      'weak_password',
    );
  const { api } = await openAuth(browser);
  const answer = await api.changePassword({
    body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
    headers: toOwnHeaders(browser),
    asResponse: true,
  });
  if (!answer.ok) throw toWrongPassword();
  await logAccess(browser.inbox, actor, 'new_password', actor.editor, async () => {});
  return findCookie(answer, browser.cookie_name);
}

const toWrongPassword = (): AppError =>
  new AppError('invalid_parameter', 'password: it is not the current one', 'wrong_password');

const Begun = v.object({ totpURI: v.string(), backupCodes: v.array(v.string()) });

/**
 * Makes a secret for an editor, who has yet to confirm it, as the address that a telephone reads (`otpauth://totp/…`),
 * and recovery codes: both are seen this once. Throws AppError where the password is wrong, or one is in use.
 */
export async function beginFactor(browser: Browser, password: string, issuer: string) {
  const { api } = await openAuth(browser);
  const answer = await api.enableTwoFactor({
    body: { password, issuer },
    headers: toOwnHeaders(browser),
    asResponse: true,
  });
  const body: unknown = await answer.json();
  if (answer.ok) return v.parse(Begun, body);
  throw v.is(Refused, body) && body.code === 'INVALID_PASSWORD'
    ? toWrongPassword()
    : new AppError('invalid_parameter', 'factor: there is one already', 'factor_there');
}

/** Confirms the secret with its first code; gives the cookie of a new session. Throws AppError where it is wrong. */
export async function confirmFactor(
  browser: Browser,
  actor: Actor,
  typed: string,
): Promise<string | null> {
  const code = toCode(typed);
  const { api } = await openAuth(browser);
  const answer = await api.verifyTOTP({
    body: { code },
    headers: toOwnHeaders(browser),
    asResponse: true,
  });
  if (!answer.ok || !(await useCode(browser.inbox, actor.editor, code)))
    throw new AppError('invalid_parameter', 'code: it is not the right one', 'wrong_code');
  await logAccess(browser.inbox, actor, 'factor_on', actor.editor, async () => {});
  return findCookie(answer, browser.cookie_name);
}

/** Takes the own second factor away. Throws AppError where the password is wrong. */
export async function removeOwnFactor(
  browser: Browser,
  actor: Actor,
  password: string,
): Promise<void> {
  const { api } = await openAuth(browser);
  const answer = await api.verifyPassword({
    body: { password },
    headers: toOwnHeaders(browser),
    asResponse: true,
  });
  if (!answer.ok) throw toWrongPassword();
  await removeFactor(browser.inbox, actor, actor.editor);
}
