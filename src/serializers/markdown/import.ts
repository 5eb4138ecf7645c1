// The page where a calendar is brought in, as Markdown: what is taken, what is understood of it, and
// what comes after.
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { PAGE_PATHS, toAbsolute, toMarkdownPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toDocument } from './document.ts';
import { heading, link, list, paragraph, plain, text } from './nodes.ts';

const POINTS = ['batch.what.files', 'batch.what.dates', 'batch.what.again'] as const;

export const toImportMarkdown = (lang: Lang, site: Site): string =>
  toDocument(
    {
      title: t(lang, 'batch.title'),
      about: t(lang, 'batch.text'),
      terms: t(lang, 'md.terms_thing', { name: site.name }),
      path: PAGE_PATHS.import,
    },
    [
      paragraph(plain(t(lang, 'batch.url.hint'))),
      heading(2, plain(t(lang, 'batch.what'))),
      list(POINTS.map((key) => [plain(t(lang, key))])),
      paragraph(plain(t(lang, 'batch.after'))),
      paragraph(
        link(
          toAbsolute(site.url, toMarkdownPath(PAGE_PATHS.submit[lang])),
          t(lang, 'submit.title'),
        ),
        text('.'),
      ),
    ],
    lang,
    site,
  );
