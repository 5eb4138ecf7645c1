// The desk: who is in, what is asked, and the screen or the way on.
import { DESK_PATHS, type Frame, type Screen } from '../../components/desk/desk-page.ts';
import { AppError } from '../../domain/app-error.ts';
import { t } from '../../i18n/translate.ts';
import { countPending } from '../../inbox/submissions.ts';
import { isOwnForm, readSession, type Session } from '../../inbox/sessions.ts';
import type { Visit } from '../visit.ts';
import { type Redirect, show, type Shown } from '../forms/outcome.ts';
import { REFUSALS } from '../forms/submit.ts';
import type { SiteState } from '../state.ts';
import { handleEvent, showEvents } from './events.ts';
import { handleItem, showAgain } from './item.ts';
import { login, logout } from './login.ts';
import { handleNotices } from './notices.ts';
import { showQueue, release, undo } from './queue.ts';
import { type DeskRequest, type ScreenResult, toRefusal, toScreen } from './screen.ts';

export type DeskResult = Redirect | Shown<{ readonly frame: Frame; readonly screen: Screen }>;

/** The answer at a path of the desk. */
export async function handleDesk(
  state: SiteState,
  visit: Visit,
  path: string,
): Promise<DeskResult> {
  const session = readSession(visit.inbox, visit.session_token, state.now_ms);
  const result =
    session === null
      ? await handleVisitor(state, visit, path)
      : handleEditor(state, visit, path, session);
  if (result.kind === 'redirect') return result;
  const frame: Frame = {
    lang: visit.lang,
    site: state.site,
    editor: session?.editor ?? null,
    csrf: session?.csrf ?? '',
    notice: result.notice && t(visit.lang, result.notice),
    is_error: result.status >= 400,
    waiting: session === null ? 0 : countPending(visit.inbox),
  };
  return show({ frame, screen: result.screen }, result.status);
}

async function handleVisitor(
  state: SiteState,
  visit: Visit,
  path: string,
): Promise<ScreenResult | Redirect> {
  if (visit.refusal !== null)
    return toScreen({ screen: 'login', name: '' }, visit.refusal, REFUSALS[visit.refusal]);
  if (visit.method === 'POST' && path === DESK_PATHS.login) return login(state, visit);
  if (visit.method === 'POST')
    return toScreen({ screen: 'login', name: '' }, 401, 'desk.refused.ended');
  return toScreen(
    { screen: 'login', name: '' },
    path === DESK_PATHS.queue || path === DESK_PATHS.login ? 200 : 401,
  );
}

function handleEditor(
  state: SiteState,
  visit: Visit,
  path: string,
  session: Session,
): ScreenResult | Redirect {
  const request: DeskRequest = { state, visit, editor: session.editor };
  if (visit.method === 'GET') return handleGet(request, path);
  if (visit.refusal !== null) return showQueue(request, visit.refusal, REFUSALS[visit.refusal]);
  if (!isOwnForm(session, visit.fields.csrf ?? '')) return handleForeignForm(request, path);
  try {
    return handlePost(request, path);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return showQueue(request, 409, toRefusal(thrown));
  }
}

/**
 * A form of a session that has ended does nothing, but what was typed into it is shown again in one
 * of this session.
 */
function handleForeignForm(request: DeskRequest, path: string): ScreenResult {
  const [, , room = '', id] = path.split('/');
  const again = room === 'envios' && id ? showAgain(request, id, 403, 'desk.refused.csrf') : null;
  return again ?? showQueue(request, 403, 'desk.refused.csrf');
}

const MISSING = toScreen({ screen: 'missing' }, 404);

function handleGet(request: DeskRequest, path: string): ScreenResult | Redirect {
  const [, , room = '', id] = path.split('/');
  if (room === '' || room === 'entrar') return showQueue(request);
  if (room === 'envios' && id) return handleItem(request, id) ?? MISSING;
  if (room === 'eventos') return id ? (handleEvent(request, id) ?? MISSING) : showEvents(request);
  return room === 'avisos' && id === undefined ? handleNotices(request) : MISSING;
}

function handlePost(request: DeskRequest, path: string): ScreenResult | Redirect {
  const [, , room = '', id] = path.split('/');
  if (path === DESK_PATHS.logout) return logout(request.visit);
  if (path === DESK_PATHS.undo) return undo(request);
  if (path === DESK_PATHS.release) return release(request);
  if (room === 'envios' && id) return handleItem(request, id) ?? MISSING;
  if (room === 'eventos' && id) return handleEvent(request, id) ?? MISSING;
  return room === 'avisos' ? handleNotices(request) : MISSING;
}
