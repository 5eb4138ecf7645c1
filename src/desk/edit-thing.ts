// A thing as an editor has it: her version in place of its source's as a whole, until it is given back
// (contract 14.28).
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import type { Actor } from '../domain/decision.ts';
import {
  type Edit,
  listChanged,
  SAME_FIELD,
  type SourceRecord,
  type ThingRecord,
} from '../domain/edit/edit.ts';
import { PICTURE_FIELD } from '../domain/edit/picture-fields.ts';
import { readUploadLink } from '../domain/submission/picture.ts';
import { listEdits } from '../inbox/applied.ts';
import type { Inbox } from '../inbox/open.ts';
import { type FieldIssue, layEdit, listEditable, toEditable } from '../sources/inbox/editable.ts';
import { checkThing, type Town } from './check-thing.ts';
import { decide, endOwn, insertOwn } from './decide.ts';
import type { Sources } from './sources.ts';
import { needUpload } from './uploads.ts';
import { toLogReason } from './reason.ts';

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

const findEdit = (inbox: Inbox, id: string): Edit | null => listEdits(inbox, id)[0] ?? null;

/** The thing with this id; null where there is none. */
export function readThing(inbox: Inbox, sources: Sources, id: string): EditedThing | null {
  const source = sources.get(id);
  return source && toEdited(source, findEdit(inbox, id));
}

/** All that is edited; without what has no source any more. */
export const listEdited = (inbox: Inbox, sources: Sources): readonly EditedThing[] =>
  listEdits(inbox).flatMap((edit) => {
    const source = sources.get(edit.thing);
    return source === null ? [] : [toEdited(source, edit)];
  });

function takeThing(inbox: Inbox, sources: Sources, id: string): EditedThing {
  const thing = readThing(inbox, sources, id);
  if (thing !== null) return thing;
  throw new AppError('not_found', 'thing: there is none with this id', 'no_such_thing');
}

/**
 * Changes fields: `changed` by name, undefined takes one away. What is then as its source has it is no
 * edit any more. Gives every fault; nothing is stored where there is one.
 */
export function editThing(
  inbox: Inbox,
  { editor, now_ms }: Actor,
  id: string,
  changed: ThingRecord,
  words: string,
  town: Town,
): readonly FieldIssue[] {
  const { source, record, edit } = takeThing(inbox, town.sources, id);
  const closed = listClosed(source, changed);
  if (closed.length > 0) return closed;
  const { value, issues } = checkThing(source, { ...record, ...changed }, town);
  if (value === null) return issues;
  if (!isGoodSame(inbox, source, changed[SAME_FIELD], town.sources))
    return [{ path: SAME_FIELD, rule: 'invalid', message: 'must be one that is there' }];
  const { kind } = source;
  const [said, now] = [toEditable(kind, source.record), toEditable(kind, value)];
  const fields = listChanged(toEditable(kind, record), now);
  if (fields.length === 0)
    throw new AppError('invalid_parameter', 'edit: says what is said already', 'as_it_was');
  const reason = toLogReason(words);
  decide(inbox, { editor, now_ms, action: 'edit', subject: id, reason }, () => {
    if (fields.includes(PICTURE_FIELD)) needPicture(inbox, now[PICTURE_FIELD]);
    const own = { kind, thing: id, record: now, source: edit?.source ?? said };
    return listChanged(said, now).length === 0
      ? endOwn(inbox, { thing: id, asks: 'edit' })
      : insertOwn(inbox, { ...own, asks: 'edit' }, now_ms);
  });
  return [];
}

/** Only one that is there and stays: two that lead to each other would lead nowhere. */
function isGoodSame(inbox: Inbox, old: SourceRecord, kept: unknown, sources: Sources): boolean {
  if (kept === undefined) return true;
  const other = kept === old.id ? null : readThing(inbox, sources, String(kept));
  return other?.source.kind === old.kind && other.record[SAME_FIELD] === undefined;
}

const Pictured = v.object({ url: v.string() });

/** An edit needs the picture that was uploaded for it. Throws AppError where it is gone. */
function needPicture(inbox: Inbox, image: unknown): void {
  const upload = v.is(Pictured, image) ? readUploadLink(image.url) : null;
  if (upload !== null) needUpload(inbox, upload);
}

/** Those that have a button of their own at the desk, or never change, or are none. */
function listClosed({ kind }: SourceRecord, changed: object): FieldIssue[] {
  const open = listEditable(kind).map(([field]) => field);
  return Object.keys(changed)
    .filter((field) => !open.includes(field))
    .map((path) => ({ path, rule: 'invalid', message: `is none of ${open.join(', ')}` }));
}

function takeEdit(inbox: Inbox, id: string): Edit {
  const edit = findEdit(inbox, id);
  if (edit !== null) return edit;
  throw new AppError('not_found', 'edit: it is as its source has it', 'no_such_edit');
}

/** Gives a thing back to its source. */
export function useSource(inbox: Inbox, { editor, now_ms }: Actor, id: string): void {
  takeEdit(inbox, id);
  const decision = { editor, now_ms, action: 'use_source', subject: id, reason: null } as const;
  decide(inbox, decision, () => endOwn(inbox, { thing: id, asks: 'edit' }));
}

/** The edit stays, over what its source says now. */
export function keepEdit(inbox: Inbox, actor: Actor, id: string, sources: Sources): void {
  const edit = takeEdit(inbox, id);
  const { source } = takeThing(inbox, sources, id);
  const { editor, now_ms } = actor;
  const decision = { editor, now_ms, action: 'keep_edit', subject: id, reason: null } as const;
  const own = { ...edit, source: toEditable(source.kind, source.record), asks: 'edit' } as const;
  decide(inbox, decision, () => insertOwn(inbox, own, now_ms));
}
