// The words of the desk: the labels of the controls that only a reviewer fills in, and moments.
import { Temporal } from 'temporal-polyfill';
import { type Lang, LANGS } from '../domain/lang.ts';
import {
  REVIEWER_FIELD_LIST,
  type ReviewerFieldName,
} from '../domain/submission/reviewer-fields.ts';
import type { Submission } from '../domain/submission/submission.ts';
import { formatTime, formatShortDay } from './format-dates.ts';
import { type MessageKey, t } from './translate.ts';
import type { FormValues } from '../domain/submission/form-values.ts';

const LABELS: Readonly<Record<ReviewerFieldName, MessageKey>> = {
  other_title: 'desk.label.title',
  summary: 'desk.label.summary',
  other_summary: 'desk.label.summary',
  other_description: 'desk.label.description',
  other_price_note: 'desk.label.price_note',
  other_age_restriction: 'desk.label.age',
  other_image_alt: 'desk.label.image_alt',
  locality: 'desk.label.locality',
  lat: 'desk.label.lat',
  lng: 'desk.label.lng',
};

/** Those that this submission has a use for, in the order of the page; `written`: in which language. */
export function formatReviewerFields(
  submission: Pick<Submission, 'lang'>,
  values: FormValues,
  lang: Lang,
) {
  const own = LANGS.find((one) => one === values.lang) ?? submission.lang;
  const languages = { own: [own], other: LANGS.filter((one) => one !== own) };
  return REVIEWER_FIELD_LIST.filter(([, { goes_with }]) => {
    if (goes_with === undefined) return true;
    if (goes_with === 'image') return Boolean(values.image_url ?? values.picture_id);
    return goes_with === 'new_venue' ? !values.venue : Boolean(values[goes_with]);
  }).flatMap(([name, { written: wanted, is_area = false, is_needed = false }]) =>
    (wanted === null ? [undefined] : languages[wanted]).map((written) => {
      const language = written ? t(lang, `desk.in.${written}`) : '';
      return { name, is_area, is_needed, written, label: t(lang, LABELS[name], { language }) };
    }),
  );
}

/** A timestamp as people read it in a list: `2026-11-21 01:36`. */
export const formatTimestampMinute = (timestamp: string): string =>
  timestamp.slice(0, 16).replace('T', ' ');

/** When something begins: `sáb 21 nov, 20:00`; with its year where that is not the one it came in. */
export function formatStart(start: string, lang: Lang, came_at: string): string {
  const day = Temporal.PlainDate.from(start.slice(0, 10));
  const words = formatShortDay(day, lang, Number(came_at.slice(0, 4)));
  const hour = start.slice(11, 16);
  return hour === '' ? words : `${words}, ${formatTime(Temporal.PlainTime.from(hour), lang)}`;
}
