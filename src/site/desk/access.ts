// Who is in: the way into the desk, an editor's own account with its second factor, and everybody's.
import { encodeQR } from 'qr';
import { addEditor, endAll, endListed, removeEditor, removeFactor } from '../../desk/editors.ts';
import {
  beginFactor,
  changePassword,
  confirmFactor,
  removeOwnFactor,
  signIn,
  type SignInResult,
  signInWithCode,
} from '../../desk/sign-in.ts';
import { AppError } from '../../domain/app-error.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { getEditor, getFactor, listEditors, listSessions } from '../../inbox/editors.ts';
import type { SiteState } from '../state.ts';
import { type Redirect, redirect, REFUSALS, type Visit } from '../visit.ts';
import { type DeskRequest, NOTHING_TOLD, type Room, type Screen, toScreen } from './room.ts';

/** The answer to who is not in. */
export async function handleVisitor(
  { now_ms }: SiteState,
  visit: Visit,
  path: string,
): Promise<Screen | Redirect> {
  const { refusal, lang, method, sender, fields } = visit;
  if (refusal !== null) return toLogin('', refusal, t(lang, REFUSALS[refusal]));
  if (method === 'GET')
    return toLogin('', path === DESK_PATHS.queue || path === DESK_PATHS.login ? 200 : 401);
  if (path !== DESK_PATHS.login) return toLogin('', 401, t(lang, 'desk.refused.ended'));
  const { name = '', password = '', ticket = '', code = '' } = fields;
  let result: SignInResult;
  try {
    result =
      ticket === ''
        ? await signIn(visit, { name, password }, sender, now_ms)
        : await signInWithCode(visit, { ticket, name, code });
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.reason !== 'not_stored') throw thrown;
    return toLogin(name, 503, t(lang, 'desk.refused.not_in'), ticket || null);
  }
  await note(visit, result);
  if (result.kind === 'in') return redirect(DESK_PATHS.queue, result.cookie);
  if (result.kind === 'code') return toLogin(result.name, 200, null, result.ticket);
  const [status, key] = FAILURES[result.kind];
  const again = result.kind === 'wrong_code' ? result.ticket : null;
  return toLogin(result.name, status, t(lang, key), again);
}

export interface LoginView {
  readonly name: string;
  /** Of a right password, which waits for the code; null before. */
  readonly ticket: string | null;
}
const toLogin = (
  name: string,
  status: number,
  notice: string | null = null,
  ticket: string | null = null,
): Screen => toScreen('login', { name, ticket } satisfies LoginView, { status, notice });

const FAILURES: Readonly<
  Record<Exclude<SignInResult['kind'], 'in' | 'code'>, readonly [number, Key]>
> = {
  wrong: [401, 'desk.refused.password'],
  wrong_code: [401, 'desk.refused.code'],
  used_code: [401, 'desk.refused.code_used'],
  ended: [401, 'desk.refused.ended'],
  too_many: [429, 'desk.refused.attempts'],
  busy: [429, 'desk.refused.busy'],
};

/** What is typed where a name should be may be a password: only the name of an editor is told. */
async function note({ inbox, note: tell }: Visit, { kind, name }: SignInResult): Promise<void> {
  if (kind === 'code') return;
  const editor = (await getEditor(inbox, name))?.name;
  const details = editor === undefined ? {} : { editor };
  if (kind === 'in') tell('an editor came in', details);
  else tell('a login failed', { ...details, why: kind });
}

/** Nothing that is typed in either room is ever sent back, but a name. */
export const accountRoom: Room = {
  show: async (request, _, told) => toScreen('account', await readAccount(request), told),
  act: async (request) => {
    const { visit, actor, state, session } = request;
    const { inbox, fields } = visit;
    const { does = '', current = '', next = '', code = '', id = '' } = fields;
    const back = (done: string, cookie: string | null = null): Redirect =>
      redirect(`${DESK_PATHS.account}?done=${done}`, cookie);
    switch (does) {
      case 'password':
        return back('password', await changePassword(visit, actor, current, next));
      case 'begin_factor': {
        const begun = await beginFactor(visit, current, state.site.name);
        return toScreen('account', await readAccount(request, begun));
      }
      case 'confirm_factor':
        return redirect(DESK_PATHS.account, await confirmFactor(visit, actor, code));
      case 'remove_factor':
        await removeOwnFactor(visit, actor, current);
        return back('factor_off');
      case 'end_others':
        await endAll(inbox, actor, actor.editor, session.id);
        return back('ended');
      case 'end':
        await endListed(inbox, actor, id, session.editor);
        return back('ended');
      default:
        return redirect(DESK_PATHS.account);
    }
  },
};

type Begun = Awaited<ReturnType<typeof beginFactor>>;
export type AccountView = Awaited<ReturnType<typeof readAccount>>;

async function readAccount(
  { visit: { inbox }, session: { editor, id } }: DeskRequest,
  begun: Begun | null = null,
) {
  const factor = await getFactor(inbox, editor);
  const is_on = factor?.verified === 1;
  return {
    /** Which of the sessions this is. */
    own: id,
    sessions: await listSessions(inbox, editor),
    /** `waiting` for its first code. */
    factor: factor === null ? 'off' : is_on ? 'on' : 'waiting',
    /** One that was just begun: nobody sees it again. */
    setup: begun && toSetup(begun),
    codes_left: factor?.codes ?? 0,
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
export const peopleRoom: Room = {
  show: async (request, _, told) => toScreen('people', await readPeople(request), told),
  act: async (request) => {
    const { visit, actor, session } = request;
    const { inbox, fields, lang } = visit;
    const { does = '', id = '' } = fields;
    const name = (fields.name ?? '').normalize('NFC').trim();
    if (does === 'add' || does === 'password') {
      const is_there = (await getEditor(inbox, name)) !== null;
      if (is_there !== (does === 'password')) {
        const key = is_there ? 'desk.people.fault.there' : 'desk.people.fault.none';
        return peopleRoom.show(request, '', { status: 422, notice: t(lang, key) });
      }
      const password = await addEditor(inbox, name, actor.now_ms, actor.editor);
      // An own new password has ended this session too; it is shown before that is noticed.
      return toScreen('people', await readPeople(request, { name, password }), NOTHING_TOLD);
    }
    if (does === 'remove') await removeEditor(inbox, actor, name);
    if (does === 'remove_factor') await removeFactor(inbox, actor, name);
    if (does === 'end_all') await endAll(inbox, actor, name, session.id);
    if (does === 'end') await endListed(inbox, actor, id, null);
    return redirect(`${DESK_PATHS.people}?done=settled`);
  },
};

export type PeopleView = Awaited<ReturnType<typeof readPeople>>;

async function readPeople(
  { visit: { inbox, fields }, session }: DeskRequest,
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
