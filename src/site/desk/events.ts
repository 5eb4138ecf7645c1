// Published events on the desk: found by a word, then cancelled, postponed, restored or withdrawn,
// whole or one day.
import type { EventScreen, StatusOverride } from '../../components/desk/desk-page.ts';
import { floorToMinute, toCancunDay } from '../../domain/cancun-time.ts';
import { toCleanLine } from '../../domain/clean-text.ts';
import { toOpenFilter } from '../../domain/filters/event-filter.ts';
import { toWords } from '../../domain/folding.ts';
import type { EventDetail } from '../../domain/agenda.ts';
import type { DecisionAction } from '../../domain/decision.ts';
import { type Override, parseOverride } from '../../sources/inbox/override.ts';
import { findEvents } from '../../snapshot/find-events.ts';
import { getEvent } from '../../snapshot/get-event.ts';
import { overrideEvent } from '../../desk/override.ts';
import type { Inbox } from '../../inbox/open.ts';
import { listOverrides } from '../../inbox/published.ts';
import type { Redirect } from '../forms/outcome.ts';
import { readHistory } from './log.ts';
import { redirectToQueue } from './queue.ts';
import { type DeskRequest, type ScreenResult, toScreen } from './screen.ts';

const MAX_SHOWN = 100;
const MAX_REASON = 400;

/** Upcoming events, by a word of theirs. */
export function showEvents({ state, visit }: DeskRequest): ScreenResult {
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
  });
}

/** One event; null where there is none. */
export function handleEvent(request: DeskRequest, id: string): ScreenResult | Redirect | null {
  const { state, visit } = request;
  const detail = getEvent(state.snapshot, id, state.now_ms);
  if (detail === null || detail === 'gone') return null;
  if (visit.method === 'GET') return toEvent(request, detail);
  const reason = toCleanLine(visit.fields.reason ?? '').slice(0, MAX_REASON);
  const act = toAct(visit.fields, detail, reason, toCancunDay(state.now_ms).toString());
  if (act === null || (reason === '' && act.action !== 'restore'))
    return toEvent(request, detail, 422);
  overrideEvent(
    visit.inbox,
    {
      editor: request.editor,
      action: act.action,
      reason: reason === '' ? null : reason,
      now_ms: state.now_ms,
    },
    detail.event.id,
    act.date,
    act.override,
  );
  return redirectToQueue('decided');
}

interface OverrideAct {
  readonly action: DecisionAction;
  readonly date: string;
  readonly override: Override;
}

/**
 * What the pressed button means; null for none of ours, or a day on which it does not take place.
 */
function toAct(
  fields: Readonly<Record<string, string>>,
  detail: EventDetail,
  reason: string,
  today: string,
): OverrideAct | null {
  switch (fields.does) {
    case 'cancel':
      return { action: 'cancel', date: '', override: { status: 'cancelled' } };
    case 'postpone':
      return { action: 'postpone', date: '', override: { status: 'postponed' } };
    case 'restore':
      return { action: 'restore', date: '', override: { status: 'published' } };
    case 'withdraw':
      return {
        action: 'withdraw',
        date: '',
        override: { status: 'withdrawn', date: today, reason },
      };
    case 'cancel_day':
      return toDayAct(fields, detail, 'cancelled');
    case 'postpone_day':
      return toDayAct(fields, detail, 'postponed');
    case 'restore_day':
      return toDayAct(fields, detail, null);
    default:
      return null;
  }
}

const toNote = (text: string | undefined): string =>
  toCleanLine(text ?? '')
    .slice(0, MAX_REASON)
    .trim();

function toDayAct(
  fields: Readonly<Record<string, string>>,
  detail: EventDetail,
  status: 'cancelled' | 'postponed' | null,
): OverrideAct | null {
  const date = fields.date ?? '';
  if (
    !detail.occurrences.some((occurrence) => occurrence.start.startsWith(date)) ||
    date.length !== 10
  )
    return null;
  const [es, en] = [toNote(fields.note_es), toNote(fields.note_en)];
  const note = es === '' && en === '' ? {} : { note: { es: es || en, en: en || es } };
  return {
    action: status === null ? 'restore' : 'change_date',
    date,
    override: { change: status === null ? null : { date, status, ...note } },
  };
}

function toEvent(request: DeskRequest, detail: EventDetail, status = 200): ScreenResult {
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
    overrides: listStatusOverrides(visit.inbox, detail.event.id),
    values: visit.fields,
    history: readHistory(request, detail.event.id),
  };
  return toScreen(screen, status, status === 422 ? 'desk.refused.reason' : null);
}

/** What the desk says over an event, in a release already or not yet. */
export function listStatusOverrides(inbox: Inbox, event: string): StatusOverride[] {
  return listOverrides(inbox)
    .filter((row) => row.event === event)
    .flatMap(({ date, record }) => {
      const override = parseOverride(record);
      return override === null
        ? []
        : [
            {
              date,
              status: 'change' in override ? toDayStatus(override.change?.status) : override.status,
            },
          ];
    });
}

const toDayStatus = (status: string | undefined): StatusOverride['status'] =>
  status === 'cancelled' || status === 'postponed' ? status : 'published';
