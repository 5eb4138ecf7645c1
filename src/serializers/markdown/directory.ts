// All venues, organizers, categories or zones as Markdown: one line each.
import { byLang, type Lang, type LocalText } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import {
  type DirectoryName,
  toAbsolute,
  toDirectoryPath,
  toMarkdownPath,
} from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toDocument } from './document.ts';
import { inlineCode, link, list, paragraph, plain, text } from './nodes.ts';

/** A place, an organizer, a category or a zone as a list says it. */
export interface ListedThing {
  readonly name: string;
  readonly path: string;
  readonly facts: readonly string[];
  readonly count: number;
}

interface ListedThings {
  readonly meta: { readonly title: string; readonly query?: LocalText };
  readonly section: DirectoryName;
  readonly things: readonly ListedThing[];
  readonly total: number;
  readonly remarks: readonly string[];
  readonly next: string | null;
}

/** How a list is narrowed; null where it is not. */
const ASKED: Readonly<Record<DirectoryName, string | null>> = {
  venue: '?q=…&zone=…&near=21.16,-86.82&radius_km=2',
  organizer: '?q=…',
  category: null,
  zone: null,
};

export function toDirectoryMarkdown(page: ListedThings, lang: Lang, site: Site): string {
  const { meta, section, things, total, remarks, next } = page;
  const asked = ASKED[section];
  const own = toAbsolute(site.url, toMarkdownPath(toDirectoryPath(section, lang)));
  return toDocument(
    {
      title: meta.title,
      about: t(lang, `directory.description.${section}`),
      terms: t(lang, 'md.terms_thing', { name: site.name }),
      path: byLang((each) => toDirectoryPath(section, each)),
      ...(meta.query && { query: meta.query }),
    },
    [
      ...remarks.map((sentence) => paragraph(plain(sentence))),
      paragraph(
        plain(tCount(lang, 'directory.count', total)),
        ...(asked === null ? [] : [text(` ${t(lang, 'md.choose')} `), inlineCode(asked)]),
      ),
      ...(things.length === 0
        ? []
        : [
            list(
              things.map(({ name, path, facts, count }) => [
                link(toAbsolute(site.url, path), name),
                plain(`: ${[...facts, tCount(lang, 'events.count', count)].join(' · ')}`),
              ]),
            ),
          ]),
      ...(next === null ? [] : [paragraph(link(own + next, t(lang, 'directory.next')))]),
    ],
    lang,
    site,
  );
}
