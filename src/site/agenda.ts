// The page of a day, a weekend or a week: each day on which something takes place, and all that the
// site is built ahead for.
import { type AgendaKind, AGENDA_WORDS, resolveAgendaWord } from '../domain/agenda-words.ts';
import type { Agenda } from '../domain/agenda.ts';
import { type DayRange, floorToMinute, parseDay, toCancunDay } from '../domain/cancun-time.ts';
import { type DayFacts, toAgendaFacts } from '../domain/day/day-facts.ts';
import type { EventFilter } from '../domain/query/event-query.ts';
import { LIST_PARAMETER_NAMES, type ParameterTexts } from '../domain/query/parameters.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { foldNightclubs } from '../domain/event/nightclub.ts';
import { type ByLang, byLang, LANGS, type LocalText } from '../domain/lang.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import { findToday } from '../domain/today.ts';
import { withQuery } from '../i18n/api-paths.ts';
import { toLongDays } from '../i18n/dates.ts';
import { toFilterWords } from '../i18n/query-words.ts';
import { PAGE_PATHS, toDayPath, toFeedPath, toMarkdownPath } from '../i18n/paths.ts';
import { t, tCount } from '../i18n/translate.ts';
import { toListJsonLd } from '../serializers/json-ld.ts';
import { renderAgenda } from '../serializers/markdown/agenda.ts';
import { listWithEvents, type WithEvents } from '../snapshot/count-events.ts';
import { findOccurrences } from '../snapshot/find-events.ts';
import { readAgenda } from '../snapshot/agenda.ts';
import { DAYS_AHEAD, type DaysAround, isKnownRange, toDaysAround } from './days-around.ts';
import { type Narrowing, toNarrowing } from './narrowing/narrowing.ts';
import { isFixedOnAgenda, judgeEventQuery, readPageQuery } from './narrowing/page-query.ts';
import type { SiteState } from './state.ts';
import { type Failure, NOT_FOUND, type PageMeta } from './page.ts';
import { definePage, listPagePaths, type PageRequest, toRoutes } from './page-kind.ts';
import { toAgendaPoster, toAgendaPosterPath, toPosterLink } from './poster.ts';
import { show, type Shown } from './visit.ts';

/** Most occurrences that the tide and the further days are counted from: a week of a large city. */
const MAX_OCCURRENCES = 5_000;

/** Most events that a page names for search engines; the rest it links to. */
const MAX_LINKED = 40;

/** What the page of an agenda is given. */
export interface AgendaView {
  /** The links that narrow the list, and those to other days. */
  readonly narrowing: Narrowing;
  readonly around: DaysAround;
  /** The categories and zones with something ahead. */
  readonly with_events: WithEvents;
  /** The filters of its query in words, and in one spelling. */
  readonly words: readonly string[];
  readonly meta: PageMeta;
  readonly kind: AgendaKind;
  readonly agenda: Agenda;
  readonly occurrences: readonly OccurrenceRecord[];
  readonly taxonomy: Taxonomy;
  /** Null for a weekend and a week. */
  readonly facts: DayFacts | null;
  /** The minute that one which begins today is of, epoch ms; null for any other. */
  readonly hour_ms: number | null;
}

interface AgendaRequest extends PageRequest {
  /** A word that the clock resolves, or a day, YYYY-MM-DD. */
  readonly date: string;
}

/** The days that are meant, and by which word. */
interface AgendaDays extends PageRequest {
  readonly agenda: AgendaKind;
  readonly range: DayRange;
}

/** Null for a day that does not exist. */
function toDays({ lang, date }: AgendaRequest, now_ms: number): AgendaDays | null {
  const agenda = AGENDA_WORDS.find((word) => word === date) ?? 'day';
  const day = parseDay(date);
  const range = day ? { from: day, to: day } : resolveAgendaWord(date, toCancunDay(now_ms));
  return range && { lang, agenda, range };
}

/**
 * The agenda, or nothing for days before the first date and after the last one that we know of;
 * `query` is what was sent behind its address.
 */
export function resolveAgenda(
  state: SiteState,
  request: AgendaRequest,
  query: string,
): Shown<AgendaView> | Failure {
  const { snapshot, now_ms } = state;
  const days = toDays(request, now_ms);
  if (days === null || !isKnownRange(state, days.range)) return NOT_FOUND;
  const { range, lang, agenda: kind } = days;
  const { filter: asked, texts, ignored } = readPageQuery(query, 'agenda', state);
  const filter = { ...asked, range };
  const agenda = readAgenda(snapshot, range, now_ms, lang, filter);
  const words = toFilterWords(asked, {
    params: texts[lang],
    taxonomy: snapshot.taxonomy,
    lang,
  });
  const meta = toMeta(state, days, agenda, texts, words);
  const list = { snapshot, lang, path: toAgendaPaths(days)[lang], texts: texts[lang], filter };
  const { date } = request;
  return show({
    meta,
    kind,
    agenda,
    words,
    with_events: listWithEvents(state),
    narrowing: toNarrowing(
      { ...list, now_ms, days: { range, date }, ignored },
      agenda.events.length,
    ),
    around: toDaysAround(snapshot, days, filter, texts[lang]),
    occurrences: readOccurrences(state, filter),
    taxonomy: snapshot.taxonomy,
    facts: toAgendaFacts(kind, range.from, snapshot.calendar),
    hour_ms: range.from.equals(toCancunDay(now_ms)) ? floorToMinute(now_ms) : null,
  });
}

const readOccurrences = (
  { snapshot }: SiteState,
  filter: EventFilter,
): readonly OccurrenceRecord[] =>
  findOccurrences(snapshot, { ...filter, limit: MAX_OCCURRENCES }).items.map(
    ({ occurrence }) => occurrence,
  );

const toAgendaPaths = ({ agenda: kind, range }: AgendaDays): LocalText =>
  kind === 'day' ? byLang((lang) => toDayPath(range.from.toString(), lang)) : PAGE_PATHS[kind];

function toMeta(
  { site }: SiteState,
  request: AgendaDays,
  agenda: Agenda,
  texts: ByLang<ParameterTexts>,
  words: readonly string[],
): PageMeta {
  const { lang, agenda: kind, range } = request;
  const when = toLongDays(range, lang);
  const paths = toAgendaPaths(request);
  const title = `${t(lang, `agenda.title.${kind}`)}, ${when}`;
  const is_narrowed = words.length > 0;
  const date = kind === 'day' ? range.from.toString() : kind;
  const { others, nightclubs } = foldNightclubs(agenda.events);
  const titles = [...others, ...nightclubs]
    .slice(0, 3)
    .map((card) => card.event.title[lang])
    .join('; ');
  const count = tCount(lang, 'events.count', agenda.events.length);
  return {
    lang,
    paths,
    site,
    query: byLang((each) => withQuery('', texts[each])),
    title: is_narrowed ? t(lang, 'filters.title', { title, filters: words.join(', ') }) : title,
    description:
      titles === '' ? t(lang, 'agenda.empty') : t(lang, 'agenda.description', { count, titles }),
    markdown: withQuery(toMarkdownPath(paths[lang]), texts[lang]),
    calendar: toFeedPath({ date, ...texts[lang] }, lang),
    json_ld:
      is_narrowed || agenda.events.length === 0
        ? null
        : toListJsonLd(agenda.events.slice(0, MAX_LINKED), lang, site),
    entry: kind === 'day' ? null : kind,
    poster: toPosterLink(
      toAgendaPoster({ ...request, count: is_narrowed ? 0 : agenda.events.length }, lang, site),
      toAgendaPosterPath(request, lang),
    ),
  };
}

/** Those that may have today in them. */
const OF_THE_MINUTE: readonly string[] = ['today', 'weekend', 'week'] satisfies AgendaKind[];
const PARAMETERS = LIST_PARAMETER_NAMES.filter((name) => name !== 'lang' && !isFixedOnAgenda(name));
const DAY_PATTERNS = byLang((lang) => toDayPath('[day]', lang));

/** Yesterday to DAYS_AHEAD days after today, as YYYY-MM-DD. */
export function listBuiltDays(now_ms: number): readonly string[] {
  const yesterday = toCancunDay(now_ms).subtract({ days: 1 });
  return Array.from({ length: DAYS_AHEAD + 2 }, (_, at) => yesterday.add({ days: at }).toString());
}

export const agendaPage = definePage<AgendaRequest, AgendaView>({
  name: 'agenda',
  routes: [
    ...AGENDA_WORDS.flatMap((date) => toRoutes(PAGE_PATHS[date], (lang) => ({ lang, date }))),
    ...toRoutes(DAY_PATTERNS, (lang, date) => (parseDay(date) ? { lang, date } : null)),
  ],
  load: resolveAgenda,
  toMarkdown: renderAgenda,
  parameters: () => PARAMETERS,
  narrowed: 'agenda',
  judge: judgeEventQuery,
  isOfMinute: ({ date }, now_ms) => OF_THE_MINUTE.includes(date) || date === findToday(now_ms).day,
  is_in_one_language: true,
  listBuilt: ({ now_ms }) => [
    ...listPagePaths('tomorrow'),
    ...LANGS.flatMap((lang) => listBuiltDays(now_ms).map((day) => toDayPath(day, lang))),
  ],
  toPoster: (state, request) => {
    const { snapshot, now_ms, site } = state;
    const days = toDays(request, now_ms);
    if (days === null || !isKnownRange(state, days.range)) return NOT_FOUND;
    const count = readAgenda(snapshot, days.range, now_ms, days.lang).events.length;
    return toAgendaPoster({ ...days, count }, days.lang, site);
  },
});
