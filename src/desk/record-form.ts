// The form in which a thing is edited: of an event, and of when a notice holds, the sender's own, filled in; and a
// control for each of its other fields (contract 14.28).
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

const OF_EVENT = `title summary description written_in category zone when open_end price ticket_url
  registration_url age_restriction languages image source_url`;
/** The fields that the sender's form says; there is a control for each of the others. */
const SAID_BY_SENDERS: Readonly<Record<RecordKind, readonly string[]>> = {
  event: OF_EVENT.split(/\s+/),
  notice: ['when'],
  venue: [],
  organizer: [],
};
/** Senders say nothing of these. */
const OF_PRICE: readonly string[] = ['price.currency', 'price.visitors'];

/** A control for every field of content that a kind of thing has. */
export const listRecordControls = (kind: RecordKind): readonly FormControl[] => listControls(kind);

/** Those that stand beside the sender's. */
export const listDeskOnlyControls = (kind: RecordKind): readonly FormControl[] =>
  listControls(kind).filter(
    ({ name }) =>
      !SAID_BY_SENDERS[kind].includes(name.split('.', 1)[0] ?? '') || OF_PRICE.includes(name),
  );

/** What stands in the form for a record. */
export function recordToFormValues(
  kind: RecordKind,
  record: RecordFields,
  known: VenueLookups,
): ControlTexts {
  const own = recordToControls(listDeskOnlyControls(kind), record);
  if (kind === 'event') {
    const event = v.safeParse(EDITABLE_SCHEMAS.event, record);
    return event.success ? { ...own, ...toEventTexts(event.output, known) } : own;
  }
  const notice = kind === 'notice' ? v.safeParse(NoticeSchema, record) : null;
  return notice?.success ? { ...own, ...toWhenTexts(notice.output.when, known) } : own;
}

function toEventTexts(
  event: v.InferOutput<typeof EDITABLE_SCHEMAS.event>,
  known: VenueLookups,
): ControlTexts {
  const { written_in, price, image, description, open_end } = event;
  const lang = written_in ?? DEFAULT_LANG;
  const own = (text?: LocalText): string | null => text?.[lang] ?? null;
  const { min = null, max = null, note } = typeof price === 'string' ? {} : price;
  const is_free = price === 'free' || max === 0;
  const upload = image ? parseUploadUri(image.url) : null;
  const alt = own(image?.alt);
  const values = submissionToForm({
    ...buildSubmission({}, known),
    lang,
    title: event.title[lang],
    description: own(description) ?? '',
    category: event.category,
    zone: event.zone ?? null,
    ...(open_end ? { open_end } : {}),
    price: { is_free, min: is_free ? null : min, max: is_free ? null : max, note: own(note) },
    ticket_url: event.ticket_url ?? null,
    registration_url: event.registration_url ?? null,
    image: image ? (upload === null ? { url: image.url, alt } : { upload, alt }) : null,
    age_restriction: own(event.age_restriction),
    languages: event.languages,
    source_url: event.source_url ?? null,
  });
  const other = LANGS.find((one) => one !== lang && written_in === undefined);
  const inOther = (text?: LocalText): string => (other && text?.[other]) ?? '';
  return {
    ...values,
    ...toWhenTexts(event.when, known),
    summary: event.summary[lang],
    other_title: inOther(event.title),
    other_summary: inOther(event.summary),
    other_description: inOther(description),
    other_price_note: inOther(note),
    other_age_restriction: inOther(event.age_restriction),
    other_image_alt: inOther(image?.alt),
  };
}

/** What stands beside a rule, which no control says: it stays where the rule is changed. */
const BESIDE_RULE = ['note', 'quiet_days', 'term', 'confirmed'] as const;

const isBeyondForm = ({ easter, dates, since, until, start, end, days }: WhenRule): boolean =>
  easter !== undefined ||
  (dates !== undefined && (since ?? until) !== undefined) ||
  (start !== undefined && end === undefined && days > 1);

/** What stands in the controls that say when; nothing where they cannot. */
function toWhenTexts(whens: readonly WhenRule[], known: VenueLookups): ControlTexts {
  const [first, ...others] = whens;
  if (first === undefined || whens.some(isBeyondForm)) return {};
  const hours: { date: string; start: string; end: string | null }[] = [];
  for (const { dates, start, end = null, days, ...rest } of others) {
    if (dates === undefined || start === undefined || days > 1) return {};
    if (BESIDE_RULE.some((name) => rest[name] !== undefined)) return {};
    hours.push(...dates.map((date) => ({ date, start, end })));
  }
  const repeated = toRepeated(first);
  const [day, ...further] = repeated === null ? (first.dates ?? []) : [repeated.day];
  if (day === undefined || (repeated === null && first.except.length > 0)) return {};
  const values = submissionToForm({
    ...buildSubmission({}, known),
    ...toMoments(day, first),
    dates: [...further, ...hours.map(({ date }) => date)].sort(),
    hours,
  });
  const said = WHEN_CONTROLS.flatMap(({ name }) => (values[name] ? [[name, values[name]]] : []));
  return { ...Object.fromEntries(said), ...repeated?.texts };
}

/** The first day of a rule and its controls; null of one that they cannot say. */
function toRepeated({ rrule = '', since = '', until = '', except }: WhenRule) {
  const from = parseDay(since);
  if (rrule === '' || from === null) return null;
  const [first] = expandDays({ rrule, since, until, days: 1, except }, from.add({ years: 1 }));
  const said = first ? repetitionToControls(rrule, first) : null;
  if (first === undefined || said === null) return null;
  const day = first.toString();
  const exceptions = except.filter((one) => one > day).join('\n');
  return { day, texts: { ...said, repeat_until: until, exceptions } };
}

function toMoments(day: string, { start, end, days, hour }: WhenRule) {
  const toLast = (nights: number): string => parseDay(day)?.add({ days: nights }).toString() ?? day;
  if (start === undefined) {
    const last = days > 1 ? toLast(days - 1) : null;
    return { start: day, end: last, all_day: hour === undefined, ...(hour ? { hour } : {}) };
  }
  // An end at or before the hour of the start is on the next day by itself (domain/occurrences).
  const last = end === undefined ? null : `${toLast(end > start ? days - 1 : days)}T${end}`;
  return { start: `${day}T${start}`, end: last, all_day: false };
}

/** What a form says of a thing, and what is wrong with that before the rules of content are asked. */
function readThing(kind: RecordKind, texts: ControlTexts, known: VenueLookups, now_ms: number) {
  const own = controlsToRecord(listDeskOnlyControls(kind), texts);
  if (!SAID_BY_SENDERS[kind].includes('when')) return { record: own, issues: [] };
  // A place is one of a list here, and may be left out.
  const { venue: _, ...values } = texts;
  const { input, issues: of_form } = formToSubmissionInput(values, (named) => [...named]);
  const { fields, issues: of_fields } = parseFields(input, known, now_ms, true);
  const issues = [...of_form, ...of_fields];
  const said = buildSubmission(fields, known);
  const when = readWhens(said, values, issues);
  if (kind === 'notice') return { record: { ...own, when }, issues };
  const { image } = said;
  const linked =
    image && 'upload' in image ? { ...image, url: formatUploadUri(image.upload) } : image;
  const event = buildEventFields(
    { ...said, image: linked && { url: linked.url, alt: linked.alt } },
    selectReviewerFields(texts),
  );
  const amounts = typeof event.price === 'object' ? event.price : {};
  const price = typeof own.price === 'object' ? { ...amounts, ...own.price } : event.price;
  return { record: { ...event, ...own, when, price }, issues };
}

/** The rules that the form says: where it repeats one of those, and one for the days that are named beside it. */
function readWhens(
  said: Submission,
  values: FormValues,
  issues: SubmissionIssue[],
): readonly WhenRule[] {
  const day = said.start.slice(0, 10);
  const rrule = parseRepetition(values, parseDay(day), issues);
  const [first, ...others] = buildSchedules(said);
  if (rrule === null || first === undefined) return buildSchedules(said);
  const { dates = [], ...hours } = first;
  const until = normalizeDay((values.repeat_until ?? '').trim());
  const further = dates.filter((one) => one !== day);
  return [
    {
      ...hours,
      rrule,
      since: day,
      ...(until === '' ? {} : { until }),
      except: splitDayList(values.exceptions ?? ''),
    },
    ...(further.length > 0 ? [{ ...hours, dates: further }] : []),
    ...others,
  ];
}

const Rules = v.array(v.record(v.string(), v.unknown()));

/** What stands beside the first rule, which the form does not say. */
function listBeside(when: unknown): RecordFields {
  const [first = {}] = v.is(Rules, when) ? when : [];
  return Object.fromEntries(
    Object.entries(first).filter(([name]) => BESIDE_RULE.some((one) => one === name)),
  );
}

/**
 * The fields that texts say otherwise than a record does, undefined for none, and what is wrong with them. What was
 * wrong before is no fault of whoever changes something else.
 */
export function parseChangedFields(
  kind: RecordKind,
  record: RecordFields,
  texts: ControlTexts,
  known: VenueLookups,
  now_ms: number,
): { readonly changed: RecordFields; readonly issues: readonly SubmissionIssue[] } {
  const was_said = recordToFormValues(kind, record, known);
  const was = readThing(kind, was_said, known, now_ms);
  const now = readThing(kind, texts, known, now_ms);
  const said: RecordFields = now.record;
  const changed = Object.fromEntries(
    listChangedFieldNames(was.record, said).map((name) => [name, said[name]]),
  );
  const [rule, ...others] = v.is(Rules, changed.when) ? changed.when : [];
  if (rule !== undefined && !keepsExistingSchedule(kind, was_said))
    changed.when = [{ ...listBeside(record.when), ...rule }, ...others];
  const issues = now.issues.filter(
    ({ field, rule: broken }) =>
      !was.issues.some((one) => one.field === field && one.rule === broken),
  );
  // Hours without a day would pass unseen.
  const is_day_missing =
    keepsExistingSchedule(kind, texts) && WHEN_CONTROLS.some(({ name }) => isSaid(texts, name));
  return {
    changed,
    issues: is_day_missing ? [...issues, createIssue('start', 'missing')] : issues,
  };
}

/** It goes on after its last day, whichever that is. */
const isSaid = (texts: ControlTexts, name: string): boolean =>
  name !== 'open_end' && Boolean(texts[name]);

/** Whether the form cannot say when a thing takes place: it stays as it is until days are given. */
export const keepsExistingSchedule = (kind: RecordKind, texts: ControlTexts): boolean =>
  SAID_BY_SENDERS[kind].includes('when') && !texts.start_date;
