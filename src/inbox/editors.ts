// The table of editors: who may use the desk, by name, with the hash of a password.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

export interface Editor {
  readonly name: string;
  readonly added_at: string;
}
const EditorRow = v.object({ name: v.string(), added_at: v.string() });

export function listEditors(inbox: Inbox): readonly Editor[] {
  return v.parse(
    v.array(EditorRow),
    inbox.prepare('select name, added_at from editors order by name').all(),
  );
}

/** The hash of an editor's password; null where there is no such editor. */
export function getEditorHash(inbox: Inbox, name: string): string | null {
  const hash: unknown = inbox.prepare('select hash from editors where name = ?').pluck().get(name);
  return typeof hash === 'string' ? hash : null;
}

/** Adds an editor, or gives one another hash. */
export function putEditor(inbox: Inbox, name: string, hash: string, added_at: string): void {
  inbox
    .prepare('insert into editors values (?, ?, ?) on conflict do update set hash = excluded.hash')
    .run(name, hash, added_at);
}

/**
 * Removes an editor and ends their sessions; what they decided stays in the log. False where there
 * was none.
 */
export function removeEditor(inbox: Inbox, name: string): boolean {
  return inbox.prepare('delete from editors where name = ?').run(name).changes > 0;
}
