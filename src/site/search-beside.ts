// What a search finds beside events: places, notices that hold now or soon, pages to look at (ferries, weather).
import { toCancunDay } from '../domain/cancun-time.ts';
import { parsePlaceQuery } from '../domain/query/list-queries.ts';
import type { ParameterTexts } from '../domain/query/parameters.ts';
import { fold, toWords } from '../domain/folding.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import { withQuery } from '../i18n/api-paths.ts';
import { toLinkWords } from '../i18n/day-facts.ts';
import { toDirectoryPath, toPagePath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { readNoticeBoard } from '../snapshot/agenda.ts';
import { createWordIndex, matchWords } from '../snapshot/word-index.ts';
import type { ListedThing } from '../serializers/markdown/places.ts';
import { listThings } from './directory.ts';
import type { SiteState } from './state.ts';

const MOST_PLACES = 5;
const MOST_NOTICES = 3;

/** A line with what is known of it; `path` is an address of ours or of another site. */
export interface FoundLine {
  readonly name: string;
  readonly path: string;
  readonly facts: readonly string[];
}

export interface FoundSection {
  readonly kind: 'places' | 'notices' | 'links';
  readonly title: string;
  readonly lines: readonly FoundLine[];
  /** The list with all of them, where there are more. */
  readonly more: { readonly label: string; readonly path: string } | null;
}

export interface FoundBeside {
  readonly sections: readonly FoundSection[];
  /** Whether one is called by the very words, or there is no event: it stands before the events. */
  readonly is_first: boolean;
}

const NOTHING: FoundBeside = { sections: [], is_first: false };

/** Those whose texts have every word, in the order given; a slip is forgiven only where nothing has. */
function filterByWords<T>(
  things: readonly T[],
  words: readonly string[],
  toText: (thing: T) => string,
): readonly T[] {
  const index = createWordIndex(things.map((thing) => toWords(toText(thing))));
  const { marks } = matchWords(index, words, things.length);
  return things.filter((_, at) => marks[at] === 1);
}

/** What has the words of a query in one spelling; places in its zone. */
export function findBeside(
  state: SiteState,
  { q, zone }: ParameterTexts,
  event_count: number,
  lang: Lang,
): FoundBeside {
  const words = toWords(q ?? '');
  if (q === undefined || words.length === 0) return NOTHING;
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
  const is_called_so = ({ name }: Pick<ListedThing, 'name'>): boolean =>
    words.every((word) => ` ${fold(name)}`.includes(` ${word}`));
  const more_path = withQuery(toDirectoryPath('venue', lang), asked);
  const sections: FoundSection[] = [
    {
      kind: 'places',
      title: t(lang, 'search.beside.places'),
      // One slip away from a place is further than an event that has the word.
      lines: places.spellings.length > 0 && event_count > 0 ? [] : places.things,
      more:
        places.next === null
          ? null
          : {
              label: t(lang, 'search.beside.all_places', { count: places.total }),
              path: more_path,
            },
    },
    {
      kind: 'notices',
      title: t(lang, 'search.beside.notices'),
      lines: notices.map(({ title }) => ({
        name: title[lang],
        path: toPagePath('notices', lang),
        facts: [],
      })),
      more: null,
    },
    {
      kind: 'links',
      title: t(lang, 'search.beside.links'),
      lines: links.map((link) => {
        const { label, note, topic } = toLinkWords(link, lang);
        return { name: label, path: link.url, facts: [topic, note] };
      }),
      more: null,
    },
  ];
  const found = sections.filter(({ lines }) => lines.length > 0);
  const is_first = event_count === 0 || found.some(({ lines }) => lines.some(is_called_so));
  return { sections: found, is_first };
}
