// Sign-in screens of the desk: the login, the editor's own account with its second factor (codes of
// an authenticator app), and the management of all editors. The control `does` has the pressed
// button; `next` is a new password.
import { encodeQR } from 'qr';
import {
  addEditor,
  endSessions,
  removeEditor,
  removeSecondFactor,
} from '../../desk/editor-accounts.ts';
import {
  startSecondFactorSetup,
  changePassword,
  confirmSecondFactor,
  removeOwnSecondFactor,
  signIn,
  type SignInResult,
  signInWithCode,
} from '../../desk/sign-in.ts';
import { AppError } from '../../domain/app-error.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { type MessageKey, t } from '../../i18n/translate.ts';
import { getEditor, listEditors, listSessions } from '../../inbox/editors.ts';
import type { PageContext } from '../page-context.ts';
import {
  type RedirectResult,
  redirectAfterPost,
  REJECTION_MESSAGE_KEYS,
  type VisitorRequest,
} from '../visitor-request.ts';
import {
  defineScreen,
  type DeskRequest,
  noRecord,
  NO_MESSAGE,
  type ScreenResult,
  redirectWithMessage,
  createScreenResult,
} from './screen.ts';

/** Returns the submitted name of an editor, normalized. */
const editorName = ({ name = '' }: VisitorRequest['fields']): string =>
  name.normalize('NFC').trim();

/** Serves the login screen, or signs the editor in. */
export async function handleSignedOut(
  { now_ms }: PageContext,
  visit: VisitorRequest,
  path: string,
): Promise<ScreenResult | RedirectResult> {
  const { rejection, lang, method, sender, fields } = visit;
  const render = (
    status: number,
    key: MessageKey | null,
    name = '',
    ticket: string | null = null,
  ) =>
    createScreenResult('login', { name, ticket } satisfies LoginView, {
      status,
      message: key && t(lang, key),
    });
  if (rejection !== null) return render(rejection, REJECTION_MESSAGE_KEYS[rejection]);
  if (method === 'GET')
    return render(path === DESK_PATHS.today || path === DESK_PATHS.login ? 200 : 401, null);
  if (path !== DESK_PATHS.login) return render(401, 'desk.refused.ended');
  const { password = '', ticket = '', code = '' } = fields;
  const name = editorName(fields);
  let result: SignInResult;
  try {
    result =
      ticket === ''
        ? await signIn(visit, { name, password }, sender, now_ms)
        : await signInWithCode(visit, ticket, code);
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'not_stored') throw error;
    return render(503, 'desk.refused.not_in', name, ticket || null);
  }
  if (result.kind === 'code') return render(200, null, name, result.ticket);
  if (result.kind === 'in') {
    visit.logEvent('an editor signed in', { editor: result.name });
    return redirectAfterPost(DESK_PATHS.today, result.cookie);
  }
  // A password may have been typed into the name field: log only names of existing editors.
  const editor = await getEditor(visit.inbox, name);
  visit.logEvent('a login failed', { ...(editor && { editor: editor.name }), why: result.kind });
  const [status, key] = FAILURES[result.kind];
  return render(status, key, name, result.kind === 'wrong_code' ? ticket : null);
}

export interface LoginView {
  /** The submitted name; empty at first. */
  readonly name: string;
  /** Proof of the correct password, until the code of the second factor arrives; null before. */
  readonly ticket: string | null;
}

/** HTTP status and message of a failed login. */
const FAILURES: Readonly<
  Record<Exclude<SignInResult['kind'], 'in' | 'code'>, readonly [number, MessageKey]>
> = {
  wrong: [401, 'desk.refused.password'],
  wrong_code: [401, 'desk.refused.code'],
  used_code: [401, 'desk.refused.code_used'],
  ended: [401, 'desk.refused.ended'],
  too_many: [429, 'desk.refused.attempts'],
  busy: [429, 'desk.refused.busy'],
};

/**
 * The editor's own account. It never sends submitted values back, because they are passwords and
 * codes.
 */
export const accountScreen = defineScreen({
  name: 'account',
  find: noRecord,
  loadView: loadAccount,
  handleForm: async (request, _, render) => {
    const { visit, actor, context } = request;
    const { does, current = '', next = '', code = '' } = visit.fields;
    const path = DESK_PATHS.account;
    if (does === 'password')
      return redirectWithMessage(path, does, await changePassword(visit, actor, current, next));
    if (does === 'confirm_factor')
      return redirectAfterPost(path, await confirmSecondFactor(visit, actor, code));
    if (does === 'begin_factor')
      return render(NO_MESSAGE, await startSecondFactorSetup(visit, current, context.site.name));
    if (does === 'remove_factor') {
      await removeOwnSecondFactor(visit, actor, current);
      return redirectWithMessage(path, 'factor_off');
    }
    return render(NO_MESSAGE);
  },
});

type StartedSetup = Awaited<ReturnType<typeof startSecondFactorSetup>>;
export type AccountView = Awaited<ReturnType<typeof loadAccount>>;

async function loadAccount(
  { visit: { inbox }, session: { editor } }: DeskRequest,
  _: '',
  started: StartedSetup | null = null,
) {
  const { factor = 'off', codes_left = 0 } = (await getEditor(inbox, editor)) ?? {};
  return {
    /** Second factor: `off`, `waiting` (set up but not confirmed by a code) or `on`. */
    factor,
    /** The setup that was just started; shown once. */
    setup: started && buildSetupView(started),
    /** Number of unused recovery codes. */
    codes_left,
  };
}

/** White modules around the QR code (ISO/IEC 18004 asks for four). */
const QUIET_ZONE_MODULES = 4;

/** Builds the QR code, as an SVG path of `size` units, and the secret for typing. */
function buildSetupView({ totpURI: uri, backupCodes: codes }: StartedSetup) {
  const rows = encodeQR(uri, 'raw', { ecc: 'medium', border: QUIET_ZONE_MODULES });
  const path = rows
    .flatMap((row, y) => row.map((is_dark, x) => (is_dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return { secret: secret.match(/.{1,4}/g)?.join(' ') ?? '', uri, path, size: rows.length, codes };
}

/** Lets editors add and remove each other, and end any session. */
export const peopleScreen = defineScreen({
  name: 'people',
  find: noRecord,
  loadView: loadPeople,
  handleForm: async ({ visit, actor, session }, _, render) => {
    const { inbox, fields, lang } = visit;
    const { does, id = '' } = fields;
    const name = editorName(fields);
    if (does === 'add' || does === 'password') {
      const exists = (await getEditor(inbox, name)) !== null;
      const must_exist = does === 'password';
      if (exists !== must_exist) {
        const key = exists ? 'desk.refused.editor_there' : 'desk.refused.no_such_editor';
        return render({ status: 422, message: t(lang, key) });
      }
      const password = await addEditor(inbox, name, actor.now_ms, actor.editor);
      // For the editor's own account this has ended the current session; the password is still
      // shown.
      return render(NO_MESSAGE, { name, password });
    }
    if (does === 'remove') await removeEditor(inbox, actor, name);
    if (does === 'remove_factor') await removeSecondFactor(inbox, actor, name);
    // All sessions of the editor, except the one that sends this form.
    if (does === 'end_all') await endSessions(inbox, actor, name, { but: session.id });
    if (does === 'end') await endSessions(inbox, actor, name, { id });
    return redirectWithMessage(DESK_PATHS.people, 'settled');
  },
});

/** View model of all editors and sessions. */
export type PeopleView = Awaited<ReturnType<typeof loadPeople>>;

async function loadPeople(
  { visit: { inbox, fields }, session }: DeskRequest,
  _: '',
  /** A password that was just created; shown once. */
  new_password: { readonly name: string; readonly password: string } | null = null,
) {
  return {
    editors: await listEditors(inbox),
    sessions: await listSessions(inbox, null),
    own_session_id: session.id,
    /** Submitted name of an editor who could not be added. */
    typed_name: new_password === null && fields.does === 'add' ? (fields.name ?? '') : '',
    new_password,
  };
}
