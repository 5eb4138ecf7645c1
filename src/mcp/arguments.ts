// A tool's arguments as the parameters REST reads: texts by name, each once, so that both refuse
// with the same sentences.
import { findNearName } from '../domain/query/parameters.ts';
import { toLine } from '../serializers/plain-text.ts';

/** Longer texts are no argument of a query; a URL could not carry them either. */
const MAX_LENGTH = 2000;
const MAX_NAME_LENGTH = 40;

/**
 * `true` and `20` are taken as `'true'` and `'20'`, for models write JSON; undefined where the
 * value is none of these.
 */
function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/**
 * The known arguments as texts; null and empty ones are left out, as REST does. Pushed as `name:
 * sentence`: an unknown name (for unlike a calendar client a model can mend it), a list or object
 * where one value is meant.
 */
export function readArguments(
  args: Readonly<Record<string, unknown>>,
  known: readonly string[],
  issues: string[],
  max_length: number = MAX_LENGTH,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(args)) {
    if (!known.includes(name)) {
      issues.push(
        `${toLine(name).slice(0, MAX_NAME_LENGTH)}: is not a parameter. Use ${toMeant(name, known)}`,
      );
      continue;
    }
    if (value === null || value === undefined || value === '') continue;
    const text = toText(value);
    if (text === undefined)
      issues.push(
        `${name}: is a list or an object. Give one text; where several are accepted, part them with commas`,
      );
    else if (text.length > max_length)
      issues.push(`${name}: has ${text.length} characters. At most ${max_length} are accepted`);
    else found[name] = text;
  }
  return found;
}

function toMeant(name: string, known: readonly string[]): string {
  const meant = name.length <= MAX_NAME_LENGTH ? findNearName(name, known) : null;
  return meant === null ? known.join(', ') : `'${meant}'`;
}
