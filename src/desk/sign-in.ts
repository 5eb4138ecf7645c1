// Desk sign-in (contract 14.38): signs editors in with name, password and, if set up, a second
// factor (a six-digit code of an authenticator app, or a recovery code); reads sessions and changes
// an editor's own password and second factor. Calls the better-auth library on the tables of the
// inbox; none of its endpoints are served. It uses the machine's clock, not CLOCK_START.
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

/** The browser of a desk request. */
export interface BrowserSession {
  readonly inbox: Inbox;
  readonly cookie_name: string;
  /** Cookies are sent over HTTPS only. */
  readonly is_secure: boolean;
  /** The value of the cookie. */
  readonly session_token: string | null;
  /** Browser and system, in two words. */
  readonly device: string;
}

/** A session ends this long after sign-in, even if it is in use. */
const MAX_SESSION_S = 12 * 60 * 60;
/** Time to enter the code after the password; the ticket proves that the password was correct. */
const TICKET_S = 5 * 60;
const TICKET_COOKIE = 'ticket';
/** After this many wrong codes, an editor's codes are rejected for a while. */
const CODE_LOCKOUT = { maxFailedAttempts: 6, durationSeconds: 15 * 60 } as const;
const RECOVERY_CODE_COUNT = 10;
/** Groups of characters in a recovery code: 50 bits. */
const RECOVERY_GROUPS = 2;
/** Matches a stored recovery code. */
const CODE_HASH_PATTERN = /^[0-9a-f]{32}$/;
const CodesSchema = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

/** Returns the keyed digest under which a recovery code is stored. */
const hashRecoveryCode = (inbox: Inbox, code: string): string =>
  rateLimitDigest(inbox, 'recovery code', code);

/** Creates the better-auth API. */
async function createAuth({ inbox, cookie_name, is_secure }: BrowserSession) {
  // Loaded on first use: it takes half a second and 50 MB.
  const [{ betterAuth }, { username }, { twoFactor }] = await Promise.all([
    import('better-auth'),
    import('better-auth/plugins/username'),
    import('better-auth/plugins/two-factor'),
  ]);
  const secret = deriveBytes(inbox, 'better-auth', '').toString('base64url');
  const auth = betterAuth({
    // The inbox stores times as text and flags as numbers in PostgreSQL too, as `sqlite` expects.
    // Transactions of the library would block all other writes while it hashes a password.
    database: { db: inbox.root, type: 'sqlite', transaction: false },
    secret,
    baseURL: 'http://localhost',
    telemetry: { enabled: false },
    logger: { disabled: true },
    // better-auth only reads sessions; touchSession records their use.
    session: { expiresIn: MAX_SESSION_S, deferSessionRefresh: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      password: {
        hash: hashPassword,
        // Hashing takes a while: reject an old password if the editor was removed or changed it
        // meanwhile.
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
        accountLockout: CODE_LOCKOUT,
        backupCodeOptions: {
          customBackupCodesGenerate: () =>
            Array.from({ length: RECOVERY_CODE_COUNT }, () => generatePassphrase(RECOVERY_GROUPS)),
          storeBackupCodes: {
            // After a code is used, the library stores the remaining ones again, already hashed.
            encrypt: async (codes) => {
              const hashOnce = (code: string) =>
                CODE_HASH_PATTERN.test(code) ? code : hashRecoveryCode(inbox, code);
              return JSON.stringify(v.parse(CodesSchema, codes).map(hashOnce));
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
  return auth.api;
}

const auth_by_inbox = new WeakMap<Inbox, ReturnType<typeof createAuth>>();

/** Returns the better-auth API of an inbox, created once: its cookie name never changes. */
function getAuth(browser: BrowserSession): ReturnType<typeof createAuth> {
  const auth = auth_by_inbox.get(browser.inbox) ?? createAuth(browser);
  auth_by_inbox.set(browser.inbox, auth);
  auth.catch(() => auth_by_inbox.delete(browser.inbox));
  return auth;
}

/** Builds the request options of a library call: the session cookie (default), or another one. */
const requestOptions = (
  { device, cookie_name, session_token }: BrowserSession,
  name = cookie_name,
  value = session_token ?? '',
) => ({
  headers: new Headers({ cookie: `${name}=${value}`, 'user-agent': device }),
  asResponse: true as const,
});

/** Returns the Set-Cookie header of a library response; null if it sets none or deletes it. */
function findCookie(response: Response, name: string): string | null {
  const cookie = response.headers.getSetCookie().find((header) => header.startsWith(`${name}=`));
  return cookie === undefined || cookie.startsWith(`${name}=;`) ? null : cookie;
}

export type SignInResult =
  /** Signed in; `cookie` is the Set-Cookie header. */
  | { readonly kind: 'in'; readonly cookie: string; readonly name: string }
  /** The password is correct; `ticket` must accompany the code. */
  | { readonly kind: 'code'; readonly ticket: string }
  /**
   * Refused. `wrong`: name or password; `too_many`: attempts or wrong codes; `busy`: too many
   * sign-ins at once; `ended`: the ticket is invalid or expired.
   */
  | { readonly kind: 'wrong' | 'too_many' | 'busy' | 'wrong_code' | 'used_code' | 'ended' };

/**
 * Signs an editor in, counting the attempt before verifying the password.
 * @param sender The client's address as used for rate limits.
 */
export async function signIn(
  browser: BrowserSession,
  { name, password }: { readonly name: string; readonly password: string },
  sender: string,
  now_ms: number,
): Promise<SignInResult> {
  const { inbox, cookie_name } = browser;
  const attempt = await recordLoginAttempt(
    inbox,
    rateLimitDigest(inbox, 'login address', sender),
    now_ms,
  );
  if (attempt === null) return { kind: 'too_many' };
  const api = await getAuth(browser);
  let response: Response;
  try {
    await deleteExpiredSessions(inbox);
    const body = { username: name, password };
    response = await api.signInUsername({ body, ...requestOptions(browser, '', '') });
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.reason === 'busy') return { kind: 'busy' };
    throw thrown;
  }
  if (!response.ok) return { kind: 'wrong' };
  await forgetLoginAttempt(inbox, attempt);
  const ticket = findCookie(response, TICKET_COOKIE);
  if (ticket !== null) return { kind: 'code', ticket: /=([^;]*)/.exec(ticket)?.[1] ?? '' };
  return { kind: 'in', cookie: findCookie(response, cookie_name) ?? '', name };
}

const ErrorSchema = v.object({ code: v.string() });
const SignedInSchema = v.object({ token: v.string(), user: v.object({ name: v.string() }) });
const CODE_ERRORS: Readonly<Record<string, 'wrong_code' | 'too_many'>> = {
  INVALID_CODE: 'wrong_code',
  INVALID_BACKUP_CODE: 'wrong_code',
  ACCOUNT_TEMPORARILY_LOCKED: 'too_many',
};
const normalizeCode = (input: string): string => input.replace(/\s/g, '').toLowerCase();

/** Signs in with a code after the password: six digits or a recovery code, each usable once. */
export async function signInWithCode(
  browser: BrowserSession,
  ticket: string,
  input: string,
): Promise<SignInResult> {
  const { inbox, cookie_name } = browser;
  if (!/^[\w.%-]+$/.test(ticket)) return { kind: 'ended' };
  const options = requestOptions(browser, TICKET_COOKIE, ticket);
  const code = normalizeCode(input);
  const api = await getAuth(browser);
  const is_digits = /^\d+$/.test(code);
  const response = is_digits
    ? await api.verifyTOTP({ body: { code }, ...options })
    : await api.verifyBackupCode({ body: { code: hashRecoveryCode(inbox, code) }, ...options });
  const body: unknown = await response.json();
  if (!response.ok) return { kind: (v.is(ErrorSchema, body) && CODE_ERRORS[body.code]) || 'ended' };
  const { token, user } = v.parse(SignedInSchema, body);
  if (!is_digits || (await consumeCode(inbox, user.name, code)))
    return { kind: 'in', cookie: findCookie(response, cookie_name) ?? '', name: user.name };
  // The library accepts a six-digit code repeatedly while it is valid.
  await deleteSession(inbox, token);
  return { kind: 'used_code' };
}

export type Session = NonNullable<Awaited<ReturnType<typeof getSession>>>;

/**
 * Returns the session of a browser and records its use; null if not signed in. Its `id` is safe to
 * list: it grants no access.
 */
export async function getSession(browser: BrowserSession) {
  const { inbox, session_token } = browser;
  if (session_token === null || session_token === '') return null;
  const api = await getAuth(browser);
  const result = await api.getSession({ headers: requestOptions(browser).headers });
  if (result === null || !(await touchSession(inbox, result.session.id))) return null;
  // The token in a hidden field of every form.
  const csrf = deriveBytes(inbox, 'csrf', result.session.token).toString('base64url');
  return { editor: result.user.name, csrf, id: result.session.id };
}

/** Checks the CSRF token of a form. */
export const isFormOfSession = (session: Session, csrf: string): boolean =>
  isEqualConstantTime(Buffer.from(csrf), Buffer.from(session.csrf));

/** Logs an editor's change of their own account. */
const logOwnAction = (
  { inbox }: BrowserSession,
  actor: Actor,
  action: DecisionAction,
): Promise<void> =>
  recordDecisionWithoutChanges(inbox, { ...actor, action, subject: actor.editor }, async () => {});

/**
 * Changes an editor's own password and replaces all sessions with a new one.
 * @returns The Set-Cookie header of the new session.
 * @throws AppError if the current password is wrong or the new one is weak.
 */
export async function changePassword(
  browser: BrowserSession,
  actor: Actor,
  currentPassword: string,
  newPassword: string,
): Promise<string | null> {
  if (!isAcceptablePassword(normalizePassword(newPassword), actor.editor))
    throw refusal('weak_password');
  const api = await getAuth(browser);
  const body = { currentPassword, newPassword, revokeOtherSessions: true };
  const response = await api.changePassword({ body, ...requestOptions(browser) });
  if (!response.ok) throw refusal('wrong_password');
  await logOwnAction(browser, actor, 'new_password');
  return findCookie(response, browser.cookie_name);
}

const SetupSchema = v.object({ totpURI: v.string(), backupCodes: v.array(v.string()) });

/**
 * Creates an unconfirmed second factor.
 * @param issuer Name of the account's service in the authenticator app.
 * @returns The secret as `otpauth://totp/…` for the app, and recovery codes; neither is shown
 * again.
 * @throws AppError if the password is wrong, or a second factor is already active.
 */
export async function startSecondFactorSetup(
  browser: BrowserSession,
  password: string,
  issuer: string,
) {
  const api = await getAuth(browser);
  const response = await api.enableTwoFactor({
    body: { password, issuer },
    ...requestOptions(browser),
  });
  const body: unknown = await response.json();
  if (response.ok) return v.parse(SetupSchema, body);
  const is_wrong_password = v.is(ErrorSchema, body) && body.code === 'INVALID_PASSWORD';
  throw refusal(is_wrong_password ? 'wrong_password' : 'factor_there');
}

/**
 * Activates the second factor with its first code. Returns the Set-Cookie header of a new session.
 * @throws AppError if the code is wrong.
 */
export async function confirmSecondFactor(
  browser: BrowserSession,
  actor: Actor,
  input: string,
): Promise<string | null> {
  const code = normalizeCode(input);
  const api = await getAuth(browser);
  const response = await api.verifyTOTP({ body: { code }, ...requestOptions(browser) });
  if (!response.ok || !(await consumeCode(browser.inbox, actor.editor, code)))
    throw refusal('wrong_code');
  await logOwnAction(browser, actor, 'factor_on');
  return findCookie(response, browser.cookie_name);
}

/**
 * Removes an editor's own second factor.
 * @throws AppError if the password is wrong.
 */
export async function removeOwnSecondFactor(
  browser: BrowserSession,
  actor: Actor,
  password: string,
) {
  const api = await getAuth(browser);
  const response = await api.verifyPassword({ body: { password }, ...requestOptions(browser) });
  if (!response.ok) throw refusal('wrong_password');
  await removeSecondFactor(browser.inbox, actor, actor.editor);
}
