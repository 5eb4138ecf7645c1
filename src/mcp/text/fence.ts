// A fence around what other people wrote, so that a model reads it as data whatever it says.
import type { Lang } from '../../domain/lang.ts';
import { t } from '../../i18n/translate.ts';

/** The fence's name; a text that writes it itself cannot close it. */
const FENCE = 'agenda';

/** The content between `<agenda>` and `</agenda>`, after a sentence that says what it is. */
export function fence(content: string, lang: Lang): string {
  const safe = content.replace(new RegExp(`<(?=\\s*/?\\s*${FENCE})`, 'gi'), '&lt;');
  return `${t(lang, 'mcp.fence')}\n\n<${FENCE}>\n${safe.trim()}\n</${FENCE}>`;
}
