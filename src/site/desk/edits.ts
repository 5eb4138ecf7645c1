// All that the desk says over its sources: what could not be taken and what is contested first.
import { listEdits } from '../../desk/edit-thing.ts';
import { openSources } from '../../desk/sources.ts';
import { listLeftOut } from '../../inbox/patches.ts';
import type { EditLine } from './edit-screens.ts';
import { toEditPath, toThingTitle } from './find-things.ts';
import { type DeskRequest, type ScreenResult, toScreen } from './screens.ts';

export function showEdits({ visit: { inbox, lang } }: DeskRequest): ScreenResult {
  const sources = openSources(inbox);
  const lines = listEdits(inbox, sources).map(
    ({ patch, source }): EditLine => ({
      patch,
      title: source === null ? patch.thing : toThingTitle(source.record, lang),
      path: toEditPath(patch.thing),
    }),
  );
  const toThing = (id: string): string | null => {
    const source = sources.get(id);
    return source && toThingTitle(source.record, lang);
  };
  return toScreen({
    screen: 'edits',
    left_out: listLeftOut(inbox).map((line) => {
      const [id = ''] = line.split(' ');
      const title = toThing(id);
      return title === null
        ? { line, path: null }
        : { line: `${title} ${line.slice(id.length)}`, path: toEditPath(id) };
    }),
    conflicts: lines.filter(({ patch }) => patch.state === 'conflict'),
    held: lines.filter(({ patch }) => patch.state !== 'conflict'),
  });
}
