// Desk router: authenticates the editor, finds the screen of a path, and answers with it or, after
// a form, with a redirect. The desk is the part of the site where editors decide on submissions and
// edit the agenda.
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

/** Screens by path. */
const SCREENS: Readonly<Record<string, DeskScreen>> = {
  [DESK_PATHS.today]: todayScreen,
  [DESK_PATHS.login]: todayScreen,
  [DESK_PATHS.logout]: defineScreen({
    ...TODAY_SCREEN_DEFINITION,
    handleForm: async ({ visit, session }) => {
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

/**
 * Paths of queue items. Emails sent to editors before the paths were merged link to the last two.
 */
const ITEM_PATHS: readonly string[] = [
  DESK_PATHS.items,
  `${DESK_PATHS.today}/calendarios`,
  `${DESK_PATHS.today}/correcciones`,
];

/** Finds the screen of a path, and the id at its end. */
async function findScreen({ inbox }: VisitorRequest, path: string) {
  // `/revision/NAME/ID`; the first screen has no name.
  const [, , name, id = ''] = path.split('/');
  const screen_path = name ? `${DESK_PATHS.today}/${name}` : DESK_PATHS.today;
  const screen = ITEM_PATHS.includes(screen_path)
    ? await findItemScreen(inbox, id)
    : SCREENS[screen_path];
  return { screen, id };
}

/** Finds the screen of a queue item by its reference. */
async function findItemScreen(inbox: Inbox, reference: string): Promise<DeskScreen> {
  if ((await getImportByReference(inbox, reference)) !== null) return calendarImportScreen;
  // `maker`: role of the author of a change: `editor`, `reader` (a visitor) or `sender`. Alerts are
  // stored as an editor's change.
  const maker = (await getCurrentChange(inbox, reference))?.maker;
  if (maker === 'editor') return alertScreen;
  return maker === 'reader' ? correctionScreen : submissionScreen;
}

/** View model of the frame around every screen. */
export type DeskFrame = Awaited<ReturnType<typeof loadFrame>>;

/** Serves a path of the desk. */
export async function handleDeskRequest(context: PageContext, visit: VisitorRequest, path: string) {
  const session = await getSession(visit);
  const result =
    session === null
      ? await handleSignedOut(context, visit, path)
      : await handleEditor(context, visit, path, session);
  if (result.kind === 'redirect') return result;
  const frame = await loadFrame(context, visit, session, result, path);
  return pageResult({ frame, name: result.name, view: result.view }, result.status);
}

/** Returns the editor and time for the decision log. */
const actorOf = ({ editor }: Session, { now_ms }: PageContext) => ({ editor, now_ms });

/** Serves a screen to a signed-in editor, or applies its form. */
async function handleEditor(
  context: PageContext,
  visit: VisitorRequest,
  path: string,
  session: Session,
): Promise<ScreenResult | RedirectResult> {
  const { rejection, lang, fields } = visit;
  const request: DeskRequest = { context, visit, actor: actorOf(session, context), session };
  const { screen, id } = await findScreen(visit, path);
  const not_found = createScreenResult('missing', {}, { status: 404, message: null });
  const opened = await screen?.(request, id);
  if (visit.method === 'GET')
    return (await opened?.render(await successMessage(visit))) ?? not_found;
  /**
   * Renders the same screen with the submitted fields, or the first screen if its subject is gone.
   */
  const rerender = async (message: ScreenMessage): Promise<ScreenResult> => {
    const reopened = (await screen?.(request, id)) ?? (await todayScreen(request, ''));
    return (await reopened?.render(message)) ?? not_found;
  };
  if (rejection !== null)
    return rerender({ status: rejection, message: t(lang, REJECTION_MESSAGE_KEYS[rejection]) });
  if (!isFormOfSession(session, fields.csrf ?? '')) {
    visit.logEvent('a form with the CSRF token of another session was rejected', {
      editor: session.editor,
    });
    return rerender({ status: 403, message: t(lang, 'desk.refused.csrf') });
  }
  try {
    return (await opened?.handleForm?.()) ?? not_found;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return rerender(refusalMessage(error, lang));
  }
}

async function loadFrame(
  context: PageContext,
  visit: VisitorRequest,
  session: Session | null,
  { message, status }: ScreenResult,
  path: string,
) {
  const last_segment = path.slice(path.lastIndexOf('/') + 1).toUpperCase();
  return {
    lang: visit.lang,
    site: context.site,
    path,
    /** Reference of the queue item; null on other screens. */
    reference: isReference(last_segment) ? last_segment : null,
    /** Null before sign-in. */
    editor: session?.editor ?? null,
    /** For the hidden field of every form. */
    csrf: session?.csrf ?? '',
    /** Confirmation or error message above the screen. */
    message,
    is_error: status >= 400,
    /** The decision that was just made, with its undo button; null if it cannot be undone. */
    last_decision:
      session !== null && visit.method === 'GET' && visit.query.done
        ? await getLastDecision({ context, visit, session, actor: actorOf(session, context) })
        : null,
  };
}
