// One thing on the desk, whatever its kind: its form, filled in, to be changed or given back to its source; and of
// an event its status, whole or of one day.
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

/** A thing among the sources that one request reads. */
interface OpenedRecord extends RecordWithOverride {
  readonly sources: RecordSources;
}

async function openThing(
  { state, visit: { inbox } }: DeskRequest,
  id: string,
): Promise<OpenedRecord | null> {
  const sources = createRecordSources(inbox, state.snapshot);
  const thing = await getRecord(inbox, sources, id);
  return thing && { ...thing, sources };
}

export const recordScreen = defineScreen({
  name: 'thing',
  find: openThing,
  load: readView,
  act: decide,
});

type Issues = FormState['issues'];

/** Does what the pressed button means; any other shows the form again. */
async function decide(
  request: DeskRequest,
  thing: OpenedRecord,
  show: RenderScreen<Issues>,
): Promise<ScreenResult | RedirectResult> {
  const { visit, actor } = request;
  const { inbox, fields, picture_problem: problem } = visit;
  const { id } = thing.source;
  if (await decideStatus(request, id)) return redirectAfterPost(`${editPath(id)}?done=decided`);
  if (fields.does === 'source') await revertOverride(inbox, actor, id);
  else if (fields.does === 'keep') await acknowledgeSourceChange(inbox, actor, id, thing.sources);
  else if (fields.does === 'save') {
    const refused = await save(request, thing);
    if (refused !== null)
      return show(
        { status: pictureProblemStatus(problem), notice: refused.notice },
        refused.issues,
      );
  } else return show(NO_MESSAGE);
  const report = readReport(request);
  const back = report === '' ? editPath(id) : `${DESK_PATHS.items}/${report}`;
  return redirectAfterPost(`${back}?done=edited`);
}

/** The reference of the report that it is edited for; empty for none. */
const readReport = ({ visit: { fields } }: DeskRequest): string =>
  isReference(fields.report ?? '') ? (fields.report ?? '') : '';

/** What a button of an event means; null for any other. */
const readAct = (does = '') => STATUS_ACTIONS.find((one) => one === does) ?? null;

const findDetail = ({ state }: DeskRequest, id: string) => {
  const detail = getEvent(state.snapshot, id, state.now_ms);
  return detail === 'gone' ? null : detail;
};

/** Cancels an event and so on; false where no such button was pressed, or no release shows it. */
async function decideStatus(request: DeskRequest, id: string): Promise<boolean> {
  const { visit, actor } = request;
  const { inbox, fields } = visit;
  const { does, reason = '', date = '' } = fields;
  const asks = readAct(does);
  const detail = asks && findDetail(request, id);
  if (asks === null || detail === null) return false;
  // Of several days none is meant by itself, nor are all.
  const day = date === ALL_DATES || (asks === 'withdraw' && date === '') ? null : date;
  const change = { asks, date: day, note: parseNote(fields), words: reason };
  await changeStatus(inbox, actor, detail, change);
  return true;
}

/** What stands in the form: what was typed over what it said, the record for the rest. */
function readTyped(
  { state, visit: { fields } }: DeskRequest,
  { source, record }: OpenedRecord,
): ControlTexts {
  const now = recordToFormValues(source.kind, record, createReferenceData(state.snapshot));
  if (fields.was === undefined) return now;
  const { picture_id: _, image_url: __, ...others } = fields;
  const { picture_id, ...values } = selectFormValues(fields);
  // A link takes the place of the picture that is held.
  const is_replaced = Boolean(values.image_url) && picture_id === now.picture_id;
  const typed: ControlTexts = {
    ...others,
    ...values,
    ...(picture_id && !is_replaced && { picture_id }),
  };
  const was = v.safeParse(WasSchema, fields.was);
  if (!was.success) return typed;
  // What somebody else changed meanwhile stays where nothing was typed over it.
  const kept = Object.entries(now).filter(
    ([name]) => (typed[name] ?? '').replaceAll('\r\n', '\n') === (was.output[name] ?? ''),
  );
  return { ...typed, ...Object.fromEntries(kept) };
}

/** The texts with which a form was shown. */
const WasSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

/** Stores what was changed, or says what is in the way; what another changed meanwhile is looked at again first. */
async function save(
  request: DeskRequest,
  thing: OpenedRecord,
): Promise<{ readonly notice: string; readonly issues: Issues } | null> {
  const { state, visit, actor } = request;
  const { inbox, fields, lang, picture_problem: problem, retry_at_ms } = visit;
  const { kind, id } = thing.source;
  const notice = t(lang, 'desk.refused.issues');
  if (problem !== null) {
    const sentence = formatPictureProblem(problem, lang, retry_at_ms, state.now_ms);
    return { notice, issues: new Map([['picture_id', sentence]]) };
  }
  const known = createReferenceData(state.snapshot);
  if (fields.was !== JSON.stringify(recordToFormValues(kind, thing.record, known)))
    return { notice: t(lang, 'desk.edit.meanwhile'), issues: new Map() };
  const texts = readTyped(request, thing);
  const { changed, issues } = parseChangedFields(kind, thing.record, texts, known, state.now_ms);
  if (issues.length > 0) return { notice, issues: formatSubmissionIssues(issues, lang) };
  const town = { ...state, sources: thing.sources };
  const faults = await editRecord(inbox, actor, id, changed, fields.reason ?? '', town);
  if (faults.length === 0) return null;
  return {
    notice,
    issues: new Map(
      faults.map((fault) => [
        findControl(kind, fault.path, texts),
        formatIssueForEditor(fault, lang),
      ]),
    ),
  };
}

/** The control that says a field of content, by its path. */
function findControl(
  kind: RecordKind,
  path: string,
  { lang = DEFAULT_LANG }: ControlTexts,
): string {
  if (listDeskOnlyControls(kind).some(({ name }) => `${path}.`.startsWith(`${name}.`))) return path;
  const [field = '', part = ''] = path.split('.');
  const written = LANGS.find((one) => path.endsWith(`.${one}`));
  const of_field: Readonly<Record<string, string>> = {
    when: 'start_date',
    price: part === '' ? 'price_kind' : `price_${part}`,
    image: part === 'alt' ? 'image_alt' : 'image_url',
  };
  const name = of_field[field] ?? field;
  return written === undefined || written === lang ? name : `other_${name}`;
}

export type RecordView = Awaited<ReturnType<typeof readView>>;
export type RecordForm = RecordView['form'];

async function readView(request: DeskRequest, thing: OpenedRecord, issues: Issues = new Map()) {
  const { source } = thing;
  const form = await readForm(request, thing, issues);
  return {
    form,
    file: source.file,
    page_path: findPage(request, source),
    acts: source.kind === 'event' ? await readActs(request, source.id) : null,
    history: await loadOverrideHistory(request, source, form.choices),
  };
}

/** The form of the thing that a reader's report is about; null where it is gone. */
export async function loadCorrectedRecordForm(
  { visit, ...request }: DeskRequest,
  id: string,
  report: string,
): Promise<RecordForm | null> {
  // What was sent to the screen of the report is of no field.
  const asked = { ...request, visit: { ...visit, fields: {} } };
  const thing = await openThing(asked, id);
  return thing && { ...(await readForm(asked, thing, new Map())), report };
}

/** The form of a thing, with what the desk says over its source. */
async function readForm(request: DeskRequest, thing: OpenedRecord, issues: Issues) {
  const { source, record, edit, is_outdated, sources } = thing;
  const { lang, fields: sent } = request.visit;
  const { kind, id } = source;
  const values = readTyped(request, thing);
  const choices = await readChoices(request, sources, id, values);
  const form: FormState = {
    values,
    issues,
    choices,
    kind,
    takes_files: kind === 'event',
    sends_mail: false,
    action: editPath(id),
  };
  return {
    ...form,
    kind,
    id,
    title: recordTitle(record, lang),
    sections: listSections(kind),
    /** When it takes place, where the form cannot say that. */
    rule: keepsExistingSchedule(kind, values) ? sayRule(record, choices, lang) : null,
    is_edited: edit !== null,
    /** Whether its source says something else than when it was edited. */
    is_outdated,
    /** The fields in which it is another than its source. */
    said: edit === null ? [] : listSaid(thing, edit.source, choices, lang),
    /** What it says, to tell what was typed over it, and whether somebody else changed it meanwhile. */
    was: JSON.stringify(
      recordToFormValues(kind, record, createReferenceData(request.state.snapshot)),
    ),
    reason: readAct(sent.does) === null ? (sent.reason ?? '') : '',
    /** The reference of a reader's report that it is edited for; empty for none. */
    report: readReport(request),
  };
}

function listSaid(
  { source: { kind, record: source }, record, is_outdated }: OpenedRecord,
  was: RecordWithOverride['record'],
  choices: OptionsByControl,
  lang: Lang,
): readonly FieldComparison[] {
  const before = is_outdated ? [{ who: 'desk.edit.made_over', record: was } as const] : [];
  const says = [
    ...before,
    { who: 'desk.edit.source', record: source },
    { who: 'desk.edit.desk', record },
  ] as const;
  return compareFields(kind, says, choices, lang);
}

function sayRule(
  record: RecordWithOverride['record'],
  choices: OptionsByControl,
  lang: Lang,
): string {
  const [rule] = listRecordControls('event').filter(({ name }) => name === 'when');
  return rule ? formatControlValue(rule, recordToControls([rule], record), choices, lang) : '';
}

interface Section {
  /** Null for the one of what senders have no form for. */
  readonly name: FormSection | null;
  readonly controls: readonly FormControl[];
}

/** Where an event's other fields stand among the sections of the sender's form; else in one for the desk. */
const SECTION_OF: Readonly<Record<string, FormSection>> = {
  venue: 'first',
  location_note: 'where',
  indoor: 'where',
  price: 'price',
  tags: 'more',
  organizer: 'who',
};

function listSections(kind: RecordKind): readonly Section[] {
  const own = listDeskOnlyControls(kind);
  if (kind === 'notice')
    return [
      { name: null, controls: own },
      { name: 'when', controls: WHEN_CONTROLS.filter(({ name }) => name !== 'open_end') },
    ];
  if (kind !== 'event') return [{ name: null, controls: own }];
  const findSection = ({ name }: FormControl) => SECTION_OF[name.split('.', 1)[0] ?? ''] ?? null;
  const sections = SECTION_NAMES.map((name) => ({
    name,
    controls: [
      ...listSectionControls(name).filter((one) => !one.is_of_sender && one.kind !== 'hidden'),
      ...own.filter((one) => findSection(one) === name),
    ],
  }));
  return [...sections, { name: null, controls: own.filter((one) => findSection(one) === null) }];
}

const MAX_DAYS = 100;

/** What is decided over an event; null where no release shows it. */
async function readActs(request: DeskRequest, id: string) {
  const { state, visit } = request;
  const detail = findDetail(request, id);
  if (detail === null) return null;
  const ahead = detail.occurrences.filter(({ end_ms }) => end_ms > state.now_ms);
  return {
    detail,
    /** In a release already or not yet. */
    overrides: await listStatusOverrides(visit.inbox, id),
    /** Those ahead, YYYY-MM-DD. */
    days: [...new Set(ahead.map(({ start }) => start.slice(0, 10)))].slice(0, MAX_DAYS),
    /** Repeated after a refusal; empty otherwise. */
    values: readAct(visit.fields.does) === null ? {} : visit.fields,
  };
}

/** Null where a reader sees none. */
function findPage(request: DeskRequest, { kind, id }: SourceRecord): string | null {
  const { snapshot } = request.state;
  const { lang } = request.visit;
  if (kind === 'notice') return pagePath('notices', lang);
  const found =
    kind === 'event'
      ? findDetail(request, id)?.event
      : (kind === 'venue' ? getVenue : getOrganizer)(snapshot, id);
  return found ? recordPath(kind, found.slug, lang) : null;
}

/** Nothing is the same as itself: `own` is no choice. What is chosen stays one, also where it is gone. */
async function readChoices(
  { state: { snapshot }, visit: { lang } }: DeskRequest,
  sources: RecordSources,
  own: string,
  values: ControlTexts,
): Promise<OptionsByControl> {
  const toOptions = async (
    kind: 'venue' | 'organizer',
    shown: readonly { readonly id: string; readonly name: string }[],
  ) => {
    // With those that no release has shown yet.
    const added = (await sources.list(kind)).map(({ id, record }) => ({
      id,
      name: recordTitle(record, lang),
    }));
    const names = new Map([...added, ...shown].map(({ id, name }) => [id, name]));
    for (const chosen of [values[kind], values.same_as])
      if (chosen && !names.has(chosen)) names.set(chosen, chosen);
    names.delete(own);
    return [...names]
      .map(([value, label]) => ({ value, label }))
      .sort((a, b) => a.label.localeCompare(b.label, lang));
  };
  const venue = await toOptions('venue', listVenues(snapshot));
  const organizer = await toOptions('organizer', listOrganizers(snapshot));
  const is_venue = (await sources.get(own))?.kind === 'venue';
  return {
    ...listFormOptions(snapshot, lang),
    venue,
    organizer,
    same_as: is_venue ? venue : organizer,
  };
}
