// All that the desk says in place of its sources: what could not be taken and what is outdated first.
import { type EditedThing, listEdited, openSources, type Sources } from '../../desk/things.ts';
import { listChanged } from '../../domain/edit/edit.ts';
import { listLeftOut } from '../../snapshot/list-things.ts';
import type { EditLine } from './edit-screens.ts';
import { toEditPath, toThingTitle } from './find-things.ts';
import { type DeskRequest, type ScreenResult, toScreen } from './screens.ts';

export async function showEdits(request: DeskRequest): Promise<ScreenResult> {
  const { state, visit } = request;
  const sources = openSources(visit.inbox, state.snapshot);
  const toThing = async (id: string): Promise<string | null> => {
    const source = await sources.get(id);
    return source && toThingTitle(source.record, visit.lang);
  };
  const edited = await listEdited(visit.inbox, sources);
  return toScreen({
    screen: 'edits',
    left_out: await Array.fromAsync(listLeftOut(state.snapshot), async (line) => {
      const [id = ''] = line.split(' ');
      const title = await toThing(id);
      return title === null
        ? { line, path: null }
        : { line: `${title} ${line.slice(id.length)}`, path: toEditPath(id) };
    }),
    outdated: toLines(edited, true, request),
    held: toLines(edited, false, request),
  });
}

const toLine = ({ source, record }: EditedThing, { visit: { lang } }: DeskRequest): EditLine => ({
  kind: source.kind,
  title: toThingTitle(record, lang),
  path: toEditPath(source.id),
  fields: listChanged(source.record, record),
});

const toLines = (
  edited: readonly EditedThing[],
  is_outdated: boolean,
  request: DeskRequest,
): readonly EditLine[] =>
  edited.filter((one) => one.is_outdated === is_outdated).map((one) => toLine(one, request));

/** What is edited and was changed at its source since. */
export const listOutdated = async (
  request: DeskRequest,
  sources: Sources,
): Promise<readonly EditLine[]> =>
  toLines(await listEdited(request.visit.inbox, sources), true, request);
