// Addresses that the clock decides: /hoy is Friday's page until midnight in Cancún, then Saturday's
// (design, Days).
import { AGENDA_WORDS, type AgendaWord } from '../domain/agenda-words.ts';
import { LANGS } from '../domain/lang.ts';
import { PAGE_PATHS, toVariantFolder } from '../i18n/paths.ts';
import { findToday } from '../domain/today.ts';

/**
 * The prebuilt variants of an alias live here: `/hoy` at `/_hoy/2026-11-21`, `/en/today` at
 * `/_today/2026-11-21`.
 */
const toVariantRoot = (path: string): string => `/${toVariantFolder(path)}`;

function findAlias(page_path: string): AgendaWord | null {
  return (
    AGENDA_WORDS.find((alias) => LANGS.some((lang) => PAGE_PATHS[alias][lang] === page_path)) ??
    null
  );
}

/**
 * Where the page of an alias is prebuilt for an instant: the day itself, or the first day of its
 * range. With `.md` its Markdown twin. Null where the path is no alias.
 */
export function resolveAlias(path: string, now_ms: number): string | null {
  const suffix = path.endsWith('.md') ? '.md' : '';
  const page_path = suffix === '' ? path : path.slice(0, -suffix.length);
  const alias = findAlias(page_path);
  if (alias === null) return null;
  const today = findToday(now_ms);
  const day = today.first_days.get(alias) ?? today.day;
  return `${toVariantRoot(page_path)}/${day}${suffix}`;
}

/** Every prebuilt page that the clock may ask for from today on, `days` days, in both languages. */
export function listVariantPaths(now_ms: number, days: number): string[] {
  const pages = AGENDA_WORDS.flatMap((alias) => LANGS.map((lang) => PAGE_PATHS[alias][lang]));
  const instants = Array.from({ length: days }, (_, day) => now_ms + day * 86_400_000);
  return [
    ...new Set(
      instants.flatMap((instant) => pages.flatMap((page) => resolveAlias(page, instant) ?? [])),
    ),
  ];
}
