// The parameters of every operation, for `#/components/parameters` (contract 7.1, 8).
import type { ApiExamples } from '../../domain/docs.ts';
import type { Lang } from '../../domain/lang.ts';
import {
  EVENT_PARAMETERS,
  ONE_DAY,
  OTHER_PARAMETERS,
  type ParameterDescription,
} from '../../domain/query/parameters.ts';
import { type ParameterName, toParameterWords } from '../../i18n/query-words.ts';

export interface ParameterComponent extends ParameterDescription {
  readonly in: 'query' | 'path';
  readonly required?: true;
}

type Undescribed = Omit<ParameterDescription, 'description'>;
/** By the name they are referred to, which is that of their words. */
type Named = readonly (readonly [ParameterName, Undescribed])[];

/** Those of events that mean a little else in a list of places; their words are `param.place_<name>`. */
export const PLACE_PARAMETERS = ['q', 'category', 'free', 'near', 'limit'] as const;

/** `examples`: slugs of things that exist. */
export function listParameters(
  examples: Pick<ApiExamples, 'event' | 'venue' | 'organizer'>,
  lang: Lang,
): Readonly<Record<string, ParameterComponent>> {
  const in_query: Named = [
    ...EVENT_PARAMETERS.map((parameter) => {
      const { name } = parameter;
      const example = name === 'venue' || name === 'organizer' ? examples[name] : parameter.example;
      return [name, { ...parameter, example }] as const;
    }),
    ...PLACE_PARAMETERS.flatMap((name) =>
      EVENT_PARAMETERS.filter((parameter) => parameter.name === name).map(
        (parameter) => [`place_${name}`, parameter] as const,
      ),
    ),
    ...OTHER_PARAMETERS.map(({ key, ...parameter }) => [key, parameter] as const),
  ];
  const slug = { type: 'string', minLength: 1 };
  const in_path: Named = [
    ['day_date', { name: 'date', schema: ONE_DAY, example: 'today' }],
    ['idOrSlug', { name: 'idOrSlug', schema: slug, example: examples.event }],
    ['venue_slug', { name: 'slug', schema: slug, example: examples.venue }],
    ['organizer_slug', { name: 'slug', schema: slug, example: examples.organizer }],
  ];
  const describe = (parameters: Named, where: Pick<ParameterComponent, 'in' | 'required'>) =>
    parameters.map(([key, { name, schema, example }]) => [
      key,
      {
        name,
        ...where,
        description: toParameterWords(key, lang),
        schema,
        ...(example !== undefined && { example }),
      },
    ]);
  return Object.fromEntries([
    ...describe(in_query, { in: 'query' }),
    ...describe(in_path, { in: 'path', required: true }),
  ]);
}
