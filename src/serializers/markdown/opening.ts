// How every Markdown document begins: what this is, in which zone, on which terms, and where its
// page is.
import type { RootContent } from 'mdast';
import type { Lang, LocalText } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toAbsolute, toTwinPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { heading, labelled, link, paragraph, quote, said, text } from './nodes.ts';

/** What the opening says. */
export interface Opening {
  readonly title: string;
  readonly about: string;
  readonly terms: string;
  /** The page's path in both languages. */
  readonly path: LocalText;
}

/**
 * A level 1 heading and a quote with what, terms, canonical page and the twin in the other
 * language.
 */
export function toOpening(opening: Opening, lang: Lang, site: Site): RootContent[] {
  const page = toAbsolute(site.url, opening.path[lang]);
  const other = toAbsolute(site.url, toTwinPath(opening.path[lang === 'es' ? 'en' : 'es']));
  const places = paragraph(
    ...labelled(t(lang, 'label.page'), link(page, page)),
    text(' · '),
    link(other, t(lang, 'md.in_other_language')),
  );
  return [
    heading(1, said(opening.title)),
    quote(paragraph(said(opening.about)), paragraph(said(opening.terms)), places),
  ];
}
