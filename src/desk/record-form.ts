// Record form: fills and parses the form in which the desk edits a record. Events, and the
// schedules of notices (field `when`), use the controls of the submission form; all other fields
// have desk-only controls (contract 14.28). A schedule is one rule of `when`: days, hours and
// repetition.
import * as v from 'valibot';
import { parseDay } from '../domain/local-time.ts';
import { listChangedFieldNames, type RecordFields } from '../domain/override/record-override.ts';
import { controlsToRecord, recordToControls } from '../domain/override/record-form.ts';
import { expandDays } from '../domain/event/occurrences.ts';
import { decidePriceKind } from '../domain/opening-hours.ts';
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

/** Returns the form values of a record, by control name. */
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
  // `written_in`: the language of the texts if they are not translated.
  const { written_in, price, image, description, open_end } = event;
  const lang = written_in ?? DEFAULT_LANG;
  const inLang = (text?: LocalText): string | null => text?.[lang] ?? null;
  const { min = null, max = null, note } = typeof price === 'string' ? {} : price;
  const is_free = decidePriceKind({ is_free: price === 'free', min, max }) === 'free';
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
  const other_lang = LANGS.find((candidate) => candidate !== lang);
  // In an event that is not translated, an equal text is a copy of the original.
  const inOtherLang = (text?: LocalText): string => {
    const other_text = (other_lang && text?.[other_lang]) ?? '';
    return written_in !== undefined && other_text === text?.[lang] ? '' : other_text;
  };
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

/** Returns true if the form cannot represent a schedule. */
function exceedsForm({ easter, dates, since, until, start, end, days }: WhenRule): boolean {
  const is_season_of_dates = dates !== undefined && (since ?? until) !== undefined;
  const is_long_without_end = start !== undefined && end === undefined && days > 1;
  return easter !== undefined || is_season_of_dates || is_long_without_end;
}

/**
 * Returns the values of the schedule controls. The first schedule fills the controls of days, hours
 * and repetition; the others must be single days with hours of their own.
 * @returns {} if the controls cannot represent the schedules.
 */
function schedulesToFormValues(
  schedules: readonly WhenRule[],
  lookups: VenueLookups,
): ControlTexts {
  const [main_schedule, ...other_schedules] = schedules;
  if (main_schedule === undefined || schedules.some(exceedsForm)) return {};
  const hours: { date: string; start: string; end: string | null }[] = [];
  for (const { dates, start, end = null, days, ...other_fields } of other_schedules) {
    if (dates === undefined || start === undefined || days > 1) return {};
    if (SCHEDULE_EXTRAS.some((name) => other_fields[name] !== undefined)) return {};
    hours.push(...dates.map((date) => ({ date, start, end })));
  }
  const repetition = repetitionToFormValues(main_schedule);
  const days = repetition === null ? (main_schedule.dates ?? []) : [repetition.day];
  const [first_day, ...additional_days] = days;
  // The control of exceptions belongs to the repetition.
  const has_unshown_exceptions = repetition === null && main_schedule.except.length > 0;
  if (first_day === undefined || has_unshown_exceptions) return {};
  const values = submissionToForm({
    ...buildSubmission({}, lookups),
    ...computePeriod(first_day, main_schedule),
    dates: [...additional_days, ...hours.map(({ date }) => date)].sort(),
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
  const since_day = parseDay(since);
  if (rrule === '' || since_day === null) return null;
  const horizon = since_day.add({ years: 1 });
  const [first_day] = expandDays({ rrule, since, until, days: 1, except }, horizon);
  const values = first_day ? repetitionToControls(rrule, first_day) : null;
  if (first_day === undefined || values === null) return null;
  const day = first_day.toString();
  const exceptions = except.filter((date) => date > day).join('\n');
  return { day, values: { ...values, repeat_until: until, exceptions } };
}

/** Computes start and end of a schedule on its first day. */
function computePeriod(day: string, { start, end, days, hour }: WhenRule) {
  const dayAfter = (nights: number): string =>
    parseDay(day)?.add({ days: nights }).toString() ?? day;
  if (start === undefined) {
    const last_day = days > 1 ? dayAfter(days - 1) : null;
    // `hour`: marks an unknown time; without it, the event is all day.
    return { start: day, end: last_day, all_day: hour === undefined, ...(hour ? { hour } : {}) };
  }
  // domain/event/occurrences.ts moves an end at or before the start to the next day.
  const end_time = end === undefined ? null : `${dayAfter(end > start ? days - 1 : days)}T${end}`;
  return { start: `${day}T${start}`, end: end_time, all_day: false };
}

/**
 * Parses the form into content fields. Lists issues of the form; the content schema comes later.
 */
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
  // The desk-only controls of the price add fields to it.
  const price =
    typeof desk_fields.price === 'object' ? { ...amounts, ...desk_fields.price } : event.price;
  return { record: { ...event, ...desk_fields, when, price }, issues };
}

/**
 * Builds the schedules of the form: a recurring one if it repeats, and one for its additional days.
 */
function parseSchedules(
  submission: Submission,
  values: FormValues,
  issues: SubmissionIssue[],
): readonly WhenRule[] {
  const first_day = submission.start.slice(0, 10);
  const rrule = parseRepetition(values, parseDay(first_day), issues);
  const schedules = buildSchedules(submission);
  const [main_schedule, ...other_schedules] = schedules;
  if (rrule === null || main_schedule === undefined) return schedules;
  const { dates = [], ...hours } = main_schedule;
  const until = normalizeDay((values.repeat_until ?? '').trim());
  const additional_days = dates.filter((date) => date !== first_day);
  return [
    {
      ...hours,
      rrule,
      since: first_day,
      ...(until === '' ? {} : { until }),
      except: splitDayList(values.exceptions ?? ''),
    },
    ...(additional_days.length > 0 ? [{ ...hours, dates: additional_days }] : []),
    ...other_schedules,
  ];
}

const SchedulesSchema = v.array(v.record(v.string(), v.unknown()));

/** Returns the fields of the first schedule that the form does not have. */
function pickScheduleExtras(when: unknown): RecordFields {
  const [main_schedule = {}] = v.is(SchedulesSchema, when) ? when : [];
  return Object.fromEntries(
    Object.entries(main_schedule).filter(([name]) =>
      SCHEDULE_EXTRAS.some((extra) => extra === name),
    ),
  );
}

/**
 * Parses the form (`texts`) and returns the fields in which it differs from the record, undefined
 * for a removed one, and their issues. Both are parsed alike, so that only edits count: issues that
 * the stored record already has do not prevent other edits.
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

/** Checks if a schedule control has a value. An open end needs no day, so it does not count. */
const isFilled = (texts: ControlTexts, name: string): boolean =>
  name !== 'open_end' && Boolean(texts[name]);

/**
 * Checks if a record keeps its schedule: the form has no start day, as it cannot represent some.
 */
export const keepsExistingSchedule = (kind: RecordKind, texts: ControlTexts): boolean =>
  SUBMISSION_FORM_FIELDS[kind].includes('when') && !texts.start_date;
