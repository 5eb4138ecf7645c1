// One thing on the desk, whatever its kind: every field that it has, to be changed or given back to its
// source; and of an event its status, whole or of one day.
import { AppError } from '../../domain/app-error.ts';
import type { Lang, LocalText } from '../../domain/lang.ts';
import { isSameValue, type SourceRecord } from '../../domain/edit/edit.ts';
import type { HistoryKind } from '../../domain/history.ts';
import { DESK_PATHS, toPagePath, toThingPath } from '../../i18n/paths.ts';
import { toFieldLabel, toIssueWords, toWords } from '../../i18n/edit-words.ts';
import { type Key, t } from '../../i18n/translate.ts';
import {
  type FieldChoices,
  readValue,
  toFields,
  PICTURE_FIELD,
  readPictureFields,
} from '../../domain/edit/form.ts';
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
import {
  changeDay,
  changeStatus,
  listStatusOverrides,
  type StatusAction,
  withdrawEvent,
} from '../../desk/status.ts';
import { getEvent, getOrganizer, getVenue } from '../../snapshot/get-thing.ts';
import { listOrganizers, listVenues } from '../../snapshot/list-things.ts';
import { toPictureSentence, toPictureStatus } from '../forms/refused.ts';
import { type Redirect, redirect } from '../visit.ts';
import { toDoneNotice } from './done.ts';
import { readEditHistory } from './edit-history.ts';
import type {
  EditField,
  EditSection,
  EventActs,
  FieldLines,
  ThingForm,
  ThingScreen,
} from './edit-screens.ts';
import { toEditPath, toThingTitle } from './find-things.ts';
import { readNote } from './read-note.ts';
import { toRefusal, toRefusalStatus } from './refusals.ts';
import { type DeskRequest, type ScreenResult, toScreen } from './screens.ts';

/** What comes back with a form that could not be done. */
interface Typed {
  readonly status: number;
  readonly notice: string | null;
  readonly issues: ReadonlyMap<string, string>;
}
const NO_ISSUES: ReadonlyMap<string, string> = new Map();

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

/** The answer at an id; null where no release has had it. */
export async function handleThing(
  sent: DeskRequest,
  id: string,
): Promise<ScreenResult | Redirect | null> {
  const request = withPicture(sent);
  const { visit } = request;
  const thing = await openThing(request, id);
  if (thing === null) return null;
  if (visit.method === 'GET') {
    const typed = { status: 200, notice: toDoneNotice(visit), issues: NO_ISSUES };
    return showThing(request, thing, typed, false);
  }
  try {
    return await decide(request, thing);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const [status, notice] = [toRefusalStatus(thrown), toRefusal(thrown, visit.lang)];
    return showThing(request, thing, { status, notice, issues: NO_ISSUES }, true);
  }
}

/** The form of a session that has ended, with what was typed in it. */
export async function showTyped(
  request: DeskRequest,
  id: string,
  status: number,
  notice: string,
): Promise<ScreenResult | null> {
  const thing = await openThing(request, id);
  const typed = { status, notice, issues: NO_ISSUES };
  return thing && (await showThing(withPicture(request), thing, typed, true));
}

const withPicture = (request: DeskRequest): DeskRequest => ({
  ...request,
  visit: { ...request.visit, fields: readPictureFields(request.visit.fields) },
});

/** Does what the pressed button means; any other shows the form again. */
async function decide(request: DeskRequest, thing: OpenedThing): Promise<ScreenResult | Redirect> {
  const { visit, actor } = request;
  const { inbox, fields, lang } = visit;
  const { id } = thing.source;
  if (await decideStatus(request, id)) return redirect(`${toEditPath(id)}?done=decided`);
  if (fields.does === 'source') await useSource(inbox, actor, id);
  else if (fields.does === 'keep') await keepEdit(inbox, actor, id, thing.sources);
  else if (fields.does === 'save') {
    const issues = findPictureFault(request) ?? (await save(request, thing));
    if (issues.size > 0) {
      const notice = t(lang, 'desk.refused.issues');
      const status = toPictureStatus(visit.picture_problem);
      return showThing(request, thing, { status, notice, issues }, true);
    }
  } else {
    const typed = { status: 200, notice: null, issues: NO_ISSUES };
    return showThing(request, thing, typed, true);
  }
  const report = readReport(request);
  const back = report === '' ? toEditPath(id) : `${DESK_PATHS.corrections}/${report}`;
  return redirect(`${back}?done=edited`);
}

/** The reference of the report that it is edited for; empty for none. */
const readReport = ({ visit: { fields } }: DeskRequest): string =>
  /^HC-[0-9A-Z]{6}$/.exec(fields.report ?? '')?.[0] ?? '';

/** What a button of an event means, for the whole of it or for a day; null for any other button. */
function readAct(does = ''): { readonly act: StatusAction | 'withdraw'; is_day: boolean } | null {
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
  const {
    visit: { inbox, fields },
    actor,
  } = request;
  const { does, reason = '', date = '' } = fields;
  const pressed = readAct(does);
  const detail = pressed && findDetail(request, id);
  if (pressed === null || detail === null) return false;
  const { act, is_day } = pressed;
  const note = readNote(fields);
  if (act === 'withdraw') await withdrawEvent(inbox, actor, id, reason);
  else if (is_day) await changeDay(inbox, actor, detail, { action: act, date, note }, reason);
  else await changeStatus(inbox, actor, id, act, reason, note);
  return true;
}

/** What is wrong with a picture that was sent along; null where nothing is. */
const findPictureFault = ({
  visit: { picture_problem: problem, lang, retry_at_ms },
  state: { now_ms },
}: DeskRequest): ReadonlyMap<string, string> | null =>
  problem && new Map([[PICTURE_FIELD, toPictureSentence(problem, lang, retry_at_ms, now_ms)]]);

/** Stores what was touched; what another changed meanwhile is looked at again first. */
async function save(
  { state, visit, actor }: DeskRequest,
  thing: OpenedThing,
): Promise<ReadonlyMap<string, string>> {
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
    issues.map((issue) => [
      issue.path,
      issue.rule === 'missing'
        ? t(lang, 'submit.issue.missing')
        : toIssueWords(issue.message, lang),
    ]),
  );
}

/** It as it stands, or with what was typed. */
async function showThing(
  request: DeskRequest,
  thing: OpenedThing,
  { status, notice, issues }: Typed,
  is_typed: boolean,
): Promise<ScreenResult> {
  const { source } = thing;
  const form = await toForm(request, thing, issues, is_typed);
  const screen: ThingScreen = {
    screen: 'thing',
    form,
    file: source.file,
    page_path: findPage(request, source),
    acts: source.kind === 'event' ? await readActs(request, source.id) : null,
    history: await readEditHistory(request, source, form.choices),
  };
  return toScreen(screen, status, notice);
}

/** The form of the thing that a reader's report is about; null where it is gone. */
export async function readReported(
  request: DeskRequest,
  id: string,
  report: string,
): Promise<ThingForm | null> {
  const thing = await openThing(request, id);
  return thing && { ...(await toForm(request, thing, NO_ISSUES, false)), report };
}

async function toForm(
  request: DeskRequest,
  { source, record, edit, is_outdated, sources }: OpenedThing,
  issues: Typed['issues'],
  is_typed: boolean,
): Promise<ThingForm> {
  const { visit } = request;
  const { kind, id } = source;
  const { lang } = visit;
  const choices = await toChoices(request, sources, id);
  const values: Record<string, string> = {};
  const said: FieldLines[] = [];
  const fields = listFields(kind).map(([name, shape]): EditField => {
    // What is in another form of the screen was not sent.
    const is_sent = is_typed && visit.fields[`seen.${name}`] !== undefined;
    const value = is_sent ? readValue(shape, visit.fields, name) : record[name];
    Object.assign(values, toFields(shape, value, name));
    const seen = toSeen(shape, record[name], name);
    const is_wrong = [...issues.keys()].some(
      (path) => path === name || path.startsWith(`${name}.`),
    );
    const is_touched = is_sent && toSeen(shape, value, name) !== seen;
    const path = `${kind}.${name}`;
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
    const is_open = is_wrong || is_touched;
    return { name, shape, words: say(record[name]), is_edited, seen, is_open };
  });
  return {
    kind,
    id,
    title: toThingTitle(record, lang),
    sections: toSections(kind, fields, lang),
    is_edited: edit !== null,
    is_outdated,
    said,
    values,
    issues,
    reason: is_typed && readAct(visit.fields.does) === null ? (visit.fields.reason ?? '') : '',
    report: readReport(request),
    choices,
  };
}

/** The fields of an event by heading; the rest is for the desk alone. */
const EVENT_SECTIONS: readonly (readonly [heading: Key, fields: readonly string[]])[] = [
  ['desk.section.main', ['title', 'summary', 'description', 'written_in', 'category', 'tags']],
  ['desk.section.when', ['when', 'open_end', 'venue', 'zone', 'location_note', 'indoor']],
  [
    'desk.section.price',
    ['price', 'ticket_url', 'registration_url', 'age_restriction', 'languages'],
  ],
  ['desk.section.picture', [PICTURE_FIELD]],
  ['desk.section.who', ['organizer', 'source_url', 'confirm']],
];

function toSections(
  kind: HistoryKind,
  fields: readonly EditField[],
  lang: Lang,
): readonly EditSection[] {
  if (kind !== 'event') return [{ heading: null, fields }];
  const shown = EVENT_SECTIONS.flatMap(([, names]) => names);
  const pick = (names: readonly string[]) => fields.filter(({ name }) => names.includes(name));
  return [
    ...EVENT_SECTIONS.map(([heading, names]) => ({
      heading: t(lang, heading),
      fields: pick(names),
    })),
    {
      heading: t(lang, 'desk.section.desk'),
      fields: fields.filter(({ name }) => !shown.includes(name)),
    },
  ];
}

const MAX_DAYS = 100;

/** What is decided over an event; null where no release shows it. */
async function readActs(request: DeskRequest, id: string): Promise<EventActs | null> {
  const { state, visit } = request;
  const detail = findDetail(request, id);
  if (detail === null) return null;
  const ahead = detail.occurrences.filter(({ end_ms }) => end_ms > state.now_ms);
  return {
    detail,
    overrides: await listStatusOverrides(visit.inbox, id),
    days: [...new Set(ahead.map(({ start }) => start.slice(0, 10)))].slice(0, MAX_DAYS),
    values: readAct(visit.fields.does) === null ? {} : visit.fields,
  };
}

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
async function toChoices(
  { state: { snapshot }, visit: { lang } }: DeskRequest,
  sources: Sources,
  own: string,
): Promise<FieldChoices> {
  const toOptions = (things: readonly { readonly id: string; readonly name: string }[]) =>
    things
      .filter(({ id }) => id !== own)
      .map(({ id, name }) => ({ value: id, label: name }))
      .sort((a, b) => a.label.localeCompare(b.label, lang));
  const toTaxa = (taxa: readonly { readonly key: string; readonly name: LocalText }[]) =>
    taxa.map(({ key, name }) => ({ value: key, label: name[lang] }));
  // With those that no release has shown yet.
  const listNew = async (kind: 'venue' | 'organizer', shown: ReadonlySet<string>) =>
    (await sources.list(kind))
      .filter(({ id, file }) => !file.endsWith('.yml') && !shown.has(id))
      .map(({ id, record }) => ({ id, name: toThingTitle(record, lang) }));
  const toAll = async (
    kind: 'venue' | 'organizer',
    shown: readonly { id: string; name: string }[],
  ) => toOptions([...shown, ...(await listNew(kind, new Set(shown.map(({ id }) => id))))]);
  return {
    venue: await toAll('venue', listVenues(snapshot)),
    organizer: await toAll('organizer', listOrganizers(snapshot)),
    category: toTaxa(snapshot.taxonomy.categories),
    zone: toTaxa(snapshot.taxonomy.zones),
  };
}
