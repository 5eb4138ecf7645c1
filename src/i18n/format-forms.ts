// What senders read: the controls of the form, how a submission stands, why something is refused, what
// a calendar file says of an event.
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

export const fieldLabel = (name: FormField, lang: Lang): string => t(lang, `submit.label.${name}`);

/** What each part of a path is called, `event.sources.0.url`: with the field, the number of a row. */
export function fieldPathLabels(path: string, lang: Lang): readonly string[] {
  const labels: string[] = [];
  let [before = '', ...names] = path.split('.');
  for (const name of names) {
    const keys = [`desk.field.${before}.${name}`, `desk.field.${name}`];
    const key = keys.find((one): one is MessageKey => isMessageKey(one));
    const number = Number(name) + 1;
    if (!Number.isNaN(number)) {
      labels.push(t(lang, 'desk.edit.row', { label: labels.pop() ?? '', number }));
      continue;
    }
    labels.push(key === undefined ? name : t(lang, key));
    before = name;
  }
  return labels;
}

/** `Fuentes de la mesa 1 · Enlace`, by its path below a kind of thing. */
export const fieldPathLabel = (path: string, lang: Lang): string =>
  fieldPathLabels(path, lang).join(' · ');

/** Of any control: a sender's, or of a field of content. */
export function controlLabel(name: string, lang: Lang, kind: RecordKind = 'event'): string {
  const key = `submit.label.${name}`;
  return isMessageKey(key) ? t(lang, key) : fieldPathLabel(`${kind}.${name}`, lang);
}

/** Null where there is no sentence of help. */
export function controlHint({ name }: Pick<FormControl, 'name'>, lang: Lang): string | null {
  const key = `submit.hint.${name}`;
  return isMessageKey(key) ? t(lang, key) : null;
}

const CHOICES: Readonly<Record<string, MessageKey>> = {
  ...Object.fromEntries(LANGS.map((one) => [`lang.${one}`, `submit.choice.lang.${one}`])),
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

/** What a choice is called; how it is written where it has no words. */
export function optionLabel(name: string, value: string, lang: Lang): string {
  const own = CHOICES[`${name}.${value}`];
  if (own) return t(lang, own);
  if (name === 'languages' && /^[a-z]{2,3}$/.test(value)) return formatLanguageNames([value], lang);
  const key = CHOSEN_AT_DESK.map((start) => `${start}.${value}`).find((one) => isMessageKey(one));
  return key === undefined ? value : t(lang, key);
}

/** Where the words of what an editor chooses stand. */
const CHOSEN_AT_DESK = [
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
  /** What comes next, or what its sender should do. */
  readonly next: string;
}

function toStageKey(stored: SubmissionChange, shown: PublicationStatus): MessageKey {
  const { asks, dates, is_published, text } = stored;
  const state = getSubmissionState(stored);
  if (state === 'pending' && is_published && dates !== null && asks !== 'publish')
    return asks === 'cancel'
      ? 'status.stage.pending_cancel_dates'
      : 'status.stage.pending_postpone_dates';
  if (state === 'pending' && is_published)
    return `status.stage.pending_${asks === 'publish' || asks === 'edit' ? 'change' : asks}`;
  if (state === 'rejected' && is_published) return 'status.stage.change_rejected';
  if (state === 'approved' && shown === 'past' && text.open_end) return 'status.stage.past_open';
  return state === 'approved' && shown !== 'none'
    ? `status.stage.${shown}`
    : `status.stage.${state}`;
}

/** `shown`: as what a release shows its event. */
export function formatSubmissionStatus(
  stored: SubmissionChange,
  shown: PublicationStatus,
  lang: Lang,
): SubmissionStatusTexts {
  const state = getSubmissionState(stored);
  const next = state === 'approved' && shown !== 'none' ? shown : state;
  const dates = formatDayList(stored.dates ?? [], lang);
  return {
    stage: t(lang, toStageKey(stored, shown), { dates }),
    next: t(lang, `status.next.${next}`),
  };
}

/** `sáb 5 dic y dom 6 dic` · `Sat, Dec 5 and Sun, Dec 6`, from days as YYYY-MM-DD. */
export function formatDayList(dates: readonly string[], lang: Lang): string {
  const words = dates.map((date) => {
    const day = parseDay(date);
    return day === null ? date : formatShortDay(day, lang);
  });
  return formatList(words, lang);
}

/** `sáb 5 dic 2026, 20:00–23:00 y 3 fechas más`. */
export function formatImportedWhen(
  { start, end, all_day, dates }: Pick<ImportedEvent, 'start' | 'end' | 'all_day' | 'dates'>,
  lang: Lang,
): string {
  const from = parseDay(start.slice(0, 10));
  if (from === null) return start;
  const to = parseDay(end?.slice(0, 10) ?? '') ?? from;
  const hourOf = (moment: string): string =>
    formatTime(Temporal.PlainTime.from(moment.slice(11)), lang);
  const is_night = to.since(from).days <= 1 && !all_day;
  const day =
    is_night || to.equals(from) ? formatShortDay(from, lang) : formatRange({ from, to }, lang);
  const hours = all_day
    ? t(lang, 'batch.all_day')
    : [start, end ?? ''].flatMap((one) => (one.includes('T') ? [hourOf(one)] : [])).join('–');
  const more = dates.length > 0 ? ` ${tPlural(lang, 'batch.more_dates', dates.length)}` : '';
  // Once sent, its hour may be one that is not known yet.
  return `${[day, hours].filter(Boolean).join(', ')}${more}`;
}
