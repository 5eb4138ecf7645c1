// The shared filters of the three tools that list events: their schema, and the list itself.
import type { EventCard } from '../../domain/agenda.ts';
import { date } from '../../domain/filters/date.ts';
import { LIST_PARAMETER_NAMES, TAXON_FILTERS } from '../../domain/filters/filters.ts';
import { formatCursor } from '../../domain/filters/cursor.ts';
import { parseEventQuery } from '../../domain/filters/event-query.ts';
import type { Lang } from '../../domain/lang.ts';
import type { TaxonRecord, Taxonomy } from '../../domain/taxon.ts';
import { describeEventParameters } from '../../i18n/parameter-words.ts';
import { toListMeta, toMeta } from '../../serializers/wire/meta.ts';
import { type PublicEvent, toEventFields, toNextFields } from '../../serializers/wire/event.ts';
import { findEvents } from '../../snapshot/find-events.ts';
import { toParameters } from '../arguments.ts';
import type { McpContext } from '../context.ts';
import { toEventListText } from '../text/event-list.ts';
import { createCache } from '../text/cache.ts';
import { toProperty } from './schemas.ts';
import type { ObjectSchema, ToolResult } from './tool.ts';

/** What every list takes. */
export const LIST_ARGUMENTS = LIST_PARAMETER_NAMES;
/** What a list of fixed days takes. */
export const FIXED_DAY_ARGUMENTS = LIST_ARGUMENTS.filter(
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
      const others = [...new Set([slug.es, slug.en])].filter((name) => name !== key);
      return others.length === 0 ? key : `${key} (${others.join(', ')})`;
    })
    .join('; ');
}

/** The schema of some of the shared filters, with the complete list of keys and slugs. */
export function toFilterSchema(names: readonly string[], taxonomy: Taxonomy): ObjectSchema {
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
const pickFields = createCache<Omit<PublicEvent, 'next' | 'more_dates'>>(2_000);

function toWire(card: EventCard, lang: Lang, { snapshot, site }: McpContext): PublicEvent {
  const fields = pickFields(snapshot, `${lang} ${site.url} ${card.event.id}`, () =>
    toEventFields(card, lang, site),
  );
  return { ...fields, ...toNextFields(card, lang) };
}

/**
 * The list that arguments ask for; `fixed` are the days that a tool stands for. Throws AppError
 * invalid_parameter.
 */
export function listEvents(
  args: Readonly<Record<string, unknown>>,
  names: readonly string[],
  fixed: Readonly<Record<string, string>>,
  context: McpContext,
): ToolResult {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = { ...toParameters(args, names, issues), ...fixed };
  const { filter, lang } = parseEventQuery(params, snapshot.taxonomy, now_ms, 'list', issues);
  const { cards, next } = findEvents(snapshot, filter, lang);
  const meta = toListMeta(toMeta(snapshot.generated_at, lang, site), cards.length, filter.range);
  return {
    structured: { data: cards.map((card) => toWire(card, lang, context)), meta },
    text: toEventListText(cards, next, filter, lang, context),
    next_cursor: next && formatCursor(next),
  };
}
