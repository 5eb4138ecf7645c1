// The desk: who is in, what is requested, and the screen or the redirect that answers.
import { AppError } from '../../domain/app-error.ts';
import { toCancunDay } from '../../domain/cancun-time.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { isOwnForm, readSession, type Session } from '../../desk/sign-in.ts';
import { deleteSession } from '../../inbox/editors.ts';
import { countWaiting } from '../../inbox/waiting.ts';
import { countDue } from '../../snapshot/list-things.ts';
import type { SiteState } from '../state.ts';
import { handleBatch } from './batch.ts';
import { redirect, type Redirect, REFUSALS, show, type Shown, type Visit } from '../visit.ts';
import { handleAccount } from './account.ts';
import { handleCorrection } from './corrections.ts';
import { showDue } from './due.ts';
import { showEdits } from './edits.ts';
import { handleVisitor } from './entrance.ts';
import { showEvents } from './events.ts';
import { handleItem } from './item.ts';
import { readMailNews } from './mail-news.ts';
import { handleNotices } from './notices.ts';
import { handleUndo, showLog } from './log.ts';
import { handlePeople } from './people.ts';
import { showQueue } from './queue.ts';
import { toId } from './room.ts';
import { toRefusal, toRefusalStatus } from './refusals.ts';
import {
  type DeskRequest,
  type Frame,
  type Screen,
  type ScreenResult,
  toScreen,
} from './screens.ts';
import { handleThing } from './thing.ts';
import { showTypedAt } from './typed-again.ts';

export type DeskResult = Redirect | Shown<{ readonly frame: Frame; readonly screen: Screen }>;

/** The answer at a path of the desk. */
export async function handleDesk(
  state: SiteState,
  visit: Visit,
  path: string,
): Promise<DeskResult> {
  const session = await readSession(visit);
  const result =
    session === null
      ? await handleVisitor(state, visit, path)
      : await handleEditor(state, visit, path, session);
  if (result.kind === 'redirect') return result;
  const frame: Frame = {
    lang: visit.lang,
    site: state.site,
    editor: session?.editor ?? null,
    csrf: session?.csrf ?? '',
    notice: result.notice,
    is_error: result.status >= 400,
    waiting: session === null ? 0 : (await countWaiting(visit.inbox)).waiting,
    mail: session === null ? null : await readMailNews(state, visit),
    due: session === null ? 0 : countDue(state.snapshot, toCancunDay(state.now_ms)),
  };
  return show({ frame, screen: result.screen }, result.status);
}

async function handleEditor(
  state: SiteState,
  visit: Visit,
  path: string,
  session: Session,
): Promise<ScreenResult | Redirect> {
  const { refusal, lang } = visit;
  const actor = { editor: session.editor, now_ms: state.now_ms };
  const request: DeskRequest = { state, visit, actor, session };
  if (visit.method === 'GET') return await handleGet(request, path);
  if (refusal !== null) return showTypedAt(request, path, refusal, t(lang, REFUSALS[refusal]));
  if (!isOwnForm(session, visit.fields.csrf ?? '')) {
    visit.note('a form of another session was refused', { editor: session.editor });
    return showTypedAt(request, path, 403, t(lang, 'desk.refused.csrf'));
  }
  try {
    return await handlePost(request, path);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return showTypedAt(request, path, toRefusalStatus(thrown), toRefusal(thrown, lang));
  }
}

const MISSING = toScreen({ screen: 'missing' }, 404);

async function handleGet(request: DeskRequest, path: string): Promise<ScreenResult | Redirect> {
  if (path === DESK_PATHS.queue || path === DESK_PATHS.login) return showQueue(request);
  return (await handlePeopleOf(request, path)) ?? (await handleRoom(request, path));
}

async function handlePost(request: DeskRequest, path: string): Promise<ScreenResult | Redirect> {
  if (path === DESK_PATHS.logout) {
    await deleteSession(request.visit.inbox, request.session.id);
    return redirect(DESK_PATHS.queue);
  }
  if (path === DESK_PATHS.undo) return handleUndo(request);
  return (await handlePeopleOf(request, path)) ?? (await handleRoom(request, path));
}

/** What is about who is in; null for any other path. */
async function handlePeopleOf(
  request: DeskRequest,
  path: string,
): Promise<ScreenResult | Redirect | null> {
  if (path === DESK_PATHS.account) return handleAccount(request);
  return path === DESK_PATHS.people ? await handlePeople(request) : null;
}

async function handleRoom(request: DeskRequest, path: string): Promise<ScreenResult | Redirect> {
  const item = toId(DESK_PATHS.items, path);
  if (item) return (await handleItem(request, item)) ?? MISSING;
  const edited = toId(DESK_PATHS.edit, path);
  if (edited) return (await handleThing(request, edited)) ?? MISSING;
  if (path === DESK_PATHS.edits && request.visit.method === 'GET') return showEdits(request);
  const correction = toId(DESK_PATHS.corrections, path);
  if (correction) return (await handleCorrection(request, correction)) ?? MISSING;
  const batch = toId(DESK_PATHS.batches, path);
  if (batch) return (await handleBatch(request, batch)) ?? MISSING;
  if (path === DESK_PATHS.events && request.visit.method === 'GET') return showEvents(request);
  if (path === DESK_PATHS.log && request.visit.method === 'GET') return showLog(request);
  if (path === DESK_PATHS.due && request.visit.method === 'GET') return showDue(request);
  return toId(DESK_PATHS.notices, path) === '' ? await handleNotices(request) : MISSING;
}
