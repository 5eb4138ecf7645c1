// What is private of what somebody sent, on its private page: until when it is held, whether its sender is
// asked to have it erased, and the erasing (contract 14.26).
import type { SenderChange } from '../../domain/change.ts';
import { erase, readHeldWords } from '../../desk/forget.ts';
import { mayStopMail, stopMail } from '../../inbox/letters.ts';
import { type Redirect, redirect, type Visit } from '../visit.ts';

export type Privacy = Awaited<ReturnType<typeof readPrivacy>>;

/** Of one submission, or of all of a calendar. */
export async function readPrivacy({ inbox, method, query }: Visit, sent: readonly SenderChange[]) {
  const { stop = '' } = query;
  const references = sent.map(({ reference }) => reference);
  return {
    /** Null where nothing is held. */
    held: await readHeldWords(inbox, ...references),
    /** Its sender is asked whether to erase that. */
    is_erasing: method === 'GET' && query.does === 'erase',
    /** What a letter to its address has: then nobody writes there again, if its reader wants that. */
    stop_key: (await mayStopMail(inbox, references, stop)) ? stop : null,
    is_published: sent.some((stored) => stored.is_published),
  };
}

/** Erases what is private under a reference, and has its address left alone where its reader wants that. */
export async function erasePrivate(
  { inbox, fields }: Visit,
  reference: string,
  references: readonly string[],
  path: string,
): Promise<Redirect> {
  if (fields.stop) await stopMail(inbox, references, fields.stop);
  await erase(inbox, reference, null);
  return redirect(`${path}?erased=1`);
}
