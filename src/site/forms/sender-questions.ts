// What a sender is asked on the preview, an answer a tap: hours that may be a slip, a place that may be
// a known one, an event that may be there already, families (contract 14.19).
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

/** What is asked, with the answers that can be pressed. */
export interface QuestionView {
  readonly kind: SenderQuestion['kind'] | 'place' | 'where' | 'known';
  readonly key: string;
  readonly asks: string;
  readonly text?: string;
  readonly answers: readonly (readonly [value: string, label: string])[];
  /** The control in which it can be answered otherwise, and what the way there is called. */
  readonly control?: readonly [name: FormField, label: string];
  /** Events of the agenda that it may be. */
  readonly events?: readonly {
    readonly title: string;
    readonly when: string;
    readonly place: string | null;
    readonly path: string;
    readonly correct_path: string;
  }[];
}

/** Nothing is sent before these are answered; the others need only have been asked. */
const MUST_BE_ANSWERED: ReadonlySet<QuestionView['kind']> = new Set(['night', 'long']);
const EVENTS_SHOWN = 3;

/** The words that go with a form between its pages, in hidden controls. */
export interface QuestionState {
  /** Keys of what was answered. */
  readonly answered: readonly string[];
  /** Keys of what was asked on the page that was sent. */
  readonly asked: readonly string[];
}

type Fields = Readonly<Record<string, string>>;

const toKey = (text: string): string => text.replace(/[^\p{L}\p{N}:.-]+/gu, '-');
const listKeys = (text: string | undefined): string[] =>
  (text ?? '').split(',').filter((key) => key !== '');

/** What was sent, with the answer that was pressed in it. */
export function applyAnswer(fields: Fields): {
  readonly fields: Fields;
  readonly talk: QuestionState;
} {
  const [, verb, said = ''] = /^(\w+):(.*)$/su.exec(fields.answer ?? '') ?? [];
  const asked = listKeys(fields.asked);
  const answered = listKeys(fields.answered);
  const talk = { asked, answered: verb === 'yes' ? [...answered, said] : answered };
  const now = verb === undefined ? fields : { ...fields, ...toAnswered(verb, said, fields) };
  return { fields: now, talk };
}

/** What an answer puts into the form. */
function toAnswered(verb: string, said: string, fields: Fields): Fields {
  if (verb === 'place') return { venue_name: said, venue_address: '', zone: '' };
  if (verb === 'family') return { family: '1' };
  if (verb === 'night') return { end_date: said };
  return verb === 'swap'
    ? { start_time: fields.end_time ?? '', end_time: fields.start_time ?? '' }
    : {};
}

/** A doubt in words. */
function askDoubt(doubt: SenderQuestion, lang: Lang): QuestionView {
  const { kind, key } = doubt;
  const yes = `yes:${key}`;
  if (kind === 'family') {
    const answers = [
      ['family:1', t(lang, 'submit.ask.family.yes')],
      [yes, t(lang, 'submit.ask.family.no')],
    ] as const;
    return { kind, key, asks: t(lang, 'submit.ask.family'), answers };
  }
  const number = doubt.hours;
  const hours = Number.isInteger(number) ? formatNumber(number, lang) : String(number);
  const control = ['end_time', t(lang, 'submit.ask.hours.change')] as const;
  if (kind === 'long') {
    const answers = [[yes, t(lang, 'submit.ask.long.yes', { hours })]] as const;
    const text = t(lang, 'submit.ask.long.text');
    return { kind, key, control, answers, text, asks: t(lang, 'submit.ask.long', { hours }) };
  }
  const start = Temporal.PlainTime.from(doubt.start);
  const end = Temporal.PlainTime.from(doubt.end);
  const day = formatLongDayNoYear(Temporal.PlainDate.from(doubt.day), lang);
  const swapped = { start: formatTime(end, lang), end: formatTime(start, lang) };
  const words = { start: formatAtTime(start, lang), end: formatAtTime(end, lang), day, hours };
  const answers = [
    [`night:${doubt.day}`, t(lang, 'submit.ask.night.yes', { day })],
    [`swap:${key}`, t(lang, 'submit.ask.night.swap', swapped)],
  ] as const;
  return { kind, key, control, answers, asks: t(lang, 'submit.ask.night', words) };
}

/** A place that is not known by its name but may be one that is; a new place of which only its name is said. */
function listPlaceQuestions(
  { snapshot }: PageContext,
  submission: Submission,
  answered: readonly string[],
  lang: Lang,
): QuestionView[] {
  const { venue, venue_name: name, venue_address, zone } = submission;
  if (venue !== null || name === null || isSubmittedAsOnline(submission)) return [];
  const named = listUniquelyNamedVenues(snapshot);
  const names = new Map(named.map(([known, { id }]) => [id, known]));
  const likely = listSimilarVenues(
    named.map(([, place]) => place),
    name,
  );
  const key = toKey(`place.${name}`);
  if (likely.length === 0 || answered.includes(key)) {
    if (zone !== null || venue_address !== null) return [];
    const control = ['zone', t(lang, 'submit.ask.where.say')] as const;
    const asks = t(lang, 'submit.ask.where', { name });
    return [{ kind: 'where', key: toKey(`where.${name}`), asks, answers: [], control }];
  }
  const places = likely.map((place) => {
    const known = names.get(place.id) ?? place.name;
    const words = { name: known, zone: zoneName(snapshot, place.zone, lang) };
    return [`place:${known}`, t(lang, 'submit.ask.place.is', words)] as const;
  });
  const other = [`yes:${key}`, t(lang, 'submit.ask.place.other')] as const;
  const asks = t(lang, 'submit.ask.place', { name });
  return [{ kind: 'place', key, asks, answers: [...places, other] }];
}

function listKnownQuestions(
  state: PageContext,
  submission: Submission,
  own: string,
  lang: Lang,
): QuestionView[] {
  const alike = findPossibleDuplicates(state, toDuplicateCandidate(submission), own).slice(
    0,
    EVENTS_SHOWN,
  );
  if (alike.length === 0) return [];
  const events = alike.map(({ card: { event, venue }, occurrence }) => ({
    title: event.title[lang],
    when: formatWhen(occurrence, lang),
    place: venue?.name ?? null,
    path: recordPath('event', event.slug, lang),
    correct_path: correctionFormPath('event', event.id, lang),
  }));
  const key = toKey(`known.${alike.map(({ card }) => card.event.id).join('.')}`);
  const answers = [[`yes:${key}`, t(lang, 'submit.ask.known.other')]] as const;
  return [{ kind: 'known', key, asks: t(lang, 'submit.ask.known'), answers, events }];
}

/** What is to be asked of a form that is right, without what was answered. `reference`: of what is corrected. */
export function listQuestions(
  state: PageContext,
  values: FormValues,
  submission: Submission,
  { answered }: QuestionState,
  reference: string | null,
  lang: Lang,
): readonly QuestionView[] {
  return [
    ...listSenderQuestions(values, submission).map((doubt) => askDoubt(doubt, lang)),
    ...listPlaceQuestions(state, submission, answered, lang),
    ...listKnownQuestions(state, submission, eventIdOfSubmission(reference ?? ''), lang),
  ].filter(({ key }) => !answered.includes(key));
}

/** Whether it can be sent with these questions open. */
export const canSubmit = (questions: readonly QuestionView[], { asked }: QuestionState): boolean =>
  questions.every(({ kind, key }) => !MUST_BE_ANSWERED.has(kind) && asked.includes(key));
