// What the desk decides over a published event: cancelled, postponed, restored or withdrawn, whole or one day; only
// what the next release will read, so that nobody is told "done" of what it would leave out (contract 5.5).
import { refusal } from '../domain/app-error.ts';
import { toLocalDay } from '../domain/local-time.ts';
import { type Actor, MAX_NOTE_LENGTH, type StatusOverride } from '../domain/change.ts';
import { cleanLine } from '../domain/clean-text.ts';
import { byLang, LANGS, type LocalText } from '../domain/lang.ts';
import { isEventWithdrawn, loadAppliedChanges } from '../inbox/applied-changes.ts';
import type { Inbox } from '../inbox/open.ts';
import { parseStatusOverride } from '../sources/inbox/load-inbox.ts';
import { applyEditorChange, requireReason, normalizeReason } from './decisions.ts';

export const STATUS_AFTER_ACTION = {
  cancel: 'cancelled',
  postpone: 'postponed',
  restore: 'published',
  withdraw: 'withdrawn',
} as const;
export type DeskStatusAction = keyof typeof STATUS_AFTER_ACTION;

/** An event with its dates. */
interface DatedEvent {
  readonly event: { readonly id: string };
  readonly occurrences: readonly { readonly start: string }[];
}

export interface StatusChange {
  readonly asks: DeskStatusAction;
  /** YYYY-MM-DD; null is the whole event. */
  readonly date: string | null;
  /** What readers are told, by language; where one is left out, they are told another's. */
  readonly note?: Partial<LocalText>;
  /** Only a restoration needs no reason. */
  readonly words: string;
}

/** Changes the status of an event or of one of its days. Throws AppError where it does not take place then. */
export const changeStatus = (
  inbox: Inbox,
  actor: Actor,
  { event: { id }, occurrences }: DatedEvent,
  { asks, date, note = {}, words }: StatusChange,
): Promise<void> =>
  inbox.transaction(async () => {
    const isDay = ({ start }: { readonly start: string }) => start.slice(0, 10) === date;
    // What is withdrawn is all of it.
    if (date !== null && (asks === 'withdraw' || !occurrences.some(isDay)))
      throw refusal('no_such_day');
    const reason = asks === 'restore' ? normalizeReason(words) : requireReason(words);
    // Only a restoration of the whole says that it means to bring back what was withdrawn.
    if (date === null && (asks === 'cancel' || asks === 'postpone'))
      await assertNotWithdrawn(inbox, id);
    const status = STATUS_AFTER_ACTION[asks];
    const day = toLocalDay(actor.now_ms).toString();
    const record = {
      restore: { status },
      withdraw: { status, date: day, reason },
      cancel: { status, ...normalizeNote(note) },
      postpone: { status, ...normalizeNote(note) },
    }[asks];
    const action = date === null || asks === 'restore' ? asks : 'change_date';
    const own = { kind: 'event', thing: id, asks, dates: date === null ? null : [date] } as const;
    await applyEditorChange(inbox, { ...actor, action, reason }, { ...own, record });
  });

/** Throws AppError of an event that was withdrawn for legal reasons. */
export async function assertNotWithdrawn(inbox: Inbox, event: string): Promise<void> {
  if (await isEventWithdrawn(inbox, event)) throw refusal('event_withdrawn');
}

/** What readers are told, in each language; nothing where none says anything. */
export function normalizeNote(note: Partial<LocalText>): { readonly note?: LocalText } {
  const lines = byLang((lang) =>
    cleanLine(note[lang] ?? '')
      .slice(0, MAX_NOTE_LENGTH)
      .trim(),
  );
  const any = LANGS.map((lang) => lines[lang]).find((line) => line !== '');
  return any === undefined ? {} : { note: byLang((lang) => lines[lang] || any) };
}

/** What the desk has decided over an event, in a release already or not yet. */
export async function listStatusOverrides(inbox: Inbox, event: string): Promise<StatusOverride[]> {
  const { overrides } = await loadAppliedChanges(inbox, event);
  return overrides.flatMap(({ date, record }) => {
    const override = parseStatusOverride(record);
    if (override === null || override.status === 'confirmed') return [];
    return [{ date, status: override.status }];
  });
}
