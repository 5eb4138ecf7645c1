// The language of an answer: part of every query (interface 4, lang).
import * as v from 'valibot';
import { type Lang, LANGS } from '../lang.ts';
import { type ParameterTexts, type QueryPart, readText } from './filter.ts';

const LangSchema = v.picklist(LANGS, (i) => `lang: '${i.input}' is not accepted. Use es or en`);

/** The language asked for, `es` where there is none; what is wrong with it is pushed. */
export const readLang = (params: ParameterTexts, issues: string[]): Lang =>
  readText<Lang>(LangSchema, params.lang, 'es', issues);

/** `lang`. */
export const lang: QueryPart<'lang', { readonly lang: Lang }> = {
  parameters: [
    {
      name: 'lang',
      other_names: ['idioma', 'lengua', 'language', 'locale'],
      schema: { type: 'string', enum: LANGS, default: 'es' },
      example: 'en',
    },
  ],
  read: (params, { issues }) => ({ lang: readLang(params, issues.form) }),
};
