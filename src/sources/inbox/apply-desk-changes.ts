// Content as the desk leaves it: with what it let in, its own versions of things, places that are one, and
// what it decided over events.
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

type Applied = ReadonlyMap<string, RecordOverride>;

/** With the edits that were taken; what of the inbox could not be, and why. */
export function applyDeskChanges(files: Content, records: InboxRecords, making: BuildContext) {
  const { ledger } = making;
  const merged = mergeInbox(files, records, ledger);
  const { kept, left_out } = listKept(merged, records.edits);
  const edited = layEdits(merged, records.edits);
  const content = movePlaces(edited.content, kept);
  return {
    content: layFollowed(
      layOverrides(content, edited.applied, records.overrides, making),
      records.followed,
    ),
    /** With the addresses of what was merged. */
    ledger: {
      ...ledger,
      slugs: ledger.slugs.map((slug) => ({ ...slug, id: kept.get(slug.id) ?? slug.id })),
    },
    applied: edited.applied,
    left_out: [...records.left_out, ...left_out, ...edited.left_out],
  };
}

/**
 * Places that turned out to be one (contract 14.32): for each that goes the one that stays. The one that goes says
 * so itself, or its edit does; or the one that stays, which needs no file of the other.
 */
function listKept({ venues, organizers }: Content, edits: readonly RecordOverride[]) {
  const said = new Map(edits.map(({ thing, record }) => [thing, record[SAME_AS_FIELD]]));
  const kept = new Map<string, string>();
  const left_out: string[] = [];
  for (const [kind, files] of [
    ['venue', venues],
    ['organizer', organizers],
  ] as const) {
    const places = files.map((file) => ({ ...file.value, id: getId(kind, file) }));
    const there = new Set(places.map(({ id }) => id));
    const stated = new Map<string, string>();
    for (const { id, same_as } of places) {
      const other = said.has(id) ? said.get(id) : same_as;
      if (typeof other === 'string') stated.set(id, other);
    }
    for (const { id, former_ids } of places) for (const old of former_ids) stated.set(old, id);
    for (const old of stated.keys()) {
      const end = followKept(stated, old);
      if (end !== old && there.has(end)) kept.set(old, end);
      else left_out.push(`${old} ${SAME_AS_FIELD}: ${end} is not there any more`);
    }
  }
  return { kept, left_out };
}

/** Where one leads in the end; back to itself where they go round. */
function followKept(stated: ReadonlyMap<string, string>, old: string): string {
  let end = stated.get(old) ?? old;
  for (const seen = new Set([old]); !seen.has(end); ) {
    seen.add(end);
    end = stated.get(end) ?? end;
  }
  return end;
}

/** Content without the places that go, and with their events at those that stay. */
function movePlaces(content: Content, kept: ReadonlyMap<string, string>): Content {
  return {
    ...content,
    venues: content.venues.filter((file) => !kept.has(getId('venue', file))),
    organizers: content.organizers.filter((file) => !kept.has(getId('organizer', file))),
    events: content.events.map((file) => replaceRecordReferences(file, (_, id) => kept.get(id))),
  };
}

/**
 * Content with the editors' versions in place of its own. One that does not pass any more is left out and named:
 * it never stops a release (contract 14.28).
 */
function layEdits(content: Content, edits: readonly RecordOverride[]) {
  const left_out: string[] = [];
  const applied = new Map<string, RecordOverride>();
  const layAll = <S extends (typeof EDITABLE_SCHEMAS)[RecordKind]>(
    kind: RecordKind,
    files: readonly ParsedContentFile<v.InferOutput<S>>[],
    schema: S,
  ): readonly ParsedContentFile<v.InferOutput<S>>[] => {
    const own = new Map(edits.filter((one) => one.kind === kind).map((one) => [one.thing, one]));
    return files.map((file) => {
      const edit = own.get(getId(kind, file));
      if (edit === undefined) return file;
      const result = v.safeParse(schema, applyOverride(kind, { ...file.value }, edit.record));
      if (result.success) {
        applied.set(file.file, edit);
        return { ...file, value: result.output };
      }
      for (const { path, message } of result.issues.flatMap(listSchemaIssues).slice(0, 1))
        left_out.push(`${edit.thing} ${path.join('.')}: ${message}`);
      return file;
    });
  };
  const edited = {
    ...content,
    venues: layAll('venue', content.venues, EDITABLE_SCHEMAS.venue),
    organizers: layAll('organizer', content.organizers, EDITABLE_SCHEMAS.organizer),
    events: layAll('event', content.events, EDITABLE_SCHEMAS.event),
    notices: layAll('notice', content.notices, EDITABLE_SCHEMAS.notice),
  };
  return { content: edited, left_out, applied };
}

/**
 * Content with what the desk says over events; of days on which one does not take place, nothing is said but what
 * its own file says.
 */
function layOverrides(
  content: Content,
  applied: Applied,
  overrides: InboxRecords['overrides'],
  making: BuildContext,
): Content {
  const by_event = Map.groupBy(overrides, ({ event }) => event);
  const hours = new Map(content.venues.map((file) => [getId('venue', file), file.value.hours]));
  // What is wrong with its rules is told when it is made.
  const quiet = { ...making, issues: [] };
  const lay = (file: ParsedContentFile<EventFile>): ParsedContentFile<EventFile> => {
    const own = by_event.get(getId('event', file));
    const is_edited = applied.has(file.file);
    if (own === undefined && !is_edited) return file;
    const at = hours.get(file.value.venue ?? '') ?? null;
    const firsts = expandEventDays(file, at, quiet);
    const days = new Set(firsts.flat().map(String));
    const stated = new Set(is_edited ? [] : file.value.changes.map(({ date }) => date));
    const value = (own ?? []).reduce(override, file.value);
    const changes = value.changes.filter(({ date }) => days.has(date) || stated.has(date));
    const featured = is_edited
      ? dropGone(value.featured, expandAllDays(value, firsts))
      : value.featured;
    return { ...file, value: { ...value, changes, featured } };
  };
  return { ...content, events: content.events.map(lay) };
}

/** Content with what followed sources say of events beside their texts; the venue's own address is the first. */
function layFollowed(content: Content, followed: InboxRecords['followed']): Content {
  const by_event = Map.groupBy(followed, ({ event }) => event);
  const lay = (file: ParsedContentFile<EventFile>): ParsedContentFile<EventFile> => {
    const said = by_event.get(getId('event', file)) ?? [];
    const { status, source_url } = file.value;
    const gone_from = status === 'published' && said.find(({ record }) => record === null)?.name;
    const list = (is_venues: boolean) =>
      said.flatMap(({ record }) => (record?.is_venues === is_venues ? record.url : []));
    const all = [...list(true), ...(source_url ? [source_url] : []), ...list(false)];
    const [first, ...more] = new Set(all);
    const value = {
      ...file.value,
      ...(first && { source_url: first }),
      ...(gone_from && { gone_from }),
      ...(more.length > 0 && { other_source_urls: more }),
    };
    return said.length === 0 ? file : { ...file, value };
  };
  return { ...content, events: content.events.map(lay) };
}

/** Chosen for days on which it still is; an empty list would be every day. */
function dropGone(
  featured: EventFile['featured'],
  days: ReadonlySet<string>,
): EventFile['featured'] {
  if (featured === undefined || featured.dates.length === 0) return featured;
  const dates = featured.dates.filter((date) => days.has(date));
  return dates.length === 0 ? undefined : { ...featured, dates };
}

/** An event with one override; a day that is published is as its rules say. */
function override(
  value: EventFile,
  { date, record }: InboxRecords['overrides'][number],
): EventFile {
  if (record.status === 'withdrawn')
    return { ...value, withdrawn: { date: record.date, reason: record.reason } };
  if (record.status === 'confirmed') {
    const starts = record.starts.filter((start) => start.startsWith(date));
    const said = Object.fromEntries(starts.map((start) => [start, record.on]));
    return { ...value, confirmed_on: { ...value.confirmed_on, ...said } };
  }
  const { status, note } = record;
  if (date === '') return { ...value, status, status_note: note };
  const others = value.changes.filter((other) => other.date !== date);
  return {
    ...value,
    changes: status === 'published' ? others : [...others, { date, status, note }],
  };
}

/** A dataset that may be unsound, with the edits that it has, by file. */
interface DatasetAttempt {
  readonly dataset: Dataset;
  readonly applied: Applied;
  readonly issues: readonly ContentIssue[];
}

/** What an address is made of. */
const NAMING: readonly string[] = ['slug', 'former_slugs', 'title', 'name', SAME_AS_FIELD];
/** Whether it gives an address, or those of another place. */
const isNamedAnew = ({ thing, source, record }: RecordOverride, address: string): boolean =>
  listChangedFieldNames(source, record).some((field) => NAMING.includes(field)) &&
  (record[SAME_AS_FIELD] !== undefined || listRecordAddresses(thing, record).has(address));

/**
 * The first sound dataset: without the edits at fault, named among what is left out; at last without any. What is
 * then still wrong is the content's own. What no schema sees (a rule that gives no day, an address that is
 * another's) is found only among the rest (contract 14.28).
 */
export function findValidDataset(
  attempt: (records: InboxRecords) => DatasetAttempt,
  all: InboxRecords,
): Pick<DatasetAttempt, 'dataset' | 'issues'> {
  let records = all;
  for (;;) {
    const made = attempt(records);
    const [first] = made.issues;
    if (first === undefined || records.edits.length === 0) return made;
    const applied = [...made.applied];
    // Of two with one address, each that is named anew is at fault; else what is said of the file.
    const faulty = made.issues.flatMap(({ file, field, message, address }) => {
      const anew = applied.filter(([, edit]) => address && isNamedAnew(edit, address));
      const those = anew.length > 0 ? anew : applied.filter(([of]) => of === file);
      return those.map(([, edit]) => [edit, `${field}: ${message}`] as const);
    });
    const out = new Map(
      faulty.length > 0 ? faulty : records.edits.map((edit) => [edit, formatIssue(first)]),
    );
    records = {
      ...records,
      edits: records.edits.filter((edit) => !out.has(edit)),
      left_out: [...records.left_out, ...[...out].map(([{ thing }, why]) => `${thing} ${why}`)],
    };
  }
}

/**
 * Every thing that the desk can edit, as its source has it: the content that a snapshot was made of, and what the
 * desk let in, as the next release will read them (contract 14.28). `slugs`: every address so far.
 */
export function listEditableRecords(
  files: Content,
  records: InboxRecords,
  slugs: readonly PublishedSlug[],
): readonly SourceRecord[] {
  const merged = mergeInbox(files, records, { ...EMPTY_LEDGER, slugs });
  const { kept } = listKept(merged, records.edits);
  const things: Readonly<Record<RecordKind, readonly Content[`${RecordKind}s`][number][]>> = {
    event: merged.events.map((file) => replaceRecordReferences(file, (_, id) => kept.get(id))),
    venue: merged.venues,
    organizer: merged.organizers,
    notice: merged.notices,
  };
  return RECORD_KINDS.flatMap((kind) =>
    things[kind].map((one) => ({ id: getId(kind, one), kind, file: one.file, record: one.value })),
  );
}

/**
 * The files as they last passed, by path from the content folder: what serves was read by this code, or by the one
 * before it for some seconds.
 */
export function contentFromFiles(files: ReadonlyMap<string, StoredContentFile>): Content {
  const names = [...files.keys()].sort();
  return loadAllContent({
    list: (kind) => names.filter((name) => name.startsWith(`${kind}/`)),
    read: (name, schema) => {
      const file = files.get(name);
      if (file === undefined) return null;
      const known = { ...file, is_of_this_code: true };
      return isValidated(schema, known) ? parsedContentFile(name, known.value) : null;
    },
  });
}
