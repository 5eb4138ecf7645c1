// The sources of a release: content, inbox and ledger to one dataset, or every issue at once.
import type { Temporal } from 'temporal-polyfill';
import { formatTimestamp, toCancunDay } from '../domain/cancun-time.ts';
import type { Dataset } from '../domain/dataset.ts';
import { toHorizon } from '../domain/event/occurrences.ts';
import { LANGS, type LocalText } from '../domain/lang.ts';
import type { Ledger, Moment, PublishedSlug, Revision } from '../domain/ledger.ts';
import {
  AHEAD_DAYS,
  checkHoursSources,
  checkNightclubSources,
  checkSourceDays,
} from './check-sources.ts';
import type { EventFile, NoticeFile } from './content-schema.ts';
import { toDocs } from './docs.ts';
import { listDueOfEvent, listDueOfOthers } from './due.ts';
import { collectSlugs, idOf, type SlugClaim, slugOf } from './identity.ts';
import { createEventKey, isAsRemembered } from './kept-events.ts';
import { toCalendar, toRestingTown } from './to-calendar.ts';
import { toDeskContent } from './inbox/desk-content.ts';
import { findSound } from './inbox/find-sound.ts';
import { type InboxRecords, NO_INBOX_RECORDS } from './inbox/read-inbox.ts';
import { type ContentIssue, toContentError } from './issues.ts';
import { type KeptSources, NOTHING_KEPT } from './kept-sources.ts';
import { type Content, type ContentFile, readContent } from './read-content.ts';
import { toEvent } from './to-event.ts';
import { toNotices, toOrganizer, toVenue } from './to-records.ts';
import { toSeasons } from './to-seasons.ts';
import { toTaxonomy } from './to-taxonomy.ts';

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

/** What a dataset is made of beside the files of content. */
export interface DatasetOrder {
  readonly ledger: Ledger;
  readonly now_ms: number;
  readonly records: InboxRecords;
}

/**
 * Reads the content of `folder` and what the desk let in beside it, at `now_ms`. Throws one Error
 * that lists every issue with file, line and field.
 */
export function readDataset(
  folder: string,
  ledger: Ledger,
  now_ms: number,
  records: InboxRecords = NO_INBOX_RECORDS,
  kept: KeptSources = NOTHING_KEPT,
): Dataset {
  const issues: ContentIssue[] = [];
  const files = readContent(folder, issues, kept);
  const order = { ledger, now_ms, records };
  const dataset = makeDataset(files, order, kept.findEvent, issues);
  if (issues.length > 0) throw toContentError(issues);
  return dataset;
}

/**
 * The dataset of files that were read. Issues are pushed; the result is then not to be used.
 * `isLeftOut` says which files of the inbox do not count.
 */
export function makeDataset(
  files: Content,
  { ledger, now_ms, records }: DatasetOrder,
  findKept: KeptSources['findEvent'],
  issues: ContentIssue[],
  isLeftOut: (file: string) => boolean = () => false,
): Dataset {
  refuseFutureBulletins(files.notices, toCancunDay(now_ms), issues);
  for (const file of files.events) checkNightclubSources(file, issues);
  for (const file of files.venues) checkHoursSources(file, issues);
  const isIn = ({ file }: { readonly file: string }): boolean => !isLeftOut(file);
  const horizon = toHorizon(toCancunDay(now_ms));
  const { dataset, issues: found } = findSound((inbox) => {
    const {
      content,
      applied,
      ledger: known,
      left_out,
    } = toDeskContent(files, inbox, ledger, horizon);
    const shown = {
      ...content,
      venues: content.venues.filter(isIn),
      organizers: content.organizers.filter(isIn),
      events: content.events.filter(isIn),
      notices: content.notices.filter(isIn),
    };
    const own: ContentIssue[] = [];
    const made = toDataset(shown, known, now_ms, findKept, own);
    return { dataset: { ...made, left_out }, applied, issues: own };
  }, records);
  issues.push(...found);
  return dataset;
}

function toDataset(
  content: Content,
  ledger: Ledger,
  now_ms: number,
  findKept: KeptSources['findEvent'],
  issues: ContentIssue[],
): Dataset {
  const moment: Moment = { now_ms, timestamp: formatTimestamp(now_ms) };
  const today = toCancunDay(now_ms);
  const horizon = toHorizon(today);
  for (const file of [
    ...content.events,
    ...content.venues,
    ...content.organizers,
    ...content.notices,
  ])
    checkSourceDays(file, today, issues);
  const calendar = toCalendar(content.calendar, issues);
  const taxonomy = toTaxonomy(content, issues);
  const venues = content.venues.map((file) =>
    toVenue(file, taxonomy.zones, ledger, moment, calendar.holidays, issues),
  );
  const organizers = content.organizers.map((file) => toOrganizer(file, ledger, moment, issues));
  const places = {
    venues: new Map(venues.map((v) => [v.source.stem, v.record])),
    organizers: new Map(organizers.map((o) => [o.source.stem, o.record])),
    town: toRestingTown(content.calendar),
  };
  const shown = content.events.filter((file) => file.value.withdrawn === undefined);
  const toKey = createEventKey(places, today);
  const events = shown.map((file) => {
    const made_of = toKey(file);
    const kept = findKept(made_of);
    if (kept !== null && isAsRemembered(kept, ledger)) return { ...kept, made_of, revisions: [] };
    const made = toEvent(file, places, ledger, moment, horizon, issues);
    return { ...made, made_of, due: listDueOfEvent(file, today) };
  });
  const notices = content.notices.flatMap((file) =>
    toNotices(file, ledger, moment, horizon, issues),
  );
  const slugs = [
    ...collectSlugs(
      'event',
      shown.map((file) => toClaim('event', file, slugOf(file, file.value.title, []))),
      ledger.slugs,
      issues,
    ),
    ...collectSlugs(
      'venue',
      venues.map((v) => toClaim('venue', v.source, v.record.slug)),
      ledger.slugs,
      issues,
    ),
    ...collectSlugs(
      'organizer',
      organizers.map((o) => toClaim('organizer', o.source, o.record.slug)),
      ledger.slugs,
      issues,
    ),
  ];
  const revisions: [string, Revision][] = [
    ...[...venues, ...organizers, ...notices].map(({ record, revision }): [string, Revision] => [
      record.id,
      revision,
    ]),
    ...events.flatMap((event) =>
      event.revisions.map(([id, revision]): [string, Revision] => [id, revision]),
    ),
  ];
  return {
    taxonomy,
    search_words: content.search_words,
    docs: toDocs(content.docs, issues),
    calendar: { ...calendar, seasons: toSeasons(content.notices, today, horizon) },
    slugs,
    venues: venues.map((v) => v.record).sort(byId),
    organizers: organizers.map((o) => o.record).sort(byId),
    events: events.map((e) => e.record).sort(byId),
    made_of: new Map(events.map(({ record, made_of }) => [record.id, made_of])),
    occurrences: events
      .flatMap((e) => e.occurrences)
      .sort((a, b) => a.start_ms - b.start_ms || byId(a, b)),
    notices: notices.map((n) => n.record).sort(byId),
    due: [...events.flatMap((e) => e.due), ...listDueOfOthers(content, today)],
    withdrawn: toWithdrawn(content.events, slugs, ledger),
    left_out: [],
    ledger: {
      revisions: new Map([...ledger.revisions, ...revisions]),
      slugs: mergeSlugs(ledger.slugs, slugs),
      histories: ledger.histories,
    },
  };
}

/** Nobody has announced anything on a day to come. */
function refuseFutureBulletins(
  notices: readonly ContentFile<NoticeFile>[],
  today: Temporal.PlainDate,
  issues: ContentIssue[],
): void {
  const last = today.add({ days: AHEAD_DAYS }).toString();
  for (const { file, value, lineOf } of notices)
    if (value.bulletin !== undefined && value.bulletin > last)
      issues.push({
        file,
        line: lineOf(['bulletin']),
        field: 'bulletin',
        message: `${value.bulletin} is in the future. Write the day on which it was announced`,
      });
}

type Identified = ContentFile<{
  readonly id?: string | undefined;
  readonly slug?: LocalText | undefined;
  readonly former_slugs: readonly string[];
  readonly former_ids?: readonly string[];
}>;

const toClaim = (
  kind: 'event' | 'venue' | 'organizer',
  file: Identified,
  slug: LocalText,
): SlugClaim => ({
  id: idOf(kind, file),
  file: file.file,
  line: () => (file.value.slug ? file.lineOf(['slug']) : 1),
  slugs: [
    ...LANGS.map((lang) => slug[lang]),
    ...file.value.former_slugs,
    ...(file.value.former_ids ?? []),
  ],
});

/**
 * What answers 410: events withdrawn by an editor, and anything the ledger knows whose file is
 * gone.
 */
function toWithdrawn(
  events: readonly ContentFile<EventFile>[],
  slugs: readonly PublishedSlug[],
  ledger: Ledger,
): PublishedSlug[] {
  const stated = events
    .filter((file) => file.value.withdrawn !== undefined)
    .flatMap((file) => {
      const claim = toClaim('event', file, slugOf(file, file.value.title, []));
      return [claim.id, ...claim.slugs].map(
        (slug): PublishedSlug => ({ kind: 'event', slug, id: claim.id }),
      );
    });
  const answering = new Set(slugs.map((entry) => `${entry.kind} ${entry.slug}`));
  return mergeSlugs(ledger.slugs, stated).filter(
    (entry) => !answering.has(`${entry.kind} ${entry.slug}`),
  );
}

function mergeSlugs(
  before: readonly PublishedSlug[],
  now: readonly PublishedSlug[],
): PublishedSlug[] {
  const merged = new Map(
    [...before, ...now].map((entry) => [`${entry.kind} ${entry.slug}`, entry]),
  );
  return [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}
