// The log of the desk: every decision with its number, filtered and by pages, and the way back of each.
import { AppError } from '../../domain/app-error.ts';
import { toCleanLine } from '../../domain/clean-text.ts';
import { type Decision, type DecisionAction, DECISIONS } from '../../domain/change.ts';
import { DESK_PATHS, withQuery } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toEventId } from '../../desk/known.ts';
import { undo } from '../../desk/decide.ts';
import {
  countLog,
  findSubjects,
  getDecision,
  listDeciders,
  listLog,
  type LogFilter,
} from '../../inbox/decisions.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import { type Redirect, redirect } from '../visit.ts';
import { toDecisionLines } from './decision-lines.ts';
import { redirectToQueue } from './queue.ts';
import { toRefusal } from './refusals.ts';
import { type DeskRequest, type LogScreen, type ScreenResult, toScreen } from './screens.ts';

const A_PAGE = 30;
const MAX_SUBJECTS = 500;
const MAX_WORDS = 100;

/** A page of the log, as the address chooses it. */
export async function showLog(
  request: DeskRequest,
  status = 200,
  notice: string | null = null,
): Promise<ScreenResult> {
  const { inbox, query, lang } = request.visit;
  const chosen = readChosen(query);
  const found = await find(request, chosen);
  const last = Math.max(1, Math.ceil(found.count / A_PAGE));
  const page = Math.min(last, Math.max(1, Math.floor(Number(query.page)) || 1));
  const toPage = (number: number): string | null =>
    number < 1 || number > last ? null : toLogPath({ ...chosen, page: String(number) });
  const screen: LogScreen = {
    screen: 'log',
    chosen,
    editors: await listDeciders(inbox),
    actions: DECISIONS,
    lines: await toDecisionLines(request, await found.list((page - 1) * A_PAGE)),
    count: found.count,
    page,
    newer: toPage(page - 1),
    older: toPage(page + 1),
  };
  return toScreen(
    screen,
    status,
    notice ?? (query.done === 'undone' ? t(lang, 'desk.done.undone') : null),
  );
}

const toLogPath = (query: Readonly<Record<string, string>>): string =>
  withQuery(
    DESK_PATHS.log,
    Object.fromEntries(Object.entries(query).filter(([, text]) => text !== '')),
  );

const readChosen = ({
  editor = '',
  action = '',
  q = '',
}: Readonly<Record<string, string>>): LogScreen['chosen'] => ({
  editor,
  action,
  q: toCleanLine(q).slice(0, MAX_WORDS),
});

interface Found {
  readonly count: number;
  readonly list: (offset: number) => Promise<readonly Decision[]>;
}

/** One by its number, or those that were chosen. */
async function find(
  request: DeskRequest,
  { editor, action, q }: LogScreen['chosen'],
): Promise<Found> {
  const { inbox } = request.visit;
  const number = /^(?:n\.?º ?|#)?(\d{1,9})$/i.exec(q)?.[1];
  if (number !== undefined) {
    const decision = await getDecision(inbox, Number(number));
    const list = decision === null ? [] : [decision];
    return { count: list.length, list: async () => list };
  }
  const filter: LogFilter = {
    editor: editor || null,
    action: DECISIONS.find((one): one is DecisionAction => one === action) ?? null,
    subjects: q === '' ? null : await toSubjects(request, q),
  };
  return {
    count: await countLog(inbox, filter),
    list: (offset) => listLog(inbox, filter, A_PAGE, offset),
  };
}

/** References and ids that somebody means: one of them, an event's address, or words of a title. */
async function toSubjects({ state, visit }: DeskRequest, q: string): Promise<readonly string[]> {
  const name = q.replace(/^.*\//, '');
  const detail = getEvent(state.snapshot, name.toLowerCase(), state.now_ms);
  const event = detail === null || detail === 'gone' ? [] : [detail.event.id];
  const references = [name.toUpperCase(), ...(await findSubjects(visit.inbox, q, MAX_SUBJECTS))];
  return [name, ...event, ...references, ...references.map(toEventId)];
}

/** Undoes the decision of a number; back to where the button was. */
export async function handleUndo(request: DeskRequest): Promise<Redirect | ScreenResult> {
  const { inbox, fields, lang, readReleaseNews } = request.visit;
  const { is_building } = await readReleaseNews();
  const { reason = '' } = fields;
  const from_log = fields.from === 'log';
  try {
    await undo(inbox, Number(fields.id), request.actor, { is_building, reason });
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !from_log) throw thrown;
    return showLog(request, 409, toRefusal(thrown, lang));
  }
  return from_log ? redirect(`${DESK_PATHS.log}?done=undone`) : redirectToQueue('undone');
}
