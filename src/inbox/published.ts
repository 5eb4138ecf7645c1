// What the desk has let into the agenda beside content/: publications, overrides and notices, as
// plain rows for sources.
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import type { DecisionAction } from '../domain/decision.ts';
import { decide } from './decisions.ts';
import type { Inbox } from './open.ts';

export interface PublicationRow {
  readonly reference: string;
  readonly channel: 'form' | 'agent';
  readonly record: unknown;
}
export interface OverrideRow {
  /** The event's id. */
  readonly event: string;
  /** The day of one occurrence, or empty for the whole event. */
  readonly date: string;
  readonly record: unknown;
}
export interface NoticeRow {
  readonly id: string;
  readonly record: unknown;
}

const json = v.pipe(
  v.string(),
  v.transform((text): unknown => JSON.parse(text)),
);
const Publications = v.array(
  v.object({ reference: v.string(), channel: v.picklist(['form', 'agent']), record: json }),
);
const Overrides = v.array(v.object({ event: v.string(), date: v.string(), record: json }));
const Notices = v.array(v.object({ id: v.string(), record: json }));

export function listPublications(inbox: Inbox): readonly PublicationRow[] {
  return v.parse(
    Publications,
    inbox
      .prepare(
        'select reference, channel, publications.record from publications join submissions using (reference) order by reference',
      )
      .all(),
  );
}
export function listOverrides(inbox: Inbox): readonly OverrideRow[] {
  return v.parse(
    Overrides,
    inbox.prepare('select event, date, record from overrides order by event, date').all(),
  );
}
export function listDeskNotices(inbox: Inbox): readonly NoticeRow[] {
  return v.parse(Notices, inbox.prepare('select id, record from desk_notices order by id').all());
}

/** Who does what to an event or notice, and when. */
export interface DecisionDetails {
  readonly editor: string;
  readonly action: DecisionAction;
  readonly reason: string | null;
  readonly now_ms: number;
}

/** Whether the desk has withdrawn an event for legal reasons, in a release or not yet. */
export function isWithdrawn(inbox: Inbox, event: string): boolean {
  const status = inbox
    .prepare("select json_extract(record, '$.status') from overrides where event = ? and date = ''")
    .pluck()
    .get(event);
  return status === 'withdrawn';
}

/**
 * Sets what is said of an event (`date` empty) or of one of its days; `record` was checked by the
 * schema of sources. Throws AppError where it would bring back, in passing, what was withdrawn:
 * only a restoration says that it means to.
 */
export function putOverride(
  inbox: Inbox,
  act: DecisionDetails,
  event: string,
  date: string,
  record: object,
): void {
  decide(inbox, { ...act, subject: event }, [{ table: 'overrides', key: [event, date] }], () => {
    if (
      date === '' &&
      (act.action === 'cancel' || act.action === 'postpone') &&
      isWithdrawn(inbox, event)
    ) {
      throw new AppError(
        'invalid_parameter',
        'event: it was withdrawn for legal reasons. Restore it first',
      );
    }
    inbox
      .prepare(
        'insert into overrides values (?, ?, ?) on conflict do update set record = excluded.record',
      )
      .run(event, date, JSON.stringify(record));
  });
}

/** Writes a notice, or writes it anew; null takes it away. */
export function putDeskNotice(
  inbox: Inbox,
  act: DecisionDetails,
  id: string,
  record: object | null,
): void {
  decide(inbox, { ...act, subject: id }, [{ table: 'desk_notices', key: [id] }], () => {
    if (record === null) inbox.prepare('delete from desk_notices where id = ?').run(id);
    else
      inbox
        .prepare(
          'insert into desk_notices values (?, ?) on conflict do update set record = excluded.record',
        )
        .run(id, JSON.stringify(record));
  });
}

/** Whether an id was in a release: the ledger knows its slugs for ever. */
export function isReleased(inbox: Inbox, id: string): boolean {
  return inbox.prepare('select 1 from slugs where id = ? limit 1').get(id) !== undefined;
}
