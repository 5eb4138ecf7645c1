// How every Markdown document begins: what this is, in which zone, on which terms, and where its
// page is.
import type { RootContent } from 'mdast';
import { type Lang, LANGS, type LocalText } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toAbsolute, toMarkdownPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { heading, labelled, link, paragraph, quote, plain, text } from './nodes.ts';

/** What the opening says. */
export interface Opening {
  readonly title: string;
  readonly about: string;
  readonly terms: string;
  /** The page's path in each language. */
  readonly path: LocalText;
}

/**
 * A level 1 heading and a quote with what, terms, canonical page and this document in the other
 * languages.
 */
export function toOpening(opening: Opening, lang: Lang, site: Site): RootContent[] {
  const page = toAbsolute(site.url, opening.path[lang]);
  const places = paragraph(
    ...labelled(t(lang, 'label.page'), link(page, page)),
    ...LANGS.filter((other) => other !== lang).flatMap((other) => [
      text(' · '),
      link(
        toAbsolute(site.url, toMarkdownPath(opening.path[other])),
        t(other, 'md.in_this_language'),
      ),
    ]),
  );
  return [
    heading(1, plain(opening.title)),
    quote(paragraph(plain(opening.about)), paragraph(plain(opening.terms)), places),
  ];
}
