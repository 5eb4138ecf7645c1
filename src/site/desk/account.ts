// An editor's own account: the password, the second factor, and the sessions.
import { encodeQR } from 'qr';
import { AppError, type ErrorReason } from '../../domain/app-error.ts';
import { PASSWORD_LENGTH } from '../../domain/editor.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { changePassword, findEditor } from '../../desk/editors.ts';
import { beginFactor, confirm, removeFactor, toFactorUri } from '../../desk/second-factor.ts';
import { beginSession, endAll, endListed, listLiveSessions } from '../../desk/sessions.ts';
import { countCodes, getFactor } from '../../inbox/second-factors.ts';
import { type Redirect, redirect } from '../visit.ts';
import { toCookie } from './entrance.ts';
import type { AccountScreen } from './access-screens.ts';
import { type DeskRequest, type ScreenResult, toScreen } from './screens.ts';

/** The page, or what its buttons do. */
export async function handleAccount(request: DeskRequest): Promise<ScreenResult | Redirect> {
  const { visit } = request;
  if (visit.method === 'GET') {
    const done = DONE[visit.query.done ?? ''];
    return showAccount(request, 200, done ? t(visit.lang, done) : null);
  }
  try {
    return await act(request);
  } catch (thrown) {
    const key = thrown instanceof AppError ? FAULTS[thrown.reason ?? 'bad_record'] : undefined;
    if (!key) throw thrown;
    const { min } = PASSWORD_LENGTH;
    return showAccount(request, 422, t(visit.lang, key, { limit: min }));
  }
}

const DONE: Readonly<Record<string, Key>> = {
  password: 'desk.account.done.password',
  factor_off: 'desk.account.done.factor_off',
  ended: 'desk.account.done.ended',
};

const FAULTS: Readonly<Partial<Record<ErrorReason, Key>>> = {
  weak_password: 'desk.account.fault.weak',
  wrong_password: 'desk.account.fault.password',
  wrong_code: 'desk.account.fault.code',
  factor_there: 'desk.account.fault.factor',
  no_such_session: 'desk.account.fault.session',
  busy: 'desk.refused.busy',
};

const redirectBack = (done: string): Redirect =>
  redirect(done === '' ? DESK_PATHS.account : `${DESK_PATHS.account}?done=${done}`);

/** The pressed button. */
async function act(request: DeskRequest): Promise<ScreenResult | Redirect> {
  const { visit, actor, state, session } = request;
  const { inbox, fields, device, session_token: former } = visit;
  const { does = '', current = '', next = '', code = '', id = '' } = fields;
  if (does === 'password') {
    await changePassword(inbox, actor, current, next);
    // All sessions are ended, this one too: it goes on under a new token.
    const token = beginSession(inbox, actor.editor, state.now_ms, { device, former });
    return { ...redirectBack('password'), cookie: toCookie(visit, token) };
  }
  if (does === 'begin_factor') beginFactor(inbox, actor.editor);
  else if (does === 'confirm_factor')
    return showAccount(request, 200, null, confirm(inbox, actor, code));
  else if (does === 'remove_factor') {
    if ((await findEditor(inbox, actor.editor, current)) === null)
      throw new AppError('invalid_parameter', 'password: it is wrong', 'wrong_password');
    removeFactor(inbox, actor, actor.editor);
    return redirectBack('factor_off');
  } else if (does === 'end_others') endAll(inbox, actor, actor.editor, former);
  else if (does === 'end') endListed(inbox, actor, id, session.editor);
  return redirectBack(does.startsWith('end') ? 'ended' : '');
}

/** The same after something could not be done: nothing that is typed here is ever sent back. */
export const showAccountAgain = (
  request: DeskRequest,
  status: number,
  notice: string,
): ScreenResult => showAccount(request, status, notice);

/** As it stands; `codes` are shown this once. */
function showAccount(
  { visit: { inbox }, state, session }: DeskRequest,
  status = 200,
  notice: string | null = null,
  codes: readonly string[] | null = null,
): ScreenResult {
  const { editor, id } = session;
  const factor = getFactor(inbox, editor);
  const is_on = factor !== null && factor.confirmed_at !== null;
  const screen: AccountScreen = {
    screen: 'account',
    own: id,
    sessions: listLiveSessions(inbox, editor, state.now_ms),
    has_factor: is_on,
    setup: factor === null || is_on ? null : toSetup(factor.secret, editor, state.site.name),
    codes,
    codes_left: countCodes(inbox, editor),
  };
  return toScreen(screen, status, notice);
}

/** Modules of white around the square. */
const QUIET = 4;

function toSetup(secret: string, editor: string, issuer: string): AccountScreen['setup'] {
  const uri = toFactorUri(secret, editor, issuer);
  const rows = encodeQR(uri, 'raw', { ecc: 'medium', border: QUIET });
  const path = rows
    .flatMap((row, y) => row.map((is_dark, x) => (is_dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return {
    secret: secret.match(/.{1,4}/g)?.join(' ') ?? '',
    uri,
    path,
    size: rows.length,
  };
}
