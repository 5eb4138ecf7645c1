// Docs pages: validates the Markdown files of content/docs and builds one record per page with both
// languages.
import * as v from 'valibot';
import {
  DOCS_NAMES,
  type DocsName,
  type DocsRecord,
  listPlaceholders,
  PLACEHOLDERS,
} from '../domain/docs-pages.ts';
import { byLang, DEFAULT_LANG, type Lang, LANGS } from '../domain/lang.ts';
import { type ContentIssue, createFileIssue } from '../yaml.ts';

/**
 * Base URL of the docs files: always the `content` folder of this repository, even with another
 * CONTENT_DIR. The docs describe this version of the code; a copy elsewhere may be older.
 */
export const DOCS_ROOT_URL = new URL('../../content/', import.meta.url);
/** Path of the docs from DOCS_ROOT_URL, and prefix of their names among the content files. */
export const DOCS_FOLDER = 'docs/';
const docsFile = (name: DocsName, lang: Lang): string => `${DOCS_FOLDER}${lang}/${name}.md`;
export const DOCS_FILES = DOCS_NAMES.flatMap((name) => LANGS.map((lang) => docsFile(name, lang)));

/** `## Limits {#limits}`: a heading in plain words, with the id of its chapter. */
const CHAPTER_PATTERN = /^## [^`*<[]+ \{#([a-z][\w-]*)\}$/;
const PLACEHOLDER_NAMES: ReadonlySet<string> = new Set(PLACEHOLDERS);
const findUnknownPlaceholder = (line: string): string | undefined =>
  listPlaceholders(line).find((name) => !PLACEHOLDER_NAMES.has(name));

/** A docs file as its lines. */
export const DocsSchema = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.check(
        (line) => findUnknownPlaceholder(line) === undefined,
        ({ input }) =>
          `has the unknown placeholder {{${findUnknownPlaceholder(input)}}}. Use one of ${PLACEHOLDERS.join(', ')}`,
      ),
      v.check(
        (line) => !line.startsWith('## ') || CHAPTER_PATTERN.test(line),
        'must end with the id of its chapter, as "## Limits {#limits}", after plain words',
      ),
    ),
  ),
  v.check(
    ([first_line]) => first_line?.startsWith('## ') === true,
    'must begin with a chapter heading, as "## Limits {#limits}"',
  ),
);

/** Builds the record of each page. Pushes an issue if its languages have different chapters. */
export function buildDocs(
  files: readonly { readonly file: string; readonly value: readonly string[] }[],
  issues: ContentIssue[],
): readonly DocsRecord[] {
  return DOCS_NAMES.map((name) => {
    const lines = byLang(
      (lang) => files.find(({ file }) => file === docsFile(name, lang))?.value ?? [],
    );
    const chapters = byLang((lang) =>
      lines[lang].flatMap((line) => CHAPTER_PATTERN.exec(line)?.[1] ?? []).join(', '),
    );
    for (const lang of LANGS) {
      if (chapters[lang] === chapters[DEFAULT_LANG]) continue;
      const message = `has the chapters ${chapters[lang]}, but ${docsFile(name, DEFAULT_LANG)} has ${chapters[DEFAULT_LANG]}. Both must have the same`;
      issues.push(createFileIssue(docsFile(name, lang), message, 1));
    }
    return { name, text: byLang((lang) => lines[lang].join('\n')) };
  });
}
