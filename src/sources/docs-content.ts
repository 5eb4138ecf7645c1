// The pages of the docs that people write (content/docs): what a file may say, and both languages of each
// as one record.
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
 * They are read from beside the code, whatever CONTENT_DIR is: they tell of this version of the service,
 * and an agenda somewhere else would keep those of an older one.
 */
export const DOCS_ROOT_URL = new URL('../../content/', import.meta.url);
export const DOCS_FOLDER = 'docs/';
const toDocsFile = (name: DocsName, lang: Lang): string => `${DOCS_FOLDER}${lang}/${name}.md`;
export const DOCS_FILES = DOCS_NAMES.flatMap((name) => LANGS.map((lang) => toDocsFile(name, lang)));

const CHAPTER = /^## [^`*<[]+ \{#([a-z][\w-]*)\}$/;
const KNOWN: ReadonlySet<string> = new Set(PLACEHOLDERS);
const findUnknown = (line: string): string | undefined =>
  listPlaceholders(line).find((name) => !KNOWN.has(name));

/** The lines of a file. */
export const DocsSchema = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.check(
        (line) => findUnknown(line) === undefined,
        ({ input }) =>
          `has the placeholder {{${findUnknown(input)}}}, which nothing fills in. Known are ${PLACEHOLDERS.join(', ')}`,
      ),
      v.check(
        (line) => !line.startsWith('## ') || CHAPTER.test(line),
        'must end in the address of its chapter, as "## Limits {#limits}", and have plain words before it',
      ),
    ),
  ),
  v.check(
    ([first]) => first?.startsWith('## ') === true,
    'must begin with a chapter, as "## Limits {#limits}"',
  ),
);

/** Both languages of each. Where they do not have the same chapters, an issue is pushed. */
export function buildDocs(
  files: readonly { readonly file: string; readonly value: readonly string[] }[],
  issues: ContentIssue[],
): readonly DocsRecord[] {
  return DOCS_NAMES.map((name) => {
    const lines = byLang(
      (lang) => files.find(({ file }) => file === toDocsFile(name, lang))?.value ?? [],
    );
    const chapters = byLang((lang) =>
      lines[lang].flatMap((line) => CHAPTER.exec(line)?.[1] ?? []).join(', '),
    );
    for (const lang of LANGS) {
      if (chapters[lang] === chapters[DEFAULT_LANG]) continue;
      const message = `has the chapters ${chapters[lang]}, where ${toDocsFile(name, DEFAULT_LANG)} has ${chapters[DEFAULT_LANG]}. Both need the same`;
      issues.push(createFileIssue(toDocsFile(name, lang), message, 1));
    }
    return { name, text: byLang((lang) => lines[lang].join('\n')) };
  });
}
