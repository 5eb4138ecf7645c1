// Eval questions: defines and loads the files in questions/, with the expected calls and facts of each question.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import { LANGS } from '../../src/domain/lang.ts';

/** Ways of reading: only the text or the structured content of MCP answers, or Markdown starting at /llms.txt. */
export const MODES = ['text', 'structured', 'markdown'] as const;
export type Mode = (typeof MODES)[number];

/** Placeholder for the next page of the previous answer, in a call or an address. */
export const NEXT = '$next';

const ArgumentsSchema = v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]));

const QuestionSchema = v.strictObject({
  /** Name in the list of failures. */
  id: v.pipe(v.string(), v.regex(/^[a-z0-9-]+$/)),
  lang: v.picklist(LANGS),
  /** Text of the question. */
  ask: v.string(),
  /** The tools to call in order; `lang` is added unless it is Spanish. */
  mcp: v.array(v.strictObject({ call: v.string(), with: v.optional(ArgumentsSchema, {}) })),
  /** The addresses to read in order; each must follow from the documents before. */
  markdown: v.array(v.string()),
  /** True if the introduction, /llms.txt or the tools with the instructions, is part of the answer. */
  entry: v.optional(v.boolean(), false),
  /** Required facts; `a|b` is either. */
  has: v.array(v.string()),
  /** Facts that must be absent. */
  not: v.optional(v.array(v.string()), []),
  /** Injected orders: must be present, and marked as untrusted text. */
  fenced: v.optional(v.string()),
  /** Maximum tokens of the documents, without the introduction. */
  most: v.strictObject({ text: v.number(), structured: v.number(), markdown: v.number() }),
});

export type Question = v.InferOutput<typeof QuestionSchema> & {
  /** Name of its file. */
  readonly group: string;
};

const FOLDER = join(import.meta.dirname, 'questions');

/** Loads all questions in the order of the files. @throws ValiError if one is invalid. */
export function readQuestions(): readonly Question[] {
  return readdirSync(FOLDER)
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(FOLDER, file), 'utf8');
      const questions = v.parse(v.array(QuestionSchema), parse(text));
      return questions.map((question) => ({ ...question, group: file.replace(/\.yml$/, '') }));
    });
}
