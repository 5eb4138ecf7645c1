// The page of a day, a weekend or a week: each day on which something takes place, and all that the
// site is built ahead for.
import type { AgendaKind } from '../domain/agenda-words.ts';
import type { Agenda } from '../domain/agenda.ts';
import { floorToMinute, toCancunDay, toDayNumber } from '../domain/cancun-time.ts';
import { type DayFacts, toAgendaFacts } from '../domain/day/day-facts.ts';
import { toOpenFilter } from '../domain/filters/event-filter.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { foldNightclubs } from '../domain/event/nightclub.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import type { DayRange } from '../domain/filters/range.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import { toLongDays } from '../i18n/dates.ts';
import { PAGE_PATHS, toDayPath, toFeedPath, toMarkdownPath } from '../i18n/paths.ts';
import { t, tCount } from '../i18n/translate.ts';
import { toListJsonLd } from '../serializers/json-ld.ts';
import { findOccurrences } from '../snapshot/find-occurrences.ts';
import { readDaySpan } from '../snapshot/list-things.ts';
import { readAgenda } from '../snapshot/read-agenda.ts';
import type { SiteState } from './state.ts';
import { DAYS_AHEAD } from './prebuilt.ts';
import { type Failure, NOT_FOUND, type PageMeta } from './page.ts';

/** Most occurrences that the tide and the further days are counted from: a week of a large city. */
const MAX_OCCURRENCES = 5_000;

/** Which days, and by which word they are requested. */
export interface AgendaRequest {
  readonly kind: 'agenda';
  readonly lang: Lang;
  readonly agenda: AgendaKind;
  readonly range: DayRange;
}

/** What the page of an agenda is given. */
export interface AgendaResult {
  readonly kind: 'agenda';
  readonly page: {
    readonly meta: PageMeta;
    readonly kind: AgendaKind;
    readonly agenda: Agenda;
    readonly occurrences: readonly OccurrenceRecord[];
    readonly taxonomy: Taxonomy;
    /** Null for a weekend and a week. */
    readonly facts: DayFacts | null;
  };
}

/** The agenda, or nothing for days before the first date and after the last one that we know of. */
export function resolveAgenda(state: SiteState, request: AgendaRequest): AgendaResult | Failure {
  if (!isKnown(state, request.range)) return NOT_FOUND;
  const { snapshot, now_ms } = state;
  const agenda = readAgenda(snapshot, request.range, now_ms, request.lang);
  const meta = toMeta(state, request, agenda);
  return {
    kind: 'agenda',
    page: {
      meta,
      kind: request.agenda,
      agenda,
      occurrences: readOccurrences(state, request.range),
      taxonomy: snapshot.taxonomy,
      facts: toAgendaFacts(request.agenda, request.range.from, snapshot.calendar),
    },
  };
}

function readOccurrences(
  { snapshot, now_ms }: SiteState,
  range: DayRange,
): readonly OccurrenceRecord[] {
  const filter = { ...toOpenFilter(floorToMinute(now_ms), MAX_OCCURRENCES), range };
  return findOccurrences(snapshot, filter).items.map((item) => item.occurrence);
}

function isKnown({ snapshot, now_ms }: SiteState, range: DayRange): boolean {
  const today = toDayNumber(toCancunDay(now_ms));
  const span = readDaySpan(snapshot) ?? { first: today, last: today };
  return (
    toDayNumber(range.to) >= Math.min(span.first, today - 1) &&
    toDayNumber(range.from) <= Math.max(span.last, today + DAYS_AHEAD)
  );
}

function toMeta(
  { site }: SiteState,
  { lang, agenda: kind, range }: AgendaRequest,
  agenda: Agenda,
): PageMeta {
  const when = toLongDays(range, lang);
  const day = range.from.toString();
  const paths = kind === 'day' ? byLang((each) => toDayPath(day, each)) : PAGE_PATHS[kind];
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
    title: `${t(lang, `agenda.title.${kind}`)}, ${when}`,
    description:
      titles === '' ? t(lang, 'agenda.empty') : t(lang, 'agenda.description', { count, titles }),
    markdown: toMarkdownPath(paths[lang]),
    calendar: toFeedPath({ date: kind === 'day' ? day : kind }, lang),
    json_ld: agenda.events.length === 0 ? null : toListJsonLd(agenda.events, lang, site),
    entry: kind === 'day' ? null : kind,
  };
}
