// The links that narrow a list or widen it again, each with how many events there would be.
import type { DayRange } from '../../domain/cancun-time.ts';
import {
  type EventFilter,
  FLAG_FILTERS,
  sortTexts,
  TAXON_FILTERS,
} from '../../domain/query/event-query.ts';
import type { ParameterTexts } from '../../domain/query/parameters.ts';
import { DATE_WORDS } from '../../domain/query/days.ts';
import type { Lang } from '../../domain/lang.ts';
import { withQuery } from '../../i18n/api-paths.ts';
import { toShortDays } from '../../i18n/dates.ts';
import { listPhrases } from '../../i18n/query-words.ts';
import { capitalise, t } from '../../i18n/translate.ts';
import { countChoices, countEvents } from '../../snapshot/count-events.ts';
import type { Snapshot } from '../../snapshot/open.ts';

/** A link with its words, and how many events are behind it. */
export interface Chip {
  readonly label: string;
  readonly path: string;
  readonly count: number;
}

/** A filter that is on, with the query that leaves it out. */
export interface OnFilter {
  readonly label: string;
  readonly path: string;
  readonly texts: ParameterTexts;
}

/** A list that can be narrowed: its page, its query in one spelling, and its filter. */
export interface NarrowedList {
  readonly snapshot: Snapshot;
  readonly lang: Lang;
  readonly path: string;
  readonly texts: ParameterTexts;
  readonly filter: EventFilter;
}

/** Texts to set, and null for those to take away. */
type Change = Readonly<Record<string, string | null>>;

/** The query changed, from its first page on. */
const change = ({ texts }: NarrowedList, changed: Change): ParameterTexts =>
  sortTexts({ ...texts, ...changed, cursor: null });

const NO_POINT = { near: null, radius_km: null } as const;

/** Those whose words are all that a link says of them. */
const WORDED = ['q', 'updated_since', 'status', 'price_max', 'venue', 'organizer'] as const;

/** Every filter that is on, each category and zone by itself. */
export function listOn(list: NarrowedList): readonly OnFilter[] {
  const { snapshot, filter, texts, lang, path } = list;
  const toOn = (label: string, changed: Change): OnFilter => {
    const left = change(list, changed);
    return { label: capitalise(label), path: withQuery(path, left), texts: left };
  };
  const has_days = (texts.date ?? texts.from ?? texts.to) !== undefined;
  return [
    ...(has_days && filter.range !== null
      ? [toOn(toDaysLabel(list, filter.range), { date: null, from: null, to: null })]
      : []),
    ...FLAG_FILTERS.filter(({ name }) => filter[name]).map(({ name }) =>
      toOn(t(lang, `ics.filter.${name}`), { [name]: null }),
    ),
    ...listOnTaxa(list, toOn),
    ...(filter.near === null
      ? []
      : [toOn(t(lang, 'filters.near', { radius: filter.near.radius_km }), NO_POINT)]),
    ...WORDED.flatMap((name) =>
      listPhrases(name, filter, { params: texts, taxonomy: snapshot.taxonomy, lang }).map((label) =>
        toOn(label, { [name]: null }),
      ),
    ),
  ];
}

/** `Esta noche` for a word, the days themselves for all else. */
function toDaysLabel({ texts, lang }: NarrowedList, range: DayRange): string {
  const word = DATE_WORDS.find((known) => known === texts.date);
  return word === undefined ? toShortDays(range, lang) : t(lang, `ics.filter.${word}`);
}

const listOnTaxa = (
  { snapshot, filter, lang }: NarrowedList,
  toOn: (label: string, changed: Change) => OnFilter,
): readonly OnFilter[] =>
  TAXON_FILTERS.flatMap(({ name, list }) => {
    const wanted = snapshot.taxonomy[list].filter(({ key }) => filter[list]?.includes(key));
    return wanted.map((taxon) => {
      const others = wanted.filter((other) => other !== taxon);
      return toOn(taxon.name[lang], { [name]: others.map(({ slug }) => slug[lang]).join(',') });
    });
  });

/**
 * What the list can be narrowed by: what is free, for families, both, in one zone; nothing that
 * would be empty.
 */
export function listMore(list: NarrowedList): readonly Chip[] {
  const { snapshot, filter, lang } = list;
  const { with_flag, by_key } = countChoices(snapshot, filter);
  const toChip = (label: string, changed: Change, count: number): Chip => ({
    label: capitalise(label),
    path: withQuery(list.path, change(list, changed)),
    count,
  });
  const flags = FLAG_FILTERS.filter(({ name }) => !filter[name]).map(({ name }) =>
    toChip(t(lang, `ics.filter.${name}`), { [name]: '1' }, with_flag.get(name) ?? 0),
  );
  // One touch for what families ask for most; nothing where one of the two says it already.
  const together = toChip(
    t(lang, 'filters.free_family'),
    { free: '1', family: '1' },
    countEvents(snapshot, { ...filter, free: true, family: true }),
  );
  const is_less = (['free', 'family'] as const).every(
    (name) => !filter[name] && (with_flag.get(name) ?? 0) > together.count,
  );
  const both = is_less ? [together] : [];
  const zones = snapshot.taxonomy.zones
    .filter(({ key }) => !filter.zones?.includes(key))
    .map(({ key, name, slug }) =>
      toChip(name[lang], { zone: slug[lang] }, by_key.get('zone')?.get(key) ?? 0),
    )
    .sort((a, b) => b.count - a.count);
  return [...flags, ...both, ...zones].filter(({ count }) => count > 0);
}
