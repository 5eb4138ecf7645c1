// A fence around what other people wrote, so that a model reads it as data whatever it says.
import type { Lang } from '../../domain/lang.ts';
import { t } from '../../i18n/translate.ts';

/** The fence's name; a text that writes it itself cannot close it. */
const FENCE = 'agenda';

/** Brackets of a tag, and what looks like them. */
const OPENING = '[<＜﹤‹〈]';
/** A tag of the fence's name. */
const OWN = new RegExp(`${OPENING}(?=\\s*[/／]?\\s*${FENCE})`, 'giu');
/** The marks of chat templates, which some models take for the end of what they are given, or another's words. */
const TEMPLATE = new RegExp(
  `${OPENING}(?=[|｜]|/?(?:s|system|user|assistant|(?:start|end)_of_turn)>|<?/?SYS>)`,
  'giu',
);
const INSTRUCTION = /\[(?=\/?INST\])/gi;

/** The content between `<agenda>` and `</agenda>`, after a sentence that says what it is. */
export function fence(content: string, lang: Lang): string {
  const safe = content.replace(OWN, '&lt;').replace(TEMPLATE, '&lt;').replace(INSTRUCTION, '&#91;');
  return `${t(lang, 'mcp.fence')}\n\n<${FENCE}>\n${safe.trim()}\n</${FENCE}>`;
}
