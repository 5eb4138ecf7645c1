// What readers are to be told of a cancellation or postponement, as an editor typed it.
import { byLang, type LocalText } from '../../domain/lang.ts';

/** By language; empty where nothing was typed. */
export const readNote = (fields: Readonly<Record<string, string>>): LocalText =>
  byLang((lang) => fields[`note_${lang}`] ?? '');
