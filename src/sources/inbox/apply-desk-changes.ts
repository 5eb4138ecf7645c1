// Desk changes: applies the approved changes of the inbox to content: publications, overrides of
// records (`edits`; `thing` is the id of the record), merged duplicates, status overrides
// (`overrides`), and statuses from followed sources.
import * as v from 'valibot';
import type { Dataset } from '../../domain/dataset.ts';
import {
  type RecordOverride,
  listChangedFieldNames,
  SAME_AS_FIELD,
  type SourceRecord,
} from '../../domain/override/record-override.ts';
import { RECORD_KINDS, type RecordKind } from '../../domain/record-history.ts';
import { EMPTY_LEDGER, type PublishedSlug } from '../../domain/ledger.ts';
import type { EventFile } from '../content-schema.ts';
import { getId } from '../identity.ts';
import { type ContentIssue, formatIssue, listSchemaIssues } from '../../yaml.ts';
import {
  loadAllContent,
  type Content,
  type ParsedContentFile,
  isValidated,
  type StoredContentFile,
  parsedContentFile,
} from '../load-content.ts';
import type { BuildContext } from '../revisions.ts';
import { expandAllDays, expandEventDays } from '../build-event.ts';
import { EDITABLE_SCHEMAS, applyOverride, listRecordAddresses } from './editable-fields.ts';
import { mergeInbox, replaceRecordReferences } from './merge-inbox.ts';
import type { InboxRecords } from './load-inbox.ts';

/** Overrides that were applied, by file. */
type AppliedOverrides = ReadonlyMap<string, RecordOverride>;

/** Applies the desk changes; `omitted` lists the invalid overrides, each with the reason. */
export function applyDeskChanges(files: Content, records: InboxRecords, context: BuildContext) {
  const { ledger } = context;
  const merged = mergeInbox(files, records, ledger);
  const { surviving_ids, omitted } = resolveDuplicates(merged, records.edits, ledger.slugs);
  const overridden = applyRecordOverrides(merged, records.edits);
  const { applied } = overridden;
  const content = removeDuplicates(overridden.content, surviving_ids);
  return {
    content: applyFollowedStatuses(
      applyStatusOverrides(content, applied, records.overrides, context),
      records.followed,
    ),
    /** Includes the slugs of merged duplicates. */
    ledger: {
      ...ledger,
      slugs: ledger.slugs.map((entry) => ({
        ...entry,
        // A slug that is the id of a duplicate has the record into which that is merged now.
        id: surviving_ids.get(entry.slug) ?? surviving_ids.get(entry.id) ?? entry.id,
      })),
    },
    applied,
    omitted: [...records.omitted, ...omitted, ...overridden.omitted],
  };
}

/**
 * Resolves duplicate venues and organizers (contract 14.32): maps the id of each duplicate to the
 * record that survives. The link is `same_as` of the duplicate or of its override, or `former_ids`
 * of the survivor, for which the duplicate needs no file. If the duplicate has no file any more, the
 * ledger still has the link.
 */
function resolveDuplicates(
  { venues, organizers }: Content,
  edits: readonly RecordOverride[],
  slugs: readonly PublishedSlug[],
) {
  const same_as_by_override = new Map(
    edits.map(({ thing, record }) => [thing, record[SAME_AS_FIELD]]),
  );
  const surviving_ids = new Map<string, string>();
  const omitted: string[] = [];
  for (const [kind, files] of [
    ['venue', venues],
    ['organizer', organizers],
  ] as const) {
    const records = files.map((file) => ({ ...file.value, id: getId(kind, file) }));
    const existing_ids = new Set(records.map(({ id }) => id));
    const published = slugs.filter((entry) => entry.kind === kind);
    const published_ids = new Set(published.map(({ id }) => id));
    const published_links = published
      .filter(({ slug, id }) => slug !== id && published_ids.has(slug) && !existing_ids.has(slug))
      .map(({ slug, id }) => [slug, id] as const);
    const stated_links = new Map<string, string>();
    for (const { id, same_as } of records) {
      const target = same_as_by_override.has(id) ? same_as_by_override.get(id) : same_as;
      if (typeof target === 'string') stated_links.set(id, target);
    }
    for (const { id, former_ids } of records)
      for (const former_id of former_ids) stated_links.set(former_id, id);
    const links = new Map([...published_links, ...stated_links]);
    for (const id of links.keys()) {
      const target = followLinks(links, id);
      if (target !== id && existing_ids.has(target)) surviving_ids.set(id, target);
      else if (stated_links.has(id))
        omitted.push(`${id} ${SAME_AS_FIELD}: ${target} no longer exists`);
    }
  }
  return { surviving_ids, omitted };
}

/** Follows links to the last id; ends at a repeated id if they form a cycle. */
function followLinks(links: ReadonlyMap<string, string>, id: string): string {
  let target = links.get(id) ?? id;
  for (const visited = new Set([id]); !visited.has(target); ) {
    visited.add(target);
    target = links.get(target) ?? target;
  }
  return target;
}

/** Removes duplicates from content, and moves their events to the surviving records. */
function removeDuplicates(content: Content, surviving_ids: ReadonlyMap<string, string>): Content {
  return {
    ...content,
    venues: content.venues.filter((file) => !surviving_ids.has(getId('venue', file))),
    organizers: content.organizers.filter((file) => !surviving_ids.has(getId('organizer', file))),
    events: content.events.map((file) =>
      replaceRecordReferences(file, (_, id) => surviving_ids.get(id)),
    ),
  };
}

/**
 * Applies the overrides of editors to content. An override that is no longer valid is left out and
 * reported: it never stops a release (contract 14.28).
 */
function applyRecordOverrides(content: Content, edits: readonly RecordOverride[]) {
  const omitted: string[] = [];
  const applied = new Map<string, RecordOverride>();
  const applyToFiles = <S extends (typeof EDITABLE_SCHEMAS)[RecordKind]>(
    kind: RecordKind,
    files: readonly ParsedContentFile<v.InferOutput<S>>[],
    schema: S,
  ): readonly ParsedContentFile<v.InferOutput<S>>[] => {
    const overrides = new Map(
      edits.filter((edit) => edit.kind === kind).map((edit) => [edit.thing, edit]),
    );
    return files.map((file) => {
      const override = overrides.get(getId(kind, file));
      if (override === undefined) return file;
      const result = v.safeParse(schema, applyOverride(kind, { ...file.value }, override.record));
      if (result.success) {
        applied.set(file.file, override);
        return { ...file, value: result.output };
      }
      for (const { path, message } of result.issues.flatMap(listSchemaIssues).slice(0, 1))
        omitted.push(`${override.thing} ${path.join('.')}: ${message}`);
      return file;
    });
  };
  const overridden = {
    ...content,
    venues: applyToFiles('venue', content.venues, EDITABLE_SCHEMAS.venue),
    organizers: applyToFiles('organizer', content.organizers, EDITABLE_SCHEMAS.organizer),
    events: applyToFiles('event', content.events, EDITABLE_SCHEMAS.event),
    notices: applyToFiles('notice', content.notices, EDITABLE_SCHEMAS.notice),
  };
  return { content: overridden, omitted, applied };
}

/**
 * Applies status overrides to events. Drops the status of a day on which the event no longer takes
 * place, unless its own content file has it.
 */
function applyStatusOverrides(
  content: Content,
  applied: AppliedOverrides,
  overrides: InboxRecords['overrides'],
  context: BuildContext,
): Content {
  const by_event = Map.groupBy(overrides, ({ event }) => event);
  const hours = new Map(content.venues.map((file) => [getId('venue', file), file.value.hours]));
  // buildEvent reports issues of the rules later.
  const silent_context = { ...context, issues: [] };
  const applyToEvent = (file: ParsedContentFile<EventFile>): ParsedContentFile<EventFile> => {
    const event_overrides = by_event.get(getId('event', file));
    const is_edited = applied.has(file.file);
    if (event_overrides === undefined && !is_edited) return file;
    const venue_hours = hours.get(file.value.venue ?? '') ?? null;
    const first_days = expandEventDays(file, venue_hours, silent_context).map(({ held }) => held);
    const days = new Set(first_days.flat().map(String));
    const file_dates = new Set(is_edited ? [] : file.value.changes.map(({ date }) => date));
    const value = (event_overrides ?? []).reduce(applyStatusOverride, file.value);
    const changes = value.changes.filter(({ date }) => days.has(date) || file_dates.has(date));
    const featured = is_edited
      ? removeInvalidHighlightDates(value.featured, expandAllDays(value, first_days))
      : value.featured;
    return { ...file, value: { ...value, changes, featured } };
  };
  return { ...content, events: content.events.map(applyToEvent) };
}

/** Adds the statuses and URLs of followed sources to events, a source of the venue first. */
function applyFollowedStatuses(content: Content, followed: InboxRecords['followed']): Content {
  const by_event = Map.groupBy(followed, ({ event }) => event);
  const applyToEvent = (file: ParsedContentFile<EventFile>): ParsedContentFile<EventFile> => {
    const statuses = by_event.get(getId('event', file)) ?? [];
    const { status, source_url } = file.value;
    // A status without a record: the source no longer lists the event.
    const gone_from =
      status === 'published' && statuses.find(({ record }) => record === null)?.name;
    // `is_venues`: the source belongs to the venue of the event.
    const listUrls = (is_venues: boolean) =>
      statuses.flatMap(({ record }) => (record?.is_venues === is_venues ? record.url : []));
    const urls = [...listUrls(true), ...(source_url ? [source_url] : []), ...listUrls(false)];
    const [main_url, ...other_urls] = new Set(urls);
    const value = {
      ...file.value,
      ...(main_url && { source_url: main_url }),
      ...(gone_from && { gone_from }),
      ...(other_urls.length > 0 && { other_source_urls: other_urls }),
    };
    return statuses.length === 0 ? file : { ...file, value };
  };
  return { ...content, events: content.events.map(applyToEvent) };
}

/**
 * Removes highlight dates that are no longer days of the event. An empty list would mean every day.
 */
function removeInvalidHighlightDates(
  featured: EventFile['featured'],
  days: ReadonlySet<string>,
): EventFile['featured'] {
  if (featured === undefined || featured.dates.length === 0) return featured;
  const dates = featured.dates.filter((date) => days.has(date));
  return dates.length === 0 ? undefined : { ...featured, dates };
}

/**
 * Applies one status override to an event, or to one of its days if it has a `date`. For a day,
 * `published` removes the status.
 */
function applyStatusOverride(
  value: EventFile,
  { date, record }: InboxRecords['overrides'][number],
): EventFile {
  if (record.status === 'withdrawn')
    return { ...value, withdrawn: { date: record.date, reason: record.reason } };
  if (record.status === 'confirmed') {
    const starts = record.starts.filter((start) => start.startsWith(date));
    const confirmed = Object.fromEntries(starts.map((start) => [start, record.on]));
    return { ...value, confirmed_on: { ...value.confirmed_on, ...confirmed } };
  }
  const { status, note } = record;
  if (date === '') return { ...value, status, status_note: note };
  const other_days = value.changes.filter((change) => change.date !== date);
  return {
    ...value,
    changes: status === 'published' ? other_days : [...other_days, { date, status, note }],
  };
}

/** A dataset that may have issues, with the overrides applied to it. */
interface DatasetAttempt {
  readonly dataset: Dataset;
  readonly applied: AppliedOverrides;
  readonly issues: readonly ContentIssue[];
}

const SLUG_FIELDS: readonly string[] = ['slug', 'former_slugs', 'title', 'name', SAME_AS_FIELD];

/**
 * Returns true if an override changes the slugs of its record, and so is a cause of a conflict over
 * `address`.
 */
const changesAddress = ({ thing, source, record }: RecordOverride, address: string): boolean =>
  listChangedFieldNames(source, record).some((field) => SLUG_FIELDS.includes(field)) &&
  (record[SAME_AS_FIELD] !== undefined || listRecordAddresses(thing, record).has(address));

/**
 * Finds the first valid dataset: retries without the overrides that cause issues, which are left
 * out and reported; at last without any override, so that the remaining issues are in content. This
 * detects issues that depend on other records, such as a rule without dates or a slug of another
 * record (contract 14.28).
 */
export function findValidDataset(
  buildDataset: (records: InboxRecords) => DatasetAttempt,
  all_records: InboxRecords,
): Pick<DatasetAttempt, 'dataset' | 'issues'> {
  let records = all_records;
  for (;;) {
    const result = buildDataset(records);
    const [first_issue] = result.issues;
    if (first_issue === undefined || records.edits.length === 0) return result;
    const causes = listCauses(result);
    const rejected = new Map(
      causes.length > 0
        ? causes
        : records.edits.map((edit) => [edit, formatIssue(first_issue)] as const),
    );
    const rejections = [...rejected].map(([{ thing }, reason]) => `${thing} ${reason}`);
    records = {
      ...records,
      edits: records.edits.filter((edit) => !rejected.has(edit)),
      omitted: [...records.omitted, ...rejections],
    };
  }
}

/**
 * Lists the overrides that cause the issues of a dataset, with the reason. For a slug conflict,
 * these are the overrides that change the slug; otherwise the override of the file.
 */
function listCauses({ issues, applied }: DatasetAttempt) {
  const overrides = [...applied];
  return issues.flatMap(({ file, field, message, address }) => {
    const renaming = overrides.filter(([, edit]) => address && changesAddress(edit, address));
    const causes =
      renaming.length > 0 ? renaming : overrides.filter(([applied_file]) => applied_file === file);
    return causes.map(([, edit]) => [edit, `${field}: ${message}`] as const);
  });
}

/**
 * Lists every record that the desk can edit, as the next release reads it without its override
 * (contract 14.28): from the content of a snapshot, and from the inbox.
 * @param slugs All slugs published so far.
 */
export function listEditableRecords(
  files: Content,
  records: InboxRecords,
  slugs: readonly PublishedSlug[],
): readonly SourceRecord[] {
  const merged = mergeInbox(files, records, { ...EMPTY_LEDGER, slugs });
  const { surviving_ids } = resolveDuplicates(merged, records.edits, slugs);
  const files_by_kind: Readonly<Record<RecordKind, readonly Content[`${RecordKind}s`][number][]>> =
    {
      event: merged.events.map((file) =>
        replaceRecordReferences(file, (_, id) => surviving_ids.get(id)),
      ),
      venue: merged.venues,
      organizer: merged.organizers,
      notice: merged.notices,
    };
  return RECORD_KINDS.flatMap((kind) =>
    files_by_kind[kind].map((source) => ({
      id: getId(kind, source),
      kind,
      file: source.file,
      record: source.value,
    })),
  );
}

/**
 * Builds content from the stored files of the live snapshot, by path from the content folder. They
 * count as validated: this code built the snapshot, or the previous version of it did and will be
 * replaced in seconds.
 */
export function contentFromFiles(files: ReadonlyMap<string, StoredContentFile>): Content {
  const names = [...files.keys()].sort();
  return loadAllContent({
    list: (kind) => names.filter((name) => name.startsWith(`${kind}/`)),
    read: (name, schema) => {
      const file = files.get(name);
      if (file === undefined) return null;
      const cached = { ...file, is_of_this_code: true };
      return isValidated(schema, cached) ? parsedContentFile(name, cached.value) : null;
    },
  });
}
