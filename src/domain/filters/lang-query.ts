// The language of a question that takes little else (interface 4).
import * as v from 'valibot';
import { LangSchema } from './event-query.ts';
import type { Lang } from '../lang.ts';

/** The language asked for, `es` where none is; its fault is pushed. */
export function readLang(params: Readonly<Record<string, string>>, issues: string[]): Lang {
  const result = v.safeParse(LangSchema, params.lang);
  if (result.success) return result.output;
  issues.push(...result.issues.map((issue) => issue.message));
  return 'es';
}
