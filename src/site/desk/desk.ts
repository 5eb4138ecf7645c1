// The desk: who is in, what is asked, and the screen or the way on.
import { DESK_PATHS, type Frame, type Screen } from '../../components/desk/desk-page.ts';
import { AppError } from '../../domain/app-error.ts';
import { t } from '../../i18n/translate.ts';
import { countPending } from '../../inbox/submissions.ts';
import { isOwnForm, readSession, type Session } from '../../inbox/sessions.ts';
import type { Visit } from '../visit.ts';
import { type Led, show, type Shown } from '../forms/outcome.ts';
import { REFUSALS } from '../forms/submit.ts';
import type { SiteState } from '../state.ts';
import { answerEvent, answerEvents } from './events.ts';
import { answerItem, showAgain } from './item.ts';
import { login, logout } from './login.ts';
import { answerNotices } from './notices.ts';
import { answerQueue, release, undo } from './queue.ts';
import { type DeskQuestion, type ScreenAnswer, toRefusal, toScreen } from './screen.ts';

export type DeskAnswer = Led | Shown<{ readonly frame: Frame; readonly screen: Screen }>;

/** The answer at a path of the desk. */
export async function answerDesk(
  state: SiteState,
  visit: Visit,
  path: string,
): Promise<DeskAnswer> {
  const session = readSession(visit.inbox, visit.session_token, state.now_ms);
  const answer =
    session === null
      ? await answerStranger(state, visit, path)
      : answerEditor(state, visit, path, session);
  if (answer.kind === 'led') return answer;
  const frame: Frame = {
    lang: visit.lang,
    site: state.site,
    editor: session?.editor ?? null,
    csrf: session?.csrf ?? '',
    notice: answer.notice && t(visit.lang, answer.notice),
    is_fault: answer.status >= 400,
    waiting: session === null ? 0 : countPending(visit.inbox),
  };
  return show({ frame, screen: answer.screen }, answer.status);
}

async function answerStranger(
  state: SiteState,
  visit: Visit,
  path: string,
): Promise<ScreenAnswer | Led> {
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

function answerEditor(
  state: SiteState,
  visit: Visit,
  path: string,
  session: Session,
): ScreenAnswer | Led {
  const question: DeskQuestion = { state, visit, editor: session.editor };
  if (visit.method === 'GET') return answerGet(question, path);
  if (visit.refusal !== null) return answerQueue(question, visit.refusal, REFUSALS[visit.refusal]);
  if (!isOwnForm(session, visit.fields.csrf ?? '')) return answerForeign(question, path);
  try {
    return answerPost(question, path);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return answerQueue(question, 409, toRefusal(thrown));
  }
}

/**
 * A form of a session that has ended does nothing, but what was typed into it is shown again in one
 * of this session.
 */
function answerForeign(question: DeskQuestion, path: string): ScreenAnswer {
  const [, , room = '', id] = path.split('/');
  const again = room === 'envios' && id ? showAgain(question, id, 403, 'desk.refused.csrf') : null;
  return again ?? answerQueue(question, 403, 'desk.refused.csrf');
}

const MISSING = toScreen({ screen: 'missing' }, 404);

function answerGet(question: DeskQuestion, path: string): ScreenAnswer | Led {
  const [, , room = '', id] = path.split('/');
  if (room === '' || room === 'entrar') return answerQueue(question);
  if (room === 'envios' && id) return answerItem(question, id) ?? MISSING;
  if (room === 'eventos')
    return id ? (answerEvent(question, id) ?? MISSING) : answerEvents(question);
  return room === 'avisos' && id === undefined ? answerNotices(question) : MISSING;
}

function answerPost(question: DeskQuestion, path: string): ScreenAnswer | Led {
  const [, , room = '', id] = path.split('/');
  if (path === DESK_PATHS.logout) return logout(question.visit);
  if (path === DESK_PATHS.undo) return undo(question);
  if (path === DESK_PATHS.release) return release(question);
  if (room === 'envios' && id) return answerItem(question, id) ?? MISSING;
  if (room === 'eventos' && id) return answerEvent(question, id) ?? MISSING;
  return room === 'avisos' ? answerNotices(question) : MISSING;
}
