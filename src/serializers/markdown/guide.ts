// A page of the docs beside the reference, as Markdown.
import type { DocsSection } from '../../domain/api-guide.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { type GuideName, PAGE_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toSectionNodes } from '../guide/sections.ts';
import { toDocument } from './document.ts';
import { toGuideList } from './guide-list.ts';

export const toGuideMarkdown = (
  guide: GuideName,
  sections: readonly DocsSection[],
  lang: Lang,
  site: Site,
): string =>
  toDocument(
    {
      title: `${site.name}: ${t(lang, `guides.${guide}`)}`,
      about: t(lang, `guides.${guide}.about`),
      terms: t(lang, 'md.terms_thing', { name: site.name }),
      path: PAGE_PATHS[guide],
    },
    [...toSectionNodes(sections), ...toGuideList(guide, lang, site)],
    lang,
    site,
  );
