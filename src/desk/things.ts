// A thing as an editor has it: her version in place of its source's as a whole, until it is given back; and what is
// wrong with that before it is stored: what its schema says, and what a release would find among the rest
// (contract 14.28).
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { refusal } from '../domain/app-error.ts';
import type { Actor } from '../domain/change.ts';
import {
  type Edit,
  listChanged,
  SAME_FIELD,
  type SourceRecord,
  type ThingRecord,
} from '../domain/edit/edit.ts';
import type { HistoryKind } from '../domain/history.ts';
import { readUploadLink } from '../domain/submission/picture.ts';
import { readApplied } from '../inbox/applied.ts';
import { readSlugs } from '../inbox/ledger.ts';
import type { Inbox } from '../inbox/open.ts';
import { needUpload } from '../inbox/uploads.ts';
import { applyOwn, needReason } from './decide.ts';
import { listContent } from '../snapshot/meta.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { idOf } from '../sources/identity.ts';
import {
  checkRecord,
  EDITABLE,
  type FieldIssue,
  layEdit,
  listSaidAddresses,
  toEditable,
} from '../sources/inbox/editable.ts';
import { listSources, toContent } from '../sources/inbox/desk-content.ts';
import { readInboxRecords } from '../sources/inbox/read-inbox.ts';
import { type Content, type SourceFile, toContentFile } from '../sources/read-content.ts';
import { listFaults, type Things } from '../sources/read-dataset.ts';
import { openMaking } from '../sources/revise.ts';

/** What the desk can edit: the content of the snapshot that serves, and what was let in, shown yet or not. */
export interface Sources {
  /** Null where nothing has this id. */
  readonly get: (id: string) => Promise<SourceRecord | null>;
  readonly list: (kind: HistoryKind) => Promise<readonly SourceRecord[]>;
}

/** A release's content is parsed once, in steps, between which readers are answered. */
const parsed = new WeakMap<Snapshot, Content>();
const FILES_A_STEP = 200;

async function parseContent(snapshot: Snapshot): Promise<Content> {
  const known = parsed.get(snapshot);
  if (known) return known;
  const files = new Map<string, SourceFile>();
  for (const { file, value, ...rest } of listContent(snapshot)) {
    if (files.size % FILES_A_STEP === 0) await setImmediate();
    files.set(file, { ...rest, value: JSON.parse(value) });
  }
  const content = toContent(files);
  for (const [at, file] of content.events.entries()) {
    if (at % FILES_A_STEP === 0) await setImmediate();
    idOf('event', file);
  }
  await setImmediate();
  parsed.set(snapshot, content);
  return content;
}

/** Those of one request; they are read when the first is asked for. */
export function openSources(inbox: Inbox, snapshot: Snapshot): Sources {
  let known: ReadonlyMap<string, SourceRecord> | null = null;
  const read = async (): Promise<ReadonlyMap<string, SourceRecord>> => {
    const files = await parseContent(snapshot);
    const all = listSources(files, await readInboxRecords(inbox), await readSlugs(inbox));
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
export interface EditedThing {
  readonly source: SourceRecord;
  /** Null where it is as its source has it. */
  readonly edit: Edit | null;
  /** What it says with the edit. */
  readonly record: ThingRecord;
  /** Whether the source says something else than when the edit was made. */
  readonly is_outdated: boolean;
}

function toEdited(source: SourceRecord, edit: Edit | null): EditedThing {
  const { kind, record } = source;
  if (edit === null) return { source, edit, record, is_outdated: false };
  const is_outdated = listChanged(edit.source, toEditable(kind, record)).length > 0;
  return { source, edit, record: layEdit(kind, record, edit.record), is_outdated };
}

/** The thing with this id; null where there is none. */
export async function readThing(
  inbox: Inbox,
  sources: Pick<Sources, 'get'>,
  id: string,
): Promise<EditedThing | null> {
  const source = await sources.get(id);
  return source && toEdited(source, (await readApplied(inbox, id)).edits[0] ?? null);
}

/** All that is edited; without what has no source any more. */
export async function listEdited(inbox: Inbox, sources: Sources): Promise<readonly EditedThing[]> {
  const edited = await Array.fromAsync((await readApplied(inbox)).edits, async (edit) => {
    const source = await sources.get(edit.thing);
    return source && toEdited(source, edit);
  });
  return edited.filter((thing) => thing !== null);
}

async function takeThing(inbox: Inbox, sources: Town['sources'], id: string): Promise<EditedThing> {
  const thing = await readThing(inbox, sources, id);
  if (thing === null) throw refusal('no_such_thing');
  return thing;
}

/**
 * Changes fields: `changed` by name, undefined takes one away. What is then as its source has it is no
 * edit any more. Gives every fault; nothing is stored where there is one.
 */
export const editThing = (
  inbox: Inbox,
  actor: Actor,
  id: string,
  changed: ThingRecord,
  words: string,
  town: Town,
): Promise<readonly FieldIssue[]> =>
  inbox.transaction(async () => {
    const { source, record, edit } = await takeThing(inbox, town.sources, id);
    const { kind } = source;
    // Its places are as the desk has them; as their sources do where an edit does not pass any more.
    const get = async (place: string): Promise<SourceRecord | null> => {
      const thing = await readThing(inbox, town.sources, place);
      if (thing === null) return null;
      const { value } = checkRecord(thing.source.kind, thing.record);
      return value === null ? thing.source : { ...thing.source, record: value };
    };
    const edited = { ...record, ...changed };
    const { value, issues } = await checkThing(source, edited, { ...town, sources: { get } });
    if (value === null) return issues;
    if (!(await isGoodSame(inbox, source, changed[SAME_FIELD], town.sources)))
      return [{ path: SAME_FIELD, rule: 'invalid', message: 'must be one that is there' }];
    const [said, now] = [toEditable(kind, source.record), toEditable(kind, value)];
    const fields = listChanged(toEditable(kind, record), now);
    if (fields.length === 0) throw refusal('as_it_was');
    if (fields.includes('image')) await needPicture(inbox, now.image);
    await applyOwn(
      inbox,
      { ...actor, action: 'edit', reason: needReason(words) },
      {
        kind,
        thing: id,
        asks: 'edit',
        record: listChanged(said, now).length === 0 ? null : now,
        source: edit?.source ?? said,
      },
    );
    return [];
  });

interface Town {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
  /** All that is there, shown by a release yet or not. */
  readonly sources: Pick<Sources, 'get'>;
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
async function checkThing(
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

/** An address that was ever given to another stays that one's. */
const listTaken = (
  kind: Exclude<HistoryKind, 'notice'>,
  id: string,
  record: ThingRecord,
  { findId }: Snapshot,
) =>
  [...listSaidAddresses(id, record)]
    .filter((one) => ![null, id].includes(findId(kind, one)))
    .map((one) => ({ field: 'slug', message: `'${one}' is the address of another` }));

/** Only one that is there and stays: two that lead to each other would lead nowhere. */
async function isGoodSame(
  inbox: Inbox,
  old: SourceRecord,
  kept: unknown,
  sources: Town['sources'],
) {
  if (kept === undefined) return true;
  const other = kept === old.id ? null : await readThing(inbox, sources, String(kept));
  return other?.source.kind === old.kind && other.record[SAME_FIELD] === undefined;
}

const Pictured = v.object({ url: v.string() });

/** An edit needs the picture that was uploaded for it. Throws AppError where it is gone. */
async function needPicture(inbox: Inbox, image: unknown): Promise<void> {
  const upload = v.is(Pictured, image) ? readUploadLink(image.url) : null;
  if (upload !== null) await needUpload(inbox, upload);
}

async function takeEdit(inbox: Inbox, id: string): Promise<Edit> {
  const [edit] = (await readApplied(inbox, id)).edits;
  if (edit === undefined) throw refusal('no_such_edit');
  return edit;
}

/** Gives a thing back to its source. */
export async function useSource(inbox: Inbox, actor: Actor, id: string): Promise<void> {
  const edit = await takeEdit(inbox, id);
  const own = { ...edit, record: null, asks: 'edit' } as const;
  await applyOwn(inbox, { ...actor, action: 'use_source' }, own);
}

/** The edit stays, over what its source says now. */
export const keepEdit = (inbox: Inbox, actor: Actor, id: string, sources: Sources): Promise<void> =>
  inbox.transaction(async () => {
    const edit = await takeEdit(inbox, id);
    const { source } = await takeThing(inbox, sources, id);
    const own = { ...edit, source: toEditable(source.kind, source.record), asks: 'edit' } as const;
    await applyOwn(inbox, { ...actor, action: 'keep_edit' }, own);
  });
