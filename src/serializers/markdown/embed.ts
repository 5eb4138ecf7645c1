// The page that writes the frame for other sites as Markdown: what may be chosen, and the HTML.
import { LIMITS } from '../../domain/query/parameters.ts';
import { THEMES } from '../../domain/query/list-queries.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { PAGE_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toDocument } from './document.ts';
import { heading, inlineCode, paragraph, plain, text } from './nodes.ts';

interface ChosenFrame {
  readonly frame: { readonly title: string; readonly snippet: string } | null;
}

export const toEmbedMarkdown = ({ frame }: ChosenFrame, lang: Lang, site: Site): string =>
  toDocument(
    {
      title: t(lang, 'embed.title'),
      about: t(lang, 'embed.description'),
      terms: t(lang, 'md.terms_thing', { name: site.name }),
      path: PAGE_PATHS.embed,
    },
    [
      paragraph(plain(t(lang, 'embed.lead'))),
      paragraph(
        text(`${t(lang, 'md.choose')} `),
        inlineCode(
          `?date=week&category=…&zone=…&free=1&family=1&indoor=1&limit=1–${LIMITS.frame.max}&theme=${THEMES.join('|')}&lang=…`,
        ),
      ),
      ...(frame === null
        ? []
        : [
            heading(2, plain(frame.title)),
            { type: 'code' as const, lang: 'html', value: frame.snippet },
            paragraph(plain(t(lang, 'embed.how'))),
          ]),
    ],
    lang,
    site,
  );
