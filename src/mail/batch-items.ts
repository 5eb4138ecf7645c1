// What one queued message says of a calendar that was sent: which of its events it is about, where each
// is, and the private address of all of it; nothing where that is no longer so.
import type { StoredBatch } from '../domain/batch/batch.ts';
import type { Lang } from '../domain/lang.ts';
import { BATCH_MAIL, type BatchMailKind } from '../domain/mail.ts';
import type { StoredSubmission } from '../domain/submission/submission.ts';
import { toAbsolute, toBatchPath, toThingPath } from '../i18n/paths.ts';
import { tCount } from '../i18n/translate.ts';
import { getBatch } from '../inbox/batches.ts';
import { listDecidedReferences } from '../inbox/decisions.ts';
import type { QueuedMail } from '../inbox/outbox.ts';
import { getSubmission } from '../inbox/submissions.ts';
import { listSent, readBatchEmail, readBatchToken } from '../desk/batch-sent.ts';
import { isDecisionSo, isOfDecision, toChangedState, toReasonWords } from './decided.ts';
import { toEventId } from '../desk/known.ts';
import { ADDRESS, type LetterReading, type LetterSources, toLeaveUrl } from './items.ts';

/** The events that a message is about; all of them were decided alike. */
type About = readonly [StoredSubmission, ...StoredSubmission[]];

/** The letter's part of a message about a calendar; null where its subject is none. */
export function readBatchItem(mail: QueuedMail, sources: LetterSources): LetterReading | null {
  const batch = getBatch(sources.inbox, mail.subject);
  if (batch === null) return null;
  const kind = BATCH_MAIL.find((known) => known === mail.kind);
  const to = readBatchEmail(sources.inbox, batch);
  if (kind === undefined || to === null || !ADDRESS.test(to)) return 'void';
  if (kind === 'approved' && sources.release.generated_ms <= mail.queued_ms) return 'not_yet';
  const [first, ...others] = listAbout(mail, batch, sources);
  if (first === undefined) return 'void';
  return toReading(mail, kind, batch, [first, ...others], to, sources);
}

/** The events that a message is about, as they stand now. */
function listAbout(
  mail: QueuedMail,
  batch: StoredBatch,
  { inbox, release }: LetterSources,
): readonly StoredSubmission[] {
  if (mail.kind === 'receipt')
    return listSent(inbox, batch)
      .map(({ stored }) => stored)
      .filter(({ state }) => state !== 'withdrawn');
  return listDecidedReferences(inbox, Number(mail.detail))
    .flatMap((reference) => getSubmission(inbox, reference) ?? [])
    .filter((stored) => isDecisionSo(mail, stored, inbox))
    .filter(({ reference }) => mail.kind !== 'approved' || release.findSlug(toEventId(reference)));
}

/** Its sentence. */
function toText(kind: BatchMailKind, lang: Lang, about: About): string {
  if (kind !== 'changed') return tCount(lang, `mail.text.batch.${kind}`, about.length);
  return tCount(lang, `mail.text.batch.changed.${toChangedState(about[0])}`, about.length);
}

function toReading(
  mail: QueuedMail,
  kind: BatchMailKind,
  batch: StoredBatch,
  about: About,
  to: string,
  { inbox, site, release }: LetterSources,
): LetterReading {
  const { lang, name, reference } = batch;
  const token = readBatchToken(inbox, batch);
  const url = token && toAbsolute(site.url, toBatchPath(token, lang));
  if (url === null && kind === 'receipt') return 'void';
  return {
    ...{ to, lang },
    item: {
      ...{ reference: reference ?? '', title: name || (reference ?? ''), start: null },
      text: toText(kind, lang, about),
      words: toReasonWords(mail, about[0]),
      page_url: null,
      link: url === null ? null : { text: 'mail.link.batch', url },
      leave_url: url && toLeaveUrl(inbox, url, to),
      events: about.map(({ reference: own, submission: { title, start } }) => {
        const slug = release.findSlug(toEventId(own));
        const page_url = slug && toAbsolute(site.url, toThingPath('event', slug, lang));
        return { title, start, page_url };
      }),
      tells: isOfDecision(mail) ? about : [],
    },
  };
}
