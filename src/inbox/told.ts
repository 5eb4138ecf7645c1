// What the sender of a submission was last told of it by mail, so that who was told something that is no
// longer so is told that too.
import * as v from 'valibot';
import { SUBMISSION_STATES } from '../domain/submission/submission.ts';
import type { Inbox } from './open.ts';

const ToldRow = v.object({
  reference: v.string(),
  revision: v.number(),
  state: v.picklist(SUBMISSION_STATES),
});
/** How a text of a submission stood in the letter. */
export type Told = Readonly<v.InferOutput<typeof ToldRow>>;

/** Null where no letter has told anything. */
export function getTold(inbox: Inbox, reference: string): Told | null {
  const row: unknown = inbox.prepare('select * from told where reference = ?').get(reference);
  return row === undefined ? null : v.parse(ToldRow, row);
}

/** In the place of what was told before. */
export const putTold = (inbox: Inbox, { reference, revision, state }: Told): void =>
  void inbox
    .prepare('insert or replace into told (reference, revision, state) values (?, ?, ?)')
    .run(reference, revision, state);
