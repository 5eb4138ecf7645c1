// The foot of every Markdown document: how to get another day, a filter, a search and all the rest,
// so that a reader of one can ask for any other (contract 3.6).
import type { Paragraph } from 'mdast';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { PAGE_PATHS, toAbsolute, toDayPath, toMarkdownPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { inlineCode, link, paragraph, text } from './nodes.ts';

/** One line; it stands under each document, so it is at most 80 tokens. */
export const toFoot = (lang: Lang, site: Site): Paragraph =>
  paragraph(
    text(`${t(lang, 'md.foot.day')} `),
    inlineCode(toMarkdownPath(toDayPath(t(lang, 'md.foot.date'), lang))),
    text(` · ${t(lang, 'md.foot.filters')} `),
    inlineCode('?zone=isla-mujeres&category=…&free=1&family=1'),
    text(' · '),
    link(toAbsolute(site.url, toMarkdownPath(PAGE_PATHS.search[lang])), t(lang, 'md.foot.search')),
    text(' '),
    inlineCode('?q=…&date=tonight'),
  );
