// English lint (the check "plain English"): fails on wording and names that CONTRIBUTING.md rules
// out, with the line and the rule.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_DIR } from '../src/releases/snapshots.ts';

interface SourceFile {
  readonly path: string;
  readonly text: string;
}
interface LintFinding {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
}

/** Openings that headers and doc comments avoid. */
const OPENING =
  /^(What|How|Where|Whether|Of|When|As|Those|Which|Whose|Whom|Who|Whoever|Whatever|The same|One that|Such)\b/;

/** Wording that comments and test titles avoid, with the advice to print. */
const WORDING: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /\b(what|whatever|whoever|wherever)\s+(is|are|was|were|has|have|had|it|they|he|she|the|an?|nobody|somebody|comes?|came|stands?|says?|waits?|of|no)\b/i,
    'name the noun instead of "what", "whatever" or "whoever"',
  ],
  [/\b(null|none|nothing|empty|undefined) where\b/i, 'write "@returns null if …"'],
  [/\b(some|any|no|every)body\b/i, 'name the role: sender, editor, visitor, operator'],
  [
    /\b(is|are|was|were) (told|said|given|asked|meant|kept|known|taken|brought|held)\b/i,
    'say who does it, or use the exact verb',
  ],
];

/** Exported functions that may be named `to…`: lossless conversions. */
const LOSSLESS_CONVERSIONS: ReadonlySet<string> = new Set([
  'toAtom',
  'toCsv',
  'toDayNumber',
  'toDrawableText',
  'toDuplicateCandidate',
  'toEpochMs',
  'toHtml',
  'toJsonFeed',
  'toJsonLines',
  'toLocalDay',
  'toLocalTime',
  'toMarkdown',
  'toSentence',
  'toTownTime',
  'toZoned',
]);

const COMMENT_LINE = /^\s*(?:\/\/+|\/\*\*?|\*(?!\/))\s?(.*?)\s*(?:\*\/)?$/;
const TEST_TITLE = /\b(?:test|it|describe)(?:\.\w+)*\(\s*(['"`])(.+?)\1/;
const EXPORTED =
  /^export (?:declare )?(?:async )?(?:(function|const)|(interface|type|class)) (\w+)/;

interface Comment {
  readonly line: number;
  readonly is_doc: boolean;
  readonly text: string;
}

/** Lists the comments of a file. Consecutive comment lines are one comment; `/*` begins another. */
function listComments(text: string): Comment[] {
  const comments: { line: number; is_doc: boolean; text: string }[] = [];
  let is_open = false;
  for (const [index, line] of text.split('\n').entries()) {
    const comment_text = COMMENT_LINE.exec(line)?.[1];
    const is_doc = /^\s*\/\*/.test(line);
    const last = comments.at(-1);
    if (comment_text === undefined) is_open = false;
    else if (is_open && last && !is_doc) last.text = `${last.text} ${comment_text}`.trim();
    else comments.push({ line: index + 1, is_doc, text: comment_text });
    if (comment_text !== undefined) is_open = !line.trimEnd().endsWith('*/');
  }
  return comments;
}

const listTitles = (text: string): Comment[] =>
  text.split('\n').flatMap((line, index) => {
    const title = TEST_TITLE.exec(line)?.[2];
    return title === undefined ? [] : [{ line: index + 1, is_doc: false, text: title }];
  });

function lintWording({ path, text }: SourceFile): LintFinding[] {
  const comments = listComments(text);
  // Only headers and docs: an inline comment may open with "Where" or "As" to explain the code.
  const openings = comments
    .filter((comment) => (comment.line === 1 || comment.is_doc) && OPENING.test(comment.text))
    .map(({ line }) => ({ path, line, rule: 'open with the subject: a noun, or a verb' }));
  const titles = path.startsWith('tests/') ? listTitles(text) : [];
  const wording = [...comments, ...titles].flatMap(({ line, text: sentence }) =>
    WORDING.filter(([pattern]) => pattern.test(sentence)).map(([, rule]) => ({ path, line, rule })),
  );
  return [...openings, ...wording];
}

/** Finds exported functions named `to…` without being listed, and type names of two files. */
function lintNames(files: readonly SourceFile[]): LintFinding[] {
  const types = new Map<string, string>();
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const [, value, type, name = ''] = EXPORTED.exec(line) ?? [];
      const report = (rule: string): LintFinding[] => [{ path, line: index + 1, rule }];
      if (value !== undefined)
        return /^to[A-Z]/.test(name) && !LOSSLESS_CONVERSIONS.has(name)
          ? report(`${name}: name it by a verb; to… is for lossless conversions`)
          : [];
      if (type === undefined) return [];
      const other = types.get(name);
      types.set(name, path);
      return other === undefined || other === path
        ? []
        : report(`${name}: ${other} exports a type of this name too`);
    }),
  );
}

/** Returns the findings of all files, in order of path and line. */
export function lintEnglish(files: readonly SourceFile[]): LintFinding[] {
  const product = files.filter(({ path }) => path.startsWith('src/'));
  return [...files.flatMap(lintWording), ...lintNames(product)].toSorted(
    (a, b) => a.path.localeCompare(b.path) || a.line - b.line,
  );
}

if (import.meta.main) {
  const paths = globSync('{src,scripts,bench,tests}/**/*.{ts,mjs,astro,css}', { cwd: PROJECT_DIR });
  const files = paths.map((path) => ({
    path: path.replaceAll('\\', '/'),
    text: readFileSync(join(PROJECT_DIR, path), 'utf8'),
  }));
  const findings = lintEnglish(files);
  for (const { path, line, rule } of findings) process.stderr.write(`${path}:${line} ${rule}\n`);
  process.stdout.write(`${files.length} files, ${findings.length} findings\n`);
  if (findings.length > 0) process.exitCode = 1;
}
