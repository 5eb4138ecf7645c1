// The parameters of every operation, for `#/components/parameters` (contract 7.1, 8).
import type { ApiExamples } from '../../domain/api-guide.ts';
import type { ParameterDescription } from '../../domain/filters/filter.ts';
import { EVENT_PARAMETERS } from '../../domain/filters/filters.ts';
import { CHANGES_LIMIT_PARAMETER, KIND, SINCE } from '../../domain/filters/changes-query.ts';
import { INCLUDE } from '../../domain/filters/include.ts';
import { FEED_LIMIT } from '../../domain/filters/limit.ts';
import { zone } from '../../domain/filters/zone.ts';
import type { Lang } from '../../domain/lang.ts';
import { NOTICE_DATE, NOTICE_TYPE } from '../../domain/filters/notice-query.ts';
import { OPEN_ON } from '../../domain/filters/place-query.ts';
import { describeEventParameters, toParameterWords } from '../../i18n/parameter-words.ts';
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
  example,
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
      describeEventParameters(lang).map((parameter) => {
        const { name } = parameter;
        const example =
          name === 'venue' || name === 'organizer' ? examples[name] : parameter.example;
        return [name, inQuery({ ...parameter, example })];
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
    limit_ics: inQuery({ ...FEED_LIMIT, description: toParameterWords('limit_ics', lang) }),
    cursor: {
      name: 'cursor',
      in: 'query',
      description: toParameterWords('cursor', lang),
      schema: { type: 'string' },
    },
    include: inQuery({ ...INCLUDE, description: toParameterWords('include', lang) }),
    since: inQuery({ ...SINCE, description: toParameterWords('since', lang) }),
    kind: inQuery({ ...KIND, description: toParameterWords('kind', lang) }),
    changes_limit: inQuery({
      ...CHANGES_LIMIT_PARAMETER,
      description: toParameterWords('changes_limit', lang),
    }),
    changes_cursor: {
      name: 'cursor',
      in: 'query',
      description: toParameterWords('changes_cursor', lang),
      schema: { type: 'string' },
    },
    notice_date: inQuery({ ...NOTICE_DATE, description: toParameterWords('notice_date', lang) }),
    ...Object.fromEntries(
      zone.parameters.map((parameter) => [
        'notice_zone',
        inQuery({ ...parameter, description: toParameterWords('notice_zone', lang) }),
      ]),
    ),
    notice_type: inQuery({ ...NOTICE_TYPE, description: toParameterWords('notice_type', lang) }),
    open_on: inQuery({ ...OPEN_ON, description: toParameterWords('open_on', lang) }),
    event_date: inQuery({
      name: 'date',
      description: toParameterWords('event_date', lang),
      schema: { anyOf: NOTICE_DATE.schema.anyOf },
      example: '2026-11-21',
    }),
    day_date: {
      ...inPath('date', toParameterWords('day_date', lang), NOTICE_DATE.example),
      schema: { anyOf: NOTICE_DATE.schema.anyOf },
    },
    idOrSlug: inPath('idOrSlug', toParameterWords('idOrSlug', lang), examples.event),
    venue_slug: inPath('slug', toParameterWords('venue_slug', lang), examples.venue),
    organizer_slug: inPath('slug', toParameterWords('organizer_slug', lang), examples.organizer),
  };
}

export const parameterRef = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });
