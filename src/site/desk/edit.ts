// One thing on the desk with every field that it has: changed, given back to its source as a whole.
import { AppError } from '../../domain/app-error.ts';
import type { LocalText } from '../../domain/lang.ts';
import { isSameValue, type SourceRecord } from '../../domain/edit/edit.ts';
import { DESK_PATHS, toPagePath, toThingPath } from '../../i18n/paths.ts';
import { toIssueWords } from '../../i18n/issue-words.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { readValue, toFields } from '../../domain/edit/form.ts';
import { PICTURE_FIELD, readPictureFields } from '../../domain/edit/picture-fields.ts';
import { listFields, toSeen } from '../../desk/edit-form.ts';
import {
  type EditedThing,
  editThing,
  keepEdit,
  readThing,
  useSource,
} from '../../desk/edit-thing.ts';
import { openSources, type Sources } from '../../desk/sources.ts';
import { getEvent, getOrganizer, getVenue } from '../../snapshot/get-thing.ts';
import { listOrganizers, listVenues } from '../../snapshot/list-things.ts';
import { toPictureSentence, toPictureStatus } from '../forms/picture-problem.ts';
import { type Redirect, redirect } from '../visit.ts';
import { readEditHistory } from './edit-history.ts';
import type { Choices, EditField, EditScreen } from './edit-screens.ts';
import { toEditPath, toThingTitle } from './find-things.ts';
import { toRefusal, toRefusalStatus } from './refusals.ts';
import { type DeskRequest, type ScreenResult, toScreen } from './screens.ts';

/** What comes back with a form that could not be done. */
interface Typed {
  readonly status: number;
  readonly notice: string | null;
  readonly issues: ReadonlyMap<string, string>;
}
const NO_ISSUES: ReadonlyMap<string, string> = new Map();

/** The answer at an id; null where no release has had it. */
export async function handleEdit(
  sent: DeskRequest,
  id: string,
): Promise<ScreenResult | Redirect | null> {
  const request = withPicture(sent);
  const { visit } = request;
  const sources = openSources(visit.inbox, request.state.snapshot);
  const thing = await readThing(visit.inbox, sources, id);
  if (thing === null) return null;
  if (visit.method === 'GET') {
    const done = DONE[visit.query.done ?? ''];
    const notice = done === undefined ? null : t(visit.lang, done);
    return showThing(request, thing, sources, { status: 200, notice, issues: NO_ISSUES }, false);
  }
  try {
    return await decide(request, thing, sources);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const [status, notice] = [toRefusalStatus(thrown), toRefusal(thrown, visit.lang)];
    return showThing(request, thing, sources, { status, notice, issues: NO_ISSUES }, true);
  }
}

/** The form of a session that has ended, with what was typed in it. */
export async function showTyped(
  request: DeskRequest,
  id: string,
  status: number,
  notice: string,
): Promise<ScreenResult | null> {
  const sources = openSources(request.visit.inbox, request.state.snapshot);
  const thing = await readThing(request.visit.inbox, sources, id);
  const typed = { status, notice, issues: NO_ISSUES };
  return thing && (await showThing(withPicture(request), thing, sources, typed, true));
}

const withPicture = (request: DeskRequest): DeskRequest => ({
  ...request,
  visit: { ...request.visit, fields: readPictureFields(request.visit.fields) },
});

const DONE: Readonly<Record<string, Key>> = { saved: 'desk.edit.done' };

/** Does what the pressed button means; any other shows the form again. */
async function decide(
  request: DeskRequest,
  thing: EditedThing,
  sources: Sources,
): Promise<ScreenResult | Redirect> {
  const { visit, actor } = request;
  const { inbox, fields, lang } = visit;
  const { id } = thing.source;
  if (fields.does === 'source') await useSource(inbox, actor, id);
  else if (fields.does === 'keep') await keepEdit(inbox, actor, id, sources);
  else if (fields.does === 'save') {
    const issues = findPictureFault(request) ?? (await save(request, thing, sources));
    if (issues.size > 0) {
      const notice = t(lang, 'desk.refused.issues');
      const status = toPictureStatus(visit.picture_problem);
      return showThing(request, thing, sources, { status, notice, issues }, true);
    }
  } else {
    const typed = { status: 200, notice: null, issues: NO_ISSUES };
    return showThing(request, thing, sources, typed, true);
  }
  return redirect(`${toEditPath(id)}?done=saved`);
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
  thing: EditedThing,
  sources: Sources,
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
  const town = { ...state, sources };
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
  { source, record, edit, is_outdated }: EditedThing,
  sources: Sources,
  { status, notice, issues }: Typed,
  is_typed: boolean,
): Promise<ScreenResult> {
  const { visit } = request;
  const values: Record<string, string> = {};
  const fields = listFields(source.kind).map(([name, shape]): EditField => {
    // What is in another form of the screen was not sent.
    const is_sent = is_typed && visit.fields[`seen.${name}`] !== undefined;
    const value = is_sent ? readValue(shape, visit.fields, name) : record[name];
    Object.assign(values, toFields(shape, value, name));
    const seen = toSeen(shape, record[name], name);
    const is_wrong = [...issues.keys()].some(
      (path) => path === name || path.startsWith(`${name}.`),
    );
    const is_touched = is_sent && toSeen(shape, value, name) !== seen;
    const [value_now, at_source] = [record[name], source.record[name]];
    const was = edit === null ? at_source : edit.source[name];
    const is_edited = !isSameValue(value_now, at_source) || !isSameValue(was, at_source);
    const over = is_edited ? { now: at_source, was } : null;
    return { name, shape, value: value_now, over, seen, is_open: is_wrong || is_touched };
  });
  const screen: EditScreen = {
    screen: 'edit',
    kind: source.kind,
    id: source.id,
    title: toThingTitle(record, visit.lang),
    file: source.file,
    ...findPlaces(request, source),
    fields,
    is_edited: edit !== null,
    is_outdated,
    values,
    issues,
    reason: is_typed ? (visit.fields.reason ?? '') : '',
    choices: await toChoices(request, sources, source.id),
    history: await readEditHistory(visit.inbox, source),
  };
  return toScreen(screen, status, notice);
}

function findPlaces(
  { state, visit: { lang } }: DeskRequest,
  { kind, id }: SourceRecord,
): Pick<EditScreen, 'page_path' | 'desk_path'> {
  const desk_path = kind === 'event' ? `${DESK_PATHS.events}/${id}` : null;
  if (kind === 'notice') return { page_path: toPagePath('notices', lang), desk_path };
  if (kind === 'event') {
    const found = getEvent(state.snapshot, id, state.now_ms);
    if (found === null || found === 'gone') return { page_path: null, desk_path: null };
    return { page_path: toThingPath(kind, found.event.slug, lang), desk_path };
  }
  const found = (kind === 'venue' ? getVenue : getOrganizer)(state.snapshot, id);
  return { page_path: found && toThingPath(kind, found.slug, lang), desk_path };
}

/** Nothing is the same as itself: `own` is no choice. */
async function toChoices(
  { state: { snapshot }, visit: { lang } }: DeskRequest,
  sources: Sources,
  own: string,
): Promise<Choices> {
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
