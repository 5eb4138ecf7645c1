// What the desk decides over a published event: cancelled, postponed, restored or withdrawn, whole or one day; only
// what the next release will read, so that nobody is told "done" of what it would leave out (contract 5.5).
import * as v from 'valibot';
import type { EventDetail } from '../domain/agenda.ts';
import { refusal } from '../domain/app-error.ts';
import { toCancunDay } from '../domain/cancun-time.ts';
import { toCleanLine } from '../domain/clean-text.ts';
import { type Actor, MAX_NOTE, type StatusOverride } from '../domain/change.ts';
import { byLang, LANGS, type LocalText } from '../domain/lang.ts';
import { isWithdrawn, readApplied } from '../inbox/applied.ts';
import type { Inbox } from '../inbox/open.ts';
import { decide, insertOwn, type NewDecision } from './decide.ts';
import { needReason, toReason } from './refusal.ts';
import { OverrideSchema, parseOverride } from '../sources/inbox/read-inbox.ts';

const STATUS_AFTER = { cancel: 'cancelled', postpone: 'postponed', restore: 'published' } as const;
export type StatusAction = keyof typeof STATUS_AFTER;

/** Only a restoration needs no reason; `note` is what readers are told of a cancellation or postponement. */
const toChange = (action: StatusAction, words: string, note: Partial<LocalText>) => ({
  reason: action === 'restore' ? toReason(words) : needReason(words),
  record: { status: STATUS_AFTER[action], ...(action === 'restore' ? {} : toNote(note)) },
});

/** Cancels, postpones or restores the whole event. */
export async function changeStatus(
  inbox: Inbox,
  actor: Actor,
  event: string,
  action: StatusAction,
  words: string,
  note: Partial<LocalText> = {},
): Promise<void> {
  const { reason, record } = toChange(action, words, note);
  await recordStatus(inbox, { ...actor, action, reason }, event, action, record);
}

/** Takes the event off every surface, for legal reasons: it answers 410 within seconds. */
export async function withdrawEvent(inbox: Inbox, actor: Actor, event: string, words: string) {
  const reason = needReason(words);
  const record = { status: 'withdrawn', date: toCancunDay(actor.now_ms).toString(), reason };
  await recordStatus(inbox, { ...actor, action: 'withdraw', reason }, event, 'withdraw', record);
}

export interface DayChange {
  readonly action: StatusAction;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** What readers are told, by language; where one is left out, they are told another's. */
  readonly note: Partial<LocalText>;
}

/** The same for one day. Throws AppError where the event does not take place then. */
export async function changeDay(
  inbox: Inbox,
  actor: Actor,
  { event, occurrences }: Pick<EventDetail, 'event' | 'occurrences'>,
  { action: asks, date, note }: DayChange,
  words: string,
): Promise<void> {
  if (date.length !== 10 || !occurrences.some(({ start }) => start.startsWith(date)))
    throw refusal('no_such_day');
  const { reason, record } = toChange(asks, words, note);
  const action = asks === 'restore' ? 'restore' : 'change_date';
  await recordStatus(inbox, { ...actor, action, reason }, event.id, asks, record, [date]);
}

/** What readers are told, in each language; nothing where none says anything. */
export function toNote(note: Partial<LocalText>): { readonly note?: LocalText } {
  const lines = byLang((lang) =>
    toCleanLine(note[lang] ?? '')
      .slice(0, MAX_NOTE)
      .trim(),
  );
  const any = LANGS.map((lang) => lines[lang]).find((line) => line !== '');
  return any === undefined ? {} : { note: byLang((lang) => lines[lang] || any) };
}

/**
 * Sets the status of an event, or of some of its days, logged. Throws AppError where a release would leave the record
 * out, or where it would bring back, in passing, what was withdrawn: only a restoration says that it means to.
 */
export async function recordStatus(
  inbox: Inbox,
  decision: Omit<NewDecision, 'subject'>,
  event: string,
  asks: StatusAction | 'withdraw',
  record: object,
  dates: readonly string[] | null = null,
): Promise<void> {
  const [date] = dates ?? [];
  const is_change = date !== undefined && asks !== 'restore';
  const result = v.safeParse(OverrideSchema, is_change ? { change: { date, ...record } } : record);
  if (!result.success)
    throw new Error(`an override is not as it must be: ${result.issues[0].message}`);
  await decide(inbox, { ...decision, subject: event }, async () => {
    const is_whole = dates === null && (asks === 'cancel' || asks === 'postpone');
    if (is_whole && (await isWithdrawn(inbox, event))) throw refusal('event_withdrawn');
    const own = { kind: 'event', thing: event, asks, dates, record } as const;
    return insertOwn(inbox, own, decision.now_ms);
  });
}

/** What the desk has decided over an event, in a release already or not yet. */
export async function listStatusOverrides(inbox: Inbox, event: string): Promise<StatusOverride[]> {
  const { overrides } = await readApplied(inbox, event);
  return overrides.flatMap(({ date, record }) => {
    const override = parseOverride(record);
    if (override === null) return [];
    if (!('change' in override)) return [{ date, status: override.status }];
    const status = override.change?.status;
    const is_off = status === 'cancelled' || status === 'postponed';
    return [{ date, status: is_off ? status : 'published' }];
  });
}
