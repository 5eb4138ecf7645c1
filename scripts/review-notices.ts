// The notices of the desk in a terminal: listed, written field by field, closed.
import { toCleanLine } from '../src/domain/clean-text.ts';
import { type Actor, NOTICE_FIELDS, parseDeskNotice, writeNotice } from '../src/desk/notices.ts';
import type { Inbox } from '../src/inbox/open.ts';
import { listDeskNotices } from '../src/inbox/published.ts';

/** A line each: id, whether it goes on, how grave it is, its title. */
export function toNoticeLines(inbox: Inbox): readonly string[] {
  return listDeskNotices(inbox).flatMap(({ id, record }) => {
    const notice = parseDeskNotice(record);
    return notice
      ? [
          `${id}  ${(notice.open ? 'open' : 'ends').padEnd(4)}  ${notice.severity.padEnd(8)}  ${toCleanLine(notice.title.es)}`,
        ]
      : [];
  });
}

/**
 * `title_es=Cierre` and the like as the fields of the desk's form. Throws a sentence that names the
 * first that is none.
 */
function toFields(pairs: readonly string[]): Record<string, string> {
  const names: readonly string[] = NOTICE_FIELDS;
  return Object.fromEntries(
    pairs.map((pair) => {
      const cut = pair.indexOf('=');
      const name = cut < 0 ? pair : pair.slice(0, cut);
      if (cut < 0 || !names.includes(name))
        throw new Error(`'${name}' is no field. Write FIELD=TEXT, with one of ${names.join(', ')}`);
      return [name, pair.slice(cut + 1)];
    }),
  );
}

/** Writes a notice. Throws with every field that is wrong, and why. */
export function writeByFields(inbox: Inbox, pairs: readonly string[], actor: Actor): void {
  const issues = writeNotice(inbox, toFields(pairs), actor);
  if (issues.length > 0)
    throw new Error(
      `It cannot be written:\n${issues.map(({ field, message }) => `  ${field}: ${message}`).join('\n')}`,
    );
}
