// Event status: cancels, postpones, restores or withdraws a published event, or one of its days, by
// a status override. Accepts only overrides that the next release can apply (contract 5.5).
import { refusal } from '../domain/app-error.ts';
import { toLocalDay } from '../domain/local-time.ts';
import { type Actor, MAX_NOTE_LENGTH, type StatusOverride } from '../domain/change.ts';
import { cleanLine } from '../domain/clean-text.ts';
import { byLang, LANGS, type LocalText } from '../domain/lang.ts';
import { isEventWithdrawn, loadAppliedChanges } from '../inbox/applied-changes.ts';
import type { Inbox } from '../inbox/open.ts';
import { parseStatusOverride } from '../sources/inbox/load-inbox.ts';
import { applyEditorChange, requireReason, normalizeReason } from './decisions.ts';

/** Event status that each requested action results in. */
export const STATUS_AFTER_ACTION = {
  cancel: 'cancelled',
  postpone: 'postponed',
  restore: 'published',
  withdraw: 'withdrawn',
} as const;
export type DeskStatusAction = keyof typeof STATUS_AFTER_ACTION;

/** An event with its occurrences; `start`: local time. */
interface DatedEvent {
  readonly event: { readonly id: string };
  readonly occurrences: readonly { readonly start: string }[];
}

export interface StatusChange {
  /** Requested action. */
  readonly asks: DeskStatusAction;
  /** YYYY-MM-DD; null for the whole event. */
  readonly date: string | null;
  /** Public note by language; a missing language shows the other one. */
  readonly note?: Partial<LocalText>;
  /** Required unless the event is restored. */
  readonly reason: string;
}

/**
 * Changes the status of an event or of one of its days.
 * @throws AppError if the event does not take place on that day.
 */
export const changeStatus = (
  inbox: Inbox,
  actor: Actor,
  { event: { id }, occurrences }: DatedEvent,
  { asks, date, note = {}, reason: reason_text }: StatusChange,
): Promise<void> =>
  inbox.transaction(async () => {
    const takes_place_on_date = occurrences.some(({ start }) => start.slice(0, 10) === date);
    // A withdrawal always covers the whole event.
    if (date !== null && (asks === 'withdraw' || !takes_place_on_date))
      throw refusal('no_such_day');
    const reason = asks === 'restore' ? normalizeReason(reason_text) : requireReason(reason_text);
    // A new status would undo a withdrawal, which only restoring the whole event may.
    if (date === null && (asks === 'cancel' || asks === 'postpone'))
      await assertNotWithdrawn(inbox, id);
    const status = STATUS_AFTER_ACTION[asks];
    const today = toLocalDay(actor.now_ms).toString();
    // The status override.
    const record = {
      restore: { status },
      withdraw: { status, date: today, reason },
      cancel: { status, ...normalizeNote(note) },
      postpone: { status, ...normalizeNote(note) },
    }[asks];
    const action = date === null || asks === 'restore' ? asks : 'change_date';
    const dates = date === null ? null : [date];
    await applyEditorChange(
      inbox,
      { ...actor, action, reason },
      { kind: 'event', thing: id, asks, dates, record },
    );
  });

/** @throws AppError if the event was withdrawn for legal reasons. */
export async function assertNotWithdrawn(inbox: Inbox, event: string): Promise<void> {
  if (await isEventWithdrawn(inbox, event)) throw refusal('event_withdrawn');
}

/**
 * Cleans a public note and fills missing languages from the other one; empty if no language has
 * text.
 */
export function normalizeNote(note: Partial<LocalText>): { readonly note?: LocalText } {
  const lines = byLang((lang) =>
    cleanLine(note[lang] ?? '')
      .slice(0, MAX_NOTE_LENGTH)
      .trim(),
  );
  const fallback = LANGS.map((lang) => lines[lang]).find((line) => line !== '');
  return fallback === undefined ? {} : { note: byLang((lang) => lines[lang] || fallback) };
}

/** Lists the status overrides of an event, including those that no release has applied yet. */
export async function listStatusOverrides(inbox: Inbox, event: string): Promise<StatusOverride[]> {
  const { overrides } = await loadAppliedChanges(inbox, event);
  return overrides.flatMap(({ date, record }) => {
    const override = parseStatusOverride(record);
    if (override === null || override.status === 'confirmed') return [];
    return [{ date, status: override.status }];
  });
}
