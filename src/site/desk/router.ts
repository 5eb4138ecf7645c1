// The desk: who is in, what is requested, and the screen or the redirect that answers.
import { isFormOfSession, getSession, type Session } from '../../desk/sign-in.ts';
import { AppError } from '../../domain/app-error.ts';
import { isReference } from '../../domain/change.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { getImportByReference } from '../../inbox/calendar-imports.ts';
import { deleteSessions } from '../../inbox/editors.ts';
import { getCurrentChange } from '../../inbox/changes.ts';
import type { Inbox } from '../../inbox/open.ts';
import type { PageContext } from '../page-context.ts';
import {
  redirectAfterPost,
  type RedirectResult,
  REJECTION_MESSAGE_KEYS,
  pageResult,
  type VisitorRequest,
} from '../visitor-request.ts';
import { accountScreen, handleSignedOut, peopleScreen } from './sign-in-screens.ts';
import { calendarImportScreen } from './calendar-import-screen.ts';
import { logScreen, getLastDecision } from './decision-log.ts';
import { alertScreen, correctionScreen, submissionScreen } from './item-screens.ts';
import { eventsScreen, noticesScreen, sourcesScreen } from './list-screens.ts';
import { queueScreen, TODAY_SCREEN_DEFINITION, todayScreen } from './queue-screens.ts';
import {
  defineScreen,
  type DeskRequest,
  type DeskScreen,
  type ScreenResult,
  successMessage,
  refusalMessage,
  type ScreenMessage,
  createScreenResult,
} from './screen.ts';
import { recordScreen } from './record-screen.ts';

const ROOMS: Readonly<Record<string, DeskScreen>> = {
  [DESK_PATHS.today]: todayScreen,
  [DESK_PATHS.login]: todayScreen,
  [DESK_PATHS.logout]: defineScreen({
    ...TODAY_SCREEN_DEFINITION,
    act: async ({ visit, session }) => {
      await deleteSessions(visit.inbox, session.editor, { id: session.id });
      return redirectAfterPost(DESK_PATHS.today);
    },
  }),
  [DESK_PATHS.queue]: queueScreen,
  [DESK_PATHS.events]: eventsScreen,
  [DESK_PATHS.edit]: recordScreen,
  [DESK_PATHS.notices]: noticesScreen,
  [DESK_PATHS.sources]: sourcesScreen,
  [DESK_PATHS.log]: logScreen,
  [DESK_PATHS.account]: accountScreen,
  [DESK_PATHS.people]: peopleScreen,
};

/** Letters to editors lead to the latter two still. */
const ITEM_PATHS: readonly string[] = [
  DESK_PATHS.items,
  `${DESK_PATHS.today}/calendarios`,
  `${DESK_PATHS.today}/correcciones`,
];

/** The room of a path, and the id that stands behind that. */
async function findRoom({ inbox }: VisitorRequest, path: string) {
  const [, , name, id = ''] = path.split('/');
  const room_path = name ? `${DESK_PATHS.today}/${name}` : DESK_PATHS.today;
  const room = ITEM_PATHS.includes(room_path) ? await findItemRoom(inbox, id) : ROOMS[room_path];
  return { room, id };
}

/** That of what was sent in under a reference. */
async function findItemRoom(inbox: Inbox, reference: string): Promise<DeskScreen> {
  if ((await getImportByReference(inbox, reference)) !== null) return calendarImportScreen;
  const maker = (await getCurrentChange(inbox, reference))?.maker;
  if (maker === 'editor') return alertScreen;
  return maker === 'reader' ? correctionScreen : submissionScreen;
}

/** Around every screen. */
export type DeskFrame = Awaited<ReturnType<typeof readFrame>>;

/** The answer at a path of the desk. */
export async function handleDeskRequest(state: PageContext, visit: VisitorRequest, path: string) {
  const session = await getSession(visit);
  const screen =
    session === null
      ? await handleSignedOut(state, visit, path)
      : await handleEditor(state, visit, path, session);
  if (screen.kind === 'redirect') return screen;
  const frame = await readFrame(state, visit, session, screen, path);
  return pageResult({ frame, name: screen.name, view: screen.view }, screen.status);
}

const toActor = ({ editor }: Session, { now_ms }: PageContext) => ({ editor, now_ms });

async function handleEditor(
  state: PageContext,
  visit: VisitorRequest,
  path: string,
  session: Session,
): Promise<ScreenResult | RedirectResult> {
  const { refusal, lang, fields } = visit;
  const request: DeskRequest = { state, visit, actor: toActor(session, state), session };
  const { room, id } = await findRoom(visit, path);
  const missing = createScreenResult('missing', {}, { status: 404, notice: null });
  const opened = await room?.(request, id);
  if (visit.method === 'GET') return (await opened?.show(successMessage(visit))) ?? missing;
  /** What was typed, where it was typed; the first page where that is gone. */
  const again = async (told: ScreenMessage): Promise<ScreenResult> => {
    const there = (await room?.(request, id)) ?? (await todayScreen(request, ''));
    return (await there?.show(told)) ?? missing;
  };
  if (refusal !== null)
    return again({ status: refusal, notice: t(lang, REJECTION_MESSAGE_KEYS[refusal]) });
  if (!isFormOfSession(session, fields.csrf ?? '')) {
    visit.note('a form of another session was refused', { editor: session.editor });
    return again({ status: 403, notice: t(lang, 'desk.refused.csrf') });
  }
  try {
    return (await opened?.act?.()) ?? missing;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return again(refusalMessage(thrown, lang));
  }
}

async function readFrame(
  state: PageContext,
  visit: VisitorRequest,
  session: Session | null,
  { notice, status }: ScreenResult,
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
        ? await getLastDecision({ state, visit, session, actor: toActor(session, state) })
        : null,
  };
}
