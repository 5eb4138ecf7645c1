// The questions of the evals: what is asked, called and expected; they stand in questions/.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import { LANGS } from '../../src/domain/lang.ts';

/** The three ways of reading: either half of MCP's answers by itself, and Markdown from /llms.txt on. */
export const MODES = ['text', 'structured', 'markdown'] as const;
export type Mode = (typeof MODES)[number];

/** What stands in a call or an address for where the answer before goes on. */
export const NEXT = '$next';

const ArgumentsSchema = v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]));

const QuestionSchema = v.strictObject({
  /** What it is called in the table of what fails. */
  id: v.pipe(v.string(), v.regex(/^[a-z0-9-]+$/)),
  lang: v.picklist(LANGS),
  /** As somebody asks it. */
  ask: v.string(),
  /** The tools to be called, one after the other; `lang` is added where it is not Spanish. */
  mcp: v.array(v.strictObject({ call: v.string(), with: v.optional(ArgumentsSchema, {}) })),
  /** The addresses to be read, one after the other; each must follow from what was read before. */
  markdown: v.array(v.string()),
  /** Whether what is read before any question, /llms.txt or the tools with the instructions, is part of the answer. */
  entry: v.optional(v.boolean(), false),
  /** Each must be there; `a|b` is either. */
  has: v.array(v.string()),
  not: v.optional(v.array(v.string()), []),
  /** Orders that a stranger wrote: must be there, and marked as what others wrote. */
  fenced: v.optional(v.string()),
  /** Most tokens of what is read for it, the entry apart. */
  most: v.strictObject({ text: v.number(), structured: v.number(), markdown: v.number() }),
});

export type Question = v.InferOutput<typeof QuestionSchema> & {
  /** The file that it stands in. */
  readonly group: string;
};

const FOLDER = join(import.meta.dirname, 'questions');

/** All of them, in the order of the files. Throws for one that is not as it must be. */
export function readQuestions(): readonly Question[] {
  return readdirSync(FOLDER)
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(FOLDER, file), 'utf8');
      const read = v.parse(v.array(QuestionSchema), parse(text));
      return read.map((question) => ({ ...question, group: file.replace(/\.yml$/, '') }));
    });
}
