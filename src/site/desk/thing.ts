// One thing on the desk, whatever its kind: every field that it has, to be changed or given back to its
// source; and of an event its status, whole or of one day.
import {
  listFields,
  toSeen,
  type EditedThing,
  editThing,
  keepEdit,
  readThing,
  useSource,
  openSources,
  type Sources,
} from '../../desk/things.ts';
import { changeStatus, listStatusOverrides, type StatusAsk } from '../../desk/status.ts';
import { toFieldLabel, toWords, toIssueWords } from '../../i18n/edit-words.ts';
import { isSameValue, type SourceRecord } from '../../domain/edit/edit.ts';
import {
  readValue,
  toFields,
  type FieldChoices,
  PICTURE_FIELD,
  readPictureFields,
} from '../../domain/edit/form.ts';
import type { LocalText } from '../../domain/lang.ts';
import { DESK_PATHS, toPagePath, toThingPath } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { getEvent, getOrganizer, getVenue } from '../../snapshot/get-thing.ts';
import { listOrganizers, listVenues } from '../../snapshot/list-things.ts';
import { toPictureSentence, toPictureStatus } from '../forms/refused.ts';
import { type Redirect, redirect } from '../visit.ts';
import { type FieldLines, readEditHistory } from './decisions.ts';
import { toEditPath, toThingTitle } from './lists.ts';
import {
  type DeskRequest,
  NOTHING_TOLD,
  readNote,
  type Room,
  type Screen,
  type Told,
  toScreen,
} from './room.ts';

/** What is wrong, by the path of a field. */
type Issues = ReadonlyMap<string, string>;
const NO_ISSUES: Issues = new Map();

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

export const thingRoom: Room = {
  name: 'thing',
  is_of_one: true,
  load: async (sent, id) => {
    const thing = await openThing(sent, id);
    return thing && (await readView(withPicture(sent), thing, NO_ISSUES));
  },
  act: async (sent, id) => {
    const thing = await openThing(sent, id);
    return thing && (await decide(withPicture(sent), thing));
  },
};

const withPicture = (request: DeskRequest): DeskRequest => ({
  ...request,
  visit: { ...request.visit, fields: readPictureFields(request.visit.fields) },
});

/** Does what the pressed button means; any other shows the form again. */
async function decide(request: DeskRequest, thing: OpenedThing): Promise<Screen | Redirect> {
  const { visit, actor } = request;
  const { inbox, fields, lang, picture_problem: problem, retry_at_ms } = visit;
  const { id } = thing.source;
  if (await decideStatus(request, id)) return redirect(`${toEditPath(id)}?done=decided`);
  if (fields.does === 'source') await useSource(inbox, actor, id);
  else if (fields.does === 'keep') await keepEdit(inbox, actor, id, thing.sources);
  else if (fields.does === 'save') {
    const issues =
      problem === null
        ? await save(request, thing)
        : new Map([
            [PICTURE_FIELD, toPictureSentence(problem, lang, retry_at_ms, request.state.now_ms)],
          ]);
    const told = { status: toPictureStatus(problem), notice: t(lang, 'desk.refused.issues') };
    if (issues.size > 0) return showThing(request, thing, told, issues);
  } else return showThing(request, thing, NOTHING_TOLD);
  const report = readReport(request);
  const back = report === '' ? toEditPath(id) : `${DESK_PATHS.items}/${report}`;
  return redirect(`${back}?done=edited`);
}

/** The reference of the report that it is edited for; empty for none. */
const readReport = ({ visit: { fields } }: DeskRequest): string =>
  /^HC-[0-9A-Z]{6}$/.exec(fields.report ?? '')?.[0] ?? '';

/** What a button of an event means, for the whole of it or for a day; null for any other button. */
function readAct(does = ''): { readonly act: StatusAsk; is_day: boolean } | null {
  const [name, act, day] = /^(?:(cancel|postpone|restore)(_day)?|withdraw)$/.exec(does) ?? [];
  if (act === 'cancel' || act === 'postpone' || act === 'restore')
    return { act, is_day: day !== undefined };
  return name === 'withdraw' ? { act: name, is_day: false } : null;
}

const findDetail = ({ state }: DeskRequest, id: string) => {
  const detail = getEvent(state.snapshot, id, state.now_ms);
  return detail === 'gone' ? null : detail;
};

/** Cancels an event and so on; false where no such button was pressed, or no release shows it. */
async function decideStatus(request: DeskRequest, id: string): Promise<boolean> {
  const { visit, actor } = request;
  const { inbox, fields } = visit;
  const { does, reason = '', date = '' } = fields;
  const pressed = readAct(does);
  const detail = pressed && findDetail(request, id);
  if (pressed === null || detail === null) return false;
  const { act, is_day } = pressed;
  const change = { asks: act, date: is_day ? date : null, note: readNote(fields), words: reason };
  await changeStatus(inbox, actor, detail, change);
  return true;
}

/** Stores what was touched; what another changed meanwhile is looked at again first. */
async function save({ state, visit, actor }: DeskRequest, thing: OpenedThing): Promise<Issues> {
  const { inbox, fields, lang } = visit;
  const changed: Record<string, unknown> = {};
  const meanwhile = new Map<string, string>();
  for (const [name, shape] of listFields(thing.source.kind)) {
    const seen = fields[`seen.${name}`];
    const value = readValue(shape, fields, name);
    if (seen === undefined || toSeen(shape, value, name) === seen) continue;
    if (toSeen(shape, thing.record[name], name) !== seen)
      meanwhile.set(name, t(lang, 'desk.edit.meanwhile'));
    changed[name] = value;
  }
  if (meanwhile.size > 0) return meanwhile;
  const town = { ...state, sources: thing.sources };
  const issues = await editThing(inbox, actor, thing.source.id, changed, fields.reason ?? '', town);
  return new Map(
    issues.map(({ path, rule, message }) => [
      path,
      rule === 'missing' ? t(lang, 'submit.issue.missing') : toIssueWords(message, lang),
    ]),
  );
}

/** It as it stands, or with what was typed. */
const showThing = async (
  request: DeskRequest,
  thing: OpenedThing,
  told: Told,
  issues = NO_ISSUES,
): Promise<Screen> => toScreen('thing', await readView(request, thing, issues), told);

export type ThingView = Awaited<ReturnType<typeof readView>>;
export type ThingForm = ThingView['form'];

async function readView(request: DeskRequest, thing: OpenedThing, issues: Issues) {
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
  return thing && { ...(await readForm(asked, thing, NO_ISSUES)), report };
}

/** The form of a thing, with what the desk says over its source. */
async function readForm(
  request: DeskRequest,
  { source, record, edit, is_outdated, sources }: OpenedThing,
  issues: Issues,
) {
  const { lang, fields: sent } = request.visit;
  const { kind, id } = source;
  const choices = await readChoices(request, sources, id);
  const values: Record<string, string> = {};
  const said: FieldLines[] = [];
  const fields = listFields(kind).map(([name, shape]) => {
    const path = `${kind}.${name}`;
    // What is in another form of the screen was not sent.
    const is_sent = sent[`seen.${name}`] !== undefined;
    const value = is_sent ? readValue(shape, sent, name) : record[name];
    Object.assign(values, toFields(shape, value, name));
    const seen = toSeen(shape, record[name], name);
    const is_wrong = [...issues.keys()].some((at) => at === name || at.startsWith(`${name}.`));
    const say = (one: unknown): string => toWords(shape, one, path, choices, lang);
    const at_source = source.record[name];
    const was = edit === null ? at_source : edit.source[name];
    const is_unsure = !isSameValue(was, at_source);
    const is_edited = is_unsure || !isSameValue(record[name], at_source);
    if (is_edited)
      said.push({
        label: toFieldLabel(path, lang),
        says: [
          ...(is_unsure ? [{ who: t(lang, 'desk.edit.made_over'), words: say(was) }] : []),
          { who: t(lang, 'desk.edit.source'), words: say(at_source) },
          { who: t(lang, 'desk.edit.desk'), words: say(record[name]) },
        ],
        is_unsure,
      });
    return {
      name,
      shape,
      /** What it says with the desk's word. */
      words: say(record[name]),
      is_edited,
      /** To tell whether it was touched, and whether somebody else did so meanwhile. */
      seen,
      is_open: is_wrong || (is_sent && toSeen(shape, value, name) !== seen),
    };
  });
  const shown = SECTIONS.flatMap(([, names]) => names);
  /** Under the headings of the sender's form; of a thing that senders have no form for, under none. */
  const sections =
    kind === 'event'
      ? [
          ...SECTIONS.map(([heading, names]) => ({
            heading: t(lang, heading),
            fields: fields.filter(({ name }) => names.includes(name)),
          })),
          {
            heading: t(lang, 'desk.section.desk'),
            fields: fields.filter(({ name }) => !shown.includes(name)),
          },
        ]
      : [{ heading: null, fields }];
  return {
    kind,
    id,
    title: toThingTitle(record, lang),
    sections,
    is_edited: edit !== null,
    /** Whether its source says something else than when it was edited. */
    is_outdated,
    /** The fields in which it is another than its source. */
    said,
    values,
    issues,
    reason: readAct(sent.does) === null ? (sent.reason ?? '') : '',
    /** The reference of a reader's report that it is edited for; empty for none. */
    report: readReport(request),
    choices,
  };
}

/** The fields of an event by heading; the rest is for the desk alone. */
const SECTIONS: readonly (readonly [heading: Key, fields: readonly string[]])[] = [
  ['desk.section.main', ['title', 'summary', 'description', 'written_in', 'category', 'tags']],
  ['desk.section.when', ['when', 'open_end', 'venue', 'zone', 'location_note', 'indoor']],
  [
    'desk.section.price',
    ['price', 'ticket_url', 'registration_url', 'age_restriction', 'languages'],
  ],
  ['desk.section.picture', [PICTURE_FIELD]],
  ['desk.section.who', ['organizer', 'source_url', 'confirm']],
];

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

/** Nothing is the same as itself: `own` is no choice. */
async function readChoices(
  { state: { snapshot }, visit: { lang } }: DeskRequest,
  sources: Sources,
  own: string,
): Promise<FieldChoices> {
  const toTaxa = (taxa: readonly { readonly key: string; readonly name: LocalText }[]) =>
    taxa.map(({ key, name }) => ({ value: key, label: name[lang] }));
  const toOptions = async (
    kind: 'venue' | 'organizer',
    shown: readonly { readonly id: string; readonly name: string }[],
  ) => {
    const ids = new Set(shown.map(({ id }) => id));
    // With those that no release has shown yet.
    const added = (await sources.list(kind))
      .filter(({ id, file }) => !file.endsWith('.yml') && !ids.has(id))
      .map(({ id, record }) => ({ id, name: toThingTitle(record, lang) }));
    return [...shown, ...added]
      .filter(({ id }) => id !== own)
      .map(({ id, name }) => ({ value: id, label: name }))
      .sort((a, b) => a.label.localeCompare(b.label, lang));
  };
  return {
    venue: await toOptions('venue', listVenues(snapshot)),
    organizer: await toOptions('organizer', listOrganizers(snapshot)),
    category: toTaxa(snapshot.taxonomy.categories),
    zone: toTaxa(snapshot.taxonomy.zones),
  };
}
