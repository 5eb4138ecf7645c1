// Every name that means something in the API: the fields of its answers and the parameters of its
// operations, read from the schemas that describe them (contract 7.8).
import { toParameterComponents } from './parameters.ts';
import { toSchemas } from './schemas.ts';

let known: ReadonlySet<string> | undefined;

/**
 * Also a field of a field by both names (`price_min`), and one of a list by its singular (`tag`).
 * An error's own fields are not among them.
 */
export function listKnownNames(): ReadonlySet<string> {
  if (known) return known;
  const { Error: _, ...answers } = toSchemas();
  const parameters = toParameterComponents({ event: '', venue: '', organizer: '' }, 'en');
  known = new Set([
    ...listFields(answers, ''),
    ...Object.values(parameters).map(({ name }) => name),
  ]);
  return known;
}

/** The names of all properties within a JSON Schema; `parent` is that of the field it describes. */
function listFields(schema: unknown, parent: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword !== 'properties') return listFields(value, parent);
    return Object.entries(Object(value)).flatMap(([name, field]) => [
      name,
      ...(parent === '' ? [] : [`${parent}_${name}`]),
      ...(Object(field).type === 'array' ? [name.replace(/s$/, '')] : []),
      ...listFields(field, name),
    ]);
  });
}
