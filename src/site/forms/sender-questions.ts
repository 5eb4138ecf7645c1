// Sender questions: build the questions on the preview of a submission, and apply their answers:
// unlikely hours, a venue that may have a record, an event that may be listed already, suitability
// for families (contract 14.19).
// An answer is the value of a button, `ACTION:ARGUMENT`; the action `yes` only confirms the
// question with this key.
import { Temporal } from 'temporal-polyfill';
import type { FormField } from '../../domain/submission/fields.ts';
import type { FormValues } from '../../domain/submission/form-values.ts';
import {
  type SenderQuestion,
  listSenderQuestions,
} from '../../domain/submission/sender-questions.ts';
import { listSimilarVenues } from '../../domain/submission/duplicate-detection.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { isSubmittedAsOnline } from '../../domain/event/event.ts';
import type { Lang } from '../../domain/lang.ts';
import {
  formatAtTime,
  formatLongDayNoYear,
  formatRestingDays,
  formatTime,
  formatWhen,
} from '../../i18n/format-dates.ts';
import { correctionFormPath, recordPath } from '../../i18n/paths.ts';
import { formatNumber } from '../../i18n/format-price.ts';
import { t } from '../../i18n/translate.ts';
import {
  listUniquelyNamedVenues,
  eventIdOfSubmission,
  findPossibleDuplicates,
  toDuplicateCandidate,
} from '../../desk/reference-data.ts';
import type { PageContext } from '../page-context.ts';
import { zoneName } from './parse-form.ts';

/** View model of a question with its answer buttons. */
export interface QuestionView {
  /**
   * Besides the kinds of SenderQuestion: `place`: is the venue one of the similar ones? `where`:
   * location of a new venue; `known`: is the event one of the listed ones?
   */
  readonly kind: SenderQuestion['kind'] | 'place' | 'where' | 'known';
  /** Identifies the question and the values that it is about: a changed value is a new question. */
  readonly key: string;
  readonly question: string;
  /** Explanation after the question. */
  readonly text?: string;
  readonly answers: readonly (readonly [value: string, label: string])[];
  /** The control to change instead, and the label of the link to it. */
  readonly control?: readonly [name: FormField, label: string];
  /** Events of the agenda that may be the same. */
  readonly events?: readonly {
    readonly title: string;
    readonly when_text: string;
    readonly venue_name: string | null;
    readonly path: string;
    readonly correction_path: string;
  }[];
}

/** These questions must be answered before submitting; the others need only have been shown. */
const REQUIRED_KINDS: ReadonlySet<QuestionView['kind']> = new Set(['night', 'long', 'free']);
const MAX_SIMILAR_EVENTS = 3;

/** Keys of questions, which the form carries in hidden controls. */
export interface QuestionState {
  /** Questions that the sender confirmed with `yes`. */
  readonly answered_keys: readonly string[];
  /** Questions on the submitted page. */
  readonly shown_keys: readonly string[];
}

type Fields = Readonly<Record<string, string>>;

/** Builds a key without commas and spaces. */
const questionKey = (text: string): string => text.replace(/[^\p{L}\p{N}:.-]+/gu, '-');
const parseKeys = (text: string | undefined): string[] =>
  (text ?? '').split(',').filter((key) => key !== '');

/** Applies the pressed answer to the submitted fields, and parses the question state. */
export function applyAnswer(fields: Fields): {
  readonly fields: Fields;
  readonly question_state: QuestionState;
} {
  const [, action, argument = ''] = /^(\w+):(.*)$/su.exec(fields.answer ?? '') ?? [];
  const answered = parseKeys(fields.answered);
  const question_state = {
    shown_keys: parseKeys(fields.asked),
    answered_keys: action === 'yes' ? [...answered, argument] : answered,
  };
  if (action === undefined) return { fields, question_state };
  return { fields: { ...fields, ...answerFields(action, argument, fields) }, question_state };
}

/** Returns the fields that an answer sets. */
function answerFields(action: string, argument: string, fields: Fields): Fields {
  if (action === 'place') return { venue_name: argument, venue_address: '', zone: '' };
  if (action === 'family') return { family: '1' };
  if (action === 'dates')
    return { dates: [fields.dates ?? '', ...argument.split('.')].join('\n').trim() };
  if (action === 'rests')
    return { exceptions: [fields.exceptions ?? '', ...argument.split('.')].join('\n').trim() };
  if (action === 'night') return { end_date: argument };
  return action === 'swap'
    ? { start_time: fields.end_time ?? '', end_time: fields.start_time ?? '' }
    : {};
}

/** Builds the view of a question about the hours, the price or families. */
function buildQuestion(sender_question: SenderQuestion, lang: Lang): QuestionView {
  const { kind, key } = sender_question;
  const yes = `yes:${questionKey(key)}`;
  if (kind === 'family') {
    const answers = [
      ['family:1', t(lang, 'submit.ask.family.yes')],
      [yes, t(lang, 'submit.ask.family.no')],
    ] as const;
    return { kind, key, question: t(lang, 'submit.ask.family'), answers };
  }
  if (kind === 'holidays') {
    const { days } = sender_question;
    const question = formatRestingDays('submit.ask.holidays', days, lang);
    const text = t(lang, 'submit.ask.holidays.text');
    const answers = [
      [`dates:${days.join('.')}`, t(lang, 'submit.ask.holidays.yes')],
      [`rests:${days.join('.')}`, t(lang, 'submit.ask.holidays.no')],
    ] as const;
    return { kind, key: questionKey(key), question, text, answers };
  }
  if (kind === 'free') {
    const question = t(lang, 'submit.ask.free', { quote: sender_question.quote });
    const answers = [[yes, t(lang, 'submit.ask.free.yes')]] as const;
    const control = ['price_kind', t(lang, 'submit.ask.free.change')] as const;
    return { kind, key: questionKey(key), question, answers, control };
  }
  const hours = Number.isInteger(sender_question.hours)
    ? formatNumber(sender_question.hours, lang)
    : String(sender_question.hours);
  const control = ['end_time', t(lang, 'submit.ask.hours.change')] as const;
  if (kind === 'long') {
    const answers = [[yes, t(lang, 'submit.ask.long.yes', { hours })]] as const;
    const text = t(lang, 'submit.ask.long.text');
    return { kind, key, control, answers, text, question: t(lang, 'submit.ask.long', { hours }) };
  }
  const start = Temporal.PlainTime.from(sender_question.start);
  const end = Temporal.PlainTime.from(sender_question.end);
  const day = formatLongDayNoYear(Temporal.PlainDate.from(sender_question.day), lang);
  const swapped = { start: formatTime(end, lang), end: formatTime(start, lang) };
  const placeholders = {
    start: formatAtTime(start, lang),
    end: formatAtTime(end, lang),
    day,
    hours,
  };
  const answers = [
    [`night:${sender_question.day}`, t(lang, 'submit.ask.night.yes', { day })],
    [`swap:${key}`, t(lang, 'submit.ask.night.swap', swapped)],
  ] as const;
  return { kind, key, control, answers, question: t(lang, 'submit.ask.night', placeholders) };
}

/**
 * Asks if an unknown venue is one of the similar known ones, or for the location of a new venue
 * that has only a name.
 */
function listVenueQuestions(
  { snapshot }: PageContext,
  submission: Submission,
  answered_keys: readonly string[],
  lang: Lang,
): QuestionView[] {
  const { venue, venue_name: name, venue_address, zone } = submission;
  if (venue !== null || name === null || isSubmittedAsOnline(submission)) return [];
  const known_venues = listUniquelyNamedVenues(snapshot);
  const names = new Map(known_venues.map(([known_name, { id }]) => [id, known_name]));
  const similar_venues = listSimilarVenues(
    known_venues.map(([, known_venue]) => known_venue),
    name,
  );
  const key = questionKey(`place.${name}`);
  if (similar_venues.length === 0 || answered_keys.includes(key)) {
    const has_location = zone !== null || venue_address !== null;
    if (has_location) return [];
    const control = ['zone', t(lang, 'submit.ask.where.say')] as const;
    const question = t(lang, 'submit.ask.where', { name });
    return [{ kind: 'where', key: questionKey(`where.${name}`), question, answers: [], control }];
  }
  const venue_answers = similar_venues.map((similar) => {
    const similar_name = names.get(similar.id) ?? similar.name;
    const placeholders = { name: similar_name, zone: zoneName(snapshot, similar.zone, lang) };
    return [`place:${similar_name}`, t(lang, 'submit.ask.place.is', placeholders)] as const;
  });
  const other_answer = [`yes:${key}`, t(lang, 'submit.ask.place.other')] as const;
  const question = t(lang, 'submit.ask.place', { name });
  return [{ kind: 'place', key, question, answers: [...venue_answers, other_answer] }];
}

/**
 * Asks if the submission is one of the similar events of the agenda.
 * @param own_event_id Id that the submission has or gets as an event, which is excluded.
 */
function listDuplicateQuestions(
  context: PageContext,
  submission: Submission,
  own_event_id: string,
  lang: Lang,
): QuestionView[] {
  const candidate = toDuplicateCandidate(submission);
  const similar_events = findPossibleDuplicates(context, candidate, own_event_id).slice(
    0,
    MAX_SIMILAR_EVENTS,
  );
  if (similar_events.length === 0) return [];
  const events = similar_events.map(({ card: { event, venue }, occurrence }) => ({
    title: event.title[lang],
    when_text: formatWhen(occurrence, lang),
    venue_name: venue?.name ?? null,
    path: recordPath('event', event.slug, lang),
    correction_path: correctionFormPath('event', event.id, lang),
  }));
  const key = questionKey(`known.${similar_events.map(({ card }) => card.event.id).join('.')}`);
  const answers = [[`yes:${key}`, t(lang, 'submit.ask.known.other')]] as const;
  return [{ kind: 'known', key, question: t(lang, 'submit.ask.known'), answers, events }];
}

/**
 * Lists the unanswered questions about a valid form.
 * @param reference Reference of the amended submission; null for a new one.
 */
export function listQuestions(
  context: PageContext,
  values: FormValues,
  submission: Submission,
  { answered_keys }: QuestionState,
  reference: string | null,
  lang: Lang,
): readonly QuestionView[] {
  return [
    ...listSenderQuestions(values, submission).map((question) => buildQuestion(question, lang)),
    ...listVenueQuestions(context, submission, answered_keys, lang),
    ...listDuplicateQuestions(context, submission, eventIdOfSubmission(reference ?? ''), lang),
  ].filter(({ key }) => !answered_keys.includes(key));
}

/** Returns true if the form can be submitted without answers to these questions. */
export const canSubmit = (
  questions: readonly QuestionView[],
  { shown_keys }: QuestionState,
): boolean =>
  questions.every(({ kind, key }) => !REQUIRED_KINDS.has(kind) && shown_keys.includes(key));
