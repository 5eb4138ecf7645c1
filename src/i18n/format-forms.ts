// Form texts: labels, hints and options of form controls, the status of a submission, and dates of
// imported events.
import {
  getSubmissionState,
  type PublicationStatus,
  type SubmissionChange,
} from '../domain/change.ts';
import { Temporal } from 'temporal-polyfill';
import type { ImportedEvent } from '../domain/imported-events.ts';
import { parseDay } from '../domain/local-time.ts';
import { WEEKDAYS } from '../domain/opening-hours.ts';
import type { RecordKind } from '../domain/record-history.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import type { FormControl, FormField } from '../domain/submission/fields.ts';
import { formatRange, formatTime, formatShortDay } from './format-dates.ts';
import {
  isMessageKey,
  type MessageKey,
  formatList,
  t,
  tPlural,
  formatLanguageNames,
} from './translate.ts';

/** Returns the label of a control of the submission form. */
export const fieldLabel = (name: FormField, lang: Lang): string => t(lang, `submit.label.${name}`);

/**
 * Lists the labels of the parts of a field path after the record kind: `event.sources.0.url` gives
 * `Fuentes de la mesa 1` and `Enlace`. A row index is joined to the label before it, counted from
 * 1.
 */
export function fieldPathLabels(path: string, lang: Lang): readonly string[] {
  const labels: string[] = [];
  let [parent = '', ...names] = path.split('.');
  for (const name of names) {
    const keys = [`desk.field.${parent}.${name}`, `desk.field.${name}`];
    const key = keys.find((candidate): candidate is MessageKey => isMessageKey(candidate));
    const number = Number(name) + 1;
    if (!Number.isNaN(number)) {
      labels.push(t(lang, 'desk.edit.row', { label: labels.pop() ?? '', number }));
      continue;
    }
    labels.push(key === undefined ? name : t(lang, key));
    parent = name;
  }
  return labels;
}

/**
 * Formats the label of a field path that begins with a record kind: `Fuentes de la mesa 1 ·
 * Enlace`.
 */
export const fieldPathLabel = (path: string, lang: Lang): string =>
  fieldPathLabels(path, lang).join(' · ');

/** Returns the label of a control of the submission form or of a content field. */
export function controlLabel(name: string, lang: Lang, kind: RecordKind = 'event'): string {
  const key = `submit.label.${name}`;
  return isMessageKey(key) ? t(lang, key) : fieldPathLabel(`${kind}.${name}`, lang);
}

/** Returns the help text of a control, if any. */
export function controlHint({ name }: Pick<FormControl, 'name'>, lang: Lang): string | null {
  const key = `submit.hint.${name}`;
  return isMessageKey(key) ? t(lang, key) : null;
}

const OPTION_KEYS: Readonly<Record<string, MessageKey>> = {
  ...Object.fromEntries(LANGS.map((code) => [`lang.${code}`, `submit.choice.lang.${code}`])),
  'repeat.': 'submit.choice.repeat.never',
  'repeat.daily': 'submit.choice.repeat.daily',
  'repeat.weekly': 'submit.choice.repeat.weekly',
  'repeat.biweekly': 'submit.choice.repeat.biweekly',
  'repeat.monthly': 'submit.choice.repeat.monthly',
  'repeat.monthly_weekday': 'submit.choice.repeat.monthly_weekday',
  'repeat.monthly_last': 'submit.choice.repeat.monthly_last',
  ...Object.fromEntries(WEEKDAYS.map((day) => [`weekdays.${day}`, `recurrence.weekday.${day}`])),
  'price_kind.free': 'submit.choice.price.free',
  'price_kind.fixed': 'submit.choice.price.fixed',
  'price_kind.unknown': 'submit.choice.price.unknown',
};

/** Returns the label of an option; the value itself if it has none. */
export function optionLabel(name: string, value: string, lang: Lang): string {
  const option_key = OPTION_KEYS[`${name}.${value}`];
  if (option_key) return t(lang, option_key);
  if (name === 'languages' && /^[a-z]{2,3}$/.test(value)) return formatLanguageNames([value], lang);
  const key = DESK_OPTION_PREFIXES.map((prefix) => `${prefix}.${value}`).find((candidate) =>
    isMessageKey(candidate),
  );
  return key === undefined ? value : t(lang, key);
}

/** Message key prefixes of the desk's options. */
const DESK_OPTION_PREFIXES = [
  'desk.choice',
  'desk.type',
  'desk.severity',
  'organizer.type',
  'opening.visitor',
  'recurrence.weekday',
] as const;

interface SubmissionStatusTexts {
  /** `Lo recibimos. Está en espera de revisión.` */
  readonly stage: string;
  /** The next step, for us or for its sender. */
  readonly next: string;
}

/**
 * Finds the message for the stage of a submission. `asks` is the action that the sender requests,
 * `dates` the days it is limited to (null for the whole event), `text` the submission itself.
 */
function findStageKey(stored: SubmissionChange, publication: PublicationStatus): MessageKey {
  const { asks, dates, is_published, text } = stored;
  const state = getSubmissionState(stored);
  if (state === 'pending' && is_published && dates !== null && asks !== 'publish')
    return asks === 'cancel'
      ? 'status.stage.pending_cancel_dates'
      : 'status.stage.pending_postpone_dates';
  if (state === 'pending' && is_published)
    return `status.stage.pending_${asks === 'publish' || asks === 'edit' ? 'change' : asks}`;
  if (state === 'rejected' && is_published) return 'status.stage.change_rejected';
  if (state === 'approved' && publication === 'past' && text.open_end)
    return 'status.stage.past_open';
  return state === 'approved' && publication !== 'none'
    ? `status.stage.${publication}`
    : `status.stage.${state}`;
}

/**
 * Formats the status of a submission for its sender.
 * @param publication Status of its event in the live release.
 */
export function formatSubmissionStatus(
  stored: SubmissionChange,
  publication: PublicationStatus,
  lang: Lang,
): SubmissionStatusTexts {
  const state = getSubmissionState(stored);
  const next_step = state === 'approved' && publication !== 'none' ? publication : state;
  const dates = formatDayList(stored.dates ?? [], lang);
  return {
    stage: t(lang, findStageKey(stored, publication), { dates }),
    next: t(lang, `status.next.${next_step}`),
  };
}

/** Formats days (YYYY-MM-DD) as `sáb 5 dic y dom 6 dic` · `Sat, Dec 5 and Sun, Dec 6`. */
export function formatDayList(dates: readonly string[], lang: Lang): string {
  const words = dates.map((date) => {
    const day = parseDay(date);
    return day === null ? date : formatShortDay(day, lang);
  });
  return formatList(words, lang);
}

/** Formats the dates of an imported event: `sáb 5 dic 2026, 20:00–23:00 y 3 fechas más`. */
export function formatImportedWhen(
  { start, end, all_day, dates }: Pick<ImportedEvent, 'start' | 'end' | 'all_day' | 'dates'>,
  lang: Lang,
): string {
  const from = parseDay(start.slice(0, 10));
  if (from === null) return start;
  const to = parseDay(end?.slice(0, 10) ?? '') ?? from;
  const formatHour = (moment: string): string =>
    formatTime(Temporal.PlainTime.from(moment.slice(11)), lang);
  // A date that ends on the next day is one night.
  const is_night = to.since(from).days <= 1 && !all_day;
  const day =
    is_night || to.equals(from) ? formatShortDay(from, lang) : formatRange({ from, to }, lang);
  const hours = all_day
    ? t(lang, 'batch.all_day')
    : [start, end ?? '']
        .flatMap((moment) => (moment.includes('T') ? [formatHour(moment)] : []))
        .join('–');
  const more = dates.length > 0 ? ` ${tPlural(lang, 'batch.more_dates', dates.length)}` : '';
  // Without a time, a submitted event may not have its hour yet.
  return `${[day, hours].filter(Boolean).join(', ')}${more}`;
}
