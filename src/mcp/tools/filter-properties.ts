// The arguments of the tools that list events, as JSON Schema: REST's rules, in as few words as a
// model needs, and the keys of categories and zones once (contract 13.4, 13.10).
import {
  EVENT_PARAMETERS,
  LIMITS,
  type ParameterSchema,
  RADIUS_KM,
  TOOL_PARAMETER_NAMES,
  type ToolParameterName,
} from '../../domain/query/parameters.ts';
import { TAXON_FILTERS } from '../../domain/query/event-query.ts';
import { DATE_WORDS, MAX_RANGE_DAYS } from '../../domain/query/days.ts';
import { LANGS } from '../../domain/lang.ts';
import type { TaxonRecord, Taxonomy } from '../../domain/taxon.ts';
import { type ObjectSchema, toProperty } from './tool.ts';

/** How many events a list has where nobody says how many. */
export const DEFAULT_LIMIT = 10;

/** What each means, where it is explained: in the tool that takes all of them. */
const WORDS: Readonly<Record<ToolParameterName, string>> = {
  date: `${DATE_WORDS.join(', ')}, a weekday (sábado, saturday) or YYYY-MM-DD, in Cancún. Not with from or to.`,
  from: 'First day, YYYY-MM-DD.',
  to: `Last day; at most ${MAX_RANGE_DAYS} days.`,
  category: 'Key, slug or name; several with commas.',
  zone: 'The same.',
  free: 'An unknown price is not free.',
  family: '',
  indoor: 'Under a roof.',
  near: 'lat,lng: within radius_km.',
  radius_km: '',
  lang: 'Language of the person who asks.',
  q: 'Words of title, subject, place or organizer; all must match.',
  updated_since: 'Changed since this day or instant.',
  limit: '',
  cursor: 'next_cursor; repeat the other arguments.',
};

/** `live-music (musica-en-vivo)`: the key and its slugs. */
function toChoices(taxa: readonly TaxonRecord[]): string {
  return taxa
    .map(({ key, slug }) => {
      const others = [...new Set(LANGS.map((lang) => slug[lang]))].filter((name) => name !== key);
      return others.length === 0 ? key : `${key} (${others.join(', ')})`;
    })
    .join('; ');
}

/** What a list of days of one's choice takes: each argument explained. */
export function toExplainedSchema(taxonomy: Taxonomy): ObjectSchema {
  const choices = new Map<string, string>(
    TAXON_FILTERS.map(({ name, list }) => [name, ` Keys (slugs): ${toChoices(taxonomy[list])}.`]),
  );
  return toSchema((name) => `${WORDS[name]}${choices.get(name) ?? ''}`);
}

/** What others take of these: by name and type, explained there. */
export function toNamedSchema(names: readonly string[]): ObjectSchema {
  const { properties, ...schema } = toSchema((name) => (names.includes(name) ? '' : null));
  const typed = Object.entries(Object(properties)).map(([name, property]) => {
    const { type, enum: choices, default: usual } = Object(property);
    return [name, { type, ...(choices && { enum: choices }), ...(usual && { default: usual }) }];
  });
  return { ...schema, properties: Object.fromEntries(typed) };
}

/** What a tool takes otherwise than REST: fewer events at first, a point with a space in it. */
const OWN_SCHEMAS: Readonly<Partial<Record<ToolParameterName, ParameterSchema>>> = {
  limit: { type: 'integer', minimum: 1, maximum: LIMITS.list.max, default: DEFAULT_LIMIT },
  near: { type: 'string' },
  radius_km: { type: 'number', maximum: RADIUS_KM.max, default: RADIUS_KM.fallback },
};

/** `toWords` gives null for what is not taken. */
function toSchema(toWords: (name: ToolParameterName) => string | null): ObjectSchema {
  const described = TOOL_PARAMETER_NAMES.flatMap((name) => {
    const words = toWords(name);
    const parameter = EVENT_PARAMETERS.find((each) => each.name === name);
    if (words === null || parameter === undefined) return [];
    const schema = OWN_SCHEMAS[name] ?? parameter.schema;
    return [[parameter.name, toProperty({ ...parameter, schema, description: words })] as const];
  });
  const cursor = toProperty({
    name: 'cursor',
    schema: { type: 'string' },
    description: toWords('cursor') ?? '',
  });
  return {
    type: 'object',
    properties: { ...Object.fromEntries(described), cursor },
    additionalProperties: false,
  };
}
