// Which page a path of the site names, and where the pages that the clock decides are prebuilt: /hoy is
// Friday's page until midnight in Cancún, then Saturday's (contract 8.12).
import {
  AGENDA_WORDS,
  type AgendaWord,
  resolveAgendaWord,
  toAgendaRange,
} from '../domain/agenda-words.ts';
import { parseDay, toCancunDay } from '../domain/cancun-time.ts';
import { CORRECTABLE, type Correctable } from '../domain/correction.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import { findToday } from '../domain/today.ts';
import {
  findHomeLang,
  PAGE_PATHS,
  PAGES,
  type PageName,
  SECTION_PATHS,
  SECTIONS,
  type SectionName,
  toCorrectPath,
  toStatusPath,
  toVariantFolder,
} from '../i18n/paths.ts';
import type { AgendaRequest } from './agenda.ts';

/** The things that have a page each, found by slug. */
export type ThingKind = Exclude<SectionName, 'day'>;

/** One thing by a slug, an older slug or an id, as it stands in the path. */
export interface ThingRequest<K extends ThingKind> {
  readonly kind: K;
  readonly lang: Lang;
  readonly slug: string;
}

/** A page that depends on the day and the snapshot alone. */
export type PageRequest =
  | AgendaRequest
  | ThingRequest<'event'>
  | ThingRequest<'venue'>
  | ThingRequest<'organizer'>
  | ThingRequest<'category'>
  | ThingRequest<'zone'>;

/** A page that also depends on the query or on what a visitor sends. */
export type VisitRequest =
  | { readonly kind: 'home' | 'calendar' | 'submit'; readonly lang: Lang }
  | { readonly kind: 'status'; readonly lang: Lang; readonly token: string }
  | CorrectRequest;

/** The form by which a reader corrects one thing. */
export interface CorrectRequest {
  readonly kind: 'correct';
  readonly lang: Lang;
  readonly about: Correctable;
  readonly id: string;
}

interface Named<N> {
  readonly name: N;
  readonly lang: Lang;
}

/** Names and languages, by what stands in the paths. */
function indexPaths<N>(
  names: readonly N[],
  toPath: (name: N, lang: Lang) => string,
): ReadonlyMap<string, Named<N>> {
  return new Map(
    names.flatMap((name) => LANGS.map((lang) => [toPath(name, lang), { name, lang }] as const)),
  );
}

const PAGES_BY_PATH = indexPaths<PageName>(PAGES, (page, lang) => PAGE_PATHS[page][lang]);
const SECTIONS_BY_PATH = indexPaths<SectionName>(
  SECTIONS,
  (name, lang) => SECTION_PATHS[name][lang],
);
const WORDS_BY_PATH = indexPaths(AGENDA_WORDS, (word, lang) => PAGE_PATHS[word][lang]);
const WORDS_BY_FOLDER = indexPaths(
  AGENDA_WORDS,
  (word, lang) => `/${toVariantFolder(PAGE_PATHS[word][lang])}`,
);

/**
 * The page that a path names, without `.md`; `now_ms` resolves `/hoy` and its like. Null for a page
 * that no release has.
 */
export function parsePagePath(path: string, now_ms: number): PageRequest | null {
  const agenda = WORDS_BY_PATH.get(path);
  const range = agenda && resolveAgendaWord(agenda.name, toCancunDay(now_ms));
  if (agenda && range) return { kind: 'agenda', lang: agenda.lang, agenda: agenda.name, range };
  const [, folder = '', last = ''] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
  const section = SECTIONS_BY_PATH.get(folder);
  if (section === undefined) return toVariantRequest(WORDS_BY_FOLDER.get(folder), last);
  const { name, lang } = section;
  return name === 'day' ? toDayRequest(last, lang) : { kind: name, lang, slug: last };
}

/** The agenda of one day; null for a day that does not exist. */
function toDayRequest(day: string, lang: Lang): PageRequest | null {
  const from = parseDay(day);
  return from && { kind: 'agenda', lang, agenda: 'day', range: { from, to: from } };
}

/** The agenda of a prebuilt variant: `/_hoy/2026-11-21` by its word and its first day. */
function toVariantRequest(word: Named<AgendaWord> | undefined, day: string): PageRequest | null {
  const from = parseDay(day);
  if (word === undefined || from === null) return null;
  const { name, lang } = word;
  return { kind: 'agenda', lang, agenda: name, range: toAgendaRange(name, from) };
}

/** The page of a path that depends on the visit; null for all other paths. */
export function parseVisitPath(path: string): VisitRequest | null {
  const home = findHomeLang(path);
  if (home) return { kind: 'home', lang: home };
  const page = PAGES_BY_PATH.get(path);
  if (page?.name === 'calendar' || page?.name === 'submit')
    return { kind: page.name, lang: page.lang };
  const lang = LANGS.find((known) => path.startsWith(toStatusPath('', known)));
  const token = lang && path.slice(toStatusPath('', lang).length);
  if (lang && token && !token.includes('/')) return { kind: 'status', lang, token };
  return parseCorrectPath(path);
}

const CORRECT_BY_FOLDER = indexPaths<Correctable>(CORRECTABLE, (kind, lang) =>
  toCorrectPath(kind, '', lang),
);

function parseCorrectPath(path: string): CorrectRequest | null {
  const cut = path.lastIndexOf('/') + 1;
  const found = CORRECT_BY_FOLDER.get(path.slice(0, cut));
  const id = path.slice(cut);
  return found && id !== '' ? { kind: 'correct', lang: found.lang, about: found.name, id } : null;
}

/**
 * Where the page of an agenda's word is prebuilt for an instant: `/hoy` at `/_hoy/2026-11-21`, by
 * the first day of its range. With `.md` its Markdown alternate. Null where the path is no such page.
 */
export function resolveAlias(path: string, now_ms: number): string | null {
  const suffix = path.endsWith('.md') ? '.md' : '';
  const page_path = suffix === '' ? path : path.slice(0, -suffix.length);
  const word = WORDS_BY_PATH.get(page_path);
  if (word === undefined) return null;
  const today = findToday(now_ms);
  const day = today.first_days.get(word.name) ?? today.day;
  return `/${toVariantFolder(page_path)}/${day}${suffix}`;
}
