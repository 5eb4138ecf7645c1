// Record screen of the desk: edits an event, venue, organizer or notice, reverts it to its source
// (a content file or a submission), and changes the status of an event or of one of its dates. An
// edit stores an override, the editor's version of the record. Form controls: `does` = pressed
// button (`save`; `source` reverts the override; `keep` retains it although its source has changed;
// or a status action); `was` = values as rendered, JSON; `report` = reference of the correction
// that led to the edit; `date` = day of a status change. `asks` of a change = its action.
import * as v from 'valibot';
import { createReferenceData } from '../../desk/reference-data.ts';
import {
  keepsExistingSchedule,
  listDeskOnlyControls,
  listRecordControls,
  parseChangedFields,
  recordToFormValues,
} from '../../desk/record-form.ts';
import {
  type RecordWithOverride,
  editRecord,
  acknowledgeSourceChange,
  createRecordSources,
  getRecord,
  type RecordSources,
  revertOverride,
} from '../../desk/record-overrides.ts';
import { changeStatus, listStatusOverrides } from '../../desk/event-status.ts';
import { ALL_DATES, isReference, STATUS_ACTIONS } from '../../domain/change.ts';
import type { SourceRecord } from '../../domain/override/record-override.ts';
import { recordToControls } from '../../domain/override/record-form.ts';
import type { ControlTexts } from '../../domain/submission/field-rules.ts';
import type { RecordKind } from '../../domain/record-history.ts';
import { DEFAULT_LANG, type Lang, LANGS } from '../../domain/lang.ts';
import {
  type FormControl,
  type FormSection,
  listSectionControls,
  SECTION_NAMES,
  WHEN_CONTROLS,
} from '../../domain/submission/fields.ts';
import { selectFormValues } from '../../domain/submission/form-values.ts';
import { type OptionsByControl, formatControlValue } from '../../i18n/format-overrides.ts';
import { DESK_PATHS, pagePath, recordPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { getEvent, getOrganizer, getVenue } from '../../snapshot/get-record.ts';
import { listOrganizers, listVenues } from '../../snapshot/list-records.ts';
import { type FormState, listFormOptions, formatSubmissionIssues } from '../forms/parse-form.ts';
import { formatPictureProblem, pictureProblemStatus } from '../forms/form-errors.ts';
import { type RedirectResult, redirectAfterPost } from '../visitor-request.ts';
import { type FieldComparison, compareFields, loadOverrideHistory } from './decision-log.ts';
import { editPath, recordTitle } from './list-screens.ts';
import {
  defineScreen,
  type DeskRequest,
  NO_MESSAGE,
  parseNote,
  formatIssueForEditor,
  type ScreenResult,
  type RenderScreen,
} from './screen.ts';

/** A record with its override, and the sources that the request has loaded. */
interface OpenedRecord extends RecordWithOverride {
  readonly sources: RecordSources;
}

/** Finds a record and its override by id. Returns null if no source has it. */
async function openRecord(
  { context, visit: { inbox } }: DeskRequest,
  id: string,
): Promise<OpenedRecord | null> {
  const sources = createRecordSources(inbox, context.snapshot);
  const record = await getRecord(inbox, sources, id);
  return record && { ...record, sources };
}

/** The screen of a record, by its id. */
export const recordScreen = defineScreen({
  name: 'record',
  find: openRecord,
  loadView,
  handleForm,
});

/** Sentences, by control. */
type Issues = FormState['issues'];

/** Applies the pressed button. Any other one renders the form again. */
async function handleForm(
  request: DeskRequest,
  opened: OpenedRecord,
  render: RenderScreen<Issues>,
): Promise<ScreenResult | RedirectResult> {
  const { visit, actor } = request;
  const { inbox, fields, picture_problem: problem } = visit;
  const { id } = opened.source;
  if (await applyStatusAction(request, id))
    return redirectAfterPost(`${editPath(id)}?done=decided`);
  if (fields.does === 'source') await revertOverride(inbox, actor, id);
  else if (fields.does === 'keep') await acknowledgeSourceChange(inbox, actor, id, opened.sources);
  else if (fields.does === 'save') {
    const failure = await save(request, opened);
    if (failure !== null)
      return render(
        { status: pictureProblemStatus(problem), message: failure.message },
        failure.issues,
      );
  } else return render(NO_MESSAGE);
  const correction = correctionReference(request);
  const path = correction === '' ? editPath(id) : `${DESK_PATHS.items}/${correction}`;
  return redirectAfterPost(`${path}?done=edited`);
}

/** Returns the reference of the correction that the record is edited for, or an empty string. */
const correctionReference = ({ visit: { fields } }: DeskRequest): string =>
  isReference(fields.report ?? '') ? (fields.report ?? '') : '';

/** Parses a status button of an event. Returns null for any other button. */
const parseStatusAction = (does = '') => STATUS_ACTIONS.find((action) => action === does) ?? null;

/** Finds an event of the live release. */
const findDetail = ({ context }: DeskRequest, id: string) => {
  const detail = getEvent(context.snapshot, id, context.now_ms);
  return detail === 'gone' ? null : detail;
};

/**
 * Applies a status button. Returns false for any other button, or if the current release has no
 * such event.
 */
async function applyStatusAction(request: DeskRequest, id: string): Promise<boolean> {
  const { visit, actor } = request;
  const { inbox, fields } = visit;
  const { does, reason = '', date = '' } = fields;
  const action = parseStatusAction(does);
  const detail = action && findDetail(request, id);
  if (action === null || detail === null) return false;
  // An empty date does not mean all dates, except to withdraw the event.
  const is_whole_event = date === ALL_DATES || (action === 'withdraw' && date === '');
  const change = {
    asks: action,
    date: is_whole_event ? null : date,
    note: parseNote(fields),
    reason,
  };
  await changeStatus(inbox, actor, detail, change);
  return true;
}

/**
 * Merges the submitted values with the record, to show them again: fields that the editor left as
 * they were rendered take the record's present value. `save` rejects a form if another editor has
 * changed the record since it was rendered; the form then shows both editors' changes.
 */
function mergeSubmittedValues(
  { context, visit: { fields } }: DeskRequest,
  { source, record }: OpenedRecord,
): ControlTexts {
  const current = recordToFormValues(source.kind, record, createReferenceData(context.snapshot));
  if (fields.was === undefined) return current;
  const { picture_id: _, image_url: __, ...others } = fields;
  // Controls of the sender's form, normalized; `others` has the desk's own controls too.
  const { picture_id, ...values } = selectFormValues(fields);
  // A picture link replaces the uploaded picture.
  const is_replaced = Boolean(values.image_url) && picture_id === current.picture_id;
  const submitted: ControlTexts = {
    ...others,
    ...values,
    ...(picture_id && !is_replaced && { picture_id }),
  };
  const rendered = v.safeParse(RenderedValuesSchema, fields.was);
  if (!rendered.success) return submitted;
  const unchanged = Object.entries(current).filter(
    ([name]) => (submitted[name] ?? '').replaceAll('\r\n', '\n') === (rendered.output[name] ?? ''),
  );
  return { ...submitted, ...Object.fromEntries(unchanged) };
}

/** The values with which a form was rendered, from its hidden field `was`. */
const RenderedValuesSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

/**
 * Saves the changed fields.
 * @returns null if saved, otherwise the message and issues; also if the record has changed since
 * the form was rendered.
 */
async function save(
  request: DeskRequest,
  opened: OpenedRecord,
): Promise<{ readonly message: string; readonly issues: Issues } | null> {
  const { context, visit, actor } = request;
  const { inbox, fields, lang, picture_problem: problem, retry_at_ms } = visit;
  const { kind, id } = opened.source;
  const message = t(lang, 'desk.refused.issues');
  if (problem !== null) {
    const sentence = formatPictureProblem(problem, lang, retry_at_ms, context.now_ms);
    return { message, issues: new Map([['picture_id', sentence]]) };
  }
  const reference_data = createReferenceData(context.snapshot);
  if (fields.was !== JSON.stringify(recordToFormValues(kind, opened.record, reference_data)))
    return { message: t(lang, 'desk.edit.meanwhile'), issues: new Map() };
  const texts = mergeSubmittedValues(request, opened);
  const { changed, issues } = parseChangedFields(
    kind,
    opened.record,
    texts,
    reference_data,
    context.now_ms,
  );
  if (issues.length > 0) return { message, issues: formatSubmissionIssues(issues, lang) };
  const edit_context = { ...context, sources: opened.sources };
  const record_issues = await editRecord(
    inbox,
    actor,
    id,
    changed,
    fields.reason ?? '',
    edit_context,
  );
  if (record_issues.length === 0) return null;
  return {
    message,
    issues: new Map(
      record_issues.map((issue) => [
        findControlName(kind, issue.path, texts),
        formatIssueForEditor(issue, lang),
      ]),
    ),
  };
}

/** Finds the name of the control that edits a field of content, by the path of the field. */
function findControlName(
  kind: RecordKind,
  path: string,
  { lang = DEFAULT_LANG }: ControlTexts,
): string {
  // The controls of the desk have the names of fields, and also show the issues of their parts.
  if (listDeskOnlyControls(kind).some(({ name }) => `${path}.`.startsWith(`${name}.`))) return path;
  const [field = '', part = ''] = path.split('.');
  const text_lang = LANGS.find((known) => path.endsWith(`.${known}`));
  const controls: Readonly<Record<string, string>> = {
    when: 'start_date',
    price: part === '' ? 'price_kind' : `price_${part}`,
    image: part === 'alt' ? 'image_alt' : 'image_url',
  };
  const name = controls[field] ?? field;
  return text_lang === undefined || text_lang === lang ? name : `other_${name}`;
}

export type RecordView = Awaited<ReturnType<typeof loadView>>;
export type RecordForm = RecordView['form'];

async function loadView(request: DeskRequest, opened: OpenedRecord, issues: Issues = new Map()) {
  const { source } = opened;
  const form = await loadForm(request, opened, issues);
  return {
    form,
    /** Content file or reference of the source. */
    file: source.file,
    page_path: findPagePath(request, source),
    status_form: source.kind === 'event' ? await loadStatusForm(request, source.id) : null,
    history: await loadOverrideHistory(request, source, form.options),
  };
}

/**
 * Loads the form of the record that a correction is about.
 * @param correction Reference of the correction, to which the form returns.
 * @returns null if the record is gone.
 */
export async function loadCorrectedRecordForm(
  { visit, ...request }: DeskRequest,
  id: string,
  correction: string,
): Promise<RecordForm | null> {
  // Fields submitted to the correction's own screen do not belong to this form.
  const record_request = { ...request, visit: { ...visit, fields: {} } };
  const opened = await openRecord(record_request, id);
  return opened && { ...(await loadForm(record_request, opened, new Map())), correction };
}

/** Loads the form of a record, and how its override differs from its source. */
async function loadForm(request: DeskRequest, opened: OpenedRecord, issues: Issues) {
  const { source, record, edit, is_outdated, sources } = opened;
  const { lang, fields } = request.visit;
  const { kind, id } = source;
  const values = mergeSubmittedValues(request, opened);
  const options = await loadOptions(request, sources, id, values);
  const form: FormState = {
    values,
    issues,
    options,
    kind,
    accepts_files: kind === 'event',
    sends_mail: false,
    action: editPath(id),
  };
  return {
    ...form,
    kind,
    id,
    title: recordTitle(record, lang),
    sections: listSections(kind),
    /** The present schedule in words, if the form cannot express it; otherwise null. */
    schedule_text: keepsExistingSchedule(kind, values)
      ? formatSchedule(record, options, lang)
      : null,
    is_edited: edit !== null,
    /** The source has changed since the record was edited. */
    is_outdated,
    /** Fields that differ from the source. */
    overridden_fields:
      edit === null ? [] : listOverriddenFields(opened, edit.source, options, lang),
    /** JSON of the present values, to find the fields changed in the form and concurrent edits. */
    rendered_values: JSON.stringify(
      recordToFormValues(kind, record, createReferenceData(request.context.snapshot)),
    ),
    /** The submitted reason, unless it was submitted with the status form. */
    reason: parseStatusAction(fields.does) === null ? (fields.reason ?? '') : '',
    /** Reference of the correction that the record is edited for; otherwise empty. */
    correction: correctionReference(request),
  };
}

/**
 * Lists the fields that differ between the source and the desk; if the source has changed since,
 * also as it was.
 * @param edited_source The source's record at the time of the edit.
 */
function listOverriddenFields(
  { source: { kind, record: source_record }, record, is_outdated }: OpenedRecord,
  edited_source: RecordWithOverride['record'],
  options: OptionsByControl,
  lang: Lang,
): readonly FieldComparison[] {
  const source_at_edit = is_outdated
    ? [{ label: 'desk.edit.made_over', record: edited_source } as const]
    : [];
  const versions = [
    ...source_at_edit,
    { label: 'desk.edit.source', record: source_record },
    { label: 'desk.edit.desk', record },
  ] as const;
  return compareFields(kind, versions, options, lang);
}

/** Formats the dates and recurrence of an event in words. */
function formatSchedule(
  record: RecordWithOverride['record'],
  options: OptionsByControl,
  lang: Lang,
): string {
  const [control] = listRecordControls('event').filter(({ name }) => name === 'when');
  return control
    ? formatControlValue(control, recordToControls([control], record), options, lang)
    : '';
}

/** A section of the form. */
interface Section {
  /** Null for fields that are not part of the sender's form. */
  readonly name: FormSection | null;
  readonly controls: readonly FormControl[];
}

/**
 * Sections of the sender's form for fields that only the desk edits. All others get a section of
 * their own.
 */
const DESK_FIELD_SECTIONS: Readonly<Record<string, FormSection>> = {
  venue: 'first',
  location_note: 'where',
  indoor: 'where',
  price: 'price',
  tags: 'more',
  organizer: 'who',
};

function listSections(kind: RecordKind): readonly Section[] {
  const desk_controls = listDeskOnlyControls(kind);
  if (kind === 'notice')
    return [
      { name: null, controls: desk_controls },
      { name: 'when', controls: WHEN_CONTROLS.filter(({ name }) => name !== 'open_end') },
    ];
  if (kind !== 'event') return [{ name: null, controls: desk_controls }];
  const findSection = ({ name }: FormControl) =>
    DESK_FIELD_SECTIONS[name.split('.', 1)[0] ?? ''] ?? null;
  const sections = SECTION_NAMES.map((name) => ({
    name,
    controls: [
      ...listSectionControls(name).filter(
        (control) => !control.is_sender_only && control.kind !== 'hidden',
      ),
      ...desk_controls.filter((control) => findSection(control) === name),
    ],
  }));
  const others = desk_controls.filter((control) => findSection(control) === null);
  return [...sections, { name: null, controls: others }];
}

/** Most dates in the status form. */
const MAX_DAYS = 100;

/** Loads the status form of an event. Returns null if the current release does not have it. */
async function loadStatusForm(request: DeskRequest, id: string) {
  const { context, visit } = request;
  const detail = findDetail(request, id);
  if (detail === null) return null;
  const upcoming = detail.occurrences.filter(({ end_ms }) => end_ms > context.now_ms);
  return {
    detail,
    /** Including those that are not in a release yet. */
    overrides: await listStatusOverrides(visit.inbox, id),
    /** Upcoming dates, YYYY-MM-DD. */
    days: [...new Set(upcoming.map(({ start }) => start.slice(0, 10)))].slice(0, MAX_DAYS),
    /** The submitted values if the status form was rejected, otherwise empty. */
    values: parseStatusAction(visit.fields.does) === null ? {} : visit.fields,
  };
}

/** Finds the public page of a record. Returns null if the current release does not have it. */
function findPagePath(request: DeskRequest, { kind, id }: SourceRecord): string | null {
  const { snapshot } = request.context;
  const { lang } = request.visit;
  if (kind === 'notice') return pagePath('notices', lang);
  const record =
    kind === 'event'
      ? findDetail(request, id)?.event
      : (kind === 'venue' ? getVenue : getOrganizer)(snapshot, id);
  return record ? recordPath(kind, record.slug, lang) : null;
}

/**
 * Loads the options of the select controls. Selected records remain options even if they are gone.
 * @param own_id Id of the edited record, which is excluded: a record cannot be the same as itself.
 */
async function loadOptions(
  { context: { snapshot }, visit: { lang } }: DeskRequest,
  sources: RecordSources,
  own_id: string,
  values: ControlTexts,
): Promise<OptionsByControl> {
  const listOptions = async (
    kind: 'venue' | 'organizer',
    released: readonly { readonly id: string; readonly name: string }[],
  ) => {
    // Includes records that are not in a release yet.
    const from_sources = (await sources.list(kind)).map(({ id, record }) => ({
      id,
      name: recordTitle(record, lang),
    }));
    const names = new Map([...from_sources, ...released].map(({ id, name }) => [id, name]));
    for (const selected of [values[kind], values.same_as])
      if (selected && !names.has(selected)) names.set(selected, selected);
    names.delete(own_id);
    return [...names]
      .map(([value, label]) => ({ value, label }))
      .sort((a, b) => a.label.localeCompare(b.label, lang));
  };
  const venue = await listOptions('venue', listVenues(snapshot));
  const organizer = await listOptions('organizer', listOrganizers(snapshot));
  const is_venue = (await sources.get(own_id))?.kind === 'venue';
  return {
    ...listFormOptions(snapshot, lang),
    venue,
    organizer,
    same_as: is_venue ? venue : organizer,
  };
}
