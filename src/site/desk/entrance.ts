// The way into the desk, for who is not in.
import { AppError } from '../../domain/app-error.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { signIn, type SignInResult, signInWithCode } from '../../desk/sign-in.ts';
import { getEditor } from '../../inbox/editors.ts';
import type { SiteState } from '../state.ts';
import { type Redirect, redirect, REFUSALS, type Visit } from '../visit.ts';
import { type ScreenResult, toScreen } from './screens.ts';

/** The answer to who is not in. */
export async function handleVisitor(
  state: SiteState,
  visit: Visit,
  path: string,
): Promise<ScreenResult | Redirect> {
  const { refusal, lang } = visit;
  if (refusal !== null) return toLogin('', refusal, t(lang, REFUSALS[refusal]));
  if (visit.method === 'POST' && path === DESK_PATHS.login) return handleLogin(state, visit);
  if (visit.method === 'POST') return toLogin('', 401, t(lang, 'desk.refused.ended'));
  return toLogin('', path === DESK_PATHS.queue || path === DESK_PATHS.login ? 200 : 401);
}

const toLogin = (
  name: string,
  status: number,
  notice: string | null = null,
  ticket: string | null = null,
): ScreenResult => toScreen({ screen: 'login', name, ticket }, status, notice);

async function handleLogin({ now_ms }: SiteState, visit: Visit): Promise<ScreenResult | Redirect> {
  const { sender, fields, lang } = visit;
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
