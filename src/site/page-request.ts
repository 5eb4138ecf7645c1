// Which page a path of the site names, and where the pages that the clock decides are prebuilt: /hoy is
// Friday's page until midnight in Cancún, then Saturday's (contract 8.12).
import type { Temporal } from 'temporal-polyfill';
import {
  type AgendaKind,
  AGENDA_WORDS,
  toAgendaRange,
  toFirstDays,
} from '../domain/agenda-words.ts';
import { type DayRange, parseDay, toCancunDay } from '../domain/cancun-time.ts';
import { CORRECTABLE, type Correctable } from '../domain/correction.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import { findToday } from '../domain/today.ts';
import {
  DIRECTORIES,
  type DirectoryName,
  findHomeLang,
  type GuideName,
  GUIDES,
  PAGE_PATHS,
  PAGES,
  type PageName,
  SECTION_PATHS,
  SECTIONS,
  type SectionName,
  toBatchPath,
  toCorrectPath,
  toDayPath,
  toDirectoryPath,
  toJumpPath,
  toOfflinePath,
  toMarkdownPath,
  toStatusPath,
  toVariantFolder,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';

/** The things that have a page each, found by slug. */
export type ThingKind = Exclude<SectionName, 'day'>;

/** Which days, and by which word they are requested. */
export interface AgendaRequest {
  readonly kind: 'agenda';
  readonly lang: Lang;
  readonly agenda: AgendaKind;
  readonly range: DayRange;
  /** Whether it is told by the hour where it begins today, and so made again each minute. */
  readonly by_hour: boolean;
}

/** All things of a kind. */
export interface DirectoryRequest {
  readonly kind: 'directory';
  readonly lang: Lang;
  readonly section: DirectoryName;
}

/** The page of all dates of one event, by its slug, an older one or its id. */
export interface DatesRequest {
  readonly kind: 'dates';
  readonly lang: Lang;
  readonly slug: string;
}

/** One of them in one language. */
export interface GuideRequest {
  readonly kind: 'guide';
  readonly guide: GuideName;
  readonly lang: Lang;
}

/** One thing by a slug, an older slug or an id, as it stands in the path. */
export interface ThingRequest<K extends ThingKind> {
  readonly kind: K;
  readonly lang: Lang;
  readonly slug: string;
}

/** The notices of a day. */
export interface NoticesRequest {
  readonly kind: 'notices';
  readonly lang: Lang;
  readonly day: Temporal.PlainDate;
}

/** The pages that the clock decides. */
export const CLOCK_PAGES = [...AGENDA_WORDS, 'notices'] as const;
type ClockPage = (typeof CLOCK_PAGES)[number];

/** The pages that exist once, whatever the day. */
const SINGLES = ['search', 'map', 'changes', 'docs', 'data'] as const;

/** One of them that takes nothing but its language. */
interface SingleRequest {
  readonly kind: (typeof SINGLES)[number];
  readonly lang: Lang;
}

/** A page that depends on the day, the snapshot and the filters in its query alone. */
export type PageRequest =
  | AgendaRequest
  | SingleRequest
  | NoticesRequest
  | DirectoryRequest
  | GuideRequest
  | ThingRequest<'event'>
  | DatesRequest
  | ThingRequest<'venue'>
  | ThingRequest<'organizer'>
  | ThingRequest<'category'>
  | ThingRequest<'zone'>;

/** A page that also depends on the query or on what a visitor sends. */
export type VisitRequest =
  | {
      readonly kind: 'home' | 'offline' | 'calendar' | 'submit' | 'import' | 'embed' | 'jump';
      readonly lang: Lang;
    }
  | { readonly kind: 'status' | 'batch'; readonly lang: Lang; readonly token: string }
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
const SINGLES_BY_PATH = indexPaths(SINGLES, (page, lang) => PAGE_PATHS[page][lang]);
const SECTIONS_BY_PATH = indexPaths<SectionName>(
  SECTIONS,
  (name, lang) => SECTION_PATHS[name][lang],
);
const DIRECTORY_BY_PATH = indexPaths(DIRECTORIES, toDirectoryPath);
const CLOCK_BY_PATH = indexPaths(CLOCK_PAGES, (page, lang) => PAGE_PATHS[page][lang]);
const GUIDES_BY_PATH = indexPaths(GUIDES, (guide, lang) => PAGE_PATHS[guide][lang]);
const CLOCK_BY_FOLDER = indexPaths(
  CLOCK_PAGES,
  (page, lang) => `/${toVariantFolder(PAGE_PATHS[page][lang])}`,
);

/** `/_fecha`: where today's page by its date is found, which is made each minute. */
const toDayFolder = (lang: Lang): string => `/${toVariantFolder(SECTION_PATHS.day[lang])}`;
const DAY_BY_FOLDER: ReadonlyMap<string, Lang> = new Map(
  LANGS.map((lang) => [toDayFolder(lang), lang]),
);

/** The pages of the clock that have today in them, or may. */
export const MINUTE_PAGES = ['today', 'weekend', 'week'] as const satisfies readonly ClockPage[];
const isMinutePage = (page: ClockPage): boolean => MINUTE_PAGES.some((known) => known === page);

const MINUTE_FOLDERS: readonly string[] = LANGS.flatMap((lang) => [
  `${toDayFolder(lang)}/`,
  ...MINUTE_PAGES.map((page) => `/${toVariantFolder(PAGE_PATHS[page][lang])}/`),
]);

/** Others that are of the minute, and their Markdown. */
const OF_THE_MINUTE: readonly string[] = LANGS.flatMap((lang) =>
  [PAGE_PATHS.search[lang], PAGE_PATHS.docs_status[lang]].flatMap((path) => [
    path,
    toMarkdownPath(path),
  ]),
);

/**
 * Whether a page found by resolveAlias, or its Markdown, changes with the minute: those with today in
 * them, the search, which may be asked what is on now, and how the service is.
 */
export const isMadeByMinute = (address: string): boolean =>
  OF_THE_MINUTE.includes(address) || MINUTE_FOLDERS.some((folder) => address.startsWith(folder));

/**
 * The page that a path names, without `.md`; `now_ms` resolves `/hoy` and its like. Null for a page
 * that no release has.
 */
export function parsePagePath(path: string, now_ms: number): PageRequest | null {
  const single = SINGLES_BY_PATH.get(path);
  if (single) return { kind: single.name, lang: single.lang };
  const directory = DIRECTORY_BY_PATH.get(path);
  if (directory) return { kind: 'directory', lang: directory.lang, section: directory.name };
  const guide = GUIDES_BY_PATH.get(path);
  if (guide) return { kind: 'guide', guide: guide.name, lang: guide.lang };
  const page = CLOCK_BY_PATH.get(path);
  if (page) return toClockRequest(page, toFirstDay(page.name, toCancunDay(now_ms)));
  const [, folder = '', last = ''] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
  const section = SECTIONS_BY_PATH.get(folder);
  const day_lang = DAY_BY_FOLDER.get(folder);
  if (day_lang !== undefined) return toDayRequest(last, day_lang, true);
  if (section === undefined)
    return toDatesRequest(folder, last) ?? toVariantRequest(CLOCK_BY_FOLDER.get(folder), last);
  const { name, lang } = section;
  return name === 'day' ? toDayRequest(last, lang, false) : { kind: name, lang, slug: last };
}

/** The dates of an event, where a path ends in the word for them; null for all other paths. */
function toDatesRequest(folder: string, last: string): DatesRequest | null {
  const cut = folder.lastIndexOf('/');
  const section = SECTIONS_BY_PATH.get(folder.slice(0, cut));
  if (section?.name !== 'event' || last !== t(section.lang, 'path.dates')) return null;
  return { kind: 'dates', lang: section.lang, slug: folder.slice(cut + 1) };
}

/** The agenda of one day; null for a day that does not exist. */
function toDayRequest(day: string, lang: Lang, by_hour: boolean): PageRequest | null {
  const from = parseDay(day);
  return from && { kind: 'agenda', lang, agenda: 'day', range: { from, to: from }, by_hour };
}

/** The first day that a page of the clock is about on a day called today. */
const toFirstDay = (page: ClockPage, today: Temporal.PlainDate): Temporal.PlainDate =>
  page === 'notices' ? today : (toFirstDays(today).get(page) ?? today);

/** A page of the clock by its first day. */
function toClockRequest({ name, lang }: Named<ClockPage>, first: Temporal.PlainDate): PageRequest {
  return name === 'notices'
    ? { kind: 'notices', lang, day: first }
    : {
        kind: 'agenda',
        lang,
        agenda: name,
        range: toAgendaRange(name, first),
        by_hour: isMinutePage(name),
      };
}

/** The page of a prebuilt variant: `/_hoy/2026-11-21` by its name and its first day. */
function toVariantRequest(page: Named<ClockPage> | undefined, day: string): PageRequest | null {
  const first = parseDay(day);
  return page === undefined || first === null ? null : toClockRequest(page, first);
}

/** The page of a path that depends on the visit; null for all other paths. */
export function parseVisitPath(path: string): VisitRequest | null {
  const home = findHomeLang(path);
  if (home) return { kind: 'home', lang: home };
  const page = PAGES_BY_PATH.get(path);
  if (
    page?.name === 'calendar' ||
    page?.name === 'submit' ||
    page?.name === 'import' ||
    page?.name === 'embed'
  )
    return { kind: page.name, lang: page.lang };
  const jump = LANGS.find((known) => path === toJumpPath(known));
  if (jump) return { kind: 'jump', lang: jump };
  const offline = LANGS.find((known) => path === toOfflinePath(known));
  if (offline) return { kind: 'offline', lang: offline };
  return parseTokenPath(path) ?? parseCorrectPath(path);
}

/** An address that is known to its holder alone. */
function parseTokenPath(path: string): VisitRequest | null {
  for (const lang of LANGS)
    for (const [kind, start] of [
      ['status', toStatusPath('', lang)],
      ['batch', toBatchPath('', lang)],
    ] as const) {
      const token = path.startsWith(start) ? path.slice(start.length) : '';
      if (token !== '' && !token.includes('/')) return { kind, lang, token };
    }
  return null;
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
 * Where a page of the clock is found at an instant: `/hoy` at `/_hoy/2026-11-21`, by the first day
 * of its range, and so is the page of today's date. All but MINUTE_PAGES are prebuilt there. With `.md` its Markdown alternate. Null where the path is no such page.
 */
export function resolveAlias(path: string, now_ms: number): string | null {
  const suffix = path.endsWith('.md') ? '.md' : '';
  const page_path = suffix === '' ? path : path.slice(0, -suffix.length);
  const page = CLOCK_BY_PATH.get(page_path);
  const today = findToday(now_ms);
  const day_lang = LANGS.find((lang) => toDayPath(today.day, lang) === page_path);
  if (day_lang) return `${toDayFolder(day_lang)}/${today.day}${suffix}`;
  if (page === undefined) return null;
  const first = page.name === 'notices' ? undefined : today.first_days.get(page.name);
  const day = first ?? today.day;
  return `/${toVariantFolder(page_path)}/${day}${suffix}`;
}
