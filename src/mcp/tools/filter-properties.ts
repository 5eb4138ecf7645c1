// The arguments of the tools that list events, as JSON Schema: REST's rules, in as few words as a
// model needs, and the keys of categories and zones once (contract 13.4, 13.10).
import {
  EVENT_PARAMETERS,
  TAXON_FILTERS,
  TOOL_PARAMETER_NAMES,
  type ToolParameterName,
} from '../../domain/filters/filters.ts';
import { MAX_RANGE_DAYS } from '../../domain/filters/range.ts';
import { DATE_WORDS } from '../../domain/hour-words.ts';
import { LANGS } from '../../domain/lang.ts';
import type { TaxonRecord, Taxonomy } from '../../domain/taxon.ts';
import { type ObjectSchema, toProperty } from './tool.ts';

/** How many events a list has where nobody says how many. */
export const DEFAULT_LIMIT = 10;

/** What each means, where it is explained: in the tool that takes all of them. */
const WORDS: Readonly<Record<ToolParameterName, string>> = {
  date: `${DATE_WORDS.join(', ')} or YYYY-MM-DD, in Cancún. weekend is Friday to Sunday. Not with from or to.`,
  from: 'First day.',
  to: `Last day; at most ${MAX_RANGE_DAYS} days.`,
  category: 'Key or slug; several with commas.',
  zone: 'As category.',
  free: 'Unknown prices are not free.',
  family: '',
  indoor: 'Under a roof.',
  near: 'lat,lng: venues within radius_km.',
  radius_km: '',
  lang: 'Language of the person who asks.',
  q: 'Words of title, subject, place or organizer; all must match.',
  updated_since: 'Only what changed since this day or instant.',
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
    TAXON_FILTERS.map(({ name, taxaOf }) => [
      name,
      ` Keys (slugs): ${toChoices(taxaOf(taxonomy))}.`,
    ]),
  );
  return toSchema((name) => `${WORDS[name]}${choices.get(name) ?? ''}`);
}

/** What a list of fixed days takes: the same by name, explained there. */
export const toNamedSchema = (names: readonly string[]): ObjectSchema =>
  toSchema((name) => (names.includes(name) ? '' : null));

/** `toWords` gives null for what is not taken. */
function toSchema(toWords: (name: ToolParameterName) => string | null): ObjectSchema {
  const described = TOOL_PARAMETER_NAMES.flatMap((name) => {
    const words = toWords(name);
    const parameter = EVENT_PARAMETERS.find((each) => each.name === name);
    if (words === null || parameter === undefined) return [];
    const schema =
      parameter.name === 'limit'
        ? { ...parameter.schema, default: DEFAULT_LIMIT }
        : parameter.schema;
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
