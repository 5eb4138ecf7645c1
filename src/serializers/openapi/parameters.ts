// The parameters of every operation, for `#/components/parameters` (interface 4).
import { EVENT_PARAMETERS, type ParameterDescription } from '../../domain/event-parameters.ts';
import { LIMITS } from '../../domain/event-query.ts';
import { NOTICE_DATE_WORDS } from '../../domain/notice-query.ts';
import type { Json } from './schemas.ts';

const inQuery = ({ name, description, schema, example }: ParameterDescription): Json => ({ name, in: 'query', required: false, description, schema, example });

const inPath = (name: string, description: string, example: string): Json => ({ name, in: 'path', required: true, description, schema: { type: 'string', minLength: 1 }, example });

const LIMIT_ICS = {
  name: 'limit', example: 100,
  description: 'Most occurrences to answer with. Where there are more, the description of the calendar says so.',
  schema: { type: 'integer', minimum: 1, maximum: LIMITS.feed.max, default: LIMITS.feed.fallback },
};

const CURSOR = {
  name: 'cursor', in: 'query', required: false, schema: { type: 'string' },
  description: 'Where the list goes on. Opaque: take the whole address from the Link header with rel="next" and do not put one together.',
};

const NOTICE_DATE = {
  name: 'date', example: 'today',
  description: `The day, in Cancún time: ${NOTICE_DATE_WORDS.join(', ')} or YYYY-MM-DD. Without it, today.`,
  schema: { anyOf: [{ type: 'string', enum: NOTICE_DATE_WORDS }, { type: 'string', format: 'date' }], default: 'today' },
};

/** Identifiers that this very service answers, for the examples of the paths. */
export interface PathExamples {
  readonly event: string;
  readonly venue: string;
  readonly organizer: string;
}

/** All parameters by the name they are referred to. */
export function toParameters(paths: PathExamples): Readonly<Record<string, Json>> {
  return {
    ...Object.fromEntries(EVENT_PARAMETERS.map((parameter) => [parameter.name, inQuery(parameter)])),
    limit_ics: inQuery(LIMIT_ICS),
    cursor: CURSOR,
    notice_date: inQuery(NOTICE_DATE),
    idOrSlug: inPath('idOrSlug', 'Event id, or slug in Spanish or English; a slug it had before does as well.', paths.event),
    venue_slug: inPath('slug', 'Venue slug in Spanish or English; a slug it had before or its id does as well.', paths.venue),
    organizer_slug: inPath('slug', 'Organizer slug in Spanish or English; a slug it had before or its id does as well.', paths.organizer),
  };
}

export const parameterRef = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });

/** References to the shared filters, with the limit of lists or that of feeds. */
export function toFilterRefs(kind: 'list' | 'feed'): Json[] {
  return EVENT_PARAMETERS.map(({ name }) => parameterRef(name === 'limit' && kind === 'feed' ? 'limit_ics' : name));
}
