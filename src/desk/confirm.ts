// What keeps a fact alive: who is asked whether an event is as it was, by a letter whose links only its reader has, and
// what comes of the answer (contract 14.41).
import type { Temporal } from 'temporal-polyfill';
import { isReference } from '../domain/change.ts';
import { toLocalDay } from '../domain/local-time.ts';
import { DEFAULT_LANG } from '../domain/lang.ts';
import { readApplied } from '../inbox/applied.ts';
import { getSubmission } from '../inbox/changes.ts';
import { listSources } from '../inbox/followed.ts';
import { mayWriteTo } from '../inbox/letters.ts';
import type { Inbox } from '../inbox/open.ts';
import { derive, isSame } from '../inbox/secret.ts';
import type { ReleasedEvents } from '../snapshot/list-things.ts';
import type { Snapshot, StoredCard } from '../snapshot/open.ts';
import type { FollowedSource } from '../sources/followed.ts';
import { parseOverride } from '../sources/inbox/read-inbox.ts';
import { applyOwn } from './decide.ts';
import { toEventId } from './known.ts';
import { actForSender, type SenderWish } from './propose.ts';
import { grant } from './review.ts';

/** What a letter asks about, a submission by its reference or an event of content by its id; and the letter's day. */
export interface Asking {
  readonly subject: string;
  readonly day: string;
  /** Whether its reader's word that a date is off needs no editor. */
  readonly is_trusted: boolean;
}

/** What the links of a letter have. */
export function toAskToken(inbox: Inbox, { subject, day, is_trusted }: Asking): string {
  const said = `${subject}.${day}.${Number(is_trusted)}`;
  return `${said}.${derive(inbox, 'ask', said).toString('base64url').slice(0, 22)}`;
}

/** Null of a token that is not ours. */
export function readAskToken(inbox: Inbox, token: string): Asking | null {
  const [subject = '', day = '', trust] = token.split('.');
  const asking = { subject, day, is_trusted: trust === '1' };
  return isSame(Buffer.from(toAskToken(inbox, asking)), Buffer.from(token)) ? asking : null;
}

export const toAskedId = (subject: string): string =>
  isReference(subject) ? toEventId(subject) : subject;

export type Followed = readonly FollowedSource[];

/**
 * Who answers for an event: its sender; of a followed source its contact, trusted as the source is; else whom content
 * names for its organizer or its place. Null where nobody may be written to.
 */
export async function findKeeper(
  inbox: Inbox,
  subject: string,
  { organizer, venue }: StoredCard,
  followed: Followed,
) {
  const stored = await getSubmission(inbox, subject);
  const is_sender = stored !== null && stored.door !== 'source';
  const read = stored && !is_sender ? await listSources(inbox) : [];
  const key = read.find(({ batch }) => batch === stored?.batch)?.key;
  const source = followed.find((one) => one.key === key);
  const contact = source?.contact ?? organizer?.confirm_email ?? venue?.confirm_email ?? null;
  const to = is_sender ? stored.text.contact_email : contact;
  if (to === null || !(await mayWriteTo(inbox, to))) return null;
  const is_trusted = is_sender || (source !== undefined && source.trust !== 'ask');
  return { to, lang: stored?.text.lang ?? DEFAULT_LANG, is_trusted };
}

const DAYS_KNOWN = 2;

/** What letters of a day are about. Who has just written knows. */
export async function listSubjects(
  inbox: Inbox,
  release: ReleasedEvents,
  day: Temporal.PlainDate,
  followed: Followed,
): Promise<readonly string[]> {
  const { publications } = await readApplied(inbox);
  const references = new Map(publications.map(({ id }) => [toEventId(id), id]));
  const since = day.subtract({ days: DAYS_KNOWN }).toString();
  const subjects = await Array.fromAsync(release.listAsked(day), async ({ card }) => {
    const subject = references.get(card.event.id) ?? card.event.id;
    const stored = await getSubmission(inbox, subject);
    const has_written = stored !== null && (stored.state === 'waiting' || stored.at >= since);
    return !has_written && (await findKeeper(inbox, subject, card, followed)) ? [subject] : [];
  });
  return subjects.flat();
}

/** As whom the log knows them. */
const editor = 'letter:organizer';

export const isConfirmed = async (inbox: Inbox, { subject, day }: Asking): Promise<boolean> =>
  (await readApplied(inbox, toAskedId(subject))).overrides
    .map(({ record }) => parseOverride(record))
    .some((said) => said?.status === 'confirmed' && said.on >= day);

/** What begins at these moments is on. The same link pressed again says nothing more. */
export const confirm = (inbox: Inbox, asking: Asking, starts: readonly string[], now_ms: number) =>
  inbox.transaction(async () => {
    if (await isConfirmed(inbox, asking)) return;
    const { subject: by } = asking;
    const dates = [...new Set(starts.map((start) => start.slice(0, 10)))];
    const record = { status: 'confirmed', on: toLocalDay(now_ms).toString(), by, starts };
    const own = { kind: 'event', thing: toAskedId(by), asks: 'check', dates, record } as const;
    await applyOwn(inbox, { editor, now_ms, action: 'confirm' }, own);
  });

/** So long a letter counts: what it asks about is over then. */
const LETTER_DAYS = 32;

/** Does what a sender asks for; by a letter's link, who is trusted has a date off at once. */
export const actByLetter = (inbox: Inbox, snapshot: Snapshot, wish: SenderWish, token = '') =>
  inbox.transaction(async () => {
    await actForSender(inbox, snapshot, wish);
    const { reference, act, now_ms } = wish;
    const asking = readAskToken(inbox, token);
    const since = toLocalDay(now_ms).subtract({ days: LETTER_DAYS }).toString();
    const is_own = asking?.subject === reference && asking.day >= since;
    const is_trusted = is_own && asking.is_trusted;
    const stored = await getSubmission(inbox, reference);
    if (is_trusted && act === 'cancel' && stored?.state === 'waiting')
      await grant(inbox, { editor, now_ms }, stored);
  });
