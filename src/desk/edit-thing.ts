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
import { inTurn } from '../inbox/in-turn.ts';
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

const findEdit = async (inbox: Inbox, id: string): Promise<Edit | null> =>
  (await listEdits(inbox, id))[0] ?? null;

/** The thing with this id; null where there is none. */
export async function readThing(
  inbox: Inbox,
  sources: Sources,
  id: string,
): Promise<EditedThing | null> {
  const source = await sources.get(id);
  return source && toEdited(source, await findEdit(inbox, id));
}

/** All that is edited; without what has no source any more. */
export async function listEdited(inbox: Inbox, sources: Sources): Promise<readonly EditedThing[]> {
  const edited = await inTurn(await listEdits(inbox), async (edit) => {
    const source = await sources.get(edit.thing);
    return source && toEdited(source, edit);
  });
  return edited.filter((thing) => thing !== null);
}

async function takeThing(inbox: Inbox, sources: Sources, id: string): Promise<EditedThing> {
  const thing = await readThing(inbox, sources, id);
  if (thing !== null) return thing;
  throw new AppError('not_found', 'thing: there is none with this id', 'no_such_thing');
}

/**
 * Changes fields: `changed` by name, undefined takes one away. What is then as its source has it is no
 * edit any more. Gives every fault; nothing is stored where there is one.
 */
export const editThing = (
  inbox: Inbox,
  { editor, now_ms }: Actor,
  id: string,
  changed: ThingRecord,
  words: string,
  town: Town,
): Promise<readonly FieldIssue[]> =>
  inbox.transaction(async () => {
    const { source, record, edit } = await takeThing(inbox, town.sources, id);
    const closed = listClosed(source, changed);
    if (closed.length > 0) return closed;
    const { value, issues } = await checkThing(source, { ...record, ...changed }, town);
    if (value === null) return issues;
    if (!(await isGoodSame(inbox, source, changed[SAME_FIELD], town.sources)))
      return [{ path: SAME_FIELD, rule: 'invalid', message: 'must be one that is there' }];
    const { kind } = source;
    const [said, now] = [toEditable(kind, source.record), toEditable(kind, value)];
    const fields = listChanged(toEditable(kind, record), now);
    if (fields.length === 0)
      throw new AppError('invalid_parameter', 'edit: says what is said already', 'as_it_was');
    const reason = toLogReason(words);
    await decide(inbox, { editor, now_ms, action: 'edit', subject: id, reason }, async () => {
      if (fields.includes(PICTURE_FIELD)) await needPicture(inbox, now[PICTURE_FIELD]);
      const own = { kind, thing: id, record: now, source: edit?.source ?? said };
      return listChanged(said, now).length === 0
        ? await endOwn(inbox, { thing: id, asks: 'edit' })
        : await insertOwn(inbox, { ...own, asks: 'edit' }, now_ms);
    });
    return [];
  });

/** Only one that is there and stays: two that lead to each other would lead nowhere. */
async function isGoodSame(
  inbox: Inbox,
  old: SourceRecord,
  kept: unknown,
  sources: Sources,
): Promise<boolean> {
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

/** Those that have a button of their own at the desk, or never change, or are none. */
function listClosed({ kind }: SourceRecord, changed: object): FieldIssue[] {
  const open = listEditable(kind).map(([field]) => field);
  return Object.keys(changed)
    .filter((field) => !open.includes(field))
    .map((path) => ({ path, rule: 'invalid', message: `is none of ${open.join(', ')}` }));
}

async function takeEdit(inbox: Inbox, id: string): Promise<Edit> {
  const edit = await findEdit(inbox, id);
  if (edit !== null) return edit;
  throw new AppError('not_found', 'edit: it is as its source has it', 'no_such_edit');
}

/** Gives a thing back to its source. */
export async function useSource(
  inbox: Inbox,
  { editor, now_ms }: Actor,
  id: string,
): Promise<void> {
  await takeEdit(inbox, id);
  const decision = { editor, now_ms, action: 'use_source', subject: id, reason: null } as const;
  await decide(inbox, decision, () => endOwn(inbox, { thing: id, asks: 'edit' }));
}

/** The edit stays, over what its source says now. */
export const keepEdit = (inbox: Inbox, actor: Actor, id: string, sources: Sources): Promise<void> =>
  inbox.transaction(async () => {
    const edit = await takeEdit(inbox, id);
    const { source } = await takeThing(inbox, sources, id);
    const { editor, now_ms } = actor;
    const decision = { editor, now_ms, action: 'keep_edit', subject: id, reason: null } as const;
    const own = { ...edit, source: toEditable(source.kind, source.record), asks: 'edit' } as const;
    await decide(inbox, decision, () => insertOwn(inbox, own, now_ms));
  });
