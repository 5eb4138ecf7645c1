// What is wrong with a changed thing before anybody decides on it: what its schema says, and what a release would
// find among the rest (contract 14.28).
import * as v from 'valibot';
import type { SourceRecord, ThingRecord } from '../domain/edit/edit.ts';
import type { HistoryKind } from '../domain/history.ts';
import type { LocalText } from '../domain/lang.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { listAddresses } from '../sources/identity.ts';
import { checkRecord, EDITABLE, type FieldIssue } from '../sources/inbox/editable.ts';
import { toContentFile } from '../sources/read-content.ts';
import { listFaults, type Things } from '../sources/read-dataset.ts';
import { openMaking } from '../sources/revise.ts';

export interface Town {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
  /** All that is there, shown by a release yet or not. */
  readonly sources: { readonly get: (id: string) => Promise<SourceRecord | null> };
}

const OWN_FILE = 'desk';

/** Each as a file of content. The terms of schools and the days that changed are the release's to know. */
const TO_THINGS: Readonly<Record<HistoryKind, (source: SourceRecord) => Partial<Things>>> = {
  event: ({ id, file, record }) => {
    const { when, ...event } = v.parse(EDITABLE.event, { ...record, id });
    const rules = when.map(({ term: _, ...rule }) => rule);
    return { events: [toContentFile(file, { ...event, when: rules, changes: [] })] };
  },
  venue: ({ id, file, record }) => ({
    venues: [toContentFile(file, v.parse(EDITABLE.venue, { ...record, id }))],
  }),
  organizer: ({ id, file, record }) => ({
    organizers: [toContentFile(file, v.parse(EDITABLE.organizer, { ...record, id }))],
  }),
  notice: ({ file, record }) => ({
    notices: [toContentFile(file, v.parse(EDITABLE.notice, record))],
  }),
};

/** Every fault of a record that is to be what `source` says; `value` as it will be stored. */
export async function checkThing(
  { kind, id }: Pick<SourceRecord, 'kind' | 'id'>,
  record: ThingRecord,
  { snapshot, now_ms, sources }: Town,
): Promise<{ readonly value: ThingRecord | null; readonly issues: readonly FieldIssue[] }> {
  const { value, issues } = checkRecord(kind, record);
  if (value === null) return { value, issues };
  const named = kind === 'event' ? [value.venue, value.organizer] : [];
  const places = await Array.fromAsync(named, (place) => sources.get(String(place)));
  const things: Things = { events: [], venues: [], organizers: [], notices: [] };
  for (const source of [{ id, kind, file: OWN_FILE, record: value }, ...places])
    if (source !== null) Object.assign(things, TO_THINGS[source.kind](source));
  const { zones } = snapshot.taxonomy;
  const making = openMaking(now_ms, { zones, holidays: snapshot.calendar.holidays });
  const faults = listFaults(things, making).filter(({ file }) => file === OWN_FILE);
  const taken = faults.length > 0 || kind === 'notice' ? [] : listTaken(kind, id, value, snapshot);
  const found = [...faults, ...taken].map(
    ({ field, message }): FieldIssue => ({
      path: field.replace(/\[(\d+)\]/g, '.$1'),
      rule: 'invalid',
      message,
    }),
  );
  return { value: found.length > 0 ? null : value, issues: found };
}

const Named = v.object({
  title: v.optional(v.custom<LocalText>(() => true)),
  name: v.optional(v.string()),
  slug: v.optional(v.custom<LocalText>(() => true)),
  former_slugs: v.array(v.string()),
});

/** An address that was ever given to another stays that one's. */
const listTaken = (
  kind: Exclude<HistoryKind, 'notice'>,
  id: string,
  record: ThingRecord,
  { findId }: Snapshot,
) =>
  [...listAddresses(id, v.parse(Named, record))]
    .filter((one) => ![null, id].includes(findId(kind, one)))
    .map((one) => ({ field: 'slug', message: `'${one}' is the address of another` }));
