// How many items a response has at most: events in a list, occurrences in a feed (contract 7.1).
import * as v from 'valibot';
import { type Parameter, type QueryPart, readText } from './filter.ts';

export const LIMITS = {
  list: { max: 200, fallback: 50 },
  feed: { max: 1000, fallback: 1000 },
} as const;
type Kind = keyof typeof LIMITS;

const toSchema = (kind: Kind) =>
  v.pipe(
    v.string(),
    v.check(
      (text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= LIMITS[kind].max,
      (i) =>
        `limit: '${i.input}' is not accepted. Use a whole number from 1 to ${LIMITS[kind].max}`,
    ),
    v.transform(Number),
  );
const SCHEMAS = { list: toSchema('list'), feed: toSchema('feed') } as const;

const toParameter = (kind: Kind, example: number): Parameter<'limit'> => ({
  name: 'limit',
  other_names: ['limite', 'maximo', 'per_page', 'page_size'],
  schema: {
    type: 'integer',
    minimum: 1,
    maximum: LIMITS[kind].max,
    default: LIMITS[kind].fallback,
  },
  example,
});

/** `limit` as a feed takes it. */
export const FEED_LIMIT = toParameter('feed', 100);

/** `limit`, described as a list takes it. */
export const limit: QueryPart<'limit', { readonly limit: number }> = {
  parameters: [toParameter('list', 20)],
  read: (params, { kind, issues }) => ({
    limit: readText<number>(SCHEMAS[kind], params.limit, LIMITS[kind].fallback, issues.form),
  }),
};
