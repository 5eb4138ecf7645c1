// Into the desk and out of it.
import { DESK_PATHS } from '../../components/desk/desk-page.ts';
import { findEditor } from '../../inbox/editors.ts';
import { countAttempt, forgiveAttempts } from '../../inbox/login-attempts.ts';
import { beginSession, endSession, SESSION_LONGEST_MS } from '../../inbox/sessions.ts';
import type { Visit } from '../visit.ts';
import { type Redirect, redirect } from '../forms/outcome.ts';
import type { SiteState } from '../state.ts';
import { type ScreenResult, toScreen } from './screen.ts';

/** `token` empty ends it. */
const toCookie = ({ cookie_name, is_secure }: Visit, token: string): string =>
  [
    `${cookie_name}=${token}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${token === '' ? 0 : SESSION_LONGEST_MS / 1000}`,
    ...(is_secure ? ['Secure'] : []),
  ].join('; ');

/** Counts the attempt before it looks at the password. */
export async function login({ now_ms }: SiteState, visit: Visit): Promise<ScreenResult | Redirect> {
  const { inbox, sender, fields } = visit;
  const name = (fields.name ?? '').normalize('NFC').trim().slice(0, 40);
  if (!countAttempt(inbox, sender, name, now_ms))
    return toScreen({ screen: 'login', name }, 429, 'desk.refused.attempts');
  const editor = await findEditor(inbox, name, (fields.password ?? '').trim());
  if (editor === null) return toScreen({ screen: 'login', name }, 401, 'desk.refused.password');
  forgiveAttempts(inbox, sender, name);
  return redirect(DESK_PATHS.queue, toCookie(visit, beginSession(inbox, editor, now_ms)));
}

export function logout(visit: Visit): Redirect {
  if (visit.session_token !== null) endSession(visit.inbox, visit.session_token);
  return redirect(DESK_PATHS.queue, toCookie(visit, ''));
}
