// When a document is given to its reader, and of when its data is: a line that is put into the finished text, so that what a
// release holds says the same from one release to the next.
import type { Lang } from '../../domain/lang.ts';
import { toWrittenLine } from '../../i18n/clock.ts';

/** The title that a document begins with, and the quote below it that says what it is. */
const TITLE = /^# .*\n\n/;
const QUOTE = '> ';

/** The document with both times as the first line of its quote; below its title where it has none. */
export function withWrittenLine(
  document: string,
  now_ms: number,
  generated_at: string,
  lang: Lang,
): string {
  const line = toWrittenLine(now_ms, generated_at, lang);
  const [title = ''] = TITLE.exec(document) ?? [];
  const rest = document.slice(title.length);
  return rest.startsWith(QUOTE)
    ? `${title}${QUOTE}${line}\n>\n${rest}`
    : `${title}${line}\n\n${rest}`;
}
