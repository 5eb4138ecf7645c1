// The desk: who is in, what is requested, and the screen or the redirect that answers.
import { isOwnForm, readSession, type Session } from '../../desk/sign-in.ts';
import { AppError } from '../../domain/app-error.ts';
import { isReference } from '../../domain/change.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { getBatch } from '../../inbox/batches.ts';
import { deleteSessions } from '../../inbox/editors.ts';
import { getCurrent } from '../../inbox/changes.ts';
import type { Inbox } from '../../inbox/open.ts';
import type { SiteState } from '../state.ts';
import { redirect, type Redirect, REFUSALS, show, type Visit } from '../visit.ts';
import { accountRoom, handleVisitor, peopleRoom } from './access.ts';
import { batchRoom } from './batch.ts';
import { logRoom, readLast } from './decisions.ts';
import { alertRoom, reportRoom, submissionRoom } from './item.ts';
import { eventsRoom, noticesRoom, sourcesRoom } from './lists.ts';
import { queueRoom, TODAY, todayRoom } from './queue.ts';
import {
  defineRoom,
  type DeskRequest,
  type Room,
  type Screen,
  tellDone,
  tellRefused,
  type Told,
  toScreen,
} from './room.ts';
import { thingRoom } from './thing.ts';

const ROOMS: Readonly<Record<string, Room>> = {
  [DESK_PATHS.today]: todayRoom,
  [DESK_PATHS.login]: todayRoom,
  [DESK_PATHS.logout]: defineRoom({
    ...TODAY,
    act: async ({ visit, session }) => {
      await deleteSessions(visit.inbox, session.editor, { id: session.id });
      return redirect(DESK_PATHS.today);
    },
  }),
  [DESK_PATHS.queue]: queueRoom,
  [DESK_PATHS.events]: eventsRoom,
  [DESK_PATHS.edit]: thingRoom,
  [DESK_PATHS.notices]: noticesRoom,
  [DESK_PATHS.sources]: sourcesRoom,
  [DESK_PATHS.log]: logRoom,
  [DESK_PATHS.account]: accountRoom,
  [DESK_PATHS.people]: peopleRoom,
};

/** Letters to editors lead to the latter two still. */
const ITEM_PATHS: readonly string[] = [
  DESK_PATHS.items,
  `${DESK_PATHS.today}/calendarios`,
  `${DESK_PATHS.today}/correcciones`,
];

/** The room of a path, and the id that stands behind that. */
async function findRoom({ inbox }: Visit, path: string) {
  const [, , name, id = ''] = path.split('/');
  const room_path = name ? `${DESK_PATHS.today}/${name}` : DESK_PATHS.today;
  const room = ITEM_PATHS.includes(room_path) ? await findItemRoom(inbox, id) : ROOMS[room_path];
  return { room, id };
}

/** That of what was sent in under a reference. */
async function findItemRoom(inbox: Inbox, reference: string): Promise<Room> {
  if ((await getBatch(inbox, reference)) !== null) return batchRoom;
  const maker = (await getCurrent(inbox, reference))?.maker;
  if (maker === 'editor') return alertRoom;
  return maker === 'reader' ? reportRoom : submissionRoom;
}

/** Around every screen. */
export type Frame = Awaited<ReturnType<typeof readFrame>>;

/** The answer at a path of the desk. */
export async function handleDesk(state: SiteState, visit: Visit, path: string) {
  const session = await readSession(visit);
  const screen =
    session === null
      ? await handleVisitor(state, visit, path)
      : await handleEditor(state, visit, path, session);
  if (screen.kind === 'redirect') return screen;
  const frame = await readFrame(state, visit, session, screen, path);
  return show({ frame, name: screen.name, view: screen.view }, screen.status);
}

const toActor = ({ editor }: Session, { now_ms }: SiteState) => ({ editor, now_ms });

async function handleEditor(
  state: SiteState,
  visit: Visit,
  path: string,
  session: Session,
): Promise<Screen | Redirect> {
  const { refusal, lang, fields } = visit;
  const request: DeskRequest = { state, visit, actor: toActor(session, state), session };
  const { room, id } = await findRoom(visit, path);
  const missing = toScreen('missing', {}, { status: 404, notice: null });
  const opened = await room?.(request, id);
  if (visit.method === 'GET') return (await opened?.show(tellDone(visit))) ?? missing;
  /** What was typed, where it was typed; the first page where that is gone. */
  const again = async (told: Told): Promise<Screen> => {
    const there = (await room?.(request, id)) ?? (await todayRoom(request, ''));
    return (await there?.show(told)) ?? missing;
  };
  if (refusal !== null) return again({ status: refusal, notice: t(lang, REFUSALS[refusal]) });
  if (!isOwnForm(session, fields.csrf ?? '')) {
    visit.note('a form of another session was refused', { editor: session.editor });
    return again({ status: 403, notice: t(lang, 'desk.refused.csrf') });
  }
  try {
    return (await opened?.act?.()) ?? missing;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return again(tellRefused(thrown, lang));
  }
}

async function readFrame(
  state: SiteState,
  visit: Visit,
  session: Session | null,
  { notice, status }: Screen,
  path: string,
) {
  const last = path.slice(path.lastIndexOf('/') + 1).toUpperCase();
  return {
    lang: visit.lang,
    site: state.site,
    path,
    /** The reference of what it is about, if it has one. */
    reference: isReference(last) ? last : null,
    /** Null before the login. */
    editor: session?.editor ?? null,
    /** For the hidden field of every form. */
    csrf: session?.csrf ?? '',
    /** What just happened, or what is wrong. */
    notice,
    is_error: status >= 400,
    /** What was just decided, to be undone. */
    last:
      session !== null && visit.method === 'GET' && visit.query.done
        ? await readLast({ state, visit, session, actor: toActor(session, state) })
        : null,
  };
}
