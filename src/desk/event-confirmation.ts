// Event confirmation: selects the contact whom a reminder email asks if an event still takes place,
// and applies the answer. The links of the email are signed, so only its recipient has them
// (contract 14.41).
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

/** The question of a reminder email, part of the token of its links. */
export interface ConfirmationRequest {
  /** The reference of a submission, or the id of an event in content. */
  readonly subject: string;
  /** Day of the email, YYYY-MM-DD. */
  readonly day: string;
  /** The recipient may cancel a date without an editor's approval. */
  readonly is_trusted: boolean;
}

/** Creates the token of the links in a reminder email. */
export function createConfirmationToken(
  inbox: Inbox,
  { subject, day, is_trusted }: ConfirmationRequest,
): string {
  const payload = `${subject}.${day}.${Number(is_trusted)}`;
  return `${payload}.${deriveBytes(inbox, 'ask', payload).toString('base64url').slice(0, 22)}`;
}

/** Parses the token of a link. @returns null if its signature is invalid. */
export function parseConfirmationToken(inbox: Inbox, token: string): ConfirmationRequest | null {
  const [subject = '', day = '', trust] = token.split('.');
  const request = { subject, day, is_trusted: trust === '1' };
  const expected_token = createConfirmationToken(inbox, request);
  return isEqualConstantTime(Buffer.from(expected_token), Buffer.from(token)) ? request : null;
}

/** Returns the id of the event that a subject identifies. */
export const eventIdOfSubject = (subject: string): string =>
  isReference(subject) ? eventIdOfSubmission(subject) : subject;

export type FollowedSources = readonly FollowedSource[];

/**
 * Finds the email address of the contact who can confirm an event: its sender; for an event of a
 * followed source, the source's contact, trusted as the source is; otherwise the organizer or venue
 * in content, without trust.
 * @returns null if there is no address, or its owner unsubscribed.
 */
export async function findConfirmationContact(
  inbox: Inbox,
  subject: string,
  { organizer, venue }: StoredCard,
  followed: FollowedSources,
) {
  const stored = await getSubmission(inbox, subject);
  const is_sender = stored !== null && stored.door !== 'source';
  const source_states = stored && !is_sender ? await listSourceStates(inbox) : [];
  const key = source_states.find(({ batch }) => batch === stored?.batch)?.key;
  const source = followed.find((candidate) => candidate.key === key);
  const listed_contact =
    source?.contact ?? organizer?.confirm_email ?? venue?.confirm_email ?? null;
  const to = is_sender ? stored.text.contact_email : listed_contact;
  if (to === null || !(await canSendTo(inbox, to))) return null;
  const is_trusted = is_sender || (source !== undefined && source.trust !== 'ask');
  return { to, lang: stored?.text.lang ?? DEFAULT_LANG, is_trusted };
}

/** No reminder goes to a sender who wrote within this many days. */
const RECENT_CONTACT_DAYS = 2;

/**
 * Lists the subjects of the reminder emails of a day, without those whose sender wrote recently.
 */
export async function listConfirmationSubjects(
  inbox: Inbox,
  release: ReleasedEvents,
  day: Temporal.PlainDate,
  followed: FollowedSources,
): Promise<readonly string[]> {
  const { publications } = await loadAppliedChanges(inbox);
  const references_by_event = new Map(publications.map(({ id }) => [eventIdOfSubmission(id), id]));
  const recent_from = day.subtract({ days: RECENT_CONTACT_DAYS }).toString();
  const subjects = await Array.fromAsync(release.listEventsToConfirm(day), async ({ card }) => {
    const subject = references_by_event.get(card.event.id) ?? card.event.id;
    const stored = await getSubmission(inbox, subject);
    const wrote_recently =
      stored !== null && (stored.state === 'waiting' || stored.at >= recent_from);
    if (wrote_recently) return [];
    const contact = await findConfirmationContact(inbox, subject, card, followed);
    return contact === null ? [] : [subject];
  });
  return subjects.flat();
}

/** Editor name in the decision log for answers to reminder emails. */
const EDITOR = 'letter:organizer';

/** Checks if the event was confirmed on the day of the email or later. */
export const isAlreadyConfirmed = async (
  inbox: Inbox,
  { subject, day }: ConfirmationRequest,
): Promise<boolean> =>
  (await loadAppliedChanges(inbox, eventIdOfSubject(subject))).overrides
    .map(({ record }) => parseStatusOverride(record))
    .some((override) => override?.status === 'confirmed' && override.on >= day);

/**
 * Confirms the occurrences with these starts; no effect if the event was confirmed since the email.
 */
export const recordConfirmation = (
  inbox: Inbox,
  request: ConfirmationRequest,
  starts: readonly string[],
  now_ms: number,
) =>
  inbox.transaction(async () => {
    if (await isAlreadyConfirmed(inbox, request)) return;
    const { subject } = request;
    const dates = [...new Set(starts.map((start) => start.slice(0, 10)))];
    const on = toLocalDay(now_ms).toString();
    const record = { status: 'confirmed', on, by: subject, starts };
    await applyEditorChange(
      inbox,
      { editor: EDITOR, now_ms, action: 'confirm' },
      { kind: 'event', thing: eventIdOfSubject(subject), asks: 'check', dates, record },
    );
  });

/** The links of an email expire after this time; the dates it names are over then. */
const LINK_VALIDITY_DAYS = 32;

/**
 * Applies a sender's request. With the link of a reminder email (`token`), a trusted sender's
 * cancellation is granted at once.
 */
export const applySenderRequestByEmail = (
  inbox: Inbox,
  snapshot: Snapshot,
  request: SenderRequest,
  token = '',
) =>
  inbox.transaction(async () => {
    await applySenderRequest(inbox, snapshot, request);
    const { reference, act, now_ms } = request;
    const link = parseConfirmationToken(inbox, token);
    const first_valid_day = toLocalDay(now_ms).subtract({ days: LINK_VALIDITY_DAYS }).toString();
    const is_valid_link = link?.subject === reference && link.day >= first_valid_day;
    const is_trusted = is_valid_link && link.is_trusted;
    const stored = await getSubmission(inbox, reference);
    if (is_trusted && act === 'cancel' && stored?.state === 'waiting')
      await grantStatusRequest(inbox, { editor: EDITOR, now_ms }, stored);
  });
