// A Markdown document for an address that has none: what happened, and where to go on.
import { FAILURE_WORDS } from '../../domain/agenda-words.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toAbsolute, toMarkdownPath, toPagePath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toMarkdown } from './document.ts';
import { heading, link, list, paragraph, plain } from './nodes.ts';

/**
 * Says the same as the page of the failure. `failure`: nothing there, withdrawn, or our error.
 */
export function toFailureMarkdown(
  failure: 'not_found' | 'gone' | 'broken' | 'offline',
  lang: Lang,
  site: Site,
): string {
  return toMarkdown([
    heading(1, plain(t(lang, `failure.${failure}.title`))),
    paragraph(plain(t(lang, `failure.${failure}.text`))),
    list(
      FAILURE_WORDS.map((word) => [
        link(
          toAbsolute(site.url, toMarkdownPath(toPagePath(word, lang))),
          t(lang, `failure.${word}`),
        ),
      ]),
    ),
  ]);
}
