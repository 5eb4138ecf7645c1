// The one argument that every reading tool takes.
import { LANGS } from '../../domain/lang.ts';

export const LANG_PROPERTY = {
  type: 'string',
  enum: LANGS,
  default: 'es',
  description:
    'Language of titles, summaries and canonical addresses: that of the person who asks.',
} as const;
