// What is wrong with a changed thing before anybody decides on it: what its schema says, and what a
// release would find among the rest (contract 14.28).
import * as v from 'valibot';
import type { SourceRecord, ThingRecord } from '../domain/edit/edit.ts';
import type { HistoryKind } from '../domain/history.ts';
import type { LocalText } from '../domain/lang.ts';
import { getOrganizer, getVenue } from '../snapshot/get-thing.ts';
import type { Snapshot } from '../snapshot/open.ts';
import {
  checkHoursSources,
  checkNightclubSources,
  checkSourceDays,
} from '../sources/check-sources.ts';
import { listAddresses, takeSlug } from '../sources/identity.ts';
import { checkRecord, EDITABLE, type FieldIssue } from '../sources/inbox/editable.ts';
import type { ContentIssue } from '../sources/issues.ts';
import { type Making, openMaking } from '../sources/revise.ts';
import { toEvent } from '../sources/to-event.ts';
import { toNotices, toOrganizer, toVenue } from '../sources/to-records.ts';
import { toFile } from './publication.ts';

export interface Town {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
  /** Places that no release has shown yet are only there. */
  readonly sources: { readonly get: (id: string) => Promise<SourceRecord | null> };
}

/** Every fault of a record that is to be what `source` says; `value` as it will be stored. */
export async function checkThing(
  { kind, id }: Pick<SourceRecord, 'kind' | 'id'>,
  record: ThingRecord,
  town: Town,
): Promise<{ readonly value: ThingRecord | null; readonly issues: readonly FieldIssue[] }> {
  const { value, issues } = checkRecord(kind, record);
  if (value === null) return { value, issues };
  const making = openTownMaking(town);
  const found = making.issues;
  await CHECKS[kind](value, town, making);
  if (found.length === 0 && kind !== 'notice') checkSlug(kind, id, value, town, found);
  if (found.length === 0) return { value, issues: [] };
  return {
    value: null,
    issues: found.map(({ field, message }) => ({
      path: field.replace(/\[(\d+)\]/g, '.$1'),
      rule: 'invalid',
      message,
    })),
  };
}

/** The terms of schools and the days that changed are the release's to know. */
const openTownMaking = ({ snapshot, now_ms }: Town): Making =>
  openMaking(now_ms, {
    zones: snapshot.taxonomy.zones,
    holidays: snapshot.calendar.holidays,
  });

type Check = (record: ThingRecord, town: Town, making: Making) => void | Promise<void>;

const CHECKS: Readonly<Record<HistoryKind, Check>> = {
  event: checkEvent,
  venue: (record, _, making) => {
    const file = toFile(v.parse(EDITABLE.venue, record));
    toVenue(file, making);
    checkHoursSources(file, making.issues);
    checkSourceDays(file, making.today, making.issues);
  },
  organizer: (record, _, { today, issues }) =>
    checkSourceDays(toFile(v.parse(EDITABLE.organizer, record)), today, issues),
  notice: (record, _, making) => {
    const file = toFile(v.parse(EDITABLE.notice, record));
    toNotices(file, making);
    checkSourceDays(file, making.today, making.issues);
  },
};

async function checkEvent(record: ThingRecord, town: Town, making: Making) {
  const parsed = v.parse(EDITABLE.event, record);
  const venue = parsed.venue === undefined ? null : await findVenue(parsed.venue, town);
  const by = parsed.organizer === undefined ? null : await findOrganizer(parsed.organizer, town);
  const when = parsed.when.map(({ term: _, ...rule }) => rule);
  const file = toFile({ ...parsed, when, changes: [] });
  const places = {
    venues: new Map(venue ? [[parsed.venue ?? '', venue]] : []),
    organizers: new Map(by ? [[parsed.organizer ?? '', by]] : []),
  };
  toEvent(file, places, making);
  checkNightclubSources(file, making.issues);
  checkSourceDays(file, making.today, making.issues);
}

/** Of the last release, or as it will be in the next. */
async function findVenue(id: string, town: Town) {
  const known = getVenue(town.snapshot, id);
  if (known !== null) return known;
  const result = v.safeParse(EDITABLE.venue, (await town.sources.get(id))?.record);
  return result.success ? toVenue(toFile(result.output), openTownMaking(town)).record : null;
}

async function findOrganizer(id: string, town: Town) {
  const known = getOrganizer(town.snapshot, id);
  if (known !== null) return known;
  const result = v.safeParse(EDITABLE.organizer, (await town.sources.get(id))?.record);
  return result.success ? toOrganizer(toFile(result.output), openTownMaking(town)).record : null;
}

const Named = v.object({
  title: v.optional(v.custom<LocalText>(() => true)),
  name: v.optional(v.string()),
  slug: v.optional(v.custom<LocalText>(() => true)),
  former_slugs: v.array(v.string()),
});

/** An address that was ever given to another stays that one's. */
function checkSlug(
  kind: Exclude<HistoryKind, 'notice'>,
  id: string,
  record: ThingRecord,
  { snapshot }: Town,
  issues: ContentIssue[],
): void {
  const value = v.parse(Named, record);
  takeSlug(toFile(value), issues);
  for (const one of listAddresses(id, value)) {
    const owner = one === '' ? null : snapshot.findId(kind, one);
    const message = `'${one}' is the address of another`;
    if (owner !== null && owner !== id)
      issues.push({ file: 'edit', line: null, field: 'slug', message });
  }
}
