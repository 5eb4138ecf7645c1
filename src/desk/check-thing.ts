// What is wrong with a changed thing before anybody decides on it: what its schema says, and what a
// release would find among the rest (contract 14.28).
import * as v from 'valibot';
import { formatTimestamp, toCancunDay } from '../domain/cancun-time.ts';
import { toHorizon } from '../domain/event/occurrences.ts';
import type { SourceRecord, ThingRecord } from '../domain/edit/edit.ts';
import type { HistoryKind } from '../domain/history.ts';
import { byLang, LANGS, type LocalText } from '../domain/lang.ts';
import { EMPTY_LEDGER } from '../domain/ledger.ts';
import { getOrganizer, getVenue } from '../snapshot/get-thing.ts';
import type { Snapshot } from '../snapshot/open.ts';
import {
  checkHoursSources,
  checkNightclubSources,
  checkSourceDays,
} from '../sources/check-sources.ts';
import { slugOf } from '../sources/identity.ts';
import { checkRecord, EDITABLE, type FieldIssue } from '../sources/inbox/editable.ts';
import type { ContentIssue } from '../sources/issues.ts';
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
  const found: ContentIssue[] = [];
  await CHECKS[kind](value, town, found);
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

type Check = (record: ThingRecord, town: Town, issues: ContentIssue[]) => void | Promise<void>;

const CHECKS: Readonly<Record<HistoryKind, Check>> = {
  event: checkEvent,
  venue: (record, { snapshot, now_ms }, issues) => {
    const file = toFile(v.parse(EDITABLE.venue, record));
    const { zones } = snapshot.taxonomy;
    const { holidays } = snapshot.calendar;
    toVenue(file, zones, EMPTY_LEDGER, toMoment(now_ms), holidays, issues);
    checkHoursSources(file, issues);
    checkSourceDays(file, toCancunDay(now_ms), issues);
  },
  organizer: (record, { now_ms }, issues) =>
    checkSourceDays(toFile(v.parse(EDITABLE.organizer, record)), toCancunDay(now_ms), issues),
  notice: (record, { now_ms }, issues) => {
    const today = toCancunDay(now_ms);
    const file = toFile(v.parse(EDITABLE.notice, record));
    toNotices(file, EMPTY_LEDGER, toMoment(now_ms), toHorizon(today), issues);
    checkSourceDays(file, today, issues);
  },
};

const toMoment = (now_ms: number) => ({ now_ms, timestamp: formatTimestamp(now_ms) });

async function checkEvent(record: ThingRecord, town: Town, issues: ContentIssue[]) {
  const { snapshot, now_ms } = town;
  const parsed = v.parse(EDITABLE.event, record);
  const venue = parsed.venue === undefined ? null : await findVenue(parsed.venue, town);
  const by = parsed.organizer === undefined ? null : await findOrganizer(parsed.organizer, town);
  const file = toFile({
    ...parsed,
    // The terms of schools and the days that changed are the release's to know.
    when: parsed.when.map(({ term: _, ...when }) => when),
    changes: [],
  });
  const places = {
    venues: new Map(venue ? [[parsed.venue ?? '', venue]] : []),
    organizers: new Map(by ? [[parsed.organizer ?? '', by]] : []),
    town: { holidays: snapshot.calendar.holidays, terms: [] },
  };
  const today = toCancunDay(now_ms);
  toEvent(file, places, EMPTY_LEDGER, toMoment(now_ms), toHorizon(today), issues);
  checkNightclubSources(file, issues);
  checkSourceDays(file, today, issues);
}

/** Of the last release, or as it will be in the next. */
async function findVenue(id: string, { snapshot, now_ms, sources }: Town) {
  const known = getVenue(snapshot, id);
  if (known !== null) return known;
  const result = v.safeParse(EDITABLE.venue, (await sources.get(id))?.record);
  if (!result.success) return null;
  const { zones } = snapshot.taxonomy;
  const { holidays } = snapshot.calendar;
  const moment = toMoment(now_ms);
  return toVenue(toFile(result.output), zones, EMPTY_LEDGER, moment, holidays, []).record;
}

async function findOrganizer(id: string, { snapshot, now_ms, sources }: Town) {
  const known = getOrganizer(snapshot, id);
  if (known !== null) return known;
  const result = v.safeParse(EDITABLE.organizer, (await sources.get(id))?.record);
  if (!result.success) return null;
  return toOrganizer(toFile(result.output), EMPTY_LEDGER, toMoment(now_ms), []).record;
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
  const slug = slugOf(toFile(value), value.title ?? byLang(() => value.name ?? ''), issues);
  for (const one of [...LANGS.map((lang) => slug[lang]), ...value.former_slugs]) {
    const owner = one === '' ? null : snapshot.findId(kind, one);
    const message = `'${one}' is the address of another`;
    if (owner !== null && owner !== id)
      issues.push({ file: 'edit', line: null, field: 'slug', message });
  }
}
