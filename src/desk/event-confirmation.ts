// What keeps a fact alive: who is asked whether an event is as it was, by a letter whose links only its reader has, and
// what comes of the answer (contract 14.41).
import type { Temporal } from 'temporal-polyfill';
import { isReference } from '../domain/change.ts';
import { toLocalDay } from '../domain/local-time.ts';
import { DEFAULT_LANG } from '../domain/lang.ts';
import { loadAppliedChanges } from '../inbox/applied-changes.ts';
import { getSubmission } from '../inbox/changes.ts';
import { listSourceStates } from '../inbox/followed-sources.ts';
import { canSendTo } from '../inbox/outbox.ts';
import type { Inbox } from '../inbox/open.ts';
import { deriveBytes, isEqualConstantTime } from '../inbox/secrets.ts';
import type { ReleasedEvents } from '../snapshot/list-records.ts';
import type { Snapshot, StoredCard } from '../snapshot/open-snapshot.ts';
import type { FollowedSource } from '../sources/followed-sources.ts';
import { parseStatusOverride } from '../sources/inbox/load-inbox.ts';
import { applyEditorChange } from './decisions.ts';
import { eventIdOfSubmission } from './reference-data.ts';
import { applySenderRequest, type SenderRequest } from './submissions.ts';
import { grantStatusRequest } from './review.ts';

/** What a letter asks about, a submission by its reference or an event of content by its id; and the letter's day. */
export interface ConfirmationRequest {
  readonly subject: string;
  readonly day: string;
  /** Whether its reader's word that a date is off needs no editor. */
  readonly is_trusted: boolean;
}

/** What the links of a letter have. */
export function createConfirmationToken(
  inbox: Inbox,
  { subject, day, is_trusted }: ConfirmationRequest,
): string {
  const said = `${subject}.${day}.${Number(is_trusted)}`;
  return `${said}.${deriveBytes(inbox, 'ask', said).toString('base64url').slice(0, 22)}`;
}

/** Null of a token that is not ours. */
export function parseConfirmationToken(inbox: Inbox, token: string): ConfirmationRequest | null {
  const [subject = '', day = '', trust] = token.split('.');
  const asking = { subject, day, is_trusted: trust === '1' };
  return isEqualConstantTime(
    Buffer.from(createConfirmationToken(inbox, asking)),
    Buffer.from(token),
  )
    ? asking
    : null;
}

export const eventIdOfSubject = (subject: string): string =>
  isReference(subject) ? eventIdOfSubmission(subject) : subject;

export type FollowedSources = readonly FollowedSource[];

/**
 * Who answers for an event: its sender; of a followed source its contact, trusted as the source is; else whom content
 * names for its organizer or its place. Null where nobody may be written to.
 */
export async function findConfirmationContact(
  inbox: Inbox,
  subject: string,
  { organizer, venue }: StoredCard,
  followed: FollowedSources,
) {
  const stored = await getSubmission(inbox, subject);
  const is_sender = stored !== null && stored.door !== 'source';
  const read = stored && !is_sender ? await listSourceStates(inbox) : [];
  const key = read.find(({ batch }) => batch === stored?.batch)?.key;
  const source = followed.find((one) => one.key === key);
  const contact = source?.contact ?? organizer?.confirm_email ?? venue?.confirm_email ?? null;
  const to = is_sender ? stored.text.contact_email : contact;
  if (to === null || !(await canSendTo(inbox, to))) return null;
  const is_trusted = is_sender || (source !== undefined && source.trust !== 'ask');
  return { to, lang: stored?.text.lang ?? DEFAULT_LANG, is_trusted };
}

const DAYS_KNOWN = 2;

/** What letters of a day are about. Who has just written knows. */
export async function listConfirmationSubjects(
  inbox: Inbox,
  release: ReleasedEvents,
  day: Temporal.PlainDate,
  followed: FollowedSources,
): Promise<readonly string[]> {
  const { publications } = await loadAppliedChanges(inbox);
  const references = new Map(publications.map(({ id }) => [eventIdOfSubmission(id), id]));
  const since = day.subtract({ days: DAYS_KNOWN }).toString();
  const subjects = await Array.fromAsync(release.listAsked(day), async ({ card }) => {
    const subject = references.get(card.event.id) ?? card.event.id;
    const stored = await getSubmission(inbox, subject);
    const has_written = stored !== null && (stored.state === 'waiting' || stored.at >= since);
    return !has_written && (await findConfirmationContact(inbox, subject, card, followed))
      ? [subject]
      : [];
  });
  return subjects.flat();
}

/** As whom the log knows them. */
const editor = 'letter:organizer';

export const isAlreadyConfirmed = async (
  inbox: Inbox,
  { subject, day }: ConfirmationRequest,
): Promise<boolean> =>
  (await loadAppliedChanges(inbox, eventIdOfSubject(subject))).overrides
    .map(({ record }) => parseStatusOverride(record))
    .some((said) => said?.status === 'confirmed' && said.on >= day);

/** What begins at these moments is on. The same link pressed again says nothing more. */
export const recordConfirmation = (
  inbox: Inbox,
  asking: ConfirmationRequest,
  starts: readonly string[],
  now_ms: number,
) =>
  inbox.transaction(async () => {
    if (await isAlreadyConfirmed(inbox, asking)) return;
    const { subject: by } = asking;
    const dates = [...new Set(starts.map((start) => start.slice(0, 10)))];
    const record = { status: 'confirmed', on: toLocalDay(now_ms).toString(), by, starts };
    const own = {
      kind: 'event',
      thing: eventIdOfSubject(by),
      asks: 'check',
      dates,
      record,
    } as const;
    await applyEditorChange(inbox, { editor, now_ms, action: 'confirm' }, own);
  });

/** So long a letter counts: what it asks about is over then. */
const LETTER_DAYS = 32;

/** Does what a sender asks for; by a letter's link, who is trusted has a date off at once. */
export const applySenderRequestByEmail = (
  inbox: Inbox,
  snapshot: Snapshot,
  wish: SenderRequest,
  token = '',
) =>
  inbox.transaction(async () => {
    await applySenderRequest(inbox, snapshot, wish);
    const { reference, act, now_ms } = wish;
    const asking = parseConfirmationToken(inbox, token);
    const since = toLocalDay(now_ms).subtract({ days: LETTER_DAYS }).toString();
    const is_own = asking?.subject === reference && asking.day >= since;
    const is_trusted = is_own && asking.is_trusted;
    const stored = await getSubmission(inbox, reference);
    if (is_trusted && act === 'cancel' && stored?.state === 'waiting')
      await grantStatusRequest(inbox, { editor, now_ms }, stored);
  });
