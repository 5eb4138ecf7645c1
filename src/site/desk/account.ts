// An editor's own account: the password, the second factor, and the sessions.
import { encodeQR } from 'qr';
import { AppError, type ErrorReason } from '../../domain/app-error.ts';
import { PASSWORD_LENGTH } from '../../domain/editor.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { endAll, endListed } from '../../desk/editors.ts';
import { beginFactor, changePassword, confirmFactor, removeOwnFactor } from '../../desk/sign-in.ts';
import { getFactor, listSessions } from '../../inbox/editors.ts';
import { type Redirect, redirect } from '../visit.ts';
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

const redirectBack = (done: string, cookie: string | null = null): Redirect =>
  redirect(done === '' ? DESK_PATHS.account : `${DESK_PATHS.account}?done=${done}`, cookie);

/** The pressed button. */
async function act(request: DeskRequest): Promise<ScreenResult | Redirect> {
  const { visit, actor, state, session } = request;
  const { inbox, fields } = visit;
  const { does = '', current = '', next = '', code = '', id = '' } = fields;
  if (does === 'password')
    return redirectBack('password', await changePassword(visit, actor, current, next));
  if (does === 'begin_factor')
    return showAccount(request, 200, null, await beginFactor(visit, current, state.site.name));
  if (does === 'confirm_factor') return redirectBack('', await confirmFactor(visit, actor, code));
  if (does === 'remove_factor') {
    await removeOwnFactor(visit, actor, current);
    return redirectBack('factor_off');
  }
  if (does === 'end_others') await endAll(inbox, actor, actor.editor, session.id);
  else if (does === 'end') await endListed(inbox, actor, id, session.editor);
  return redirectBack(does.startsWith('end') ? 'ended' : '');
}

/** The same after something could not be done: nothing that is typed here is ever sent back. */
export const showAccountAgain = (
  request: DeskRequest,
  status: number,
  notice: string,
): Promise<ScreenResult> => showAccount(request, status, notice);

type Begun = Awaited<ReturnType<typeof beginFactor>>;

/** As it stands; what was begun is shown this once. */
async function showAccount(
  { visit: { inbox }, session: { editor, id } }: DeskRequest,
  status = 200,
  notice: string | null = null,
  begun: Begun | null = null,
): Promise<ScreenResult> {
  const factor = await getFactor(inbox, editor);
  const screen: AccountScreen = {
    screen: 'account',
    own: id,
    sessions: await listSessions(inbox, editor),
    factor: factor === null ? 'off' : factor.verified === 1 ? 'on' : 'waiting',
    setup: begun === null ? null : toSetup(begun),
    codes_left: factor?.codes ?? 0,
  };
  return toScreen(screen, status, notice);
}

/** Modules of white around the square. */
const QUIET = 4;

function toSetup({ totpURI: uri, backupCodes: codes }: Begun): AccountScreen['setup'] {
  const rows = encodeQR(uri, 'raw', { ecc: 'medium', border: QUIET });
  const path = rows
    .flatMap((row, y) => row.map((is_dark, x) => (is_dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  const secret =
    new URL(uri).searchParams
      .get('secret')
      ?.match(/.{1,4}/g)
      ?.join(' ') ?? '';
  return { secret, uri, path, size: rows.length, codes };
}
