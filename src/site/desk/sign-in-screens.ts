// Who is in: the way into the desk, an editor's own account with its second factor, and everybody's.
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

const toName = ({ name = '' }: VisitorRequest['fields']): string => name.normalize('NFC').trim();

/** The answer to who is not in. */
export async function handleSignedOut(
  { now_ms }: PageContext,
  visit: VisitorRequest,
  path: string,
): Promise<ScreenResult | RedirectResult> {
  const { refusal, lang, method, sender, fields } = visit;
  const show = (status: number, key: MessageKey | null, name = '', ticket: string | null = null) =>
    createScreenResult('login', { name, ticket } satisfies LoginView, {
      status,
      notice: key && t(lang, key),
    });
  if (refusal !== null) return show(refusal, REJECTION_MESSAGE_KEYS[refusal]);
  if (method === 'GET')
    return show(path === DESK_PATHS.today || path === DESK_PATHS.login ? 200 : 401, null);
  if (path !== DESK_PATHS.login) return show(401, 'desk.refused.ended');
  const { password = '', ticket = '', code = '' } = fields;
  const name = toName(fields);
  let result: SignInResult;
  try {
    result =
      ticket === ''
        ? await signIn(visit, { name, password }, sender, now_ms)
        : await signInWithCode(visit, ticket, code);
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.reason !== 'not_stored') throw thrown;
    return show(503, 'desk.refused.not_in', name, ticket || null);
  }
  if (result.kind === 'code') return show(200, null, name, result.ticket);
  if (result.kind === 'in') {
    visit.note('an editor came in', { editor: result.name });
    return redirectAfterPost(DESK_PATHS.today, result.cookie);
  }
  // What is typed where a name should be may be a password: only the name of an editor is told.
  const editor = await getEditor(visit.inbox, name);
  visit.note('a login failed', { ...(editor && { editor: editor.name }), why: result.kind });
  const [status, key] = FAILURES[result.kind];
  return show(status, key, name, result.kind === 'wrong_code' ? ticket : null);
}

export interface LoginView {
  readonly name: string;
  /** Of a right password, which waits for the code; null before. */
  readonly ticket: string | null;
}

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

/** Nothing that is typed in either room is ever sent back, but a name. */
export const accountScreen = defineScreen({
  name: 'account',
  find: noRecord,
  load: readAccount,
  act: async (request, _, show) => {
    const { visit, actor, state } = request;
    const { does, current = '', next = '', code = '' } = visit.fields;
    const path = DESK_PATHS.account;
    if (does === 'password')
      return redirectWithMessage(path, does, await changePassword(visit, actor, current, next));
    if (does === 'confirm_factor')
      return redirectAfterPost(path, await confirmSecondFactor(visit, actor, code));
    if (does === 'begin_factor')
      return show(NO_MESSAGE, await startSecondFactorSetup(visit, current, state.site.name));
    if (does === 'remove_factor') {
      await removeOwnSecondFactor(visit, actor, current);
      return redirectWithMessage(path, 'factor_off');
    }
    return show(NO_MESSAGE);
  },
});

type Begun = Awaited<ReturnType<typeof startSecondFactorSetup>>;
export type AccountView = Awaited<ReturnType<typeof readAccount>>;

async function readAccount(
  { visit: { inbox }, session: { editor } }: DeskRequest,
  _: '',
  begun: Begun | null = null,
) {
  const { factor = 'off', codes_left = 0 } = (await getEditor(inbox, editor)) ?? {};
  return {
    factor,
    /** One that was just begun: nobody sees it again. */
    setup: begun && toSetup(begun),
    codes_left,
  };
}

/** Modules of white around the square. */
const QUIET = 4;

/** What a telephone reads, or somebody types: the square as the path of a drawing of `size` units. */
function toSetup({ totpURI: uri, backupCodes: codes }: Begun) {
  const rows = encodeQR(uri, 'raw', { ecc: 'medium', border: QUIET });
  const path = rows
    .flatMap((row, y) => row.map((is_dark, x) => (is_dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return { secret: secret.match(/.{1,4}/g)?.join(' ') ?? '', uri, path, size: rows.length, codes };
}

/** Editors add and remove each other, and end anybody's sessions. */
export const peopleScreen = defineScreen({
  name: 'people',
  find: noRecord,
  load: readPeople,
  act: async ({ visit, actor, session }, _, show) => {
    const { inbox, fields, lang } = visit;
    const { does, id = '' } = fields;
    const name = toName(fields);
    if (does === 'add' || does === 'password') {
      const is_there = (await getEditor(inbox, name)) !== null;
      if (is_there !== (does === 'password')) {
        const key = is_there ? 'desk.refused.editor_there' : 'desk.refused.no_such_editor';
        return show({ status: 422, notice: t(lang, key) });
      }
      const password = await addEditor(inbox, name, actor.now_ms, actor.editor);
      // An own new password has ended this session too; it is shown before that is noticed.
      return show(NO_MESSAGE, { name, password });
    }
    if (does === 'remove') await removeEditor(inbox, actor, name);
    if (does === 'remove_factor') await removeSecondFactor(inbox, actor, name);
    if (does === 'end_all') await endSessions(inbox, actor, name, { but: session.id });
    if (does === 'end') await endSessions(inbox, actor, name, { id });
    return redirectWithMessage(DESK_PATHS.people, 'settled');
  },
});

export type PeopleView = Awaited<ReturnType<typeof readPeople>>;

async function readPeople(
  { visit: { inbox, fields }, session }: DeskRequest,
  _: '',
  /** A password just made: nobody sees it again. */
  made: { readonly name: string; readonly password: string } | null = null,
) {
  return {
    editors: await listEditors(inbox),
    sessions: await listSessions(inbox, null),
    own: session.id,
    /** The name of who could not be added. */
    typed: made === null && fields.does === 'add' ? (fields.name ?? '') : '',
    made,
  };
}
