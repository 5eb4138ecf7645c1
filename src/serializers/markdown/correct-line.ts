// The line of a Markdown document that leads to the form by which a reader says what has changed.
import type { Paragraph } from 'mdast';
import type { Correctable } from '../../domain/correction.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toAbsolute, toCorrectPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { link, paragraph } from './nodes.ts';

/** Of one thing, by its id. */
export const toCorrectLine = (kind: Correctable, id: string, lang: Lang, site: Site): Paragraph =>
  paragraph(link(toAbsolute(site.url, toCorrectPath(kind, id, lang)), t(lang, 'correct.link')));
