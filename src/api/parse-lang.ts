// The parameters of operations that take `lang` alone (interface 4).
import { AppError } from '../domain/app-error.ts';
import type { Lang } from '../domain/lang.ts';
import { readLang } from '../domain/filters/lang.ts';
import { parseParameters } from '../http/parameters.ts';

/**
 * The language of a question that takes no other parameter. Throws AppError invalid_parameter that
 * names all faults.
 */
export function parseLang(query: string): Lang {
  const issues: string[] = [];
  const lang = readLang(parseParameters(query, ['lang'], issues), issues);
  if (issues.length > 0) throw new AppError('invalid_parameter', issues.join('; '));
  return lang;
}
