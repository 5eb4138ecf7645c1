// The tables of second factors and of the codes that stand in for one.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

const Row = v.object({
  secret: v.string(),
  confirmed_at: v.nullable(v.string()),
  last_step: v.number(),
});
/** `confirmed_at` is null until its first code was typed. */
export type StoredFactor = Readonly<v.InferOutput<typeof Row>>;

/** That of an editor; null where there is none. */
export function getFactor(inbox: Inbox, editor: string): StoredFactor | null {
  const row: unknown = inbox
    .prepare('select secret, confirmed_at, last_step from second_factors where editor = ?')
    .get(editor);
  return row === undefined ? null : v.parse(Row, row);
}

/** A new secret, not confirmed yet, over the one before. */
export function putFactor(inbox: Inbox, editor: string, secret: string): void {
  inbox.prepare('insert or replace into second_factors values (?, ?, null, 0)').run(editor, secret);
}

export function confirmFactor(inbox: Inbox, editor: string, at: string): void {
  inbox.prepare('update second_factors set confirmed_at = ? where editor = ?').run(at, editor);
}

/** Uses up a step and all before it; false where it is used up already. */
export const useStep = (inbox: Inbox, editor: string, step: number): boolean =>
  inbox
    .prepare('update second_factors set last_step = ?1 where editor = ?2 and last_step < ?1')
    .run({ 1: step, 2: editor }).changes === 1;

/** Takes the second factor away, with its codes. */
export function deleteFactor(inbox: Inbox, editor: string): void {
  inbox.prepare('delete from second_factors where editor = ?').run(editor);
  inbox.prepare('delete from recovery_codes where editor = ?').run(editor);
}

/** The codes of an editor, in place of those before. */
export function putCodes(inbox: Inbox, editor: string, hashes: readonly string[]): void {
  inbox.prepare('delete from recovery_codes where editor = ?').run(editor);
  const insert = inbox.prepare('insert into recovery_codes values (?, ?)');
  for (const hash of hashes) insert.run(editor, hash);
}

/** Uses up a code; false where there is none, or none any more. */
export const useCode = (inbox: Inbox, editor: string, hash: string): boolean =>
  inbox.prepare('delete from recovery_codes where editor = ? and hash = ?').run(editor, hash)
    .changes === 1;

/** How many codes are left. */
export const countCodes = (inbox: Inbox, editor: string): number =>
  v.parse(
    v.number(),
    inbox.prepare('select count(*) from recovery_codes where editor = ?').pluck().get(editor),
  );
