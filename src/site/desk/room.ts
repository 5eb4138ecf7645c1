// Which room of the desk a path is, and what it names there.
import { DESK_PATHS } from '../../i18n/paths.ts';

/** What stands after a path of the desk; empty for the path itself, null for another. */
export function toId(start: string, path: string): string | null {
  const [, , name, id = ''] = path.split('/');
  return `${DESK_PATHS.queue}/${name}` === start ? id : null;
}
