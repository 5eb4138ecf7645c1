// One thing on the desk, whatever its kind: its form, filled in, to be changed or given back to its source; and of
// an event its status, whole or of one day.
import * as v from 'valibot';
import { toKnown } from '../../desk/known.ts';
import {
  isRuleKept,
  listOwnControls,
  listThingControls,
  readChanged,
  toThingTexts,
} from '../../desk/thing-form.ts';
import {
  type EditedThing,
  editThing,
  keepEdit,
  openSources,
  readThing,
  type Sources,
  useSource,
} from '../../desk/things.ts';
import { changeStatus, listStatusOverrides } from '../../desk/status.ts';
import { ALL_DAYS, isReference, STATUS_ASKS } from '../../domain/change.ts';
import type { SourceRecord } from '../../domain/edit/edit.ts';
import { toTexts } from '../../domain/edit/form.ts';
import type { Texts } from '../../domain/submission/rules.ts';
import type { HistoryKind } from '../../domain/history.ts';
import { DEFAULT_LANG, type Lang, LANGS } from '../../domain/lang.ts';
import {
  type Control,
  type FormSection,
  listSection,
  SECTION_NAMES,
  WHEN_CONTROLS,
} from '../../domain/submission/fields.ts';
import { pickFormValues } from '../../domain/submission/form.ts';
import { type Choices, toValueWords } from '../../i18n/edit-words.ts';
import { DESK_PATHS, toPagePath, toThingPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { getEvent, getOrganizer, getVenue } from '../../snapshot/get-thing.ts';
import { listOrganizers, listVenues } from '../../snapshot/list-things.ts';
import { type FormState, listChoices, toSentences } from '../forms/read-form.ts';
import { toPictureSentence, toPictureStatus } from '../forms/refused.ts';
import { type Redirect, redirect } from '../visit.ts';
import { type FieldLines, listFieldLines, readEditHistory } from './decisions.ts';
import { toEditPath, toThingTitle } from './lists.ts';
import {
  defineRoom,
  type DeskRequest,
  NOTHING_TOLD,
  readNote,
  sayIssue,
  type Screen,
  type Show,
} from './room.ts';

/** A thing among the sources that one request reads. */
interface OpenedThing extends EditedThing {
  readonly sources: Sources;
}

async function openThing(
  { state, visit: { inbox } }: DeskRequest,
  id: string,
): Promise<OpenedThing | null> {
  const sources = openSources(inbox, state.snapshot);
  const thing = await readThing(inbox, sources, id);
  return thing && { ...thing, sources };
}

export const thingRoom = defineRoom({
  name: 'thing',
  find: openThing,
  load: readView,
  act: decide,
});

type Issues = FormState['issues'];

/** Does what the pressed button means; any other shows the form again. */
async function decide(
  request: DeskRequest,
  thing: OpenedThing,
  show: Show<Issues>,
): Promise<Screen | Redirect> {
  const { visit, actor } = request;
  const { inbox, fields, picture_problem: problem } = visit;
  const { id } = thing.source;
  if (await decideStatus(request, id)) return redirect(`${toEditPath(id)}?done=decided`);
  if (fields.does === 'source') await useSource(inbox, actor, id);
  else if (fields.does === 'keep') await keepEdit(inbox, actor, id, thing.sources);
  else if (fields.does === 'save') {
    const refused = await save(request, thing);
    if (refused !== null)
      return show({ status: toPictureStatus(problem), notice: refused.notice }, refused.issues);
  } else return show(NOTHING_TOLD);
  const report = readReport(request);
  const back = report === '' ? toEditPath(id) : `${DESK_PATHS.items}/${report}`;
  return redirect(`${back}?done=edited`);
}

/** The reference of the report that it is edited for; empty for none. */
const readReport = ({ visit: { fields } }: DeskRequest): string =>
  isReference(fields.report ?? '') ? (fields.report ?? '') : '';

/** What a button of an event means; null for any other. */
const readAct = (does = '') => STATUS_ASKS.find((one) => one === does) ?? null;

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
  const day = date === ALL_DAYS || (asks === 'withdraw' && date === '') ? null : date;
  const change = { asks, date: day, note: readNote(fields), words: reason };
  await changeStatus(inbox, actor, detail, change);
  return true;
}

/** What stands in the form: what was typed over what it said, the record for the rest. */
function readTyped(
  { state, visit: { fields } }: DeskRequest,
  { source, record }: OpenedThing,
): Texts {
  const now = toThingTexts(source.kind, record, toKnown(state.snapshot));
  if (fields.was === undefined) return now;
  const { picture_id: _, image_url: __, ...others } = fields;
  const { picture_id, ...values } = pickFormValues(fields);
  // A link takes the place of the picture that is held.
  const is_replaced = Boolean(values.image_url) && picture_id === now.picture_id;
  const typed: Texts = { ...others, ...values, ...(picture_id && !is_replaced && { picture_id }) };
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
  thing: OpenedThing,
): Promise<{ readonly notice: string; readonly issues: Issues } | null> {
  const { state, visit, actor } = request;
  const { inbox, fields, lang, picture_problem: problem, retry_at_ms } = visit;
  const { kind, id } = thing.source;
  const notice = t(lang, 'desk.refused.issues');
  if (problem !== null) {
    const sentence = toPictureSentence(problem, lang, retry_at_ms, state.now_ms);
    return { notice, issues: new Map([['picture_id', sentence]]) };
  }
  const known = toKnown(state.snapshot);
  if (fields.was !== JSON.stringify(toThingTexts(kind, thing.record, known)))
    return { notice: t(lang, 'desk.edit.meanwhile'), issues: new Map() };
  const texts = readTyped(request, thing);
  const { changed, issues } = readChanged(kind, thing.record, texts, known, state.now_ms);
  if (issues.length > 0) return { notice, issues: toSentences(issues, lang) };
  const town = { ...state, sources: thing.sources };
  const faults = await editThing(inbox, actor, id, changed, fields.reason ?? '', town);
  if (faults.length === 0) return null;
  return {
    notice,
    issues: new Map(
      faults.map((fault) => [findControl(kind, fault.path, texts), sayIssue(fault, lang)]),
    ),
  };
}

/** The control that says a field of content, by its path. */
function findControl(kind: HistoryKind, path: string, { lang = DEFAULT_LANG }: Texts): string {
  if (listOwnControls(kind).some(({ name }) => `${path}.`.startsWith(`${name}.`))) return path;
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

export type ThingView = Awaited<ReturnType<typeof readView>>;
export type ThingForm = ThingView['form'];

async function readView(request: DeskRequest, thing: OpenedThing, issues: Issues = new Map()) {
  const { source } = thing;
  const form = await readForm(request, thing, issues);
  return {
    form,
    file: source.file,
    page_path: findPage(request, source),
    acts: source.kind === 'event' ? await readActs(request, source.id) : null,
    history: await readEditHistory(request, source, form.choices),
  };
}

/** The form of the thing that a reader's report is about; null where it is gone. */
export async function readReported(
  { visit, ...request }: DeskRequest,
  id: string,
  report: string,
): Promise<ThingForm | null> {
  // What was sent to the screen of the report is of no field.
  const asked = { ...request, visit: { ...visit, fields: {} } };
  const thing = await openThing(asked, id);
  return thing && { ...(await readForm(asked, thing, new Map())), report };
}

/** The form of a thing, with what the desk says over its source. */
async function readForm(request: DeskRequest, thing: OpenedThing, issues: Issues) {
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
    action: toEditPath(id),
  };
  return {
    ...form,
    kind,
    id,
    title: toThingTitle(record, lang),
    sections: listSections(kind),
    /** When it takes place, where the form cannot say that. */
    rule: isRuleKept(kind, values) ? sayRule(record, choices, lang) : null,
    is_edited: edit !== null,
    /** Whether its source says something else than when it was edited. */
    is_outdated,
    /** The fields in which it is another than its source. */
    said: edit === null ? [] : listSaid(thing, edit.source, choices, lang),
    /** What it says, to tell what was typed over it, and whether somebody else changed it meanwhile. */
    was: JSON.stringify(toThingTexts(kind, record, toKnown(request.state.snapshot))),
    reason: readAct(sent.does) === null ? (sent.reason ?? '') : '',
    /** The reference of a reader's report that it is edited for; empty for none. */
    report: readReport(request),
  };
}

function listSaid(
  { source: { kind, record: source }, record, is_outdated }: OpenedThing,
  was: EditedThing['record'],
  choices: Choices,
  lang: Lang,
): readonly FieldLines[] {
  const before = is_outdated ? [{ who: 'desk.edit.made_over', record: was } as const] : [];
  const says = [
    ...before,
    { who: 'desk.edit.source', record: source },
    { who: 'desk.edit.desk', record },
  ] as const;
  return listFieldLines(kind, says, choices, lang);
}

function sayRule(record: EditedThing['record'], choices: Choices, lang: Lang): string {
  const [rule] = listThingControls('event').filter(({ name }) => name === 'when');
  return rule ? toValueWords(rule, toTexts([rule], record), choices, lang) : '';
}

interface Section {
  /** Null for the one of what senders have no form for. */
  readonly name: FormSection | null;
  readonly controls: readonly Control[];
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

function listSections(kind: HistoryKind): readonly Section[] {
  const own = listOwnControls(kind);
  if (kind === 'notice')
    return [
      { name: null, controls: own },
      { name: 'when', controls: WHEN_CONTROLS.filter(({ name }) => name !== 'open_end') },
    ];
  if (kind !== 'event') return [{ name: null, controls: own }];
  const findSection = ({ name }: Control) => SECTION_OF[name.split('.', 1)[0] ?? ''] ?? null;
  const sections = SECTION_NAMES.map((name) => ({
    name,
    controls: [
      ...listSection(name).filter((one) => !one.is_of_sender && one.kind !== 'hidden'),
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
  if (kind === 'notice') return toPagePath('notices', lang);
  const found =
    kind === 'event'
      ? findDetail(request, id)?.event
      : (kind === 'venue' ? getVenue : getOrganizer)(snapshot, id);
  return found ? toThingPath(kind, found.slug, lang) : null;
}

/** Nothing is the same as itself: `own` is no choice. What is chosen stays one, also where it is gone. */
async function readChoices(
  { state: { snapshot }, visit: { lang } }: DeskRequest,
  sources: Sources,
  own: string,
  values: Texts,
): Promise<Choices> {
  const toOptions = async (
    kind: 'venue' | 'organizer',
    shown: readonly { readonly id: string; readonly name: string }[],
  ) => {
    // With those that no release has shown yet.
    const added = (await sources.list(kind)).map(({ id, record }) => ({
      id,
      name: toThingTitle(record, lang),
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
    ...listChoices(snapshot, lang),
    venue,
    organizer,
    same_as: is_venue ? venue : organizer,
  };
}
