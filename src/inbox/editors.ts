// The table of editors: who may use the desk, by name, with the hash of a password.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

export interface Editor {
  readonly name: string;
  readonly added_at: string;
  /** The login asks for a code too. */
  readonly has_factor: boolean;
}
const EditorRow = v.object({
  name: v.string(),
  added_at: v.string(),
  has_factor: v.pipe(
    v.number(),
    v.transform((one) => one === 1),
  ),
});
const SELECT = `select name, added_at,
  exists (select 1 from second_factors f where f.editor = name and f.confirmed_at is not null) as has_factor from editors`;

export function listEditors(inbox: Inbox): readonly Editor[] {
  return v.parse(v.array(EditorRow), inbox.prepare(`${SELECT} order by name`).all());
}

/** By name; null where there is none. */
export function getEditor(inbox: Inbox, name: string): Editor | null {
  const row: unknown = inbox.prepare(`${SELECT} where name = ?`).get(name);
  return row === undefined ? null : v.parse(EditorRow, row);
}

/** The hash of an editor's password; null where there is no such editor. */
export function getEditorHash(inbox: Inbox, name: string): string | null {
  const hash: unknown = inbox.prepare('select hash from editors where name = ?').pluck().get(name);
  return typeof hash === 'string' ? hash : null;
}

/** Adds an editor, or gives one that is there another hash. */
export function putEditor(
  inbox: Inbox,
  { name, hash, added_at }: Pick<Editor, 'name' | 'added_at'> & { readonly hash: string },
): void {
  inbox
    .prepare(
      'insert into editors (name, hash, added_at) values (?, ?, ?) on conflict do update set hash = excluded.hash',
    )
    .run(name, hash, added_at);
}

/** Removes an editor with sessions, devices and second factor; what they decided stays in the log. */
export function deleteEditor(inbox: Inbox, name: string): void {
  inbox.prepare('delete from editors where name = ?').run(name);
}
