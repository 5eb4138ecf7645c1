// The three tools that list events with the shared filters: buscar_eventos, eventos_hoy and
// eventos_fin_de_semana (contract 8.2).
import * as v from 'valibot';
import type { EventCard } from '../../domain/agenda.ts';
import { toCancunDay } from '../../domain/cancun-time.ts';
import { toDayFacts } from '../../domain/day/day-facts.ts';
import { date } from '../../domain/filters/date.ts';
import { asksOfEvents, LIST_PARAMETER_NAMES, TAXON_FILTERS } from '../../domain/filters/filters.ts';
import { formatCursor } from '../../domain/filters/cursor.ts';
import type { EventFilter } from '../../domain/filters/event-filter.ts';
import { parseEventQuery } from '../../domain/filters/event-query.ts';
import { type Lang, LANGS } from '../../domain/lang.ts';
import type { TaxonRecord, Taxonomy } from '../../domain/taxon.ts';
import { describeEventParameters } from '../../i18n/parameter-words.ts';
import { toListMeta, toMeta } from '../../serializers/wire/meta.ts';
import { toNothing } from '../../serializers/wire/nothing.ts';
import { type PublicEvent, toEventFields, toNextFields } from '../../serializers/wire/event.ts';
import { PublicDaySchema, toPublicDay } from '../../serializers/wire/day.ts';
import { PublicOpenPlaceSchema, toPublicOpenPlaces } from '../../serializers/wire/opening.ts';
import { EventListResponse } from '../../serializers/wire/responses.ts';
import { findEvents } from '../../snapshot/find-events.ts';
import { readListFacts } from '../../snapshot/read-list-facts.ts';
import { findOpenPlaces } from '../../snapshot/find-open-places.ts';
import { findStillOn } from '../../snapshot/read-agenda.ts';
import { readArguments } from '../arguments.ts';
import type { McpContext } from '../context.ts';
import { toEventListText } from '../text/event-list.ts';
import { createCache } from '../text/cache.ts';
import {
  type ObjectSchema,
  READ_ONLY,
  type Tool,
  type ToolResult,
  toProperty,
  toResultSchema,
} from './tool.ts';

/** What every list takes. */
const LIST_ARGUMENTS = LIST_PARAMETER_NAMES;
/** What a list of fixed days takes. */
const FIXED_DAY_ARGUMENTS = LIST_ARGUMENTS.filter(
  (name) => !date.parameters.some((parameter) => parameter.name === name),
);

const CURSOR = {
  type: 'string',
  description:
    'Where to go on, as the answer before gave it. Repeat the other arguments unchanged.',
} as const;

/** `live-music (musica-en-vivo)`: the key and its slugs. */
function toChoices(taxa: readonly TaxonRecord[]): string {
  return taxa
    .map(({ key, slug }) => {
      const others = [...new Set(LANGS.map((lang) => slug[lang]))].filter((name) => name !== key);
      return others.length === 0 ? key : `${key} (${others.join(', ')})`;
    })
    .join('; ');
}

/** The schema of some of the shared filters, with the complete list of keys and slugs. */
function toFilterSchema(names: readonly string[], taxonomy: Taxonomy): ObjectSchema {
  const choices = new Map<string, string>(
    TAXON_FILTERS.map(({ name, taxaOf }) => [name, toChoices(taxaOf(taxonomy))]),
  );
  const described = describeEventParameters('en')
    .filter(({ name }) => names.includes(name))
    .map((parameter) => {
      const known = choices.get(parameter.name);
      return [
        parameter.name,
        toProperty(parameter, known === undefined ? '' : ` Keys (and slugs): ${known}.`),
      ];
    });
  return {
    type: 'object',
    properties: { ...Object.fromEntries(described), cursor: CURSOR },
    additionalProperties: false,
  };
}

/** Events in their wire form without `next` and `more_dates`, about two kilobytes each. */
const pickFields = createCache<Omit<PublicEvent, 'next' | 'more_dates' | 'distance_km'>>(2_000);

function toWire(card: EventCard, lang: Lang, { snapshot, site }: McpContext): PublicEvent {
  const fields = pickFields(snapshot, `${lang} ${site.url} ${card.event.id}`, () =>
    toEventFields(card, lang, site),
  );
  return { ...fields, ...toNextFields(card, lang) };
}

/**
 * The places that are listed beside the first page of today's events; none where a filter asks for
 * what only events have.
 */
function listOpenPlaces(filter: EventFilter, { snapshot, now_ms }: McpContext) {
  if (asksOfEvents(filter) || filter.after !== null) return [];
  return findOpenPlaces(snapshot, toCancunDay(now_ms), filter.zones ?? []);
}

/**
 * The list that arguments ask for; `fixed` are the days that a tool stands for, and today has its
 * facts beside it. Throws AppError invalid_parameter.
 */
function listEvents(
  args: Readonly<Record<string, unknown>>,
  names: readonly string[],
  fixed: Readonly<Record<string, string>>,
  context: McpContext,
): ToolResult {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = { ...readArguments(args, names, issues), ...fixed };
  const { filter, lang } = parseEventQuery(params, snapshot.taxonomy, now_ms, 'list', issues);
  const { cards, next } = findEvents(snapshot, filter, lang);
  const facts = fixed.date === 'today' ? toDayFacts(toCancunDay(now_ms), snapshot.calendar) : null;
  const base = toMeta(snapshot.generated_at, lang, site);
  const said = readListFacts(snapshot, filter, lang, { count: cards.length, next });
  const meta = toListMeta(base, {
    ...said,
    nothing: said.nothing && toNothing(said.nothing, lang, site),
  });
  const is_today = fixed.date === 'today';
  const places = is_today ? listOpenPlaces(filter, context) : null;
  const still_on = is_today && filter.after === null ? findStillOn(snapshot, filter, lang) : null;
  return {
    structured: {
      data: cards.map((card) => toWire(card, lang, context)),
      ...(places && { open_places: toPublicOpenPlaces(places, lang, site) }),
      ...(is_today && { still_on: (still_on ?? []).map((card) => toWire(card, lang, context)) }),
      ...(facts && { day: toPublicDay(facts, lang) }),
      meta,
    },
    text: toEventListText(
      { cards, still_on: still_on ?? [], places: places ?? [], facts, next, said },
      filter,
      lang,
      context,
    ),
    lang,
    next_cursor: next && formatCursor(next),
  };
}

/** A tool for the days that `fixed` says, which it then does not ask for. */
const toListTool = (
  name: Tool['name'],
  names: readonly string[],
  fixed: Readonly<Record<string, string>>,
  schema: v.GenericSchema = EventListResponse,
): Tool => ({
  name,
  annotations: READ_ONLY,
  toInputSchema: (taxonomy) => toFilterSchema(names, taxonomy),
  toOutputSchema: () => toResultSchema(schema),
  response: (args, context) => listEvents(args, names, fixed, context),
});

/** Events by day, place, price, kind and words. */
export const buscarEventos = toListTool('buscar_eventos', LIST_ARGUMENTS, {});

/** Today in Cancún, whatever day it is where the model runs, with the day itself and the places that are open. */
export const eventosHoy = toListTool(
  'eventos_hoy',
  FIXED_DAY_ARGUMENTS,
  { date: 'today' },
  v.strictObject({
    ...EventListResponse.entries,
    open_places: v.array(PublicOpenPlaceSchema),
    still_on: EventListResponse.entries.data,
    day: PublicDaySchema,
  }),
);

/** Friday to Sunday, from today on those days. */
export const eventosFinDeSemana = toListTool('eventos_fin_de_semana', FIXED_DAY_ARGUMENTS, {
  date: 'weekend',
});
