// The parameters of every operation, for `#/components/parameters` (contract 7.1, 8).
import type { ApiExamples } from '../../domain/api-guide.ts';
import {
  EVENT_PARAMETERS,
  ONE_DAY,
  OTHER_PARAMETERS,
  type ParameterDescription,
} from '../../domain/query/parameters.ts';
import type { Lang } from '../../domain/lang.ts';
import { toParameterWords } from '../../i18n/query-words.ts';
import type { Json } from './schemas.ts';

/** One parameter as OpenAPI writes it. */
export interface ParameterComponent extends Json {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly example?: string | number | boolean;
}
/** By the name they are referred to. */
export type ParameterComponents = Readonly<Record<string, ParameterComponent>>;

const inQuery = ({
  name,
  description,
  schema,
  example,
}: ParameterDescription): ParameterComponent => ({
  name,
  in: 'query',
  description,
  schema,
  ...(example !== undefined && { example }),
});

const inPath = (name: string, description: string, example: string): ParameterComponent => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', minLength: 1 },
  example,
});

/** Those of events that mean a little else in a list of places; their words are `param.place_<name>`. */
export const PLACE_PARAMETERS = ['q', 'category', 'free', 'near', 'limit'] as const;

/** Things that exist, by their slug. */
type Paths = Pick<ApiExamples, 'event' | 'venue' | 'organizer'>;

/** All parameters by the name they are referred to. */
export function toParameterComponents(examples: Paths, lang: Lang): ParameterComponents {
  return {
    ...Object.fromEntries(
      EVENT_PARAMETERS.map(({ name, schema, example: usual }) => {
        const example = name === 'venue' || name === 'organizer' ? examples[name] : usual;
        const description = toParameterWords(name, lang);
        return [name, inQuery({ name, description, schema, example })];
      }),
    ),
    ...Object.fromEntries(
      PLACE_PARAMETERS.flatMap((name) =>
        EVENT_PARAMETERS.filter((parameter) => parameter.name === name).map((parameter) => [
          `place_${name}`,
          inQuery({ ...parameter, description: toParameterWords(`place_${name}`, lang) }),
        ]),
      ),
    ),
    ...Object.fromEntries(
      OTHER_PARAMETERS.map(({ key, ...parameter }) => [
        key,
        inQuery({ ...parameter, description: toParameterWords(key, lang) }),
      ]),
    ),
    day_date: { ...inPath('date', toParameterWords('day_date', lang), 'today'), schema: ONE_DAY },
    idOrSlug: inPath('idOrSlug', toParameterWords('idOrSlug', lang), examples.event),
    venue_slug: inPath('slug', toParameterWords('venue_slug', lang), examples.venue),
    organizer_slug: inPath('slug', toParameterWords('organizer_slug', lang), examples.organizer),
  };
}

export const parameterRef = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });
