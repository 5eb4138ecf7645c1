// What the desk says of mail: nothing as long as letters arrive.
import type { MailNews } from '../../domain/mail.ts';
import { listFailedMail, readMailHealth } from '../../inbox/letters.ts';
import type { SiteState } from '../state.ts';
import type { Visit } from '../visit.ts';

/** Letters shown that were given up. */
const SHOWN = 10;
/** A release comes every six hours, and an approval waits for one. */
const LATE_SECONDS = 8 * 3600;

/** Null where nothing is mailed, or nothing is wrong with it. */
export async function readMailNews(
  { site, now_ms }: SiteState,
  { inbox }: Visit,
): Promise<MailNews | null> {
  if (!site.sends_mail) return null;
  const health = await readMailHealth(inbox, now_ms);
  const is_late = (health.oldest_seconds ?? 0) > LATE_SECONDS;
  return health.failed > 0 || is_late
    ? { health, failed: await listFailedMail(inbox, SHOWN) }
    : null;
}
