// The inbox's own secret: what references, status addresses and counted senders are derived from.
import { createHmac, randomBytes } from 'node:crypto';
import type { Inbox } from './open.ts';

/** The 32 random bytes of this file; made with the first question, the same ever after. */
export function readSecret(inbox: Inbox): Buffer {
  const find = inbox.prepare("select value from secrets where name = 'submissions'").pluck();
  const stored: unknown = find.get();
  if (Buffer.isBuffer(stored)) return stored;
  // Only once: whoever merely looks at the form must not wait for another process that writes.
  inbox
    .prepare("insert into secrets values ('submissions', ?) on conflict do nothing")
    .run(randomBytes(32));
  const made: unknown = find.get();
  if (!Buffer.isBuffer(made)) throw new Error('the inbox has no secret');
  return made;
}

/** HMAC-SHA-256 of a purpose and a text: two purposes never give the same. */
export function derive(secret: Buffer, purpose: string, text: string): Buffer {
  return createHmac('sha256', secret).update(`${purpose}\0${text}`).digest();
}
