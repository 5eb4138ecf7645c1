// Imported calendars (table `batches`): stores the calendars that senders upload and followed sources bring. While a
// sender selects events, the parsed calendar is stored as a draft; each submitted event is linked to its calendar.
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
/** An unreadable draft counts as expired. */
const DraftColumn = v.fallback(v.nullable(v.pipe(JsonColumn, ImportDraftSchema)), null);
/** Unreadable answers count as none. */
const AnswersColumn = v.fallback(v.pipe(JsonColumn, v.record(v.string(), v.string())), {});

async function getImportBy(
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
    : {
        ...row,
        draft: v.parse(DraftColumn, row.draft),
        choices: v.parse(AnswersColumn, row.choices),
      };
}

/** Returns the imported calendar with an id, as in column `batch` of a change. @returns null if it was deleted. */
export const getImportById = (inbox: Inbox, id: number) => getImportBy(inbox, 'id', id);

/** Returns the imported calendar with the secret token of a private address. @returns null if the token is unknown. */
export const getImportByToken = (inbox: Inbox, token: string) =>
  getImportBy(inbox, 'token_hash', sha256Hex(token));

/** Returns the imported calendar with a reference, which is case-insensitive. */
export const getImportByReference = (inbox: Inbox, reference: string) =>
  getImportBy(inbox, 'reference', reference.toUpperCase());

/** Columns of an imported calendar (tables.ts); `sender` is the rate-limit digest of an address. */
type ImportRow = Omit<CalendarImport, 'id' | 'reference' | 'choices'> &
  Pick<Tables['batches'], 'at_ms' | 'sender' | 'token_hash'>;

const serializeDraft = (draft: ImportDraft | null): string | null => draft && JSON.stringify(draft);

/** Inserts an imported calendar and returns its id. */
export async function insertImport(inbox: Inbox, { draft, ...row }: ImportRow): Promise<number> {
  const values = { ...row, draft: serializeDraft(draft), choices: '{}' };
  const inserted = inbox.db.insertInto('batches').values(values).returning('id');
  return (await inserted.executeTakeFirstOrThrow()).id;
}

/** Updates the columns that are present in the last argument; `choices` are the sender's answers. */
export async function updateImport(
  inbox: Inbox,
  id: number,
  { draft, choices, ...row }: Partial<ImportRow & Pick<CalendarImport, 'reference' | 'choices'>>,
): Promise<void> {
  const json = {
    ...(draft !== undefined && { draft: serializeDraft(draft) }),
    ...(choices && { choices: JSON.stringify(choices) }),
  };
  const update = inbox.db.updateTable('batches').set({ ...row, ...json });
  await update.where('id', '=', id).execute();
}

/**
 * Clears drafts that are unused for a day or that a fast clock dated in the future, and deletes calendars without
 * submissions except the newest of each sender. Above the total limit, senders with the most drafts lose theirs
 * first.
 * @returns the number of drafts cleared because of their age.
 */
export async function pruneImportDrafts(inbox: Inbox, now_ms: number): Promise<number> {
  const { draft_ms, drafts, drafts_of_sender } = IMPORT_DRAFT_LIMITS;
  const drafts_to_clear = inbox.db.updateTable('batches').set({ draft: null });
  const { numUpdatedRows } = await drafts_to_clear
    .where('draft', 'is not', null)
    .where((is) =>
      is.or([is('at_ms', '<=', now_ms - draft_ms), is('at_ms', '>', now_ms + HOUR_MS)]),
    )
    .executeTakeFirstOrThrow();
  await sql`delete from batches where reference is null and id not in (
    select id from (
      select id, at_ms, row_number() over (partition by sender order by at_ms desc, id desc) as sender_rank
      from batches where reference is null and draft is not null) as ranked
    where sender_rank <= ${drafts_of_sender} order by sender_rank, at_ms desc limit ${drafts})`.execute(
    inbox.db,
  );
  return Number(numUpdatedRows);
}

/** Lists the references of all submissions from an imported calendar, including rows that cannot be parsed. */
export async function listImportReferences(inbox: Inbox, { id }: Pick<CalendarImport, 'id'>) {
  const changes = inbox.db
    .selectFrom('changes')
    .select('reference')
    .distinct()
    .where('batch', '=', id);
  const rows = await changes.where('reference', 'is not', null).execute();
  return rows.map(({ reference }) => reference ?? '');
}

/**
 * Lists the current version of each submission from an imported calendar, in the order of sending. `token` is the
 * status token of the submission, null if it cannot be derived any more.
 */
export async function listImportedSubmissions(inbox: Inbox, { id }: Pick<CalendarImport, 'id'>) {
  const changes = await listChanges(inbox, (query) =>
    query.where('batch', '=', id).where('state', 'not in', ['replaced', 'undone']).orderBy('id'),
  );
  const first_versions = await inbox.db
    .selectFrom('changes')
    .select(['reference', 'digest', 'token_hash'])
    .where('batch', '=', id)
    .where('token_hash', 'is not', null)
    .orderBy('id')
    .execute();
  const newest_by_reference = new Map(changes.map((change) => [change.reference, change]));
  return first_versions.flatMap(({ reference, digest, token_hash }) => {
    const stored = newest_by_reference.get(reference);
    if (reference === null || stored?.maker !== 'sender') return [];
    return [{ stored, token: recoverStatusToken(inbox, { reference, digest, token_hash }) }];
  });
}

/** Links a submission to an imported calendar by the UID of its event, with a digest of the event's data. */
export async function linkSubmissionToImport(
  inbox: Inbox,
  reference: string,
  link: Pick<SubmissionChange, 'batch' | 'uid' | 'uid_digest'>,
): Promise<void> {
  const changes = inbox.db.updateTable('changes').set(link);
  await changes.where('reference', '=', reference).execute();
}

/** Selects the event UIDs that were imported before, from any calendar. */
export async function listImportedUids(inbox: Inbox, uids: readonly string[]) {
  const changes = inbox.db.selectFrom('changes').select('uid').distinct();
  const rows = await changes.where('uid', 'in', [...uids, '']).execute();
  return new Set(rows.map(({ uid }) => uid));
}

/** Returns the email address that the sender entered last. @returns null if none is stored. */
export async function getImportEmail(inbox: Inbox, batch: CalendarImport): Promise<string | null> {
  const submissions = (await listImportedSubmissions(inbox, batch)).map(({ stored }) => stored);
  const with_email = submissions
    .filter(({ text }) => text.contact_email !== null)
    .sort((a, b) => a.at.localeCompare(b.at));
  return with_email.at(-1)?.text.contact_email ?? null;
}

/** Derives the token of an imported calendar's private address. @returns null for imports of older versions. */
export const getImportToken = (inbox: Inbox, { seed }: CalendarImport): string | null =>
  seed === null ? null : deriveImportToken(inbox, seed);
