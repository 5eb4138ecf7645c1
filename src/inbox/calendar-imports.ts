// Calendars that were brought in: what somebody chooses from, and which submissions were sent of each.
import { sql } from 'kysely';
import * as v from 'valibot';
import {
  IMPORT_DRAFT_LIMITS,
  type ImportDraft,
  ImportDraftSchema,
  type CalendarImport,
} from '../domain/calendar-import.ts';
import type { SubmissionChange } from '../domain/change.ts';
import { recoverStatusToken, listChanges } from './changes.ts';
import type { Inbox } from './open.ts';
import { deriveImportToken, sha256Hex } from './secrets.ts';
import type { Tables } from './tables.ts';

const HOUR_MS = 3_600_000;
const JsonColumn = v.pipe(v.string(), v.parseJson());
/** One that cannot be read is chosen from no more. */
const Draft = v.fallback(v.nullable(v.pipe(JsonColumn, ImportDraftSchema)), null);
const Answers = v.fallback(v.pipe(JsonColumn, v.record(v.string(), v.string())), {});

async function getBy(
  inbox: Inbox,
  column: 'id' | 'token_hash' | 'reference',
  value: string | number,
): Promise<CalendarImport | null> {
  const row = await inbox.db
    .selectFrom('batches')
    .select(['id', 'reference', 'name', 'url', 'lang', 'at', 'draft', 'choices', 'seed'])
    .where(column, '=', value)
    .executeTakeFirst();
  return row === undefined
    ? null
    : { ...row, draft: v.parse(Draft, row.draft), choices: v.parse(Answers, row.choices) };
}

export const getImportById = (inbox: Inbox, id: number) => getBy(inbox, 'id', id);

/** By the secret token of its address; null for every token that is nobody's. */
export const getImportByToken = (inbox: Inbox, token: string) =>
  getBy(inbox, 'token_hash', sha256Hex(token));

/** By its reference, in any case. */
export const getImportByReference = (inbox: Inbox, reference: string) =>
  getBy(inbox, 'reference', reference.toUpperCase());

/** What of a batch is stored; `sender` is what an address is counted as. */
type Stored = Omit<CalendarImport, 'id' | 'reference' | 'choices'> &
  Pick<Tables['batches'], 'at_ms' | 'sender' | 'token_hash'>;
const toText = (draft: ImportDraft | null): string | null => draft && JSON.stringify(draft);

/** Gives its number. */
export async function insertImport(inbox: Inbox, { draft, ...row }: Stored): Promise<number> {
  const values = { ...row, draft: toText(draft), choices: '{}' };
  const inserted = inbox.db.insertInto('batches').values(values).returning('id');
  return (await inserted.executeTakeFirstOrThrow()).id;
}

/** It is read again, chosen from no more, or sent. */
export async function updateImport(
  inbox: Inbox,
  id: number,
  { draft, choices, ...row }: Partial<Stored & Pick<CalendarImport, 'reference' | 'choices'>>,
): Promise<void> {
  const json = {
    ...(draft !== undefined && { draft: toText(draft) }),
    ...(choices && { choices: JSON.stringify(choices) }),
  };
  const all = inbox.db.updateTable('batches').set({ ...row, ...json });
  await all.where('id', '=', id).execute();
}

/**
 * Ends what is not chosen from for a day, or was begun by a clock that ran ahead; and of what nothing was sent
 * of yet all but the newest of each sender. Where there are too many, those who have most lose theirs first.
 */
export async function pruneImportDrafts(inbox: Inbox, now_ms: number): Promise<void> {
  const { draft_ms, drafts, drafts_of_sender } = IMPORT_DRAFT_LIMITS;
  const ended = inbox.db.updateTable('batches').set({ draft: null });
  await ended
    .where('draft', 'is not', null)
    .where((is) =>
      is.or([is('at_ms', '<=', now_ms - draft_ms), is('at_ms', '>', now_ms + HOUR_MS)]),
    )
    .execute();
  await sql`delete from batches where reference is null and id not in (
    select id from (
      select id, at_ms, row_number() over (partition by sender order by at_ms desc, id desc) as nth
      from batches where reference is null and draft is not null) as of_sender
    where nth <= ${drafts_of_sender} order by nth, at_ms desc limit ${drafts})`.execute(inbox.db);
}

/** Of all that was sent of it, whether it can be read or not. */
export async function listImportReferences(inbox: Inbox, { id }: Pick<CalendarImport, 'id'>) {
  const sent = inbox.db
    .selectFrom('changes')
    .select('reference')
    .distinct()
    .where('batch', '=', id);
  const rows = await sent.where('reference', 'is not', null).execute();
  return rows.map(({ reference }) => reference ?? '');
}

/** In the order of sending, as they stand now; `token` of its own address is null where that cannot be told any more. */
export async function listImportedSubmissions(inbox: Inbox, { id }: Pick<CalendarImport, 'id'>) {
  const changes = await listChanges(inbox, (query) =>
    query.where('batch', '=', id).where('state', 'not in', ['replaced', 'undone']).orderBy('id'),
  );
  const firsts = await inbox.db
    .selectFrom('changes')
    .select(['reference', 'digest', 'token_hash'])
    .where('batch', '=', id)
    .where('token_hash', 'is not', null)
    .orderBy('id')
    .execute();
  const newest = new Map(changes.map((change) => [change.reference, change]));
  return firsts.flatMap(({ reference, digest, token_hash }) => {
    const stored = newest.get(reference);
    if (reference === null || stored?.maker !== 'sender') return [];
    return [{ stored, token: recoverStatusToken(inbox, { reference, digest, token_hash }) }];
  });
}

/** A submission is of a batch, by the name that its event has in the calendar, and what that said of it. */
export async function linkSubmissionToImport(
  inbox: Inbox,
  reference: string,
  item: Pick<SubmissionChange, 'batch' | 'uid' | 'uid_digest'>,
): Promise<void> {
  const changes = inbox.db.updateTable('changes').set(item);
  await changes.where('reference', '=', reference).execute();
}

/** Those of the names that came with any calendar. */
export async function listImportedUids(inbox: Inbox, uids: readonly string[]) {
  const changes = inbox.db.selectFrom('changes').select('uid').distinct();
  const known = await changes.where('uid', 'in', [...uids, '']).execute();
  return new Set(known.map(({ uid }) => uid));
}

/** The e-mail that its sender gave last; null where none is held. */
export async function getImportEmail(inbox: Inbox, batch: CalendarImport): Promise<string | null> {
  const sent = (await listImportedSubmissions(inbox, batch)).map(({ stored }) => stored);
  const held = sent
    .filter(({ text }) => text.contact_email !== null)
    .sort((one, other) => one.at.localeCompare(other.at));
  return held.at(-1)?.text.contact_email ?? null;
}

/** The token of its private address, which is stored nowhere; null of one from an older version. */
export const getImportToken = (inbox: Inbox, { seed }: CalendarImport): string | null =>
  seed === null ? null : deriveImportToken(inbox, seed);
