// One submission on the desk: as it will look, what to look at twice, its text to edit, and the
// decision.
import { listStatusOverrides } from '../../desk/status.ts';
import { isReopenable, reopen } from '../../desk/decide.ts';
import { findShown } from '../../desk/propose.ts';
import { erase } from '../../desk/forget.ts';
import { toEventId, toKnown } from '../../desk/known.ts';
import {
  approve,
  grant,
  readReviewedText,
  refuse,
  type Review,
  type ReviewedText,
  saveDraft,
  toDraft,
} from '../../desk/review.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Lang } from '../../domain/lang.ts';
import type { PublicationIssue } from '../../domain/submission/additions.ts';
import {
  type FormField,
  type FormValues,
  pickFormValues,
} from '../../domain/submission/controls.ts';
import { listChangedFields, toFormValues } from '../../domain/submission/form.ts';
import type { StoredSubmission } from '../../domain/submission/submission.ts';
import { toChoiceLabel, toLabel, toReason } from '../../i18n/form-words.ts';
import { DESK_PATHS, toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import {
  getApprovedForm,
  getDecidedText,
  getSubmission,
  listPending,
} from '../../inbox/submissions.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import { listChoices, nameVenue } from '../forms/read-form.ts';
import { type Redirect, redirect } from '../visit.ts';
import { type FieldLines, toChange } from './decisions.ts';
import { toEditPath } from './find.ts';
import { lookAt, readItem, readNote, readSentBack } from './item.ts';
import { planNext, readPlace, toItemPath } from './journey.ts';
import { type DeskRequest, type Room, type Screen, type Told, toScreen } from './room.ts';

export const submissionRoom: Room = {
  is_of_one: true,
  is_read_by_sender: true,
  show: async (request, reference, told) => {
    const stored = await getSubmission(request.visit.inbox, reference);
    return stored && (await showAsTyped(request, stored, told));
  },
  act: async (request, reference) => {
    const stored = await getSubmission(request.visit.inbox, reference);
    return stored && (await decide(request, stored));
  },
};

/**
 * As it is now, with what was typed over it: all of it where the text is still the one that was
 * looked at, else what a reviewer adds.
 */
function showAsTyped(
  { state, visit, ...rest }: DeskRequest,
  stored: StoredSubmission,
  told: Told,
): Promise<Screen> {
  const request = { state, visit, ...rest };
  const { fields, lang, method } = visit;
  const read = (edits: Parameters<typeof readReviewedText>[1]): ReviewedText =>
    readReviewedText(stored, edits, toKnown(state.snapshot), state.now_ms);
  const text = read(null);
  if (method === 'GET') return toItem(request, stored, text, told);
  if (stored.state !== 'pending') {
    const decided = t(lang, 'desk.refused.decided');
    const notice = fields.does === 'reopen' ? told.notice : decided;
    return toItem(request, stored, text, { ...told, notice });
  }
  const typed = read(toDraft(fields));
  if (stored.revision === Number(fields.revision)) return toItem(request, stored, typed, told);
  const notice = t(lang, 'desk.refused.corrected');
  return toItem(request, stored, { ...text, additions: typed.additions }, { ...told, notice });
}

async function decide(request: DeskRequest, stored: StoredSubmission): Promise<Screen | Redirect> {
  const { state, visit, actor } = request;
  const { inbox, fields, lang } = visit;
  const { does = '', reason = '' } = fields;
  const { reference, submission } = stored;
  const own_path = `${DESK_PATHS.items}/${reference}`;
  if (does === 'erase') {
    await erase(inbox, reference, actor);
    return redirect(`${own_path}?done=erased`);
  }
  if (does === 'reopen') {
    await reopen(inbox, actor, reference, reason);
    return redirect(`${own_path}?done=reopened`);
  }
  const review: Review = { ...actor, reference, revision: Number(fields.revision) };
  const goOn = await planNext(request, reference);
  if (does === 'grant') {
    await grant(inbox, review, readNote(fields));
    return goOn('approve');
  }
  const sent_back = readSentBack(does);
  if (sent_back !== null) {
    const { action, chosen } = sent_back;
    await refuse(inbox, review, action, toReason(chosen, reason, submission.lang));
    return goOn(action);
  }
  // `duplicate:HC-7K3M9Q` of the list, or what was typed.
  const [is_duplicate, named = fields.duplicate_of ?? ''] =
    /^duplicate(?::([\w-]+))?$/.exec(does) ?? [];
  if (is_duplicate !== undefined) {
    const why = await toDuplicateReason(request, named, submission.lang);
    await refuse(inbox, review, 'reject', toReason(null, `${why} ${reason}`, submission.lang));
    return goOn('reject');
  }
  const edits = toDraft(fields);
  await saveDraft(inbox, review, edits);
  if (does !== 'approve')
    return redirect(toItemPath({ reference, kind: 'new' }, readPlace(visit), { done: 'saved' }));
  const approval = await approve(inbox, toKnown(state.snapshot), review, edits);
  if (approval.is_approved) return goOn('approve');
  const told = { status: 422, notice: t(lang, 'desk.refused.issues') };
  return toItem(request, stored, approval.text, told, approval.issues);
}

/**
 * The reason for a sender, in their language: the page of the event that has a reference, id, slug or address, or
 * that it was here before, of what is not public yet. Throws AppError where nothing has that.
 */
async function toDuplicateReason(
  { state: { snapshot, now_ms, site }, visit: { inbox } }: DeskRequest,
  named: string,
  lang: Lang,
): Promise<string> {
  const name = /([^/?#\s]+)\/?(?:[?#].*)?$/.exec(named.trim())?.[1] ?? '';
  const stored = await getSubmission(inbox, name);
  const found = stored
    ? findShown(stored, snapshot, now_ms).detail
    : getEvent(snapshot, name, now_ms);
  if (found !== null && found !== 'gone') {
    const { title, slug } = found.event;
    const url = toAbsolute(site.url, toThingPath('event', slug, lang));
    return t(lang, 'canned.duplicate_of', { title: title[lang], url });
  }
  if (stored !== null) return t(lang, 'canned.duplicate');
  throw new AppError('invalid_parameter', 'duplicate_of: nothing has that', 'no_such_duplicate');
}

const toItem = async (
  request: DeskRequest,
  stored: StoredSubmission,
  text: ReviewedText,
  told: Told,
  issues: readonly PublicationIssue[] = [],
): Promise<Screen> => {
  const view = await readView(request, stored, text, issues);
  return toScreen('submission', view, told, stored.reference);
};

export type SubmissionView = Awaited<ReturnType<typeof readView>>;

async function readView(
  request: DeskRequest,
  stored: StoredSubmission,
  text: ReviewedText,
  issues: readonly PublicationIssue[],
) {
  const { fields, inbox } = request.visit;
  const event = toEventId(stored.reference);
  return {
    ...lookAt(request, stored, text, await listPending(inbox), issues),
    item: await readItem(request, {
      reference: stored.reference,
      waits: stored.state === 'pending',
      is_reopenable: isReopenable(stored),
    }),
    /** What it was said to be a duplicate of, and what readers were to be told: repeated after a refusal. */
    named: fields.duplicate_of ?? '',
    note: readNote(fields),
    /** What its sender changed since it was decided. */
    changes: await listChanges(request, stored),
    /** What the desk says over the published event. */
    overrides: stored.is_published ? await listStatusOverrides(inbox, event) : [],
    /** Its event once it is approved. */
    thing_path: stored.is_published ? toEditPath(event) : null,
  };
}

/** What is private; and the id of a venue, which is said by its name. */
const PASSED_OVER: readonly FormField[] = ['contact_email', 'venue'];

/**
 * What a sender's correction changes, each control in words (contract 14.21): compared with what is published, else
 * with the text on which the desk decided last; nothing where it has not decided yet.
 */
async function listChanges(
  { state: { snapshot }, visit: { inbox, lang } }: DeskRequest,
  { reference, submission }: StoredSubmission,
): Promise<readonly FieldLines[]> {
  const decided = await getDecidedText(inbox, reference);
  const approved = await getApprovedForm(inbox, reference);
  const then = approved ? pickFormValues(approved) : decided && toFormValues(decided);
  if (then === null) return [];
  const before = nameVenue(snapshot, then);
  const after = nameVenue(snapshot, toFormValues(submission));
  const choices = listChoices(snapshot, lang);
  const say = (values: FormValues, name: FormField): string => {
    const value = values[name] ?? '';
    if (value === '') return t(lang, 'desk.change.nothing');
    const chosen = choices[name]?.find((choice) => choice.value === value)?.label;
    return chosen ?? (value === '1' ? '✓' : toChoiceLabel(name, value, lang));
  };
  return listChangedFields(before, after)
    .filter((name) => !PASSED_OVER.includes(name))
    .map((name) => toChange(toLabel(name, lang), say(before, name), say(after, name), lang));
}
