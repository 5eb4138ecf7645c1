// What the words of a query find beside events (contract 7.32): places, notices that hold now or soon, and pages of
// others to look at (ferries, weather); each under its name, on the page and in its Markdown version.
import { toCancunDay } from '../domain/cancun-time.ts';
import { fold, toWords } from '../domain/folding.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import { parsePlaceQuery } from '../domain/query/list-queries.ts';
import type { ParameterTexts } from '../domain/query/values.ts';
import { toLinkWords } from '../i18n/day-words.ts';
import { toDirectoryPath, toPagePath, withQuery } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { type Block, linkItem, list, section } from '../serializers/markdown/nodes.ts';
import { readNoticeBoard } from '../snapshot/agenda.ts';
import { createWordIndex, matchWords } from '../snapshot/word-index.ts';
import { listThings } from './directory.ts';
import type { PageMeta } from './page.ts';
import type { SiteState } from './state.ts';

const MOST_PLACES = 5;
const MOST_NOTICES = 3;

export interface FoundSection {
  readonly id: string;
  readonly title: string;
  /** A name with what is known of it; `path` is an address of ours or of another site. */
  readonly lines: readonly {
    readonly title: string;
    readonly path: string;
    readonly words: string | null;
  }[];
}

export interface FoundBeside {
  /** Where one is called by the very words, or there is no event. */
  readonly before: readonly FoundSection[];
  readonly after: readonly FoundSection[];
}

export const NOTHING_BESIDE: FoundBeside = { before: [], after: [] };

/** Those whose texts have every word, in the order given; a slip is forgiven only where nothing has. */
function filterByWords<T>(
  things: readonly T[],
  words: readonly string[],
  toText: (thing: T) => string,
): readonly T[] {
  const index = createWordIndex(things.map(toText));
  const { marks } = matchWords(index, words, things.length);
  return things.filter((_, at) => marks[at] === 1);
}

/** What has the words of a query in one spelling, before or after its events; places in its zone. */
export function findBeside(
  state: SiteState,
  { q, zone }: ParameterTexts,
  event_count: number,
  lang: Lang,
): FoundBeside {
  const words = toWords(q ?? '');
  if (q === undefined || words.length === 0) return NOTHING_BESIDE;
  const { snapshot, now_ms } = state;
  const asked = { q, ...(zone === undefined ? {} : { zone }) };
  const { filter } = parsePlaceQuery(
    { ...asked, limit: String(MOST_PLACES) },
    snapshot,
    now_ms,
    [],
  );
  const places = listThings(state, 'venue', lang, filter);
  const today = toCancunDay(now_ms);
  const board = readNoticeBoard(snapshot, today);
  const notices = filterByWords(
    [...board.today, ...board.tomorrow, ...board.in_season, ...board.soon],
    words,
    ({ title, body, type }) =>
      LANGS.flatMap((one) => [title[one], body[one], t(one, `notice.type.${type}`)]).join(' '),
  ).slice(0, MOST_NOTICES);
  const links = filterByWords(snapshot.calendar.links, words, ({ name, source, topic }) =>
    LANGS.flatMap((one) => [name[one], t(one, `day.link.${topic}`), t(one, `search.link.${topic}`)])
      .concat(source)
      .join(' '),
  );
  // One slip away from a place is further than an event that has the word.
  const found = places.spellings.length > 0 && event_count > 0 ? [] : places.things;
  const more = {
    title: t(lang, 'search.beside.all_places', { count: places.total }),
    path: withQuery(toDirectoryPath('venue', lang), asked),
    words: null,
  };
  const lines_of = {
    places: found.map(({ name, path, facts }) => ({ title: name, path, words: facts.join(' · ') })),
    notices: notices.map(({ title }) => ({
      title: title[lang],
      path: toPagePath('notices', lang),
      words: '',
    })),
    links: links.map((one) => {
      const { label, topic } = toLinkWords(one, lang);
      return { title: label, path: one.url, words: `${topic} · ${one.source}` };
    }),
  };
  const kinds = (['places', 'notices', 'links'] as const).filter(
    (kind) => lines_of[kind].length > 0,
  );
  const is_called_so = ({ title }: { readonly title: string }): boolean =>
    words.every((word) => ` ${fold(title)}`.includes(` ${word}`));
  const sections = kinds.map((kind) => ({
    id: `beside-${kind}`,
    title: t(lang, `search.beside.${kind}`),
    lines: kind === 'places' && places.next ? [...lines_of.places, more] : lines_of[kind],
  }));
  const is_first = event_count === 0 || kinds.some((kind) => lines_of[kind].some(is_called_so));
  return is_first ? { before: sections, after: [] } : { before: [], after: sections };
}

export const renderBeside = (
  sections: readonly FoundSection[],
  { site }: Pick<PageMeta, 'site'>,
): Block =>
  sections.map(({ title, lines }) =>
    section(
      title,
      list(
        lines.map(({ path, ...line }) =>
          linkItem(new URL(path, site.url).href, line.title, ...(line.words ? [line.words] : [])),
        ),
      ),
    ),
  );
