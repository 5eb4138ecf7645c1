// What wants to be looked at again: facts that are due, and all that the desk says in place of its sources.
import { type EditedThing, listEdited, openSources, type Sources } from '../../desk/things.ts';
import { type DueFact, toFall } from '../../domain/knowledge.ts';
import { toCancunDay } from '../../domain/cancun-time.ts';
import { listChanged } from '../../domain/edit/edit.ts';
import type { Lang } from '../../domain/lang.ts';
import { toPagePath } from '../../i18n/paths.ts';
import { getVenue } from '../../snapshot/get-thing.ts';
import { listDue, listLeftOut } from '../../snapshot/list-things.ts';
import { toEditPath, toThingTitle } from './find.ts';
import { type DeskRequest, type Room, toScreen } from './room.ts';

/** Most lines of a group; the rest comes up as these are looked at. */
const MAX_SHOWN = 100;

export const dueRoom: Room = {
  show: async (request, _, told) => toScreen('due', await readDue(request), told),
};
export const editsRoom: Room = {
  show: async (request, _, told) => toScreen('edits', await readEdits(request), told),
};

export type DueView = Awaited<ReturnType<typeof readDue>>;
export type EditsView = Awaited<ReturnType<typeof readEdits>>;
export type EditLine = ReturnType<typeof toEditLines>[number];

async function readDue(request: DeskRequest) {
  const { snapshot, now_ms } = request.state;
  const { inbox, lang } = request.visit;
  const today = toCancunDay(now_ms);
  const sources = openSources(inbox, snapshot);
  const { overdue, soon } = listDue(snapshot, today);
  /** The longest overdue first. */
  const toGroup = async (name: 'overdue' | 'soon', facts: readonly DueFact[]) => ({
    name,
    lines: await Array.fromAsync(facts.slice(0, MAX_SHOWN), async (fact) => ({
      fact,
      /** What becomes of it where nobody looks; null of what does not fall. */
      fall: toFall(fact, today),
      path: findPath(request, fact),
      edit_path: await findEditPath(sources, fact),
    })),
    /** May be more than are shown. */
    count: facts.length,
  });
  return {
    outdated: toEditLines(await listEdited(inbox, sources), true, lang),
    groups: [await toGroup('overdue', overdue), await toGroup('soon', soon)],
  };
}

/** Where it stands: an event or a place on the desk; a notice on its page. */
function findPath({ state, visit }: DeskRequest, { kind, id }: DueFact): string | null {
  if (kind === 'dates' || kind === 'price') return toEditPath(id);
  if (kind === 'notice') return toPagePath('notices', visit.lang);
  return getVenue(state.snapshot, id) && toEditPath(id);
}

/** Its sources among its fields; null where nothing can be edited. A notice has an id for each day. */
async function findEditPath(sources: Sources, { id }: DueFact): Promise<string | null> {
  const [thing = ''] = id.split('-');
  return (await sources.get(thing)) && `${toEditPath(thing)}#at-sources`;
}

/** What could not be taken and what is outdated first. */
async function readEdits({ state, visit: { inbox, lang } }: DeskRequest) {
  const sources = openSources(inbox, state.snapshot);
  const edited = await listEdited(inbox, sources);
  return {
    left_out: await Array.fromAsync(listLeftOut(state.snapshot), async (line) => {
      const [id = ''] = line.split(' ');
      const source = await sources.get(id);
      if (source === null) return { line, path: null };
      const title = toThingTitle(source.record, lang);
      return { line: `${title} ${line.slice(id.length)}`, path: toEditPath(id) };
    }),
    outdated: toEditLines(edited, true, lang),
    held: toEditLines(edited, false, lang),
  };
}

/** Things that are edited, each with the fields in which it is another than its source. */
const toEditLines = (edited: readonly EditedThing[], is_outdated: boolean, lang: Lang) =>
  edited
    .filter((one) => one.is_outdated === is_outdated)
    .map(({ source, record }) => ({
      kind: source.kind,
      title: toThingTitle(record, lang),
      path: toEditPath(source.id),
      fields: listChanged(source.record, record),
    }));
