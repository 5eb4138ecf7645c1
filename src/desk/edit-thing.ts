// Any field of anything, changed at the desk as a patch over its source, and given back to it
// (contract 14.28).
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import type { Actor } from '../domain/decision.ts';
import {
  isSameValue,
  type Patch,
  type PatchState,
  SAME_FIELD,
  type SourceRecord,
  toPatchState,
} from '../domain/patch.ts';
import { PICTURE_FIELD } from '../domain/edit/picture-fields.ts';
import { readUploadLink } from '../domain/submission/picture.ts';
import type { Inbox } from '../inbox/open.ts';
import { deletePatch, listPatches, putPatch } from '../inbox/patches.ts';
import { type FieldIssue, listEditable } from '../sources/inbox/editable.ts';
import { layOver } from '../sources/inbox/patch-content.ts';
import { checkThing, type Town } from './check-thing.ts';
import { decide } from './decide.ts';
import { openSources, type Sources } from './sources.ts';
import { needUpload } from './uploads.ts';
import { toLogReason } from './reason.ts';

/** A patch with what its source says now. */
export interface StandingPatch extends Patch {
  readonly now: unknown;
  readonly state: PatchState;
}

/** A thing as it stands at the desk. */
export interface EditedThing {
  readonly source: SourceRecord;
  readonly patches: readonly StandingPatch[];
  /** What it says with them. */
  readonly record: Readonly<Record<string, unknown>>;
}

const toStanding = (patch: Patch, source: SourceRecord | null): StandingPatch => {
  const now = source?.record[patch.field];
  return { ...patch, now, state: toPatchState(patch, now) };
};

/** The thing with this id, as its source stands; null where there is none. */
export function readThing(
  inbox: Inbox,
  id: string,
  sources: Sources = openSources(inbox),
): EditedThing | null {
  const source = sources.get(id);
  if (source === null) return null;
  const patches = listPatches(inbox, id);
  return {
    source,
    patches: patches.map((patch) => toStanding(patch, source)),
    record: layOver(source.record, patches),
  };
}

/** All patches, with the things that they are of; null where the source is not there any more. */
export const listEdits = (
  inbox: Inbox,
  sources: Sources = openSources(inbox),
): readonly { readonly patch: StandingPatch; readonly source: SourceRecord | null }[] =>
  listPatches(inbox).map((patch) => {
    const source = sources.get(patch.thing);
    return { patch: toStanding(patch, source), source };
  });

function takeThing(inbox: Inbox, id: string, sources: Sources = openSources(inbox)): EditedThing {
  const thing = readThing(inbox, id, sources);
  if (thing !== null) return thing;
  throw new AppError('not_found', 'thing: there is none with this id', 'no_such_thing');
}

/**
 * Changes fields: `changed` by name, undefined takes one away. What is then as its source has it is
 * no patch any more. Gives every fault; nothing is stored where there is one.
 */
export function editThing(
  inbox: Inbox,
  { editor, now_ms }: Actor,
  id: string,
  changed: Readonly<Record<string, unknown>>,
  words: string,
  town: Omit<Town, 'sources'>,
): readonly FieldIssue[] {
  const sources = openSources(inbox);
  const { source, record } = takeThing(inbox, id, sources);
  const closed = listClosed(source, changed);
  if (closed.length > 0) return closed;
  const { value, issues } = checkThing(source, { ...record, ...changed }, { ...town, sources });
  if (value === null) return issues;
  if (!isGoodSame(inbox, source, changed[SAME_FIELD], sources))
    return [{ path: SAME_FIELD, rule: 'invalid', message: 'must be one that is there' }];
  const fields = Object.keys(changed).filter((field) => !isSameValue(value[field], record[field]));
  if (fields.length === 0)
    throw new AppError('invalid_parameter', 'edit: says what is said already', 'as_it_was');
  const decision = {
    editor,
    now_ms,
    action: 'edit',
    subject: id,
    reason: toLogReason(words),
  } as const;
  decide(
    inbox,
    decision,
    fields.map((field) => toRow(id, field)),
    () => {
      for (const field of fields) {
        needPictureOf(inbox, id, field, value[field]);
        const patch = { kind: source.kind, thing: id, field, value: value[field] };
        if (isSameValue(value[field], source.record[field])) deletePatch(inbox, id, field);
        else putPatch(inbox, { ...patch, source: source.record[field] });
      }
    },
  );
  return [];
}

/** Only one that is there and stays: two that lead to each other would lead nowhere. */
function isGoodSame(inbox: Inbox, old: SourceRecord, kept: unknown, sources: Sources): boolean {
  if (kept === undefined) return true;
  const other = kept === old.id ? null : readThing(inbox, String(kept), sources);
  return other?.source.kind === old.kind && other.record[SAME_FIELD] === undefined;
}

const Pictured = v.object({ url: v.string() });

/** An edit needs the picture that was uploaded for it. Throws AppError where it is gone. */
function needPictureOf(inbox: Inbox, id: string, field: string, value: unknown): void {
  if (field !== PICTURE_FIELD || !v.is(Pictured, value)) return;
  const upload = readUploadLink(value.url);
  if (upload !== null) needUpload(inbox, upload, id);
}

/** Those that have a button of their own at the desk, or never change, or are none. */
function listClosed({ kind }: SourceRecord, changed: object): FieldIssue[] {
  const open = listEditable(kind).map(([field]) => field);
  return Object.keys(changed)
    .filter((field) => !open.includes(field))
    .map((path) => ({ path, rule: 'invalid', message: `is none of ${open.join(', ')}` }));
}

const toRow = (id: string, field: string) => ({ table: 'patches', key: [id, field] }) as const;

function takePatch(inbox: Inbox, id: string, field: string): Patch {
  const patch = listPatches(inbox, id).find((one) => one.field === field);
  if (patch !== undefined) return patch;
  throw new AppError('not_found', 'edit: that field is as its source has it', 'no_such_edit');
}

/** Gives fields back to their source: one, or all that the desk has changed. */
export function useSource(
  inbox: Inbox,
  { editor, now_ms }: Actor,
  id: string,
  field: string | null,
): void {
  const fields = field === null ? listPatches(inbox, id).map((patch) => patch.field) : [field];
  const patches = fields.map((one) => takePatch(inbox, id, one));
  if (patches.length === 0) takePatch(inbox, id, '');
  const decision = { editor, now_ms, action: 'use_source', subject: id, reason: null } as const;
  decide(
    inbox,
    decision,
    patches.map((patch) => toRow(id, patch.field)),
    () => {
      for (const patch of patches) deletePatch(inbox, id, patch.field);
    },
  );
}

/** Settles a conflict for the desk: its word stays, over what the source says now. */
export function keepEdit(inbox: Inbox, { editor, now_ms }: Actor, id: string, field: string): void {
  const patch = takePatch(inbox, id, field);
  const { source } = takeThing(inbox, id);
  const decision = { editor, now_ms, action: 'keep_edit', subject: id, reason: null } as const;
  decide(inbox, decision, [toRow(id, field)], () =>
    putPatch(inbox, { ...patch, source: source.record[field] }),
  );
}
