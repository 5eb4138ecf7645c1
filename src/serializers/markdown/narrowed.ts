// What a narrowed list says of its filters as Markdown: which are on, and where there is something
// when there is nothing here.
import type { RootContent } from 'mdast';
import { byLang, type Lang, type LocalText } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { NothingSection } from '../../i18n/query-words.ts';
import { toAbsolute } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { labelled, link, list, paragraph, plain, text } from './nodes.ts';

export interface NarrowedText {
  readonly words: readonly string[];
  /** How a word was read, and what the filters cannot tell and leave out, in sentences. */
  readonly remarks: readonly string[];
  /** Where there would be something. */
  readonly ways_out: readonly {
    readonly label: string;
    readonly path: string;
    readonly count: number;
  }[];
  /** What is on another day, what comes near, what is over. */
  readonly nothing: readonly NothingSection[];
  /** What stands behind the path in each language, with its question mark. */
  readonly query: LocalText;
}

/** A list that asks for nothing. */
export const NOT_NARROWED: NarrowedText = {
  words: [],
  remarks: [],
  ways_out: [],
  nothing: [],
  query: byLang(() => ''),
};

/** Nothing for a list that asks for nothing. */
export function toNarrowedEntry(
  { words, remarks, ways_out, nothing }: NarrowedText,
  lang: Lang,
  site: Site,
): RootContent[] {
  const filters =
    words.length === 0
      ? []
      : [paragraph(...labelled(t(lang, 'filters.on'), plain(words.join(', '))))];
  const ways =
    ways_out.length === 0
      ? []
      : [
          paragraph(plain(t(lang, 'filters.ways_out'))),
          list(
            ways_out.map(({ label, path, count }) => [
              link(toAbsolute(site.url, path), label),
              text(`: ${tCount(lang, 'events.count', count)}`),
            ]),
          ),
        ];
  return [
    ...filters,
    ...remarks.map((sentence) => paragraph(plain(sentence))),
    ...ways,
    ...toNothingEntry(nothing, lang, site),
  ];
}

/** What there is in place of a list, each kind under its name. */
export const toNothingEntry = (
  sections: readonly NothingSection[],
  lang: Lang,
  site: Site,
): RootContent[] =>
  sections.flatMap(({ title, lines }) => [
    paragraph(plain(t(lang, 'nothing.title', { title }))),
    list(
      lines.map((line) => [
        link(toAbsolute(site.url, line.path), line.title),
        text(`: ${line.words}`),
      ]),
    ),
  ]);
