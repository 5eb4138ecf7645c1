// Dataset: builds all records of a release from content files, inbox and ledger (ids, slugs and
// modification times of earlier releases), or reports every issue at once.
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
import { listEventFacts, listOtherFacts } from './facts-due.ts';
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

/** Inputs of a dataset other than the content files. */
export interface DatasetOptions {
  /** The ledger of the previous release. */
  readonly ledger: Ledger;
  readonly now_ms: number;
  /** Approved changes of the inbox. */
  readonly records: InboxRecords;
}

/**
 * Loads the content of `folder` and builds its dataset, with the approved changes in `records`, at
 * `now_ms`.
 * @throws ContentError that lists every issue with file, line and field.
 */
export function loadDataset(
  folder: string,
  ledger: Ledger,
  now_ms: number,
  records: InboxRecords = NO_INBOX_RECORDS,
  previous: PreviousContent = NO_PREVIOUS_CONTENT,
): Dataset {
  const issues: ContentIssue[] = [];
  const files = loadContent(folder, issues, previous);
  const dataset = buildDataset(files, { ledger, now_ms, records }, previous.findEvent, issues);
  if (issues.length > 0) throw createContentError(issues);
  return dataset;
}

/**
 * Builds the dataset of loaded content: first the parts that no desk change affects, then all
 * records with the approved changes. Repeats the second step without changes that cause issues.
 * Pushes the other issues to `issues`; if there are any, the result must not be used.
 * @param isLeftOut selects the files of records to ignore.
 */
export function buildDataset(
  files: Content,
  { ledger, now_ms, records }: DatasetOptions,
  findPreviousEvent: PreviousContent['findEvent'],
  issues: ContentIssue[],
  isLeftOut: (file: string) => boolean = () => false,
): Dataset {
  const taxonomy = {
    categories: listTaxa('categories.yml', files.categories?.value ?? [], issues),
    zones: listTaxa('zones.yml', files.zones, issues),
  };
  validateTown(files, issues);
  const motifs = buildMotifs(files.motifs, files.drawings, issues);
  checkMotifReferences(listMotifReferences(files), motifs, issues);
  const calendar = buildCalendar(files.calendar, issues);
  const docs = buildDocs(files.docs, issues);
  const { holidays } = calendar;
  const terms = files.calendar?.value.terms ?? [];
  const context = createBuildContext(now_ms, {
    ledger,
    zones: taxonomy.zones,
    holidays,
    terms,
    issues,
  });
  for (const file of files.notices) checkBulletin(file, context.today, issues);
  validateSources(files, issues);
  const isIncluded = ({ file }: { readonly file: string }): boolean => !isLeftOut(file);
  /** Builds the dataset with the given changes, and returns its issues instead of pushing them. */
  const buildWithChanges = (inbox: InboxRecords) => {
    const { content, applied, omitted, ledger } = applyDeskChanges(files, inbox, context);
    const included = {
      ...content,
      venues: content.venues.filter(isIncluded),
      organizers: content.organizers.filter(isIncluded),
      events: content.events.filter(isIncluded),
      notices: content.notices.filter(isIncluded),
    };
    const attempt_context = { ...context, ledger, issues: [] };
    const built = buildRecords(included, findPreviousEvent, attempt_context);
    const shared = { taxonomy, motifs, docs, search_words: files.search_words, omitted };
    const seasons = included.notices.flatMap((file) => listSeasons(file, attempt_context));
    const dataset = { ...shared, ...built, calendar: { ...calendar, seasons } };
    return { dataset, applied, issues: attempt_context.issues };
  };
  const { dataset, issues: record_issues } = findValidDataset(buildWithChanges, records);
  issues.push(...record_issues);
  return dataset;
}

/** Pushes an issue for each zone or venue that town.yml refers to and content does not have. */
function validateTown({ town, zones, venues }: Content, issues: ContentIssue[]): void {
  if (town === null) return;
  const { examples, towns } = town.value;
  const keys = zones.map(({ key }) => key);
  const zone_references = [
    [['examples', 'zone'], examples.zone],
    ...Object.keys(towns).map((zone) => [['towns', zone], zone] as const),
  ] as const;
  for (const [path, zone] of zone_references)
    if (!keys.includes(zone)) issues.push(createIssueAt(town, path, `zones.yml has no ${zone}`));
  const needs = `venues/${examples.venue}.yml`;
  if (!venues.some(({ file }) => file === needs))
    issues.push({ ...createIssueAt(town, ['examples', 'venue'], `there is no ${needs}`), needs });
}

/** Lists the references to motifs in categories and events, each with its file and field. */
const listMotifReferences = ({ categories, events }: Content) => [
  ...(categories?.value ?? []).flatMap(({ motif }, index) =>
    categories && motif !== undefined ? [[categories, [index, 'motif'], motif] as const] : [],
  ),
  ...events.flatMap((file) =>
    file.value.motif === undefined ? [] : [[file, ['motif'], file.value.motif] as const],
  ),
];

export type RecordFiles = Pick<Content, 'events' | 'venues' | 'organizers' | 'notices'>;

/** Pushes an issue for each unreliable source of a nightclub or of opening hours. */
function validateSources({ events, venues }: RecordFiles, issues: ContentIssue[]): void {
  for (const file of events) checkNightclubSources(file, issues);
  for (const file of venues) checkHoursSources(file, issues);
}

/**
 * Lists the issues that a release with only these files would have. Used to check a change before
 * it is approved.
 */
export function listIssuesAmong(
  files: RecordFiles,
  context: BuildContext,
): readonly ContentIssue[] {
  validateSources(files, context.issues);
  buildRecords(files, () => null, context);
  return context.issues;
}

/**
 * Lists the taxa of a file as records. Pushes an issue for each key or slug that two taxa share.
 */
function listTaxa(
  file: string,
  taxa: TaxonomyFile,
  issues: ContentIssue[],
): readonly TaxonRecord[] {
  // A filter accepts the key and the slugs of a taxon, so all of these words must differ.
  const key_by_word = new Map<string, string>();
  for (const { key, slug } of taxa)
    for (const word of new Set([key, ...LANGS.map((lang) => slug[lang])])) {
      const message = `'${word}' already belongs to ${key_by_word.get(word)}. Use another word`;
      if (key_by_word.has(word)) issues.push({ ...createFileIssue(file, message), field: key });
      key_by_word.set(word, key);
    }
  return taxa.map((taxon) => {
    const { lat, lng } = ('middle' in taxon && taxon.middle) || {};
    return {
      key: taxon.key,
      name: taxon.name,
      slug: taxon.slug,
      name_in: taxon.name_in,
      // The source of the point is for editors only.
      middle: lat === undefined || lng === undefined ? null : { lat, lng },
      search_words: taxon.search_words,
      description: taxon.description ?? null,
      motif: ('motif' in taxon && taxon.motif) || null,
    };
  });
}

/**
 * Builds the calendar of holidays, festivities and links. Its seasons stay empty: they come from
 * notices. Pushes an issue for each duplicate.
 */
function buildCalendar(
  source: ParsedContentFile<CalendarFile> | null,
  issues: ContentIssue[],
): CalendarRecord {
  if (source === null) return { holidays: [], links: [], seasons: [], festivities: [] };
  const { holidays, links, festivities } = source.value;
  const keys = holidays.map(({ key }) => key);
  for (const [index, key] of keys.entries()) {
    if (keys.indexOf(key) === index) continue;
    const message = `'${key}' is a duplicate. List each holiday once`;
    issues.push(createIssueAt(source, ['holidays', index, 'key'], message));
  }
  const slugs = festivities.map(({ slug }) => Object.values(slug));
  for (const [index, festivity_slugs] of slugs.entries()) {
    const earlier_slugs = slugs.slice(0, index).flat();
    const duplicate = festivity_slugs.find((slug) => earlier_slugs.includes(slug));
    if (duplicate === undefined) continue;
    const message = `'${duplicate}' is a duplicate. List each festivity once`;
    issues.push(createIssueAt(source, ['festivities', index, 'slug'], message));
  }
  return {
    holidays: holidays.map(({ sources: _, every = null, ...holiday }) => ({ ...holiday, every })),
    links,
    seasons: [],
    festivities: festivities.map(({ sources: _, ...festivity }) => festivity),
  };
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);

/**
 * Builds the records of all files, sorted, with the new ledger. Reuses an event of the previous
 * release if its inputs are the same.
 */
function buildRecords(
  files: RecordFiles,
  findPreviousEvent: PreviousContent['findEvent'],
  context: BuildContext,
) {
  const { ledger, today, issues } = context;
  for (const file of [...files.events, ...files.venues, ...files.organizers, ...files.notices])
    checkSourceDays(file, today, issues);
  const venues = files.venues.map((file) => buildVenue(file, context));
  const organizers = files.organizers.map((file) => buildOrganizer(file, context));
  const lookups = {
    venues: new Map(venues.map(({ record }) => [record.id, record])),
    organizers: new Map(organizers.map(({ record }) => [record.id, record])),
  };
  const event_files = files.events.filter(({ value }) => value.withdrawn === undefined);
  const digestInputs = createEventDigest(lookups, context);
  const events = event_files.map((file) => {
    const input_digest = digestInputs(file);
    const previous = findPreviousEvent(input_digest);
    if (previous !== null && matchesLedger(previous, ledger))
      return { ...previous, input_digest, revisions: [] };
    return {
      ...buildEvent(file, lookups, context),
      input_digest,
      due: listEventFacts(file, today),
    };
  });
  const notices = files.notices.flatMap((file) => buildNotices(file, context));
  const slugs = [
    ...collectSlugs('event', event_files, ledger.slugs, issues),
    ...collectSlugs('venue', files.venues, ledger.slugs, issues),
    ...collectSlugs('organizer', files.organizers, ledger.slugs, issues),
  ];
  // Events have a list of revisions instead: one of the event, and one per occurrence.
  const records_with_revision = [...venues, ...organizers, ...notices];
  return {
    venues: venues.map(({ record }) => record).sort(byId),
    organizers: organizers.map(({ record }) => record).sort(byId),
    events: events.map(({ record }) => record).sort(byId),
    input_digests: new Map(events.map(({ record, input_digest }) => [record.id, input_digest])),
    occurrences: events
      .flatMap(({ occurrences }) => occurrences)
      .sort((a, b) => a.start_ms - b.start_ms || byId(a, b)),
    notices: notices.map(({ record }) => record).sort(byId),
    due: [...events.flatMap(({ due }) => due), ...listOtherFacts(files, today)],
    slugs,
    withdrawn: listWithdrawn(files.events, slugs, ledger),
    ledger: {
      revisions: new Map([
        ...ledger.revisions,
        ...records_with_revision.map(({ record, revision }) => [record.id, revision] as const),
        ...events.flatMap(({ revisions }) => revisions),
      ]),
      slugs: mergeSlugs(ledger.slugs, slugs),
      histories: ledger.histories,
    },
  };
}

/** Computes a short digest of values as JSON. */
const computeDigest = (parts: unknown): string =>
  hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);

/**
 * Creates a function that digests all inputs of an event: its file after desk changes, the venue
 * and organizer it refers to, the day and the calendar. The ledger is not an input; matchesLedger
 * compares it.
 */
function createEventDigest(
  { venues, organizers }: RecordFileLookups,
  { today, holidays, terms }: BuildContext,
): (source: ParsedContentFile<EventFile>) => string {
  const digestAll = (records: ReadonlyMap<string, object>) =>
    new Map([...records].map(([id, record]) => [id, computeDigest(record)]));
  const digests = { venues: digestAll(venues), organizers: digestAll(organizers) };
  const calendar_digest = computeDigest([today.toString(), { holidays, terms }]);
  return ({ file, stem, value }) => {
    // An empty digest matches none: events with a picture are always rebuilt, to check each time
    // whether the inbox stores the picture.
    if (value.image !== undefined) return '';
    const { venue = '', organizer = '' } = value;
    const reference_digests = [digests.venues.get(venue), digests.organizers.get(organizer)];
    return computeDigest([calendar_digest, file, stem, value, reference_digests]);
  };
}

/** Returns true if the ledger has the published revisions of an event and its occurrences. */
const matchesLedger = ({ record, occurrences }: BuiltEvent, { revisions }: Ledger): boolean =>
  revisions.get(record.id)?.updated_at === record.updated_at &&
  occurrences.every(({ id, updated_at, sequence }) => {
    const revision = revisions.get(id);
    return revision?.updated_at === updated_at && revision.sequence === sequence;
  });

/**
 * Lists the slugs of pages that answer 410: slugs of events with the field `withdrawn`, and slugs
 * in the ledger that no record has any more.
 */
function listWithdrawn(
  events: readonly ParsedContentFile<EventFile>[],
  slugs: readonly PublishedSlug[],
  ledger: Ledger,
): PublishedSlug[] {
  const withdrawn_by_editor = events.flatMap((file): PublishedSlug[] => {
    if (file.value.withdrawn === undefined) return [];
    const id = getId('event', file);
    return [...listSlugsAndId(id, file.value)].map((slug) => ({ kind: 'event', slug, id }));
  });
  const live = new Set(slugs.map(slugKey));
  return mergeSlugs(ledger.slugs, withdrawn_by_editor).filter((slug) => !live.has(slugKey(slug)));
}

const slugKey = ({ kind, slug }: PublishedSlug): string => `${kind} ${slug}`;

/**
 * Merges two lists of slugs, sorted; an entry in `current` replaces the same slug in `previous`.
 */
const mergeSlugs = (
  previous: readonly PublishedSlug[],
  current: readonly PublishedSlug[],
): PublishedSlug[] => {
  const merged = new Map([...previous, ...current].map((entry) => [slugKey(entry), entry]));
  return [...merged].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
};
