// The table of claims: which editor looks at what waits, and until when.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

const Row = v.object({ reference: v.string(), editor: v.string(), until_ms: v.number() });
/** An item that an editor has taken. */
export type Claim = Readonly<v.InferOutput<typeof Row>>;

/** Those that have not expired, by reference. */
export function listClaims(inbox: Inbox, now_ms: number): ReadonlyMap<string, Claim> {
  const rows = v.parse(
    v.array(Row),
    inbox.prepare('select reference, editor, until_ms from claims where until_ms > ?').all(now_ms),
  );
  return new Map(rows.map((row) => [row.reference, row]));
}

/** Takes it, whoever had it; forgets those that have expired. */
export function putClaim(
  inbox: Inbox,
  { reference, editor, until_ms }: Claim,
  now_ms: number,
): void {
  inbox.prepare('delete from claims where until_ms <= ?').run(now_ms);
  inbox
    .prepare(
      'insert into claims values (?, ?, ?) on conflict do update set editor = excluded.editor, until_ms = excluded.until_ms',
    )
    .run(reference, editor, until_ms);
}

export function deleteClaim(inbox: Inbox, reference: string): void {
  inbox.prepare('delete from claims where reference = ?').run(reference);
}
