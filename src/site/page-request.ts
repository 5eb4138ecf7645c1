// What a path of the site asks for. The prebuilt pages ask by their folder; everything else is read
// here.
import { AGENDA_WORDS, resolveAgendaWord, toAgendaRange } from '../domain/agenda-words.ts';
import { parseDay, toCancunDay } from '../domain/cancun-time.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import { PAGE_PATHS, SECTION_PATHS, toVariantFolder } from '../i18n/paths.ts';
import type { AgendaRequest } from './agenda.ts';

/** The things that have a page each, found by slug. */
export const THING_KINDS = ['event', 'venue', 'organizer', 'category', 'zone'] as const;
export type ThingKind = (typeof THING_KINDS)[number];

/** One thing by a slug, an older slug or an id, as it stands in the path. */
export interface ThingRequest<K extends ThingKind> {
  readonly kind: K;
  readonly lang: Lang;
  readonly slug: string;
}

/** All that a page may be asked. */
export type PageRequest =
  | AgendaRequest
  | ThingRequest<'event'>
  | ThingRequest<'venue'>
  | ThingRequest<'organizer'>
  | ThingRequest<'category'>
  | ThingRequest<'zone'>;

/**
 * The agenda of one of the prebuilt variants: `folder` is `_hoy`, `day` its first day. Null where
 * there is none such.
 */
export function toAliasRequest(folder: string, day: string): PageRequest | null {
  const from = parseDay(day);
  for (const lang of LANGS) {
    const agenda = AGENDA_WORDS.find((word) => toVariantFolder(PAGE_PATHS[word][lang]) === folder);
    if (from && agenda) return { kind: 'agenda', lang, agenda, range: toAgendaRange(agenda, from) };
  }
  return null;
}

/** The agenda of one day; null for a day that does not exist. */
export function toDayRequest(day: string, lang: Lang): PageRequest | null {
  const from = parseDay(day);
  return from && { kind: 'agenda', lang, agenda: 'day', range: { from, to: from } };
}

/**
 * What a path, without `.md`, asks; `now_ms` resolves `/hoy` and its like. Null for nothing we
 * have.
 */
export function parsePagePath(path: string, now_ms: number): PageRequest | null {
  for (const lang of LANGS) {
    const agenda = AGENDA_WORDS.find((word) => PAGE_PATHS[word][lang] === path);
    const range = agenda && resolveAgendaWord(agenda, toCancunDay(now_ms));
    if (agenda && range) return { kind: 'agenda', lang, agenda, range };
  }
  const [, folder = '', last = ''] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
  for (const lang of LANGS) {
    if (SECTION_PATHS.day[lang] === folder) return toDayRequest(last, lang);
    const kind = THING_KINDS.find((section) => SECTION_PATHS[section][lang] === folder);
    if (kind) return { kind, lang, slug: last };
  }
  return toAliasRequest(folder.slice(1), last);
}

/** The language of a path, for pages that have no answer. */
export const toPathLang = (path: string): Lang =>
  path === '/en' || path.startsWith('/en/') ? 'en' : 'es';
