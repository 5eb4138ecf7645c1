// API parameters: builds the parameter components of the OpenAPI document
// (`#/components/parameters`), to which the operations refer by key (contract 7.1, 8).
import type { ApiExamples } from '../../domain/docs-pages.ts';
import type { Lang } from '../../domain/lang.ts';
import {
  LIST_PARAMETERS,
  DAY_PARAMETER_SCHEMA,
  OTHER_PARAMETERS,
  type ParameterDescription,
} from '../../domain/query/parameters.ts';
import { type ParameterName, formatParameterDescription } from '../../i18n/format-query.ts';

/** A parameter as OpenAPI describes it. */
export interface ParameterComponent extends ParameterDescription {
  readonly in: 'query' | 'path';
  readonly required?: true;
}

/** A parameter before its description is added. */
interface ParameterRow extends Pick<ParameterDescription, 'name' | 'schema'> {
  /** Component name, and part of the i18n key of its description. */
  readonly key: ParameterName;
  readonly example?: ParameterDescription['example'] | undefined;
}

/**
 * Event parameters with a separate description, `param.place_<name>`, for lists of venues and
 * organizers.
 */
export const DIRECTORY_PARAMETERS = ['q', 'category', 'free', 'near'] as const;

/**
 * Builds the parameter components.
 * @param examples Slugs of existing records; undefined or null ones give a parameter without an
 * example.
 */
export function buildParameterComponents(
  examples: Pick<ApiExamples, 'event' | 'venue' | 'organizer' | 'notice'>,
  lang: Lang,
): Readonly<Record<string, ParameterComponent>> {
  const in_query: readonly ParameterRow[] = [
    ...LIST_PARAMETERS.map((row) => {
      const { name, example } = row;
      const has_real_slug = name === 'venue' || name === 'organizer';
      return { ...row, key: name, example: has_real_slug ? examples[name] : example };
    }),
    ...DIRECTORY_PARAMETERS.flatMap((name) =>
      LIST_PARAMETERS.filter((row) => row.name === name).map(
        (row) => ({ ...row, key: `place_${name}` }) as const,
      ),
    ),
    ...OTHER_PARAMETERS,
  ];
  const slug_schema = { type: 'string', minLength: 1 };
  const in_path: readonly ParameterRow[] = [
    { key: 'day_date', name: 'date', schema: DAY_PARAMETER_SCHEMA, example: 'today' },
    { key: 'idOrSlug', name: 'idOrSlug', schema: slug_schema, example: examples.event },
    { key: 'venue_slug', name: 'slug', schema: slug_schema, example: examples.venue },
    { key: 'organizer_slug', name: 'slug', schema: slug_schema, example: examples.organizer },
    { key: 'notice_id', name: 'id', schema: slug_schema, example: examples.notice },
  ];
  const createComponents = (
    rows: readonly ParameterRow[],
    location: Pick<ParameterComponent, 'in' | 'required'>,
  ) =>
    rows.map(({ key, name, schema, example }) => [
      key,
      {
        name,
        ...location,
        description: formatParameterDescription(key, lang),
        schema,
        ...(example !== undefined && { example }),
      },
    ]);
  return Object.fromEntries([
    ...createComponents(in_query, { in: 'query' }),
    ...createComponents(in_path, { in: 'path', required: true }),
  ]);
}
