// What a Markdown version says to an address with a parameter that it does not take: which one, what is
// accepted, where to read on (contract 3.7).
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { LLMS_PATH, toAbsolute } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toMarkdown } from './document.ts';
import { toFoot } from './foot.ts';
import { heading, inlineCode, link, paragraph, plain, text } from './nodes.ts';

/** `problem` in the API's words; `names` are those that the address takes. */
export function toRefusalMarkdown(
  problem: string,
  names: readonly string[],
  lang: Lang,
  site: Site,
): string {
  const taken = names.flatMap((name, at) => [...(at === 0 ? [] : [text(', ')]), inlineCode(name)]);
  const llms = toAbsolute(site.url, LLMS_PATH);
  return toMarkdown([
    heading(1, plain(t(lang, 'md.refused.title'))),
    paragraph(plain(problem)),
    names.length === 0
      ? paragraph(plain(t(lang, 'md.refused.none')))
      : paragraph(text(`${t(lang, 'md.refused.taken')} `), ...taken),
    paragraph(text(`${t(lang, 'md.refused.more')} `), link(llms, llms)),
    toFoot(lang, site),
  ]);
}
