// The parameters of operations that take `lang` and little else (interface 4).
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import { LangSchema } from '../domain/event-query.ts';
import type { Lang } from '../domain/lang.ts';
import { parseParameters } from '../http/parameters.ts';

/** The language asked for, `es` where none is; its fault is pushed. */
export function readLang(params: Readonly<Record<string, string>>, faults: string[]): Lang {
  const result = v.safeParse(LangSchema, params.lang);
  if (result.success) return result.output;
  faults.push(...result.issues.map((issue) => issue.message));
  return 'es';
}

/** Throws AppError invalid_parameter that names all faults; does nothing where there is none. */
export function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new AppError('invalid_parameter', faults.join('; '));
}

/** The language of a question that takes no other parameter. Throws AppError. */
export function parseLang(query: string): Lang {
  const faults: string[] = [];
  const lang = readLang(parseParameters(query, ['lang'], faults), faults);
  refuse(faults);
  return lang;
}
