// The desk: who is in, what is requested, and the screen or the redirect that answers.
import { deleteSessions } from '../../inbox/editors.ts';
import { isOwnForm, readSession, type Session } from '../../desk/sign-in.ts';
import { AppError } from '../../domain/app-error.ts';
import { toCancunDay } from '../../domain/cancun-time.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { listFailedMail, readMailHealth } from '../../inbox/letters.ts';
import { countWaiting } from '../../inbox/waiting.ts';
import { countDue } from '../../snapshot/list-things.ts';
import type { SiteState } from '../state.ts';
import { redirect, type Redirect, REFUSALS, show, type Shown, type Visit } from '../visit.ts';
import { accountRoom, handleVisitor, peopleRoom } from './access.ts';
import { batchRoom } from './batch.ts';
import { dueRoom, editsRoom } from './due.ts';
import { eventsRoom } from './find.ts';
import { logRoom, undoRoom } from './log.ts';
import { noticesRoom } from './notices.ts';
import { queueRoom, showQueue } from './queue.ts';
import { reportRoom } from './report.ts';
import {
  type DeskRequest,
  type Room,
  type Screen,
  tellDone,
  tellRefused,
  toScreen,
} from './room.ts';
import { submissionRoom } from './submission.ts';
import { thingRoom } from './thing.ts';

const logoutRoom: Room = {
  show: showQueue,
  act: async ({ visit, session }) => {
    await deleteSessions(visit.inbox, session.editor, { id: session.id });
    return redirect(DESK_PATHS.queue);
  },
};

const ROOMS: Readonly<Record<string, Room>> = {
  [DESK_PATHS.queue]: queueRoom,
  [DESK_PATHS.login]: queueRoom,
  [DESK_PATHS.logout]: logoutRoom,
  [DESK_PATHS.items]: submissionRoom,
  [DESK_PATHS.batches]: batchRoom,
  [DESK_PATHS.corrections]: reportRoom,
  [DESK_PATHS.events]: eventsRoom,
  [DESK_PATHS.edit]: thingRoom,
  [DESK_PATHS.edits]: editsRoom,
  [DESK_PATHS.notices]: noticesRoom,
  [DESK_PATHS.due]: dueRoom,
  [DESK_PATHS.log]: logRoom,
  [DESK_PATHS.undo]: undoRoom,
  [DESK_PATHS.account]: accountRoom,
  [DESK_PATHS.people]: peopleRoom,
};

/** The room of a path with the id behind it; null where there is none. */
function findRoom(path: string): { readonly room: Room; readonly id: string } | null {
  const [, , name, id = ''] = path.split('/');
  const room = ROOMS[name ? `${DESK_PATHS.queue}/${name}` : DESK_PATHS.queue];
  return room && (room.is_of_one ?? false) === (id !== '') ? { room, id } : null;
}

/** Around every screen. */
export type Frame = Awaited<ReturnType<typeof readFrame>>;

interface DeskPage extends Pick<Screen, 'name' | 'view'> {
  readonly frame: Frame;
}

/** The answer at a path of the desk. */
export async function handleDesk(
  state: SiteState,
  visit: Visit,
  path: string,
): Promise<Redirect | Shown<DeskPage>> {
  const session = await readSession(visit);
  const screen =
    session === null
      ? await handleVisitor(state, visit, path)
      : await handleEditor(state, visit, path, session);
  if (screen.kind === 'redirect') return screen;
  const frame = await readFrame(state, visit, session, screen);
  return show({ frame, name: screen.name, view: screen.view }, screen.status);
}

async function handleEditor(
  state: SiteState,
  visit: Visit,
  path: string,
  session: Session,
): Promise<Screen | Redirect> {
  const { refusal, lang, fields } = visit;
  const actor = { editor: session.editor, now_ms: state.now_ms };
  const request: DeskRequest = { state, visit, actor, session };
  const { room, id = '' } = findRoom(path) ?? {};
  const missing = toScreen('missing', {}, { status: 404, notice: null });
  if (visit.method === 'GET') return (await room?.show(request, id, tellDone(visit))) ?? missing;
  /** What was typed, where it was typed; the queue where that is gone. */
  const again = async (told: Parameters<Room['show']>[2]): Promise<Screen> =>
    (await room?.show(request, id, told)) ?? (await showQueue(request, '', told));
  if (refusal !== null) return again({ status: refusal, notice: t(lang, REFUSALS[refusal]) });
  if (!isOwnForm(session, fields.csrf ?? '')) {
    visit.note('a form of another session was refused', { editor: session.editor });
    return again({ status: 403, notice: t(lang, 'desk.refused.csrf') });
  }
  try {
    return (await room?.act?.(request, id)) ?? missing;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const is_told = room?.is_read_by_sender && fields.does !== 'reopen';
    return again(tellRefused(thrown, lang, is_told ? 'sender' : 'log'));
  }
}

async function readFrame(
  state: SiteState,
  visit: Visit,
  session: Session | null,
  { notice, status, reference }: Screen,
) {
  return {
    lang: visit.lang,
    site: state.site,
    reference,
    /** Null before the login. */
    editor: session?.editor ?? null,
    /** For the hidden field of every form. */
    csrf: session?.csrf ?? '',
    /** What just happened, or what is wrong. */
    notice,
    is_error: status >= 400,
    /** What waits in the queue. */
    waiting: session === null ? 0 : (await countWaiting(visit.inbox)).waiting,
    /** Facts that are due to be looked at again. */
    due: session === null ? 0 : countDue(state.snapshot, toCancunDay(state.now_ms)),
    mail: session === null ? null : await readMailNews(state, visit),
  };
}

/** Letters shown that were given up. */
const FAILED_SHOWN = 10;
/** A release comes every six hours, and an approval waits for one. */
const LATE_SECONDS = 8 * 3600;

/** Where letters do not arrive; null where they do, or nothing is mailed. */
async function readMailNews({ site, now_ms }: SiteState, { inbox }: Visit) {
  if (!site.sends_mail) return null;
  const health = await readMailHealth(inbox, now_ms);
  const is_late = (health.oldest_seconds ?? 0) > LATE_SECONDS;
  if (health.failed === 0 && !is_late) return null;
  return { health, failed: await listFailedMail(inbox, FAILED_SHOWN) };
}
