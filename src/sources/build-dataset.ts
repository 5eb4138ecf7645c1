// The sources of a release: content, inbox and ledger to one dataset, or every issue at once.
import { hash } from 'node:crypto';
import type { CalendarRecord } from '../domain/day/day-facts.ts';
import type { Dataset, BuiltEvent } from '../domain/dataset.ts';
import { LANGS } from '../domain/lang.ts';
import type { Ledger, PublishedSlug } from '../domain/ledger.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import {
  checkBulletin,
  checkHoursSources,
  checkNightclubSources,
  checkSourceDays,
} from './check-sources.ts';
import type { CalendarFile, EventFile, TaxonomyFile } from './content-schema.ts';
import { buildDocs } from './docs-content.ts';
import { listEventFactsDue, listOtherFactsDue } from './facts-due.ts';
import { collectSlugs, getId, listSlugsAndId } from './identity.ts';
import { findValidDataset, applyDeskChanges } from './inbox/apply-desk-changes.ts';
import { type InboxRecords, NO_INBOX_RECORDS } from './inbox/load-inbox.ts';
import { type ContentIssue, createIssueAt, createFileIssue, createContentError } from '../yaml.ts';
import {
  type Content,
  type ParsedContentFile,
  type PreviousContent,
  NO_PREVIOUS_CONTENT,
  loadContent,
} from './load-content.ts';
import { checkMotifReferences, buildMotifs } from './motifs-content.ts';
import { type BuildContext, createBuildContext } from './revisions.ts';
import { type RecordFileLookups, buildEvent } from './build-event.ts';
import { listSeasons, buildNotices, buildOrganizer, buildVenue } from './build-records.ts';

/** What a dataset is made of beside the files of content. */
export interface DatasetOptions {
  readonly ledger: Ledger;
  readonly now_ms: number;
  readonly records: InboxRecords;
}

/**
 * Reads the content of `folder` and what the desk let in beside it, at `now_ms`. Throws one Error
 * that lists every issue with file, line and field.
 */
export function loadDataset(
  folder: string,
  ledger: Ledger,
  now_ms: number,
  records: InboxRecords = NO_INBOX_RECORDS,
  kept: PreviousContent = NO_PREVIOUS_CONTENT,
): Dataset {
  const issues: ContentIssue[] = [];
  const files = loadContent(folder, issues, kept);
  const dataset = buildDataset(files, { ledger, now_ms, records }, kept.findEvent, issues);
  if (issues.length > 0) throw createContentError(issues);
  return dataset;
}

/**
 * The dataset of files that were read. Issues are pushed; the result is then not to be used.
 * `isLeftOut` says which files of the inbox do not count.
 */
export function buildDataset(
  files: Content,
  { ledger, now_ms, records }: DatasetOptions,
  findKept: PreviousContent['findEvent'],
  issues: ContentIssue[],
  isLeftOut: (file: string) => boolean = () => false,
): Dataset {
  const taxonomy = {
    categories: listTaxa('categories.yml', files.categories?.value ?? [], issues),
    zones: listTaxa('zones.yml', files.zones, issues),
  };
  checkTown(files, issues);
  const motifs = buildMotifs(files.motifs, files.drawings, issues);
  checkMotifReferences(listNamedMotifs(files), motifs, issues);
  const calendar = toCalendar(files.calendar, issues);
  const docs = buildDocs(files.docs, issues);
  const { holidays } = calendar;
  const terms = files.calendar?.value.terms ?? [];
  const setting = createBuildContext(now_ms, {
    ledger,
    zones: taxonomy.zones,
    holidays,
    terms,
    issues,
  });
  for (const file of files.notices) checkBulletin(file, setting.today, issues);
  checkSources(files, issues);
  const isIn = ({ file }: { readonly file: string }): boolean => !isLeftOut(file);
  const { dataset, issues: found } = findValidDataset((inbox) => {
    const { content, applied, left_out, ledger } = applyDeskChanges(files, inbox, setting);
    const shown = {
      ...content,
      venues: content.venues.filter(isIn),
      organizers: content.organizers.filter(isIn),
      events: content.events.filter(isIn),
      notices: content.notices.filter(isIn),
    };
    const making = { ...setting, ledger, issues: [] };
    const things = makeThings(shown, findKept, making);
    const told = { taxonomy, motifs, docs, search_words: files.search_words, left_out };
    const seasons = shown.notices.flatMap((file) => listSeasons(file, making));
    const dataset = { ...told, ...things, calendar: { ...calendar, seasons } };
    return { dataset, applied, issues: making.issues };
  }, records);
  issues.push(...found);
  return dataset;
}

/** Pushes an issue for each zone or place that town.yml names and content has not. */
function checkTown({ town, zones, venues }: Content, issues: ContentIssue[]): void {
  if (town === null) return;
  const { examples, towns } = town.value;
  const keys = zones.map(({ key }) => key);
  const named = [
    [['examples', 'zone'], examples.zone],
    ...Object.keys(towns).map((zone) => [['towns', zone], zone] as const),
  ] as const;
  for (const [path, zone] of named)
    if (!keys.includes(zone)) issues.push(createIssueAt(town, path, `zones.yml has no ${zone}`));
  const needs = `venues/${examples.venue}.yml`;
  if (!venues.some(({ file }) => file === needs))
    issues.push({ ...createIssueAt(town, ['examples', 'venue'], `there is no ${needs}`), needs });
}

/** Where categories and events say what they are drawn as. */
const listNamedMotifs = ({ categories, events }: Content) => [
  ...(categories?.value ?? []).flatMap(({ motif }, at) =>
    categories && motif !== undefined ? [[categories, [at, 'motif'], motif] as const] : [],
  ),
  ...events.flatMap((file) =>
    file.value.motif === undefined ? [] : [[file, ['motif'], file.value.motif] as const],
  ),
];

/** What has files of its own. */
export type RecordFiles = Pick<Content, 'events' | 'venues' | 'organizers' | 'notices'>;

function checkSources({ events, venues }: RecordFiles, issues: ContentIssue[]): void {
  for (const file of events) checkNightclubSources(file, issues);
  for (const file of venues) checkHoursSources(file, issues);
}

/** What a release would find wrong with some things among themselves. */
export function listIssuesAmong(
  things: RecordFiles,
  making: BuildContext,
): readonly ContentIssue[] {
  checkSources(things, making.issues);
  makeThings(things, () => null, making);
  return making.issues;
}

/** A list as records. Pushes an issue for each word that would mean two of it. */
function listTaxa(
  file: string,
  taxa: TaxonomyFile,
  issues: ContentIssue[],
): readonly TaxonRecord[] {
  const seen = new Map<string, string>();
  for (const { key, slug } of taxa)
    for (const word of new Set([key, ...LANGS.map((lang) => slug[lang])])) {
      const message = `'${word}' already means ${seen.get(word)}`;
      if (seen.has(word)) issues.push({ ...createFileIssue(file, message), field: key });
      seen.set(word, key);
    }
  return taxa.map((taxon) => {
    const { lat, lng } = ('middle' in taxon && taxon.middle) || {};
    return {
      key: taxon.key,
      name: taxon.name,
      slug: taxon.slug,
      name_in: taxon.name_in,
      // Its source stays among editors.
      middle: lat === undefined || lng === undefined ? null : { lat, lng },
      search_words: taxon.search_words,
      description: taxon.description ?? null,
      motif: ('motif' in taxon && taxon.motif) || null,
    };
  });
}

/** Without its seasons, which notices know. Pushes an issue for each key that stands there twice. */
function toCalendar(
  source: ParsedContentFile<CalendarFile> | null,
  issues: ContentIssue[],
): CalendarRecord {
  if (source === null) return { holidays: [], links: [], seasons: [], festivities: [] };
  const { holidays, links, festivities } = source.value;
  const keys = holidays.map(({ key }) => key);
  for (const [at, key] of keys.entries()) {
    if (keys.indexOf(key) === at) continue;
    const message = `'${key}' stands there before; a holiday is written once`;
    issues.push(createIssueAt(source, ['holidays', at, 'key'], message));
  }
  const slugs = festivities.map(({ slug }) => Object.values(slug));
  for (const [at, own] of slugs.entries()) {
    const twice = own.find((slug) => slugs.slice(0, at).flat().includes(slug));
    if (twice === undefined) continue;
    const message = `'${twice}' stands there before; a festivity is written once`;
    issues.push(createIssueAt(source, ['festivities', at, 'slug'], message));
  }
  return {
    holidays: holidays.map(({ sources: _, every = null, ...holiday }) => ({ ...holiday, every })),
    links,
    seasons: [],
    festivities: festivities.map(({ sources: _, ...festivity }) => festivity),
  };
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

function makeThings(
  content: RecordFiles,
  findKept: PreviousContent['findEvent'],
  making: BuildContext,
) {
  const { ledger, today, issues } = making;
  const { venues: at, organizers: by, notices: told } = content;
  for (const file of [...content.events, ...at, ...by, ...told])
    checkSourceDays(file, today, issues);
  const venues = at.map((file) => buildVenue(file, making));
  const organizers = by.map((file) => buildOrganizer(file, making));
  const places = {
    venues: new Map(venues.map(({ record }) => [record.id, record])),
    organizers: new Map(organizers.map(({ record }) => [record.id, record])),
  };
  const shown = content.events.filter(({ value }) => value.withdrawn === undefined);
  const toKey = createEventKey(places, making);
  const events = shown.map((file) => {
    const made_of = toKey(file);
    const kept = findKept(made_of);
    if (kept !== null && isAsRemembered(kept, ledger)) return { ...kept, made_of, revisions: [] };
    return { ...buildEvent(file, places, making), made_of, due: listEventFactsDue(file, today) };
  });
  const notices = told.flatMap((file) => buildNotices(file, making));
  const slugs = [
    ...collectSlugs('event', shown, ledger.slugs, issues),
    ...collectSlugs('venue', at, ledger.slugs, issues),
    ...collectSlugs('organizer', by, ledger.slugs, issues),
  ];
  const others = [...venues, ...organizers, ...notices];
  return {
    venues: venues.map(({ record }) => record).sort(byId),
    organizers: organizers.map(({ record }) => record).sort(byId),
    events: events.map(({ record }) => record).sort(byId),
    made_of: new Map(events.map(({ record, made_of }) => [record.id, made_of])),
    occurrences: events
      .flatMap(({ occurrences }) => occurrences)
      .sort((a, b) => a.start_ms - b.start_ms || byId(a, b)),
    notices: notices.map(({ record }) => record).sort(byId),
    due: [...events.flatMap(({ due }) => due), ...listOtherFactsDue(content, today)],
    slugs,
    withdrawn: listWithdrawn(content.events, slugs, ledger),
    ledger: {
      revisions: new Map([
        ...ledger.revisions,
        ...others.map(({ record, revision }) => [record.id, revision] as const),
        ...events.flatMap(({ revisions }) => revisions),
      ]),
      slugs: mergeSlugs(ledger.slugs, slugs),
      histories: ledger.histories,
    },
  };
}

const toDigest = (parts: unknown): string =>
  hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);

/**
 * The key of an event on a day, among places: its file as the desk leaves it, and what it refers to. An event of
 * the release before that is made of the same is not made again; the ledger is laid beside what was published.
 */
function createEventKey(
  { venues, organizers }: RecordFileLookups,
  { today, holidays, terms }: BuildContext,
): (source: ParsedContentFile<EventFile>) => string {
  const digestAll = (places: ReadonlyMap<string, object>) =>
    new Map([...places].map(([id, place]) => [id, toDigest(place)]));
  const digests = { venues: digestAll(venues), organizers: digestAll(organizers) };
  const around = toDigest([today.toString(), { holidays, terms }]);
  return ({ file, stem, value }) => {
    // Whether its picture is held is found out each time.
    if (value.image !== undefined) return '';
    const { venue = '', organizer = '' } = value;
    const refers_to = [digests.venues.get(venue), digests.organizers.get(organizer)];
    return toDigest([around, file, stem, value, refers_to]);
  };
}

/** Whether the ledger remembers an event and its dates as they were published. */
const isAsRemembered = ({ record, occurrences }: BuiltEvent, { revisions }: Ledger): boolean =>
  revisions.get(record.id)?.updated_at === record.updated_at &&
  occurrences.every(({ id, updated_at, sequence }) => {
    const revision = revisions.get(id);
    return revision?.updated_at === updated_at && revision.sequence === sequence;
  });

/** What answers 410: events withdrawn by an editor, and anything the ledger knows whose file is gone. */
function listWithdrawn(
  events: readonly ParsedContentFile<EventFile>[],
  slugs: readonly PublishedSlug[],
  ledger: Ledger,
): PublishedSlug[] {
  const stated = events.flatMap((file): PublishedSlug[] => {
    if (file.value.withdrawn === undefined) return [];
    const id = getId('event', file);
    return [...listSlugsAndId(id, file.value)].map((slug) => ({ kind: 'event', slug, id }));
  });
  const answering = new Set(slugs.map(toSlugKey));
  return mergeSlugs(ledger.slugs, stated).filter((slug) => !answering.has(toSlugKey(slug)));
}

const toSlugKey = ({ kind, slug }: PublishedSlug): string => `${kind} ${slug}`;

const mergeSlugs = (
  before: readonly PublishedSlug[],
  now: readonly PublishedSlug[],
): PublishedSlug[] => {
  const merged = new Map([...before, ...now].map((entry) => [toSlugKey(entry), entry]));
  return [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
};
