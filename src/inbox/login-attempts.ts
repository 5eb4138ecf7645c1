// How often a password may be tried: counted in the inbox, so that all serving processes count
// together and a restart forgives nothing.
import * as v from 'valibot';
import { derive, readSecret } from './secret.ts';
import type { Inbox } from './open.ts';

const WINDOW_MS = 15 * 60_000;
/** Failures within the window for an address, and for a name. */
export const LOGIN_LIMITS = { address: 8, name: 20 } as const;
export type Whose = keyof typeof LOGIN_LIMITS;

const toWho = (inbox: Inbox, whose: Whose, text: string): string =>
  derive(readSecret(inbox), `login ${whose}`, text).toString('hex').slice(0, 32);

/**
 * Counts an attempt before its password is looked at; false where there were too many, and then it
 * is not to be looked at. A success calls `forgiveAttempts`.
 */
export function countAttempt(inbox: Inbox, address: string, name: string, now_ms: number): boolean {
  return inbox
    .transaction((): boolean => {
      // What a clock that ran ahead has counted would keep everybody out until it is that late.
      inbox
        .prepare('delete from login_attempts where at_ms <= ? or at_ms > ?')
        .run(now_ms - WINDOW_MS, now_ms + WINDOW_MS);
      const all = [
        ['address', toWho(inbox, 'address', address)],
        ['name', toWho(inbox, 'name', name)],
      ] as const;
      for (const [whose, who] of all) {
        const count = v.parse(
          v.number(),
          inbox.prepare('select count(*) from login_attempts where who = ?').pluck().get(who),
        );
        if (count >= LOGIN_LIMITS[whose]) return false;
      }
      for (const [, who] of all)
        inbox.prepare('insert into login_attempts values (?, ?)').run(who, now_ms);
      return true;
    })
    .immediate();
}

/** After a right password. */
export function forgiveAttempts(inbox: Inbox, address: string, name: string): void {
  inbox
    .prepare('delete from login_attempts where who in (?, ?)')
    .run(toWho(inbox, 'address', address), toWho(inbox, 'name', name));
}
