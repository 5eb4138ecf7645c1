// What is due to be looked at again, on the desk: each fact with its place and what becomes of it.
import type { Temporal } from 'temporal-polyfill';
import { toCancunDay } from '../../domain/cancun-time.ts';
import { type DueFact, toFall } from '../../domain/knowledge.ts';
import { toPagePath } from '../../i18n/paths.ts';
import { openSources, type Sources } from '../../desk/things.ts';
import { getVenue } from '../../snapshot/get-thing.ts';
import { listDue } from '../../snapshot/list-things.ts';
import { listOutdated } from './edits.ts';
import { toEditPath } from './find-things.ts';
import { type DeskRequest, type DueLine, type ScreenResult, toScreen } from './screens.ts';

/** Most lines of a group; the rest comes up as these are looked at. */
const MAX_SHOWN = 100;

export async function showDue(request: DeskRequest): Promise<ScreenResult> {
  const { snapshot, now_ms } = request.state;
  const today = toCancunDay(now_ms);
  const { overdue, soon } = listDue(snapshot, today);
  const sources = openSources(request.visit.inbox, snapshot);
  const toGroup = async (name: 'overdue' | 'soon', facts: readonly DueFact[]) => ({
    name,
    lines: await Array.fromAsync(facts.slice(0, MAX_SHOWN), (fact) =>
      toLine(request, fact, today, sources),
    ),
    count: facts.length,
  });
  return toScreen({
    screen: 'due',
    outdated: await listOutdated(request, sources),
    groups: [await toGroup('overdue', overdue), await toGroup('soon', soon)],
  });
}

const toLine = async (
  request: DeskRequest,
  fact: DueFact,
  today: Temporal.PlainDate,
  sources: Sources,
): Promise<DueLine> => ({
  fact,
  fall: toFall(fact, today),
  path: findPath(request, fact),
  edit_path: await findEditPath(sources, fact),
});

/** Its sources among its fields; null where nothing can be edited. A notice has an id for each day. */
async function findEditPath(sources: Sources, { id }: DueFact): Promise<string | null> {
  const [thing = ''] = id.split('-');
  return (await sources.get(thing)) && `${toEditPath(thing)}#at-sources`;
}

/** Where it stands: an event or a place on the desk; a notice on its page. */
function findPath({ state, visit }: DeskRequest, { kind, id }: DueFact): string | null {
  if (kind === 'dates' || kind === 'price') return toEditPath(id);
  if (kind === 'notice') return toPagePath('notices', visit.lang);
  return getVenue(state.snapshot, id) && toEditPath(id);
}
