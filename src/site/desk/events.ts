// Published events on the desk: found by a word, then cancelled, postponed, restored or withdrawn,
// whole or one day.
import type { EventDetail } from '../../domain/agenda.ts';
import { AppError } from '../../domain/app-error.ts';
import { floorToMinute } from '../../domain/cancun-time.ts';
import { toCleanLine } from '../../domain/clean-text.ts';
import { toOpenFilter } from '../../domain/filters/event-filter.ts';
import { toWords } from '../../domain/folding.ts';
import { t } from '../../i18n/translate.ts';
import {
  changeDay,
  changeStatus,
  listStatusOverrides,
  type StatusAction,
  withdrawEvent,
} from '../../desk/override.ts';
import { findEvents } from '../../snapshot/find-events.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import type { Redirect } from '../visit.ts';
import { readHistory } from './decision-lines.ts';
import { findThings } from './find-things.ts';
import { redirectToQueue } from './queue.ts';
import { readNote } from './read-note.ts';
import { isTypedWrong, toRefusal } from './refusals.ts';
import { type DeskRequest, type EventScreen, type ScreenResult, toScreen } from './screens.ts';

const MAX_SHOWN = 100;

/** Upcoming events, by a word of theirs. */
export async function showEvents(request: DeskRequest): Promise<ScreenResult> {
  const { state, visit } = request;
  const q = toCleanLine(visit.query.q ?? '').slice(0, 100);
  const words = toWords(q);
  const filter = {
    ...toOpenFilter(floorToMinute(state.now_ms), MAX_SHOWN),
    words: words.length > 0 ? words : null,
  };
  const { cards, next } = findEvents(state.snapshot, filter, visit.lang);
  return toScreen({
    screen: 'events',
    q,
    events: cards.map((card) => card.event),
    is_cut: next !== null,
    things: await findThings(request, q),
  });
}

/** One event; null where there is none. What was typed comes back where it is wrong. */
export async function handleEvent(
  request: DeskRequest,
  id: string,
): Promise<ScreenResult | Redirect | null> {
  const { state, visit } = request;
  const detail = getEvent(state.snapshot, id, state.now_ms);
  if (detail === null || detail === 'gone') return null;
  if (visit.method === 'GET') return toEvent(request, detail);
  try {
    return (await decide(request, detail))
      ? redirectToQueue('decided')
      : await toEvent(request, detail, 422, t(visit.lang, 'desk.refused.reason'));
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !isTypedWrong(thrown)) throw thrown;
    return toEvent(request, detail, 422, toRefusal(thrown, visit.lang));
  }
}

/** The same with what was typed; null where there is none. */
export async function showEventAgain(
  request: DeskRequest,
  id: string,
  status: number,
  notice: string,
): Promise<ScreenResult | null> {
  const detail = getEvent(request.state.snapshot, id, request.state.now_ms);
  return detail === null || detail === 'gone'
    ? null
    : await toEvent(request, detail, status, notice);
}

/** What the buttons mean. */
const WHOLE: Readonly<Record<string, StatusAction>> = {
  cancel: 'cancel',
  postpone: 'postpone',
  restore: 'restore',
};
const DAY: Readonly<Record<string, StatusAction>> = {
  cancel_day: 'cancel',
  postpone_day: 'postpone',
  restore_day: 'restore',
};

/** Does what the pressed button means; false for none of ours. */
async function decide(
  { visit: { inbox, fields }, actor }: DeskRequest,
  detail: EventDetail,
): Promise<boolean> {
  const { does = '', reason = '', date = '' } = fields;
  const [whole, day] = [WHOLE[does], DAY[does]];
  const note = readNote(fields);
  if (does === 'withdraw') await withdrawEvent(inbox, actor, detail.event.id, reason);
  else if (whole) await changeStatus(inbox, actor, detail.event.id, whole, reason, note);
  else if (day) {
    await changeDay(inbox, actor, detail, { action: day, date, note }, reason);
  } else return false;
  return true;
}

async function toEvent(
  request: DeskRequest,
  detail: EventDetail,
  status = 200,
  notice: string | null = null,
): Promise<ScreenResult> {
  const { state, visit } = request;
  const days = [
    ...new Set(
      detail.occurrences.filter((o) => o.end_ms > state.now_ms).map((o) => o.start.slice(0, 10)),
    ),
  ].slice(0, MAX_SHOWN);
  const screen: EventScreen = {
    screen: 'event',
    detail,
    days,
    overrides: await listStatusOverrides(visit.inbox, detail.event.id),
    values: visit.fields,
    history: await readHistory(request, detail.event.id),
  };
  return toScreen(screen, status, notice);
}
