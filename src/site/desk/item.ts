// What is the same of everything that waits: its way through the queue, what was decided on it, what is
// private of it; and a submission's text as an editor looks at it.
import { suggestSummary, toPreview } from '../../desk/publication.ts';
import { findRejection, findWish, type Rejection, type Wish } from '../../domain/change.ts';
import { listWarnings } from '../../domain/submission/doubts.ts';
import { toIssueWords } from '../../i18n/edit-words.ts';
import { readHeldWords } from '../../desk/forget.ts';
import { toEventId, toKnown, findAlikeEvents, toLikeable } from '../../desk/known.ts';
import type { ReviewedText } from '../../desk/review.ts';
import { byLang, type LocalText } from '../../domain/lang.ts';
import type { Additions, PublicationIssue } from '../../domain/submission/additions.ts';
import { FORM_FIELDS } from '../../domain/submission/controls.ts';
import { isLikelyDuplicate } from '../../domain/submission/likeness.ts';
import type { StoredSubmission } from '../../domain/submission/submission.ts';
import { DESK_PATHS, toThingPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { type FormState, listChoices, nameVenue, toSentences } from '../forms/read-form.ts';
import { readHistory } from './decisions.ts';
import { readJourney } from './journey.ts';
import type { DeskRequest } from './room.ts';

export type ItemView = Awaited<ReturnType<typeof readItem>>;

/** Around whatever is decided. */
export async function readItem(
  request: DeskRequest,
  {
    reference,
    waits,
    is_reopenable,
  }: { reference: string; waits: boolean; is_reopenable: boolean },
) {
  const { inbox, query, fields } = request.visit;
  const { of = '' } = query;
  const decided = /^HC-[0-9A-Z]{6}$/.test(of) ? await readHistory(request, of) : [];
  return {
    reference,
    waits,
    /** It is decided, and may be taken up again. */
    is_reopenable,
    /** Where an editor stands in the queue; null where it does not wait. */
    journey: waits ? await readJourney(request, reference) : null,
    /** What was just decided on the item before. */
    last: decided[0] ?? null,
    /** Repeated after a refusal. */
    reason: fields.reason ?? '',
    history: await readHistory(request, reference),
    /** What is private of it; null where nothing is held. */
    held: await readHeldWords(inbox, reference),
  };
}

/** A button that sends something back: how, and for which of the reasons that are given most; null for any other. */
export function readSentBack(
  does: string,
): { readonly action: 'ask' | 'reject'; readonly chosen: Rejection | Wish | null } | null {
  const [, action, code] = /^(ask|reject)(?::(\w+))?$/.exec(does) ?? [];
  if (action === 'ask') return { action, chosen: findWish(code) };
  return action === 'reject' ? { action, chosen: findRejection(code) } : null;
}

/** What readers are to be told of a cancellation or postponement, as an editor typed it. */
export const readNote = (fields: Readonly<Record<string, string>>): LocalText =>
  byLang((lang) => fields[`note_${lang}`] ?? '');

/** A text in the sender's form, what is added to it, how it will look, and what to look at twice. */
interface LookedAt {
  readonly stored: StoredSubmission;
  readonly form: FormState;
  readonly additions: Additions;
  /** By addition, or by the path of a field of content/. */
  readonly addition_issues: ReadonlyMap<string, string>;
  readonly detail: ReturnType<typeof toPreview>;
  readonly duplicates: readonly Duplicate[];
  readonly warnings: ReturnType<typeof listWarnings>;
}

/** `issues`: why it was not approved just now. */
export function lookAt(
  request: DeskRequest,
  stored: StoredSubmission,
  text: ReviewedText,
  pending: readonly StoredSubmission[],
  issues: readonly PublicationIssue[] = [],
): LookedAt {
  const { state, visit } = request;
  const { snapshot, now_ms } = state;
  const { lang } = visit;
  const submission = text.submission ?? stored.submission;
  const additions = { summary: suggestSummary(submission.description), ...text.additions };
  const toWords = ({ rule, message }: PublicationIssue): string =>
    rule === 'missing' ? t(lang, 'submit.issue.missing') : toIssueWords(message, lang);
  const asked = FORM_FIELDS.flatMap((name) => {
    const issue = issues.find(({ field }) => field === name);
    return issue ? [[name, toWords(issue)] as const] : [];
  });
  const names: readonly string[] = FORM_FIELDS;
  const others = issues.filter(({ field }) => !names.includes(field));
  return {
    stored,
    additions,
    addition_issues: new Map(others.map((issue) => [issue.field, toWords(issue)])),
    form: {
      values: nameVenue(snapshot, {
        ...text.values,
        ...(text.submission?.venue ? { venue: text.submission.venue } : {}),
      }),
      issues: new Map([...toSentences(text.issues, lang), ...asked]),
      takes_files: false,
      sends_mail: false,
      choices: listChoices(snapshot, lang),
    },
    detail: toPreview(submission, additions, toKnown(snapshot), { ...stored, now_ms }),
    duplicates: findDuplicates(request, { ...stored, submission }, pending),
    warnings: listWarnings(submission, now_ms),
  };
}

interface Duplicate {
  /** Its reference, or the id of the event. */
  readonly reference: string;
  readonly title: string;
  readonly place: string | null;
  readonly path: string;
}

/** What looks like the same thing: events of the agenda, then what waits too (contract 14.21). */
export function findDuplicates(
  { state, visit: { lang } }: DeskRequest,
  { reference, submission }: StoredSubmission,
  pending: readonly StoredSubmission[],
): readonly Duplicate[] {
  const own = toLikeable(submission);
  const published = findAlikeEvents(state, own, toEventId(reference)).map(
    ({ card: { event, venue } }): Duplicate => ({
      reference: event.id,
      title: event.title[lang],
      place: venue?.name ?? null,
      path: toThingPath('event', event.slug, lang),
    }),
  );
  const others = pending.filter((other) => other.reference !== reference);
  const waiting = others
    .filter((other) => isLikelyDuplicate(own, toLikeable(other.submission)))
    .map(
      (other): Duplicate => ({
        reference: other.reference,
        title: other.submission.title,
        place: other.submission.venue_name,
        path: `${DESK_PATHS.items}/${other.reference}`,
      }),
    );
  return [...published, ...waiting];
}
