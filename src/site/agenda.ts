// The page of a day, a weekend or a week: each day on which something takes place, and all that the
// site is built ahead for.
import type { AgendaKind } from '../domain/agenda-words.ts';
import type { Agenda } from '../domain/agenda.ts';
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import { type DayFacts, toAgendaFacts } from '../domain/day/day-facts.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import type { ParameterTexts } from '../domain/filters/filter.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { foldNightclubs } from '../domain/event/nightclub.ts';
import { type ByLang, byLang, type LocalText } from '../domain/lang.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import { withQuery } from '../i18n/api-paths.ts';
import { toLongDays } from '../i18n/dates.ts';
import { toFilterWords } from '../i18n/filter-words.ts';
import { PAGE_PATHS, toDayPath, toFeedPath, toMarkdownPath } from '../i18n/paths.ts';
import { t, tCount } from '../i18n/translate.ts';
import { toListJsonLd } from '../serializers/json-ld.ts';
import { listWithEvents, type WithEvents } from '../snapshot/count-events.ts';
import { findOccurrences } from '../snapshot/find-events.ts';
import { readAgenda } from '../snapshot/agenda.ts';
import { type DaysAround, isKnownRange, toDaysAround } from './days-around.ts';
import { type Narrowing, toNarrowing } from './narrowing/narrowing.ts';
import { readPageQuery } from './narrowing/page-query.ts';
import type { AgendaRequest } from './page-request.ts';
import type { SiteState } from './state.ts';
import { type Failure, NOT_FOUND, type PageMeta } from './page.ts';
import { toAgendaPoster, toAgendaPosterPath, toPosterLink } from './poster.ts';

/** Most occurrences that the tide and the further days are counted from: a week of a large city. */
const MAX_OCCURRENCES = 5_000;

/** Most events that a page names for search engines; the rest it links to. */
const MAX_LINKED = 40;

/** What the page of an agenda is given. */
export interface AgendaResult {
  readonly kind: 'agenda';
  readonly page: {
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
    /** The minute that one with today in it is of, epoch ms; null for one that holds all day. */
    readonly hour_ms: number | null;
  };
}

/**
 * The agenda, or nothing for days before the first date and after the last one that we know of;
 * `query` is what was sent behind its address.
 */
export function resolveAgenda(
  state: SiteState,
  request: AgendaRequest,
  query: string,
): AgendaResult | Failure {
  const { range, lang, agenda: kind } = request;
  if (!isKnownRange(state, range)) return NOT_FOUND;
  const { snapshot, now_ms } = state;
  const { filter: asked, texts, ignored } = readPageQuery(query, 'agenda', state);
  const filter = { ...asked, range };
  const agenda = readAgenda(snapshot, range, now_ms, lang, filter);
  const words = toFilterWords(asked, {
    params: texts[lang],
    taxonomy: snapshot.taxonomy,
    lang,
  });
  const meta = toMeta(state, request, agenda, texts, words);
  const list = { snapshot, lang, path: toAgendaPaths(request)[lang], texts: texts[lang], filter };
  const days = { range, date: kind === 'day' ? range.from.toString() : kind };
  return {
    kind: 'agenda',
    page: {
      meta,
      kind,
      agenda,
      words,
      with_events: listWithEvents(state),
      narrowing: toNarrowing({ ...list, now_ms, days, ignored }, agenda.events.length),
      around: toDaysAround(snapshot, request, filter, texts[lang]),
      occurrences: readOccurrences(state, filter),
      taxonomy: snapshot.taxonomy,
      facts: toAgendaFacts(request.agenda, request.range.from, snapshot.calendar),
      hour_ms: toHourMs(request, now_ms),
    },
  };
}

/** The minute of an agenda that begins today and is told by the hour; null for any other. */
const toHourMs = ({ by_hour, range }: AgendaRequest, now_ms: number): number | null =>
  by_hour && range.from.equals(toCancunDay(now_ms)) ? floorToMinute(now_ms) : null;

const readOccurrences = (
  { snapshot }: SiteState,
  filter: EventFilter,
): readonly OccurrenceRecord[] =>
  findOccurrences(snapshot, { ...filter, limit: MAX_OCCURRENCES }).items.map(
    ({ occurrence }) => occurrence,
  );

const toAgendaPaths = ({ agenda: kind, range }: AgendaRequest): LocalText =>
  kind === 'day' ? byLang((lang) => toDayPath(range.from.toString(), lang)) : PAGE_PATHS[kind];

function toMeta(
  { site }: SiteState,
  request: AgendaRequest,
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
