// Record form: fills and parses the form in which the desk edits a record. Events, and the schedules of
// notices, use the controls of the submission form; all other fields have desk-only controls (contract 14.28).
import * as v from 'valibot';
import { parseDay } from '../domain/local-time.ts';
import { listChangedFieldNames, type RecordFields } from '../domain/override/record-override.ts';
import { controlsToRecord, recordToControls } from '../domain/override/record-form.ts';
import { expandDays } from '../domain/event/occurrences.ts';
import type { RecordKind } from '../domain/record-history.ts';
import { DEFAULT_LANG, LANGS, type LocalText } from '../domain/lang.ts';
import { selectReviewerFields } from '../domain/submission/reviewer-fields.ts';
import { type FormControl, WHEN_CONTROLS } from '../domain/submission/fields.ts';
import {
  type FormValues,
  submissionToForm,
  formToSubmissionInput,
} from '../domain/submission/form-values.ts';
import { parseUploadUri, formatUploadUri } from '../domain/submission/submitted-picture.ts';
import {
  type VenueLookups,
  parseFields,
  buildSubmission,
} from '../domain/submission/parse-submission.ts';
import {
  type SubmissionIssue,
  type ControlTexts,
  createIssue,
} from '../domain/submission/field-rules.ts';
import type { Submission } from '../domain/submission/submission.ts';
import {
  parseRepetition,
  splitDayList,
  normalizeDay,
  repetitionToControls,
} from '../domain/submission/form-dates.ts';
import { NoticeSchema, type WhenRule } from '../sources/content-schema.ts';
import { EDITABLE_SCHEMAS, listControls } from '../sources/inbox/editable-fields.ts';
import { buildSchedules, buildEventFields } from './publication.ts';

const SUBMISSION_EVENT_FIELDS = `title summary description written_in category zone when open_end price ticket_url
  registration_url age_restriction languages image source_url`;
/** Fields with controls in the submission form; each other field has a desk-only control. */
const SUBMISSION_FORM_FIELDS: Readonly<Record<RecordKind, readonly string[]>> = {
  event: SUBMISSION_EVENT_FIELDS.split(/\s+/),
  notice: ['when'],
  venue: [],
  organizer: [],
};
/** Price fields that the submission form lacks. */
const DESK_ONLY_PRICE_FIELDS: readonly string[] = ['price.currency', 'price.visitors'];

/** Lists a control for every content field of a record kind. */
export const listRecordControls = (kind: RecordKind): readonly FormControl[] => listControls(kind);

/** Lists the controls that the submission form does not have. */
export const listDeskOnlyControls = (kind: RecordKind): readonly FormControl[] =>
  listControls(kind).filter(
    ({ name }) =>
      !SUBMISSION_FORM_FIELDS[kind].includes(name.split('.', 1)[0] ?? '') ||
      DESK_ONLY_PRICE_FIELDS.includes(name),
  );

/** Fills the form with the values of a record. */
export function recordToFormValues(
  kind: RecordKind,
  record: RecordFields,
  lookups: VenueLookups,
): ControlTexts {
  const desk_values = recordToControls(listDeskOnlyControls(kind), record);
  if (kind === 'event') {
    const event = v.safeParse(EDITABLE_SCHEMAS.event, record);
    return event.success
      ? { ...desk_values, ...eventToFormValues(event.output, lookups) }
      : desk_values;
  }
  const notice = kind === 'notice' ? v.safeParse(NoticeSchema, record) : null;
  return notice?.success
    ? { ...desk_values, ...schedulesToFormValues(notice.output.when, lookups) }
    : desk_values;
}

function eventToFormValues(
  event: v.InferOutput<typeof EDITABLE_SCHEMAS.event>,
  lookups: VenueLookups,
): ControlTexts {
  const { written_in, price, image, description, open_end } = event;
  const lang = written_in ?? DEFAULT_LANG;
  const inLang = (text?: LocalText): string | null => text?.[lang] ?? null;
  const { min = null, max = null, note } = typeof price === 'string' ? {} : price;
  const is_free = price === 'free' || max === 0;
  const upload = image ? parseUploadUri(image.url) : null;
  const alt = inLang(image?.alt);
  const values = submissionToForm({
    ...buildSubmission({}, lookups),
    lang,
    title: event.title[lang],
    description: inLang(description) ?? '',
    category: event.category,
    zone: event.zone ?? null,
    ...(open_end ? { open_end } : {}),
    price: { is_free, min: is_free ? null : min, max: is_free ? null : max, note: inLang(note) },
    ticket_url: event.ticket_url ?? null,
    registration_url: event.registration_url ?? null,
    image: image ? (upload === null ? { url: image.url, alt } : { upload, alt }) : null,
    age_restriction: inLang(event.age_restriction),
    languages: event.languages,
    source_url: event.source_url ?? null,
  });
  const other_lang = LANGS.find((candidate) => candidate !== lang && written_in === undefined);
  const inOtherLang = (text?: LocalText): string => (other_lang && text?.[other_lang]) ?? '';
  return {
    ...values,
    ...schedulesToFormValues(event.when, lookups),
    summary: event.summary[lang],
    other_title: inOtherLang(event.title),
    other_summary: inOtherLang(event.summary),
    other_description: inOtherLang(description),
    other_price_note: inOtherLang(note),
    other_age_restriction: inOtherLang(event.age_restriction),
    other_image_alt: inOtherLang(image?.alt),
  };
}

/** Schedule fields without a control; they are preserved if the schedule is edited. */
const SCHEDULE_EXTRAS = ['note', 'quiet_days', 'term', 'confirmed'] as const;

/** Checks if the form cannot represent a schedule. */
const exceedsForm = ({ easter, dates, since, until, start, end, days }: WhenRule): boolean =>
  easter !== undefined ||
  (dates !== undefined && (since ?? until) !== undefined) ||
  (start !== undefined && end === undefined && days > 1);

/** Fills the schedule controls; empty if they cannot represent the schedules. */
function schedulesToFormValues(
  schedules: readonly WhenRule[],
  lookups: VenueLookups,
): ControlTexts {
  const [first, ...others] = schedules;
  if (first === undefined || schedules.some(exceedsForm)) return {};
  const hours: { date: string; start: string; end: string | null }[] = [];
  for (const { dates, start, end = null, days, ...rest } of others) {
    if (dates === undefined || start === undefined || days > 1) return {};
    if (SCHEDULE_EXTRAS.some((name) => rest[name] !== undefined)) return {};
    hours.push(...dates.map((date) => ({ date, start, end })));
  }
  const repetition = repetitionToFormValues(first);
  const [day, ...further] = repetition === null ? (first.dates ?? []) : [repetition.day];
  if (day === undefined || (repetition === null && first.except.length > 0)) return {};
  const values = submissionToForm({
    ...buildSubmission({}, lookups),
    ...computePeriod(day, first),
    dates: [...further, ...hours.map(({ date }) => date)].sort(),
    hours,
  });
  const schedule_values = WHEN_CONTROLS.flatMap(({ name }) =>
    values[name] ? [[name, values[name]]] : [],
  );
  return { ...Object.fromEntries(schedule_values), ...repetition?.values };
}

/**
 * Returns the first day of a recurring schedule and the values of the repetition controls.
 * @returns null if the schedule does not repeat, or the controls cannot represent it.
 */
function repetitionToFormValues({ rrule = '', since = '', until = '', except }: WhenRule) {
  const from = parseDay(since);
  if (rrule === '' || from === null) return null;
  const [first] = expandDays({ rrule, since, until, days: 1, except }, from.add({ years: 1 }));
  const values = first ? repetitionToControls(rrule, first) : null;
  if (first === undefined || values === null) return null;
  const day = first.toString();
  const exceptions = except.filter((date) => date > day).join('\n');
  return { day, values: { ...values, repeat_until: until, exceptions } };
}

/** Computes start and end of a schedule on its first day. */
function computePeriod(day: string, { start, end, days, hour }: WhenRule) {
  const dayAfter = (nights: number): string =>
    parseDay(day)?.add({ days: nights }).toString() ?? day;
  if (start === undefined) {
    const last = days > 1 ? dayAfter(days - 1) : null;
    return { start: day, end: last, all_day: hour === undefined, ...(hour ? { hour } : {}) };
  }
  // domain/event/occurrences.ts moves an end at or before the start to the next day.
  const last = end === undefined ? null : `${dayAfter(end > start ? days - 1 : days)}T${end}`;
  return { start: `${day}T${start}`, end: last, all_day: false };
}

/** Parses the form into content fields, with the issues found before the content schema is applied. */
function parseRecordForm(
  kind: RecordKind,
  texts: ControlTexts,
  lookups: VenueLookups,
  now_ms: number,
) {
  const desk_fields = controlsToRecord(listDeskOnlyControls(kind), texts);
  if (!SUBMISSION_FORM_FIELDS[kind].includes('when')) return { record: desk_fields, issues: [] };
  // The desk selects the venue from a list, and it is optional.
  const { venue: _, ...values } = texts;
  const { input, issues: form_issues } = formToSubmissionInput(values, (dates) => [...dates]);
  const { fields, issues: field_issues } = parseFields(input, lookups, now_ms, true);
  const issues = [...form_issues, ...field_issues];
  const submission = buildSubmission(fields, lookups);
  const when = parseSchedules(submission, values, issues);
  if (kind === 'notice') return { record: { ...desk_fields, when }, issues };
  const { image } = submission;
  const image_with_url =
    image && 'upload' in image ? { ...image, url: formatUploadUri(image.upload) } : image;
  const event = buildEventFields(
    {
      ...submission,
      image: image_with_url && { url: image_with_url.url, alt: image_with_url.alt },
    },
    selectReviewerFields(texts),
  );
  const amounts = typeof event.price === 'object' ? event.price : {};
  const price =
    typeof desk_fields.price === 'object' ? { ...amounts, ...desk_fields.price } : event.price;
  return { record: { ...event, ...desk_fields, when, price }, issues };
}

/** Builds the schedules of the form: a recurring one if it repeats, and one for its additional days. */
function parseSchedules(
  submission: Submission,
  values: FormValues,
  issues: SubmissionIssue[],
): readonly WhenRule[] {
  const day = submission.start.slice(0, 10);
  const rrule = parseRepetition(values, parseDay(day), issues);
  const [first, ...others] = buildSchedules(submission);
  if (rrule === null || first === undefined) return buildSchedules(submission);
  const { dates = [], ...hours } = first;
  const until = normalizeDay((values.repeat_until ?? '').trim());
  const other_dates = dates.filter((date) => date !== day);
  return [
    {
      ...hours,
      rrule,
      since: day,
      ...(until === '' ? {} : { until }),
      except: splitDayList(values.exceptions ?? ''),
    },
    ...(other_dates.length > 0 ? [{ ...hours, dates: other_dates }] : []),
    ...others,
  ];
}

const SchedulesSchema = v.array(v.record(v.string(), v.unknown()));

/** Returns the fields of the first schedule that the form does not have. */
function pickScheduleExtras(when: unknown): RecordFields {
  const [first = {}] = v.is(SchedulesSchema, when) ? when : [];
  return Object.fromEntries(
    Object.entries(first).filter(([name]) => SCHEDULE_EXTRAS.some((extra) => extra === name)),
  );
}

/**
 * Returns the fields in which the form differs from the record (undefined for a removed one), and their issues.
 * Issues that the stored record already has are ignored, so that they do not prevent other edits.
 */
export function parseChangedFields(
  kind: RecordKind,
  record: RecordFields,
  texts: ControlTexts,
  lookups: VenueLookups,
  now_ms: number,
): { readonly changed: RecordFields; readonly issues: readonly SubmissionIssue[] } {
  const stored_texts = recordToFormValues(kind, record, lookups);
  const before = parseRecordForm(kind, stored_texts, lookups, now_ms);
  const after = parseRecordForm(kind, texts, lookups, now_ms);
  const fields: RecordFields = after.record;
  const changed = Object.fromEntries(
    listChangedFieldNames(before.record, fields).map((name) => [name, fields[name]]),
  );
  const [schedule, ...others] = v.is(SchedulesSchema, changed.when) ? changed.when : [];
  if (schedule !== undefined && !keepsExistingSchedule(kind, stored_texts))
    changed.when = [{ ...pickScheduleExtras(record.when), ...schedule }, ...others];
  const issues = after.issues.filter(
    ({ field, rule }) =>
      !before.issues.some((issue) => issue.field === field && issue.rule === rule),
  );
  // Hours without a day would be ignored silently.
  const is_day_missing =
    keepsExistingSchedule(kind, texts) && WHEN_CONTROLS.some(({ name }) => isFilled(texts, name));
  return {
    changed,
    issues: is_day_missing ? [...issues, createIssue('start', 'missing')] : issues,
  };
}

/** Checks if a control has a value. An open end needs no day, so it does not count. */
const isFilled = (texts: ControlTexts, name: string): boolean =>
  name !== 'open_end' && Boolean(texts[name]);

/**
 * Checks if a record keeps its schedule because the form has no start day, as for schedules the form cannot
 * represent.
 */
export const keepsExistingSchedule = (kind: RecordKind, texts: ControlTexts): boolean =>
  SUBMISSION_FORM_FIELDS[kind].includes('when') && !texts.start_date;
