// The language of a response: part of every query (contract 7.1).
import * as v from 'valibot';
import { DEFAULT_LANG, type Lang, LANGS } from '../lang.ts';
import { type ParameterTexts, type QueryPart, readText } from './filter.ts';

const LangSchema = v.picklist(
  LANGS,
  (i) => `lang: '${i.input}' is not accepted. Use ${LANGS.join(' or ')}`,
);

/** The language asked for, the default where there is none; what is wrong with it is pushed. */
export const readLang = (params: ParameterTexts, issues: string[]): Lang =>
  readText<Lang>(LangSchema, params.lang, DEFAULT_LANG, issues);

/** `lang`. */
export const lang: QueryPart<'lang', { readonly lang: Lang }> = {
  parameters: [
    {
      name: 'lang',
      other_names: ['idioma', 'lengua', 'language', 'locale'],
      schema: { type: 'string', enum: LANGS, default: DEFAULT_LANG },
      example: 'en',
    },
  ],
  read: (params, { issues }) => ({ lang: readLang(params, issues.form) }),
};
