// Where private words stand in the inbox, and how they go: from the row, from every older text of it,
// and from the rows that decisions hold (contract 14.26).
import * as v from 'valibot';
import { PRIVATE_FIELDS } from '../domain/submission/private-fields.ts';
import { noteErased } from './compact.ts';
import { type Columns, readRow, type RowChange } from './decided-rows.ts';
import { listChangesWith, setChanges } from './decisions.ts';
import type { Inbox } from './open.ts';

const ObjectSchema = v.record(v.string(), v.unknown());
const parse = (json: Columns[string] | undefined): v.InferOutput<typeof ObjectSchema> | null =>
  typeof json === 'string' ? v.parse(ObjectSchema, JSON.parse(json)) : null;

/** A stored text without what is private of it; `changed` stands over the rest. */
function clearRecord(json: Columns[string] | undefined, changed: object = {}): string | null {
  const record = parse(json);
  if (record === null) return null;
  const cleared = PRIVATE_FIELDS.filter((name) => name in record).map((name) => [name, null]);
  return JSON.stringify({ ...record, ...Object.fromEntries(cleared), ...changed });
}

/** A reviewer's edits, by control, without what is private. */
function clearDraft(json: Columns[string] | undefined): string | null {
  const draft = parse(json);
  if (draft === null) return null;
  const names: readonly string[] = PRIVATE_FIELDS;
  return JSON.stringify(
    Object.fromEntries(Object.entries(draft).filter(([name]) => !names.includes(name))),
  );
}

/**
 * The columns that change when what is private goes. The digest of a text goes with it: an address
 * could be tried against it.
 */
const CLEARED: Readonly<
  Partial<Record<RowChange['table'], (row: Columns, reference: string) => Columns>>
> = {
  submissions: (row, reference) => ({
    record: clearRecord(row.record),
    draft: clearDraft(row.draft),
    message: null,
    digest: `forgotten ${reference}`,
  }),
  corrections: (row, reference) => ({
    record: clearRecord(row.record, { change: '' }),
    digest: `forgotten ${reference}`,
  }),
};

function clearRow<R extends Columns | null | undefined>(
  { table, key }: Pick<RowChange, 'table' | 'key'>,
  row: R,
  reference: string,
): R | Columns {
  const clear = CLEARED[table];
  return row && clear && key[0] === reference ? { ...row, ...clear(row, reference) } : row;
}

/** Clears one submission or correction wherever it stands; within a transaction. Whether it is there. */
export function clearPrivate(inbox: Inbox, reference: string): boolean {
  const here = (['submissions', 'corrections'] as const).map((table) =>
    clearStored(inbox, { table, key: [reference] }, reference),
  );
  for (const text of listTexts(inbox, reference))
    inbox
      .prepare('update submission_texts set record = ? where reference = ? and revision = ?')
      .run(clearRecord(text.record), reference, text.revision);
  for (const { id, changes } of listChangesWith(inbox, reference))
    setChanges(
      inbox,
      id,
      changes.map((change) => ({
        ...change,
        row: clearRow(change, change.row, reference),
        ...('after' in change ? { after: clearRow(change, change.after, reference) } : {}),
      })),
    );
  noteErased(inbox);
  return here.includes(true);
}

function clearStored(
  inbox: Inbox,
  name: Pick<RowChange, 'table' | 'key'>,
  reference: string,
): boolean {
  const row = readRow(inbox, name);
  const cleared = row && CLEARED[name.table]?.(row, reference);
  if (!cleared) return false;
  const columns = Object.keys(cleared);
  inbox
    .prepare(
      `update ${name.table} set ${columns.map((column) => `${column} = ?`).join(', ')} where reference = ?`,
    )
    .run(...Object.values(cleared), reference);
  return true;
}

const TextRows = v.array(v.object({ revision: v.number(), record: v.string() }));
const listTexts = (inbox: Inbox, reference: string): v.InferOutput<typeof TextRows> =>
  v.parse(
    TextRows,
    inbox
      .prepare('select revision, record from submission_texts where reference = ?')
      .all(reference),
  );

const anyOf = (json: string): string =>
  PRIVATE_FIELDS.map((name) => `${json} ->> '$.${name}' is not null`).join(' or ');
const HOLDS = {
  submissions: `(s.message is not null or ${anyOf('s.record')} or ${anyOf('s.draft')} or exists (
    select 1 from submission_texts x where x.reference = s.reference and (${anyOf('x.record')})))`,
  corrections: `(s.record ->> '$.change' <> '' or ${anyOf('s.record')})`,
} as const;

const HolderRows = v.array(
  v.object({
    reference: v.string(),
    state: v.string(),
    received_at: v.string(),
    record: v.string(),
    publication: v.nullable(v.string()),
    decided_at: v.nullable(v.string()),
  }),
);
/** Of whom private words are held, with what says for how long. */
export type PrivateHolder = v.InferOutput<typeof HolderRows>[number];

const DECIDED = '(select max(d.at) from decisions d where d.subject = s.reference) as decided_at';

/** The submissions and corrections of which something private is held: all, or the one of a reference. */
export function listPrivateHolders(
  inbox: Inbox,
  reference: string | null = null,
): readonly PrivateHolder[] {
  const one = reference === null ? '' : 'and s.reference = ?1';
  const statement = inbox.prepare(
    `select s.reference, s.state, s.received_at, s.record, p.record as publication, ${DECIDED}
       from submissions s left join publications p using (reference) where ${HOLDS.submissions} ${one}
     union all select s.reference, s.state, s.received_at, s.record, null, ${DECIDED}
       from corrections s where ${HOLDS.corrections} ${one}`,
  );
  return v.parse(
    HolderRows,
    reference === null ? statement.all() : statement.all({ 1: reference }),
  );
}

const References = v.array(v.string());

/** The submissions and corrections whose private words were cleared. */
export const listForgotten = (inbox: Inbox): readonly string[] =>
  v.parse(
    References,
    inbox
      .prepare(
        `select reference from submissions where digest = 'forgotten ' || reference
           union select reference from corrections where digest = 'forgotten ' || reference`,
      )
      .pluck()
      .all(),
  );
