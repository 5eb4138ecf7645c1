// Notices in a terminal: those that the desk wrote, a new one, the end of one.
import { closeNotice, listNotices, NOTICE_FIELDS, writeNotice } from '../src/desk/notices.ts';
import { toCleanLine } from '../src/domain/clean-text.ts';
import { DEFAULT_LANG } from '../src/domain/lang.ts';
import type { QueueTerminal } from './review-queue.ts';

/** Their part of `npm run review -- --help`. */
export const NOTICE_HELP = `  notices                      those written here and at the desk
  notice FIELD=TEXT …          writes one: type=traffic severity=warning title_es="…" title_en="…" body_es="…" body_en="…"
                               source_url=https://…, and zone, start_date, start_time, end_date, end_time, source where there are;
                               without an end it lasts until it is closed
  close NOTICE                 ends one now
`;

/** `title_es=Cierre` and the like as the fields of the desk's form. */
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

/** Each notice as a line. */
export function toNoticesText({ inbox }: QueueTerminal): string {
  const lines = listNotices(inbox).map(
    ({ id, notice }) =>
      `${id}  ${(notice.open ? 'open' : 'ends').padEnd(4)}  ${notice.severity.padEnd(8)}  ${toCleanLine(notice.title[DEFAULT_LANG])}`,
  );
  return lines.length === 0
    ? 'No notice was written here. Those of content/notices stand in their files.'
    : lines.join('\n');
}

/** Writes one; gives every field that is wrong, and why. */
export const writeInTerminal = (
  { inbox, actor }: QueueTerminal,
  pairs: readonly string[],
): readonly { readonly field: string; readonly why: string }[] =>
  writeNotice(inbox, actor, toFields(pairs)).map(({ field, message }) => ({ field, why: message }));

/** Ends one now. */
export const closeInTerminal = ({ inbox, actor }: QueueTerminal, id: string): void =>
  closeNotice(inbox, actor, id);
