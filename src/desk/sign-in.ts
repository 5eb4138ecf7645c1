// Into the desk (contract 14.38): name and password, then a code where the editor has a second factor; who is in; and
// what they do with their own password and second factor. The library that does it, better-auth, is set up here on the
// tables of the inbox, and nothing of it is served. It goes by the machine's clock, not by CLOCK_START.
import * as v from 'valibot';
import { AppError, refusal } from '../domain/app-error.ts';
import type { Actor, DecisionAction } from '../domain/change.ts';
import {
  isAcceptablePassword,
  PASSWORD_LENGTH,
  normalizePassword,
} from '../domain/password-policy.ts';
import {
  recordLoginAttempt,
  deleteExpiredSessions,
  deleteSession,
  encryptLegacySecrets,
  isPasswordInUse,
  touchSession,
  forgetLoginAttempt,
  consumeCode,
} from '../inbox/editors.ts';
import type { Inbox } from '../inbox/open.ts';
import { deriveBytes, isEqualConstantTime, rateLimitDigest } from '../inbox/secrets.ts';
import { recordDecisionWithoutChanges } from './decisions.ts';
import {
  verifyPassword,
  generatePassphrase,
  hashPassword,
  removeSecondFactor,
} from './editor-accounts.ts';

/** What a browser brings to the desk. */
export interface BrowserSession {
  readonly inbox: Inbox;
  readonly cookie_name: string;
  /** Cookies go over https only. */
  readonly is_secure: boolean;
  /** The value of the cookie. */
  readonly session_token: string | null;
  /** What it says that it is, in two words. */
  readonly device: string;
}

/** Whatever happens, a session ends so long after it began. */
const SESSION_LONGEST_S = 12 * 60 * 60;
/** How long a right password is good for without the code. */
const TICKET_S = 5 * 60;
const TICKET_COOKIE = 'ticket';
/** After so many wrong codes of an editor none is looked at for a while. */
const CODES = { maxFailedAttempts: 6, durationSeconds: 15 * 60 } as const;
const RECOVERY_CODES = 10;
/** Two groups: 50 bits. */
const RECOVERY_GROUPS = 2;
const HASH = /^[0-9a-f]{32}$/;
const Codes = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

/** As which a recovery code is stored and looked up. */
const toCodeHash = (inbox: Inbox, code: string): string =>
  rateLimitDigest(inbox, 'recovery code', code);

async function create({ inbox, cookie_name, is_secure }: BrowserSession) {
  // Loaded when the desk is first used: it takes half a second and 50 MB.
  const [{ betterAuth }, { username }, { twoFactor }, { symmetricEncrypt }] = await Promise.all([
    import('better-auth'),
    import('better-auth/plugins/username'),
    import('better-auth/plugins/two-factor'),
    import('better-auth/crypto'),
  ]);
  const secret = deriveBytes(inbox, 'better-auth', '').toString('base64url');
  const auth = betterAuth({
    // By its type it knows how to write times and flags, which are texts and numbers in PostgreSQL too. A transaction
    // of its own would keep everybody else waiting while it looks at a password.
    database: { db: inbox.root, type: 'sqlite', transaction: false },
    secret,
    baseURL: 'http://localhost',
    telemetry: { enabled: false },
    logger: { disabled: true },
    // It only looks: what it does not note, `touchSession` does.
    session: { expiresIn: SESSION_LONGEST_S, deferSessionRefresh: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      password: {
        hash: hashPassword,
        // Looking takes a while: who was removed or given a new password meanwhile is not let in by the old one.
        verify: async ({ password, hash }) =>
          (await verifyPassword(password, hash)) && (await isPasswordInUse(inbox, hash)),
      },
    },
    plugins: [
      username({
        displayUsername: false,
        minUsernameLength: 1,
        maxUsernameLength: 40,
        usernameNormalization: false,
        usernameValidator: () => true,
      }),
      twoFactor({
        twoFactorCookieMaxAge: TICKET_S,
        accountLockout: CODES,
        backupCodeOptions: {
          customBackupCodesGenerate: () =>
            Array.from({ length: RECOVERY_CODES }, () => generatePassphrase(RECOVERY_GROUPS)),
          storeBackupCodes: {
            // What is left after one was used is stored again: those are hashes already.
            encrypt: async (codes) => {
              const toHash = (code: string) => (HASH.test(code) ? code : toCodeHash(inbox, code));
              return JSON.stringify(v.parse(Codes, codes).map(toHash));
            },
            decrypt: async (codes) => codes,
          },
        },
      }),
    ],
    advanced: {
      useSecureCookies: false,
      ipAddress: { disableIpTracking: true },
      cookies: { session_token: { name: cookie_name }, two_factor: { name: TICKET_COOKIE } },
      defaultCookieAttributes: { httpOnly: true, sameSite: 'strict', path: '/', secure: is_secure },
    },
  });
  await encryptLegacySecrets(inbox, (data) => symmetricEncrypt({ key: secret, data }));
  return auth.api;
}

const made = new WeakMap<Inbox, ReturnType<typeof create>>();

/** The library for an inbox, which is served under one name of the cookie only. */
function openAuth(browser: BrowserSession): ReturnType<typeof create> {
  const auth = made.get(browser.inbox) ?? create(browser);
  made.set(browser.inbox, auth);
  auth.catch(() => made.delete(browser.inbox));
  return auth;
}

/** How the library is asked: by the cookie of the session, or another. */
const toAsked = (
  { device, cookie_name, session_token }: BrowserSession,
  name = cookie_name,
  value = session_token ?? '',
) => ({
  headers: new Headers({ cookie: `${name}=${value}`, 'user-agent': device }),
  asResponse: true as const,
});

/** What an answer of the library sets; null where it sets none, or takes it back. */
function findCookie(answer: Response, name: string): string | null {
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith(`${name}=`));
  return cookie === undefined || cookie.startsWith(`${name}=;`) ? null : cookie;
}

export type SignInResult =
  /** `cookie` is what the answer sets. */
  | { readonly kind: 'in'; readonly cookie: string; readonly name: string }
  /** The password is right; `ticket` goes with the code. */
  | { readonly kind: 'code'; readonly ticket: string }
  | { readonly kind: 'wrong' | 'too_many' | 'busy' | 'wrong_code' | 'used_code' | 'ended' };

/** Counts the attempt before the password is looked at; `sender` is as what the address is counted. */
export async function signIn(
  browser: BrowserSession,
  { name, password }: { readonly name: string; readonly password: string },
  sender: string,
  now_ms: number,
): Promise<SignInResult> {
  const { inbox, cookie_name } = browser;
  const counted = await recordLoginAttempt(
    inbox,
    rateLimitDigest(inbox, 'login address', sender),
    now_ms,
  );
  if (counted === null) return { kind: 'too_many' };
  const api = await openAuth(browser);
  let answer: Response;
  try {
    await deleteExpiredSessions(inbox);
    const body = { username: name, password };
    answer = await api.signInUsername({ body, ...toAsked(browser, '', '') });
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.reason === 'busy') return { kind: 'busy' };
    throw thrown;
  }
  if (!answer.ok) return { kind: 'wrong' };
  await forgetLoginAttempt(inbox, counted);
  const ticket = findCookie(answer, TICKET_COOKIE);
  if (ticket !== null) return { kind: 'code', ticket: /=([^;]*)/.exec(ticket)?.[1] ?? '' };
  return { kind: 'in', cookie: findCookie(answer, cookie_name) ?? '', name };
}

const Refused = v.object({ code: v.string() });
const In = v.object({ token: v.string(), user: v.object({ name: v.string() }) });
const REFUSALS: Readonly<Record<string, 'wrong_code' | 'too_many'>> = {
  INVALID_CODE: 'wrong_code',
  INVALID_BACKUP_CODE: 'wrong_code',
  ACCOUNT_TEMPORARILY_LOCKED: 'too_many',
};
const toCode = (typed: string): string => typed.replace(/\s/g, '').toLowerCase();

/** Takes the code after a right password: one of six digits or a recovery code, each once. */
export async function signInWithCode(
  browser: BrowserSession,
  ticket: string,
  typed: string,
): Promise<SignInResult> {
  const { inbox, cookie_name } = browser;
  if (!/^[\w.%-]+$/.test(ticket)) return { kind: 'ended' };
  const asked = toAsked(browser, TICKET_COOKIE, ticket);
  const code = toCode(typed);
  const api = await openAuth(browser);
  const is_digits = /^\d+$/.test(code);
  const answer = is_digits
    ? await api.verifyTOTP({ body: { code }, ...asked })
    : await api.verifyBackupCode({ body: { code: toCodeHash(inbox, code) }, ...asked });
  const body: unknown = await answer.json();
  if (!answer.ok) return { kind: (v.is(Refused, body) && REFUSALS[body.code]) || 'ended' };
  const { token, user } = v.parse(In, body);
  if (!is_digits || (await consumeCode(inbox, user.name, code)))
    return { kind: 'in', cookie: findCookie(answer, cookie_name) ?? '', name: user.name };
  // The library takes one of six digits as often as it comes, while it is good.
  await deleteSession(inbox, token);
  return { kind: 'used_code' };
}

export type Session = NonNullable<Awaited<ReturnType<typeof getSession>>>;

/** Who is in, seen now; null for a stranger. By its `id` it is listed, which gives nobody access. */
export async function getSession(browser: BrowserSession) {
  const { inbox, session_token } = browser;
  if (session_token === null || session_token === '') return null;
  const api = await openAuth(browser);
  const found = await api.getSession({ headers: toAsked(browser).headers });
  if (found === null || !(await touchSession(inbox, found.session.id))) return null;
  // For the hidden field of every form.
  const csrf = deriveBytes(inbox, 'csrf', found.session.token).toString('base64url');
  return { editor: found.user.name, csrf, id: found.session.id };
}

/** Whether a form came from a page of this session. */
export const isFormOfSession = (session: Session, csrf: string): boolean =>
  isEqualConstantTime(Buffer.from(csrf), Buffer.from(session.csrf));

const logOwn = ({ inbox }: BrowserSession, actor: Actor, action: DecisionAction): Promise<void> =>
  recordDecisionWithoutChanges(inbox, { ...actor, action, subject: actor.editor }, async () => {});

/** An own new password in place of the current one; all sessions end, and one begins: gives its cookie. */
export async function changePassword(
  browser: BrowserSession,
  actor: Actor,
  currentPassword: string,
  newPassword: string,
): Promise<string | null> {
  if (!isAcceptablePassword(normalizePassword(newPassword), actor.editor))
    throw refusal('weak_password');
  const api = await openAuth(browser);
  const body = { currentPassword, newPassword, revokeOtherSessions: true };
  const answer = await api.changePassword({ body, ...toAsked(browser) });
  if (!answer.ok) throw refusal('wrong_password');
  await logOwn(browser, actor, 'new_password');
  return findCookie(answer, browser.cookie_name);
}

const Begun = v.object({ totpURI: v.string(), backupCodes: v.array(v.string()) });

/**
 * Makes a secret for an editor, who has yet to confirm it, as the address that a telephone reads (`otpauth://totp/…`),
 * and recovery codes: both are seen this once. Throws AppError where the password is wrong, or one is in use.
 */
export async function startSecondFactorSetup(
  browser: BrowserSession,
  password: string,
  issuer: string,
) {
  const api = await openAuth(browser);
  const answer = await api.enableTwoFactor({ body: { password, issuer }, ...toAsked(browser) });
  const body: unknown = await answer.json();
  if (answer.ok) return v.parse(Begun, body);
  const is_wrong = v.is(Refused, body) && body.code === 'INVALID_PASSWORD';
  throw refusal(is_wrong ? 'wrong_password' : 'factor_there');
}

/** Confirms the secret with its first code; gives the cookie of a new session. Throws AppError where it is wrong. */
export async function confirmSecondFactor(
  browser: BrowserSession,
  actor: Actor,
  typed: string,
): Promise<string | null> {
  const code = toCode(typed);
  const api = await openAuth(browser);
  const answer = await api.verifyTOTP({ body: { code }, ...toAsked(browser) });
  if (!answer.ok || !(await consumeCode(browser.inbox, actor.editor, code)))
    throw refusal('wrong_code');
  await logOwn(browser, actor, 'factor_on');
  return findCookie(answer, browser.cookie_name);
}

/** Takes the own second factor away. Throws AppError where the password is wrong. */
export async function removeOwnSecondFactor(
  browser: BrowserSession,
  actor: Actor,
  password: string,
) {
  const api = await openAuth(browser);
  const answer = await api.verifyPassword({ body: { password }, ...toAsked(browser) });
  if (!answer.ok) throw refusal('wrong_password');
  await removeSecondFactor(browser.inbox, actor, actor.editor);
}
