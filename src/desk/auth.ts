// The library that signs editors in, better-auth, set up on the tables of the inbox. It is called from here only:
// nothing of it is served. It goes by the machine's clock, not by CLOCK_START: so do sessions and codes.
import * as v from 'valibot';
import { PASSWORD_LENGTH } from '../domain/editor.ts';
import { isInUse, listPlainSecrets, putSecret } from '../inbox/editors.ts';
import type { Inbox } from '../inbox/open.ts';
import { checkPassword, createWords, hashPassword } from './password.ts';
import { derive, toCounted } from './secret.ts';

/** What a browser brings to the desk, and how it is given a cookie. */
export interface Browser {
  readonly inbox: Inbox;
  readonly cookie_name: string;
  /** Cookies go over https only. */
  readonly is_secure: boolean;
  /** The value of the cookie. */
  readonly session_token: string | null;
  /** In two words. */
  readonly device: string;
}

/** Whatever happens, a session ends so long after it began. */
const SESSION_LONGEST_S = 12 * 60 * 60;
/** How long a right password is good for without the code. */
const TICKET_S = 5 * 60;
export const TICKET_COOKIE = 'ticket';
/** Wrong codes of an editor, after the right password; then none is looked at for `seconds`. */
const CODES = { wrong: 6, seconds: 15 * 60 } as const;
const RECOVERY_CODES = 10;
/** Two groups: 50 bits. */
const RECOVERY_GROUPS = 2;
const HASH = /^[0-9a-f]{32}$/;
const Codes = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

/** As which a recovery code is stored and looked up. */
export const toCodeHash = (inbox: Inbox, code: string): string =>
  toCounted(inbox, 'recovery code', code);

async function create({ inbox, cookie_name, is_secure }: Browser) {
  // Loaded when the desk is first used: it takes half a second and 50 MB.
  const [{ betterAuth }, { username }, { twoFactor }, { symmetricEncrypt }] = await Promise.all([
    import('better-auth'),
    import('better-auth/plugins/username'),
    import('better-auth/plugins/two-factor'),
    import('better-auth/crypto'),
  ]);
  const secret = derive(inbox, 'better-auth', '').toString('base64url');
  const auth = betterAuth({
    // By its type it knows how to write times and flags, which are texts and numbers in PostgreSQL too. A transaction
    // of its own would keep everybody else waiting while it looks at a password.
    database: { db: inbox.root, type: 'sqlite', transaction: false },
    secret,
    baseURL: 'http://localhost',
    telemetry: { enabled: false },
    logger: { disabled: true },
    // It only looks: what it does not note, inbox/sessions.ts does.
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
          (await checkPassword(password, hash)) && (await isInUse(inbox, hash)),
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
        accountLockout: { maxFailedAttempts: CODES.wrong, durationSeconds: CODES.seconds },
        backupCodeOptions: {
          customBackupCodesGenerate: () =>
            Array.from({ length: RECOVERY_CODES }, () => createWords(RECOVERY_GROUPS)),
          storeBackupCodes: {
            // What is left after one was used is stored again: those are hashes already.
            encrypt: async (codes) =>
              JSON.stringify(
                v
                  .parse(Codes, codes)
                  .map((code) => (HASH.test(code) ? code : toCodeHash(inbox, code))),
              ),
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
  for (const { id, secret: data } of await listPlainSecrets(inbox))
    await putSecret(inbox, id, await symmetricEncrypt({ key: secret, data }));
  return auth;
}

const made = new WeakMap<Inbox, ReturnType<typeof create>>();

/** The library for an inbox, which is served under one name of the cookie only. */
export function openAuth(browser: Browser): ReturnType<typeof create> {
  const auth = made.get(browser.inbox) ?? create(browser);
  made.set(browser.inbox, auth);
  auth.catch(() => made.delete(browser.inbox));
  return auth;
}
