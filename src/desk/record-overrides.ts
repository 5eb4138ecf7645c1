// Record overrides: stores an editor's version of a record, which replaces the version of its
// source (a content file or a submission) until it is reverted. Before storing it, validates it
// against its schema and, as a release would, against the other records (contract 14.28).
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { refusal } from '../domain/app-error.ts';
import type { Actor } from '../domain/change.ts';
import {
  type RecordOverride,
  listChangedFieldNames,
  SAME_AS_FIELD,
  type SourceRecord,
  type RecordFields,
} from '../domain/override/record-override.ts';
import type { RecordKind } from '../domain/record-history.ts';
import { parseUploadUri } from '../domain/submission/submitted-picture.ts';
import { loadAppliedChanges } from '../inbox/applied-changes.ts';
import { loadSlugs } from '../inbox/ledger.ts';
import type { Inbox } from '../inbox/open.ts';
import { markUploadUsed } from '../inbox/uploads.ts';
import { applyEditorChange, requireReason } from './decisions.ts';
import { listContent } from '../snapshot/snapshot-meta.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { getId } from '../sources/identity.ts';
import {
  validateRecord,
  EDITABLE_SCHEMAS,
  type FieldIssue,
  applyOverride,
  listRecordAddresses,
  pickEditableFields,
} from '../sources/inbox/editable-fields.ts';
import { listEditableRecords, contentFromFiles } from '../sources/inbox/apply-desk-changes.ts';
import { loadInboxRecords } from '../sources/inbox/load-inbox.ts';
import {
  type Content,
  type StoredContentFile,
  parsedContentFile,
} from '../sources/load-content.ts';
import { listIssuesAmong, type RecordFiles } from '../sources/build-dataset.ts';
import { createBuildContext } from '../sources/revisions.ts';

/**
 * The records that the desk can edit, without overrides: the content of the live snapshot and the
 * applied inbox records.
 */
export interface RecordSources {
  readonly get: (id: string) => Promise<SourceRecord | null>;
  readonly list: (kind: RecordKind) => Promise<readonly SourceRecord[]>;
}

/** The parsed content of each release. */
const content_cache = new WeakMap<Snapshot, Content>();
/** Content is parsed in steps, between which other requests are served. */
const FILES_PER_STEP = 200;

async function parseContent(snapshot: Snapshot): Promise<Content> {
  const cached = content_cache.get(snapshot);
  if (cached) return cached;
  const files = new Map<string, StoredContentFile>();
  for (const { file, value, ...rest } of listContent(snapshot)) {
    if (files.size % FILES_PER_STEP === 0) await setImmediate();
    files.set(file, { ...rest, value: JSON.parse(value) });
  }
  const content = contentFromFiles(files);
  for (const [index, file] of content.events.entries()) {
    if (index % FILES_PER_STEP === 0) await setImmediate();
    // Computed here, in steps, for later: ids are cached.
    getId('event', file);
  }
  await setImmediate();
  content_cache.set(snapshot, content);
  return content;
}

/** Creates the record sources of one request; they are loaded on first use. */
export function createRecordSources(inbox: Inbox, snapshot: Snapshot): RecordSources {
  let loaded: ReadonlyMap<string, SourceRecord> | null = null;
  const load = async (): Promise<ReadonlyMap<string, SourceRecord>> => {
    const files = await parseContent(snapshot);
    const inbox_records = await loadInboxRecords(inbox);
    const records = listEditableRecords(files, inbox_records, await loadSlugs(inbox));
    loaded = new Map(records.map((source) => [source.id, source]));
    return loaded;
  };
  return {
    get: async (id) => (loaded ?? (await load())).get(id) ?? null,
    list: async (kind) =>
      [...(loaded ?? (await load())).values()].filter((source) => source.kind === kind),
  };
}

export interface RecordWithOverride {
  /** The record as its source has it now. */
  readonly source: SourceRecord;
  /** Null if the record is not overridden. */
  readonly edit: RecordOverride | null;
  /** The record with the override applied. */
  readonly record: RecordFields;
  /** The source has changed since the override was made. */
  readonly is_outdated: boolean;
}

function applyEdit(source: SourceRecord, edit: RecordOverride | null): RecordWithOverride {
  const { kind, record } = source;
  if (edit === null) return { source, edit, record, is_outdated: false };
  const is_outdated =
    listChangedFieldNames(edit.source, pickEditableFields(kind, record)).length > 0;
  return { source, edit, record: applyOverride(kind, record, edit.record), is_outdated };
}

/** Returns a record by its id; null if the agenda has none with it. */
export async function getRecord(
  inbox: Inbox,
  sources: Pick<RecordSources, 'get'>,
  id: string,
): Promise<RecordWithOverride | null> {
  const source = await sources.get(id);
  return source && applyEdit(source, (await loadAppliedChanges(inbox, id)).edits[0] ?? null);
}

/** Lists the overridden records; skips overrides that outlived their source. */
export async function listOverriddenRecords(
  inbox: Inbox,
  sources: RecordSources,
): Promise<readonly RecordWithOverride[]> {
  const records = await Array.fromAsync((await loadAppliedChanges(inbox)).edits, async (edit) => {
    // `thing`: the id of the record.
    const source = await sources.get(edit.thing);
    return source && applyEdit(source, edit);
  });
  return records.filter((record) => record !== null);
}

async function getRecordOrThrow(
  inbox: Inbox,
  sources: EditContext['sources'],
  id: string,
): Promise<RecordWithOverride> {
  const record = await getRecord(inbox, sources, id);
  if (record === null) throw refusal('no_such_thing');
  return record;
}

/**
 * Changes fields of a record; a field that is undefined in `changed` is removed. If the result
 * equals the source, the override ends.
 * @returns All issues; nothing is stored if there are any.
 */
export const editRecord = (
  inbox: Inbox,
  actor: Actor,
  id: string,
  changed: RecordFields,
  reason: string,
  context: EditContext,
): Promise<readonly FieldIssue[]> =>
  inbox.transaction(async () => {
    const { source, record, edit } = await getRecordOrThrow(inbox, context.sources, id);
    const { kind } = source;
    // Related venues and organizers count with their overrides, except with invalid ones.
    const get = async (reference: string): Promise<SourceRecord | null> => {
      const related = await getRecord(inbox, context.sources, reference);
      if (related === null) return null;
      const { value } = validateRecord(related.source.kind, related.record);
      return value === null ? related.source : { ...related.source, record: value };
    };
    const edited = { ...record, ...changed };
    const { value, issues } = await validateEdit(source, edited, { ...context, sources: { get } });
    if (value === null) return issues;
    if (!(await isValidSameAs(inbox, source, changed[SAME_AS_FIELD], context.sources)))
      return [{ path: SAME_AS_FIELD, rule: 'invalid', message: 'must be an existing record' }];
    const source_fields = pickEditableFields(kind, source.record);
    const edited_fields = pickEditableFields(kind, value);
    const changed_names = listChangedFieldNames(pickEditableFields(kind, record), edited_fields);
    if (changed_names.length === 0) throw refusal('as_it_was');
    if (changed_names.includes('image')) await markImageUsed(inbox, edited_fields.image);
    const is_as_source = listChangedFieldNames(source_fields, edited_fields).length === 0;
    await applyEditorChange(
      inbox,
      { ...actor, action: 'edit', reason: requireReason(reason) },
      {
        kind,
        thing: id,
        asks: 'edit',
        record: is_as_source ? null : edited_fields,
        source: edit?.source ?? source_fields,
      },
    );
    return [];
  });

interface EditContext {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
  /** Includes records that no release contains yet. */
  readonly sources: Pick<RecordSources, 'get'>;
}

/** File name of the edited record, by which its issues are recognized. */
const EDITED_FILE = 'desk';

/**
 * Builds the content file of a record, without school terms and changed days: a release checks
 * them.
 */
const CONTENT_FILE_BUILDERS: Readonly<
  Record<RecordKind, (source: SourceRecord) => Partial<RecordFiles>>
> = {
  event: ({ id, file, record }) => {
    const { when, ...event } = v.parse(EDITABLE_SCHEMAS.event, { ...record, id });
    const schedules = when.map(({ term: _, ...schedule }) => schedule);
    return { events: [parsedContentFile(file, { ...event, when: schedules, changes: [] })] };
  },
  venue: ({ id, file, record }) => ({
    venues: [parsedContentFile(file, v.parse(EDITABLE_SCHEMAS.venue, { ...record, id }))],
  }),
  organizer: ({ id, file, record }) => ({
    organizers: [parsedContentFile(file, v.parse(EDITABLE_SCHEMAS.organizer, { ...record, id }))],
  }),
  notice: ({ file, record }) => ({
    notices: [parsedContentFile(file, v.parse(EDITABLE_SCHEMAS.notice, record))],
  }),
};

/**
 * Validates an edited record, alone and among the other records.
 * @returns `value`: the normalized record to store; null if there are issues.
 */
async function validateEdit(
  { kind, id }: Pick<SourceRecord, 'kind' | 'id'>,
  record: RecordFields,
  { snapshot, now_ms, sources }: EditContext,
): Promise<{ readonly value: RecordFields | null; readonly issues: readonly FieldIssue[] }> {
  const { value, issues } = validateRecord(kind, record);
  if (value === null) return { value, issues };
  const references = kind === 'event' ? [value.venue, value.organizer] : [];
  const related = await Array.fromAsync(references, (reference) => sources.get(String(reference)));
  const files: RecordFiles = { events: [], venues: [], organizers: [], notices: [] };
  for (const source of [{ id, kind, file: EDITED_FILE, record: value }, ...related])
    if (source !== null) Object.assign(files, CONTENT_FILE_BUILDERS[source.kind](source));
  const { zones } = snapshot.taxonomy;
  const build_context = createBuildContext(now_ms, { zones, holidays: snapshot.calendar.holidays });
  const record_issues = listIssuesAmong(files, build_context).filter(
    ({ file }) => file === EDITED_FILE,
  );
  const slug_issues =
    record_issues.length > 0 || kind === 'notice'
      ? []
      : listSlugConflicts(kind, id, value, snapshot);
  const all_issues = [...record_issues, ...slug_issues].map(
    ({ field, message }): FieldIssue => ({
      // `when[0].start` becomes `when.0.start`.
      path: field.replace(/\[(\d+)\]/g, '.$1'),
      rule: 'invalid',
      message,
    }),
  );
  return { value: all_issues.length > 0 ? null : value, issues: all_issues };
}

/** Lists issues of addresses that another record has or had: they are never reassigned. */
const listSlugConflicts = (
  kind: Exclude<RecordKind, 'notice'>,
  id: string,
  record: RecordFields,
  { findId }: Snapshot,
) =>
  [...listRecordAddresses(id, record)]
    .filter((address) => ![null, id].includes(findId(kind, address)))
    .map((address) => ({
      field: 'slug',
      message: `'${address}' is already used by another record`,
    }));

/**
 * Checks that a duplicate redirects (`same_as`) to an existing record that does not itself
 * redirect, to prevent loops.
 */
async function isValidSameAs(
  inbox: Inbox,
  duplicate: SourceRecord,
  target_id: unknown,
  sources: EditContext['sources'],
) {
  if (target_id === undefined) return true;
  const target =
    target_id === duplicate.id ? null : await getRecord(inbox, sources, String(target_id));
  return target?.source.kind === duplicate.kind && target.record[SAME_AS_FIELD] === undefined;
}

const ImageSchema = v.object({ url: v.string() });

/**
 * Marks the uploaded picture of an edit as used.
 * @throws AppError if the upload no longer exists.
 */
async function markImageUsed(inbox: Inbox, image: unknown): Promise<void> {
  const upload = v.is(ImageSchema, image) ? parseUploadUri(image.url) : null;
  if (upload !== null) await markUploadUsed(inbox, upload);
}

async function getOverrideOrThrow(inbox: Inbox, id: string): Promise<RecordOverride> {
  const [edit] = (await loadAppliedChanges(inbox, id)).edits;
  if (edit === undefined) throw refusal('no_such_edit');
  return edit;
}

/** Reverts a record to its source. */
export async function revertOverride(inbox: Inbox, actor: Actor, id: string): Promise<void> {
  const edit = await getOverrideOrThrow(inbox, id);
  await applyEditorChange(
    inbox,
    { ...actor, action: 'use_source' },
    { ...edit, record: null, asks: 'edit' },
  );
}

/** Keeps an override over a source that has changed. */
export const acknowledgeSourceChange = (
  inbox: Inbox,
  actor: Actor,
  id: string,
  sources: RecordSources,
): Promise<void> =>
  inbox.transaction(async () => {
    const edit = await getOverrideOrThrow(inbox, id);
    const { source } = await getRecordOrThrow(inbox, sources, id);
    await applyEditorChange(
      inbox,
      { ...actor, action: 'keep_edit' },
      { ...edit, source: pickEditableFields(source.kind, source.record), asks: 'edit' },
    );
  });
