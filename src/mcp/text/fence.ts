// A fence around what other people wrote, so that a model reads it as data whatever it says.
import type { Lang } from '../../domain/lang.ts';
import { t } from '../../i18n/translate.ts';
import { breakChatMarks, OPENING } from '../../serializers/plain-text.ts';

/** The fence's name; a text that writes it itself cannot close it. */
const FENCE = 'agenda';

/** A tag of the fence's name. */
const OWN = new RegExp(`${OPENING}(?=\\s*[/／]?\\s*${FENCE})`, 'giu');

/** The content between `<agenda>` and `</agenda>`, after a sentence that says what it is. */
export function fence(content: string, lang: Lang): string {
  const safe = breakChatMarks(content.replace(OWN, '&lt;'), true);
  return `${t(lang, 'mcp.fence')}\n\n<${FENCE}>\n${safe.trim()}\n</${FENCE}>`;
}
