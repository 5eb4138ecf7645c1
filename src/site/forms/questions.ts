// What a sender is asked on the preview, an answer a tap: hours that may be a slip, a place that may be
// a known one, an event that may be there already, families (contract 14.19).
import type { FormValues } from '../../domain/submission/form.ts';
import { type Doubt, listDoubts } from '../../domain/submission/doubts.ts';
import { listLikelyPlaces } from '../../domain/submission/likeness.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { isSentOnline } from '../../domain/event/event.ts';
import type { Lang } from '../../domain/lang.ts';
import { toWhen } from '../../i18n/dates.ts';
import { toCorrectPath, toThingPath } from '../../i18n/paths.ts';
import { listNamedVenues, toEventId, findAlikeEvents, toLikeable } from '../../desk/known.ts';
import type { SiteState } from '../state.ts';
import { toZoneName } from './read-form.ts';

/** A place that is not known by this name, and those that it may be. */
export interface PlaceQuestion {
  readonly kind: 'place';
  readonly key: string;
  readonly name: string;
  readonly choices: readonly { readonly name: string; readonly zone: string }[];
}
/** A new place, of which nothing but its name is said. */
export interface WhereQuestion {
  readonly kind: 'where';
  readonly key: string;
  readonly name: string;
}
/** Events of the agenda that it may be. */
export interface KnownQuestion {
  readonly kind: 'known';
  readonly key: string;
  readonly events: readonly {
    readonly title: string;
    readonly when: string;
    readonly place: string | null;
    readonly path: string;
    readonly correct_path: string;
  }[];
}
export type Question = Doubt | PlaceQuestion | WhereQuestion | KnownQuestion;

/** Nothing is sent before these are answered; the others need only have been asked. */
const MUST_BE_ANSWERED: ReadonlySet<Question['kind']> = new Set(['night', 'long']);
const EVENTS_SHOWN = 3;

/** The words that go with a form between its pages, in hidden controls. */
export interface Talk {
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
export function takeAnswer(fields: Fields): { readonly fields: Fields; readonly talk: Talk } {
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

function listPlaceQuestions(
  { snapshot }: SiteState,
  submission: Submission,
  answered: readonly string[],
  lang: Lang,
): (PlaceQuestion | WhereQuestion)[] {
  const { venue, venue_name, venue_address, zone } = submission;
  if (venue !== null || venue_name === null || isSentOnline(submission)) return [];
  const named = listNamedVenues(snapshot);
  const names = new Map(named.map(([name, { id }]) => [id, name]));
  const likely = listLikelyPlaces(
    named.map(([, place]) => place),
    venue_name,
  );
  const key = toKey(`place.${venue_name}`);
  if (likely.length === 0 || answered.includes(key))
    return zone === null && venue_address === null
      ? [{ kind: 'where', key: toKey(`where.${venue_name}`), name: venue_name }]
      : [];
  const choices = likely.map(({ id, name, zone }) => ({
    name: names.get(id) ?? name,
    zone: toZoneName(snapshot, zone, lang),
  }));
  return [{ kind: 'place', key, name: venue_name, choices }];
}

function listKnownQuestions(
  state: SiteState,
  submission: Submission,
  own: string,
  lang: Lang,
): KnownQuestion[] {
  const alike = findAlikeEvents(state, toLikeable(submission), own).slice(0, EVENTS_SHOWN);
  if (alike.length === 0) return [];
  const events = alike.map(({ card: { event, venue }, occurrence }) => ({
    title: event.title[lang],
    when: toWhen(occurrence, lang),
    place: venue?.name ?? null,
    path: toThingPath('event', event.slug, lang),
    correct_path: toCorrectPath('event', event.id, lang),
  }));
  const key = toKey(`known.${alike.map(({ card }) => card.event.id).join('.')}`);
  return [{ kind: 'known', key, events }];
}

/** What is to be asked of a form that is right, without what was answered. `reference`: of what is corrected. */
export function listQuestions(
  state: SiteState,
  values: FormValues,
  submission: Submission,
  { answered }: Talk,
  reference: string | null,
  lang: Lang,
): readonly Question[] {
  return [
    ...listDoubts(values, submission),
    ...listPlaceQuestions(state, submission, answered, lang),
    ...listKnownQuestions(state, submission, toEventId(reference ?? ''), lang),
  ].filter(({ key }) => !answered.includes(key));
}

/** Whether it can be sent with these questions open. */
export const isSendable = (questions: readonly Question[], { asked }: Talk): boolean =>
  questions.every(({ kind, key }) => !MUST_BE_ANSWERED.has(kind) && asked.includes(key));
