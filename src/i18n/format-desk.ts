// Desk texts: labels of the form controls that only reviewers fill in, and times.
import { Temporal } from 'temporal-polyfill';
import { type Lang, LANGS } from '../domain/lang.ts';
import {
  joinLinkAnswer,
  REVIEWER_FIELD_LIST,
  type ReviewerFieldName,
} from '../domain/submission/reviewer-fields.ts';
import type { Submission } from '../domain/submission/submission.ts';
import { formatTime, formatShortDay } from './format-dates.ts';
import { type MessageKey, t } from './translate.ts';
import type { FormValues } from '../domain/submission/form-values.ts';

const LABEL_KEYS: Readonly<Record<ReviewerFieldName, MessageKey>> = {
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
  join_link: 'desk.label.join_link',
};

/**
 * Lists the form controls of the reviewer fields that apply to a submission, in display order.
 * `value_lang` is the language in which to write the value (undefined if the field has none);
 * `is_needed`, required to publish; `confirms`, the value of a checked checkbox.
 */
export function formatReviewerFields(
  submission: Pick<Submission, 'lang'>,
  values: FormValues,
  lang: Lang,
) {
  const original = LANGS.find((candidate) => candidate === values.lang) ?? submission.lang;
  // Languages to fill in for a field's `language`: the submission's own one, or the others.
  const languages = {
    own: [original],
    other: LANGS.filter((candidate) => candidate !== original),
  };
  const join_links = joinLinkAnswer(values);
  return REVIEWER_FIELD_LIST.filter(([, { depends_on }]) => {
    if (depends_on === undefined) return true;
    if (depends_on === 'join_link') return join_links !== '';
    if (depends_on === 'image') return Boolean(values.image_url ?? values.picture_id);
    return depends_on === 'new_venue' ? !values.venue : Boolean(values[depends_on]);
  }).flatMap(([name, { language: target, kind, is_required_to_publish: is_needed = false }]) =>
    (target === null ? [undefined] : languages[target]).map((value_lang) => {
      const language = value_lang ? t(lang, `desk.in.${value_lang}`) : '';
      return {
        name,
        kind: kind ?? ('input' as const),
        is_needed,
        value_lang,
        confirms: kind === 'check' ? join_links : undefined,
        label: t(lang, LABEL_KEYS[name], { language, links: join_links }),
      };
    }),
  );
}

/** Formats a timestamp for lists: `2026-11-21 01:36`. */
export const formatTimestampMinute = (timestamp: string): string =>
  timestamp.slice(0, 16).replace('T', ' ');

/** Formats a start: `sáb 21 nov, 20:00`, with the year if it is not the year of `received_at`. */
export function formatStart(start: string, lang: Lang, received_at: string): string {
  const day = Temporal.PlainDate.from(start.slice(0, 10));
  const day_text = formatShortDay(day, lang, Number(received_at.slice(0, 4)));
  const hour = start.slice(11, 16);
  return hour === '' ? day_text : `${day_text}, ${formatTime(Temporal.PlainTime.from(hour), lang)}`;
}
