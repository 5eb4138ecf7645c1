// API parameters: builds `#/components/parameters` for all operations (contract 7.1, 8).
import type { ApiExamples } from '../../domain/docs-pages.ts';
import type { Lang } from '../../domain/lang.ts';
import {
  LIST_PARAMETERS,
  DAY_PARAMETER_SCHEMA,
  OTHER_PARAMETERS,
  type ParameterDescription,
} from '../../domain/query/parameters.ts';
import { type ParameterName, formatParameterDescription } from '../../i18n/format-query.ts';

export interface ParameterComponent extends ParameterDescription {
  readonly in: 'query' | 'path';
  readonly required?: true;
}

interface ParameterRow extends Pick<ParameterDescription, 'name' | 'schema'> {
  /** Component name, and part of the i18n key of its description. */
  readonly key: ParameterName;
  readonly example?: ParameterDescription['example'] | undefined;
}

/** Event parameters with a separate description, `param.place_<name>`, for lists of venues and organizers. */
export const DIRECTORY_PARAMETERS = ['q', 'category', 'free', 'near', 'limit'] as const;

/**
 * Builds the parameter components.
 * @param examples Slugs of existing records, if any.
 */
export function buildParameterComponents(
  examples: Pick<ApiExamples, 'event' | 'venue' | 'organizer'>,
  lang: Lang,
): Readonly<Record<string, ParameterComponent>> {
  const in_query: readonly ParameterRow[] = [
    ...LIST_PARAMETERS.map((row) => {
      const { name, example } = row;
      const is_thing = name === 'venue' || name === 'organizer';
      return { ...row, key: name, example: is_thing ? examples[name] : example };
    }),
    ...DIRECTORY_PARAMETERS.flatMap((name) =>
      LIST_PARAMETERS.filter((row) => row.name === name).map(
        (row) => ({ ...row, key: `place_${name}` }) as const,
      ),
    ),
    ...OTHER_PARAMETERS,
  ];
  const slug = { type: 'string', minLength: 1 };
  const in_path: readonly ParameterRow[] = [
    { key: 'day_date', name: 'date', schema: DAY_PARAMETER_SCHEMA, example: 'today' },
    { key: 'idOrSlug', name: 'idOrSlug', schema: slug, example: examples.event },
    { key: 'venue_slug', name: 'slug', schema: slug, example: examples.venue },
    { key: 'organizer_slug', name: 'slug', schema: slug, example: examples.organizer },
  ];
  const describe = (
    rows: readonly ParameterRow[],
    where: Pick<ParameterComponent, 'in' | 'required'>,
  ) =>
    rows.map(({ key, name, schema, example }) => [
      key,
      {
        name,
        ...where,
        description: formatParameterDescription(key, lang),
        schema,
        ...(example !== undefined && { example }),
      },
    ]);
  return Object.fromEntries([
    ...describe(in_query, { in: 'query' }),
    ...describe(in_path, { in: 'path', required: true }),
  ]);
}
