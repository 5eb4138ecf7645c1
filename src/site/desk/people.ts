// Who may use the desk: editors add and remove each other, and end anybody's sessions.
import { AppError, type ErrorReason } from '../../domain/app-error.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { addEditor, endAll, endListed, removeEditor, removeFactor } from '../../desk/editors.ts';
import { getEditor, listEditors, listSessions } from '../../inbox/editors.ts';
import { type Redirect, redirect } from '../visit.ts';
import type { PeopleScreen } from './access-screens.ts';
import { type DeskRequest, type ScreenResult, toScreen } from './screens.ts';

/** The page, or what its buttons do. */
export async function handlePeople(request: DeskRequest): Promise<ScreenResult | Redirect> {
  const { visit } = request;
  const { lang } = visit;
  if (visit.method === 'GET')
    return showPeople(
      request,
      200,
      visit.query.done === 'yes' ? t(lang, 'desk.done.settled') : null,
    );
  try {
    return await act(request);
  } catch (thrown) {
    const key = thrown instanceof AppError ? FAULTS[thrown.reason ?? 'bad_record'] : undefined;
    if (!key) throw thrown;
    return showPeople(request, 422, t(lang, key));
  }
}

const FAULTS: Readonly<Partial<Record<ErrorReason, Key>>> = {
  bad_name: 'desk.people.fault.name',
  last_editor: 'desk.people.fault.last',
  no_such_editor: 'desk.people.fault.none',
  no_such_session: 'desk.account.fault.session',
  busy: 'desk.refused.busy',
};

/** The pressed button. */
async function act(request: DeskRequest): Promise<ScreenResult | Redirect> {
  const { visit, actor, session } = request;
  const { inbox, fields } = visit;
  const { does = '', id = '' } = fields;
  const name = (fields.name ?? '').normalize('NFC').trim();
  if (does === 'add' || does === 'password') {
    const is_there = (await getEditor(inbox, name)) !== null;
    if (is_there !== (does === 'password'))
      return showPeople(
        request,
        422,
        t(visit.lang, is_there ? 'desk.people.fault.there' : 'desk.people.fault.none'),
      );
    const password = await addEditor(inbox, name, actor.now_ms, actor.editor);
    // An own new password has ended this session too; it is shown before that is noticed.
    return showPeople(request, 200, null, { name, password });
  }
  if (does === 'remove') await removeEditor(inbox, actor, name);
  if (does === 'remove_factor') await removeFactor(inbox, actor, name);
  if (does === 'end_all') await endAll(inbox, actor, name, session.id);
  if (does === 'end') await endListed(inbox, actor, id, null);
  return redirect(`${DESK_PATHS.people}?done=yes`);
}

/** The same after something could not be done. */
export const showPeopleAgain = (
  request: DeskRequest,
  status: number,
  notice: string,
): Promise<ScreenResult> => showPeople(request, status, notice);

/** As it stands; `made` is shown this once. */
async function showPeople(
  { visit: { inbox, fields }, session }: DeskRequest,
  status = 200,
  notice: string | null = null,
  made: PeopleScreen['made'] = null,
): Promise<ScreenResult> {
  return toScreen(
    {
      screen: 'people',
      editors: await listEditors(inbox),
      sessions: await listSessions(inbox, null),
      own: session.id,
      typed: made === null && fields.does === 'add' ? (fields.name ?? '') : '',
      made,
    },
    status,
    notice,
  );
}
