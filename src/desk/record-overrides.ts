// A thing as an editor has it: her version in place of its source's as a whole, until it is given back; and what is
// wrong with that before it is stored: what its schema says, and what a release would find among the rest
// (contract 14.28).
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

/** What the desk can edit: the content of the snapshot that serves, and what was let in, shown yet or not. */
export interface RecordSources {
  /** Null where nothing has this id. */
  readonly get: (id: string) => Promise<SourceRecord | null>;
  readonly list: (kind: RecordKind) => Promise<readonly SourceRecord[]>;
}

/** A release's content is parsed once, in steps, between which readers are answered. */
const parsed = new WeakMap<Snapshot, Content>();
const FILES_A_STEP = 200;

async function parseContent(snapshot: Snapshot): Promise<Content> {
  const known = parsed.get(snapshot);
  if (known) return known;
  const files = new Map<string, StoredContentFile>();
  for (const { file, value, ...rest } of listContent(snapshot)) {
    if (files.size % FILES_A_STEP === 0) await setImmediate();
    files.set(file, { ...rest, value: JSON.parse(value) });
  }
  const content = contentFromFiles(files);
  for (const [at, file] of content.events.entries()) {
    if (at % FILES_A_STEP === 0) await setImmediate();
    getId('event', file);
  }
  await setImmediate();
  parsed.set(snapshot, content);
  return content;
}

/** Those of one request; they are read when the first is asked for. */
export function createRecordSources(inbox: Inbox, snapshot: Snapshot): RecordSources {
  let known: ReadonlyMap<string, SourceRecord> | null = null;
  const read = async (): Promise<ReadonlyMap<string, SourceRecord>> => {
    const files = await parseContent(snapshot);
    const all = listEditableRecords(files, await loadInboxRecords(inbox), await loadSlugs(inbox));
    known = new Map(all.map((source) => [source.id, source]));
    return known;
  };
  return {
    get: async (id) => (known ?? (await read())).get(id) ?? null,
    list: async (kind) =>
      [...(known ?? (await read())).values()].filter((source) => source.kind === kind),
  };
}

/** A thing as it stands at the desk. */
export interface RecordWithOverride {
  readonly source: SourceRecord;
  /** Null where it is as its source has it. */
  readonly edit: RecordOverride | null;
  /** What it says with the edit. */
  readonly record: RecordFields;
  /** Whether the source says something else than when the edit was made. */
  readonly is_outdated: boolean;
}

function toEdited(source: SourceRecord, edit: RecordOverride | null): RecordWithOverride {
  const { kind, record } = source;
  if (edit === null) return { source, edit, record, is_outdated: false };
  const is_outdated =
    listChangedFieldNames(edit.source, pickEditableFields(kind, record)).length > 0;
  return { source, edit, record: applyOverride(kind, record, edit.record), is_outdated };
}

/** The thing with this id; null where there is none. */
export async function getRecord(
  inbox: Inbox,
  sources: Pick<RecordSources, 'get'>,
  id: string,
): Promise<RecordWithOverride | null> {
  const source = await sources.get(id);
  return source && toEdited(source, (await loadAppliedChanges(inbox, id)).edits[0] ?? null);
}

/** All that is edited; without what has no source any more. */
export async function listOverriddenRecords(
  inbox: Inbox,
  sources: RecordSources,
): Promise<readonly RecordWithOverride[]> {
  const edited = await Array.fromAsync((await loadAppliedChanges(inbox)).edits, async (edit) => {
    const source = await sources.get(edit.thing);
    return source && toEdited(source, edit);
  });
  return edited.filter((thing) => thing !== null);
}

async function takeThing(
  inbox: Inbox,
  sources: EditContext['sources'],
  id: string,
): Promise<RecordWithOverride> {
  const thing = await getRecord(inbox, sources, id);
  if (thing === null) throw refusal('no_such_thing');
  return thing;
}

/**
 * Changes fields: `changed` by name, undefined takes one away. What is then as its source has it is no
 * edit any more. Gives every fault; nothing is stored where there is one.
 */
export const editRecord = (
  inbox: Inbox,
  actor: Actor,
  id: string,
  changed: RecordFields,
  words: string,
  town: EditContext,
): Promise<readonly FieldIssue[]> =>
  inbox.transaction(async () => {
    const { source, record, edit } = await takeThing(inbox, town.sources, id);
    const { kind } = source;
    // Its places are as the desk has them; as their sources do where an edit does not pass any more.
    const get = async (place: string): Promise<SourceRecord | null> => {
      const thing = await getRecord(inbox, town.sources, place);
      if (thing === null) return null;
      const { value } = validateRecord(thing.source.kind, thing.record);
      return value === null ? thing.source : { ...thing.source, record: value };
    };
    const edited = { ...record, ...changed };
    const { value, issues } = await checkThing(source, edited, { ...town, sources: { get } });
    if (value === null) return issues;
    if (!(await isGoodSame(inbox, source, changed[SAME_AS_FIELD], town.sources)))
      return [{ path: SAME_AS_FIELD, rule: 'invalid', message: 'must be one that is there' }];
    const [said, now] = [pickEditableFields(kind, source.record), pickEditableFields(kind, value)];
    const fields = listChangedFieldNames(pickEditableFields(kind, record), now);
    if (fields.length === 0) throw refusal('as_it_was');
    if (fields.includes('image')) await needPicture(inbox, now.image);
    await applyEditorChange(
      inbox,
      { ...actor, action: 'edit', reason: requireReason(words) },
      {
        kind,
        thing: id,
        asks: 'edit',
        record: listChangedFieldNames(said, now).length === 0 ? null : now,
        source: edit?.source ?? said,
      },
    );
    return [];
  });

interface EditContext {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
  /** All that is there, shown by a release yet or not. */
  readonly sources: Pick<RecordSources, 'get'>;
}

const OWN_FILE = 'desk';

/** Each as a file of content. The terms of schools and the days that changed are the release's to know. */
const TO_THINGS: Readonly<Record<RecordKind, (source: SourceRecord) => Partial<RecordFiles>>> = {
  event: ({ id, file, record }) => {
    const { when, ...event } = v.parse(EDITABLE_SCHEMAS.event, { ...record, id });
    const rules = when.map(({ term: _, ...rule }) => rule);
    return { events: [parsedContentFile(file, { ...event, when: rules, changes: [] })] };
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

/** Every fault of a record that is to be what `source` says; `value` as it will be stored. */
async function checkThing(
  { kind, id }: Pick<SourceRecord, 'kind' | 'id'>,
  record: RecordFields,
  { snapshot, now_ms, sources }: EditContext,
): Promise<{ readonly value: RecordFields | null; readonly issues: readonly FieldIssue[] }> {
  const { value, issues } = validateRecord(kind, record);
  if (value === null) return { value, issues };
  const named = kind === 'event' ? [value.venue, value.organizer] : [];
  const places = await Array.fromAsync(named, (place) => sources.get(String(place)));
  const things: RecordFiles = { events: [], venues: [], organizers: [], notices: [] };
  for (const source of [{ id, kind, file: OWN_FILE, record: value }, ...places])
    if (source !== null) Object.assign(things, TO_THINGS[source.kind](source));
  const { zones } = snapshot.taxonomy;
  const making = createBuildContext(now_ms, { zones, holidays: snapshot.calendar.holidays });
  const faults = listIssuesAmong(things, making).filter(({ file }) => file === OWN_FILE);
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

/** An address that was ever given to another stays that one's. */
const listTaken = (
  kind: Exclude<RecordKind, 'notice'>,
  id: string,
  record: RecordFields,
  { findId }: Snapshot,
) =>
  [...listRecordAddresses(id, record)]
    .filter((one) => ![null, id].includes(findId(kind, one)))
    .map((one) => ({ field: 'slug', message: `'${one}' is the address of another` }));

/** Only one that is there and stays: two that lead to each other would lead nowhere. */
async function isGoodSame(
  inbox: Inbox,
  old: SourceRecord,
  kept: unknown,
  sources: EditContext['sources'],
) {
  if (kept === undefined) return true;
  const other = kept === old.id ? null : await getRecord(inbox, sources, String(kept));
  return other?.source.kind === old.kind && other.record[SAME_AS_FIELD] === undefined;
}

const Pictured = v.object({ url: v.string() });

/** An edit needs the picture that was uploaded for it. Throws AppError where it is gone. */
async function needPicture(inbox: Inbox, image: unknown): Promise<void> {
  const upload = v.is(Pictured, image) ? parseUploadUri(image.url) : null;
  if (upload !== null) await markUploadUsed(inbox, upload);
}

async function takeEdit(inbox: Inbox, id: string): Promise<RecordOverride> {
  const [edit] = (await loadAppliedChanges(inbox, id)).edits;
  if (edit === undefined) throw refusal('no_such_edit');
  return edit;
}

/** Gives a thing back to its source. */
export async function revertOverride(inbox: Inbox, actor: Actor, id: string): Promise<void> {
  const edit = await takeEdit(inbox, id);
  const own = { ...edit, record: null, asks: 'edit' } as const;
  await applyEditorChange(inbox, { ...actor, action: 'use_source' }, own);
}

/** The edit stays, over what its source says now. */
export const acknowledgeSourceChange = (
  inbox: Inbox,
  actor: Actor,
  id: string,
  sources: RecordSources,
): Promise<void> =>
  inbox.transaction(async () => {
    const edit = await takeEdit(inbox, id);
    const { source } = await takeThing(inbox, sources, id);
    const own = {
      ...edit,
      source: pickEditableFields(source.kind, source.record),
      asks: 'edit',
    } as const;
    await applyEditorChange(inbox, { ...actor, action: 'keep_edit' }, own);
  });
