// Eval callers: answer a question like a model, from one part of tool answers, or from Markdown starting at /llms.txt.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Ajv, addFormats } from '@modelcontextprotocol/server/validators/ajv';
import * as v from 'valibot';
import { findUnexplained, withoutEscapes } from './explained.ts';
import { type Mode, NEXT, type Question } from './question.ts';

/** The documents that a caller read for one question. */
export interface Journey {
  /** The introduction that callers read before any question. */
  readonly entry: string;
  /** The answers in order. */
  readonly read: readonly string[];
  /** Differences from the documentation, each as a sentence. */
  readonly faults: readonly string[];
  /** A model's final message; a script has none, so the documents are its answer. */
  readonly answer?: string;
}

type Half = Exclude<Mode, 'markdown'>;

const ResultSchema = v.looseObject({
  content: v.array(v.looseObject({ text: v.optional(v.string(), '') })),
  structuredContent: v.optional(v.unknown()),
});

/** Connects like a host, and reads the instructions and tools that it shows to a model. */
export async function readIntroduction(origin: string) {
  const client = new Client({ name: 'evals', version: '1' });
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(Object(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`))));
  const { tools } = await client.listTools();
  return { client, instructions: client.getInstructions() ?? '', tools };
}
export type Introduction = Awaited<ReturnType<typeof readIntroduction>>;

/** Formats an introduction as one text. */
export const formatEntry = ({ instructions, tools }: Introduction): string =>
  `${instructions}\n${JSON.stringify(tools)}`;

/** Calls a tool, and returns the text or structured content of its answer; errors have only text. */
export async function callHalf(
  { client }: Introduction,
  name: string,
  args: Record<string, unknown>,
  half: Half,
): Promise<string> {
  const result = await client.callTool({ name, arguments: args });
  const { content, structuredContent } = v.parse(ResultSchema, result);
  const text = content.map((part) => part.text).join('');
  return half === 'text' || structuredContent === undefined
    ? text
    : JSON.stringify(structuredContent);
}

/** Finds the cursor of the next page in an answer. @returns null on the last page. */
function findCursor(answer: string): string | null {
  const match = /(?:"next_cursor":|cursor: )\s*"([\w-]+)"/.exec(answer);
  return match?.[1] ?? null;
}

/** Validates a call against the tool's schema, and that an earlier answer names its id. @returns null if valid. */
function findCallFault(
  { tools }: Introduction,
  name: string,
  args: Readonly<Record<string, unknown>>,
  answers: readonly string[],
): string | null {
  const tool = tools.find((tool) => tool.name === name);
  if (tool === undefined) return `there is no tool ${name}`;
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  if (!ajv.validate(tool.inputSchema, args))
    return `${name} does not take ${JSON.stringify(args)}: ${ajv.errorsText()}`;
  const { id } = args;
  return typeof id === 'string' && !answers.some((answer) => answer.includes(id))
    ? `no answer names ${id}`
    : null;
}

/** Calls the tools that a question expects. */
export async function askTools(
  introduction: Introduction,
  question: Question,
  half: Half,
): Promise<Journey> {
  const read: string[] = [];
  const faults: string[] = [];
  const entry = formatEntry(introduction);
  for (const step of question.mcp) {
    const cursor = step.with.cursor === NEXT ? findCursor(read.at(-1) ?? '') : null;
    if (step.with.cursor === NEXT && cursor === null) break;
    const lang = question.lang === 'es' ? {} : { lang: question.lang };
    const args = { ...step.with, ...(cursor !== null && { cursor }), ...lang };
    const fault = findCallFault(introduction, step.call, args, read);
    if (fault !== null) {
      faults.push(fault);
      break;
    }
    read.push(await callHalf(introduction, step.call, args, half));
  }
  return { entry, read, faults };
}

const MARKDOWN = /^text\/(markdown|plain)/;

/** Fetches a document; `fault` is set if its content type is wrong. */
export async function readDocument(
  origin: string,
  address: string,
): Promise<{ readonly text: string; readonly fault: string | null }> {
  const response = await fetch(new URL(address, origin), { headers: { accept: 'text/markdown' } });
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  return { text, fault: MARKDOWN.test(type) ? null : `${address} answers ${type}` };
}

/** Finds the path of the next page in a document. @returns null on the last page. */
function findNextPath(document: string): string | null {
  const link = /\((https?:\/\/[^)\s]*[?&]cursor=[^)\s]*)\)/.exec(withoutEscapes(document))?.[1];
  if (link === undefined) return null;
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}

/** Reads the Markdown documents that a question expects. */
export async function askMarkdown(origin: string, question: Question): Promise<Journey> {
  const { text: entry, fault } = await readDocument(origin, '/llms.txt');
  const read: string[] = [];
  const faults = fault === null ? [] : [fault];
  for (const step of question.markdown) {
    const address = step === NEXT ? findNextPath(read.at(-1) ?? '') : step;
    if (address === null) break;
    const unexplained = step === NEXT ? null : findUnexplained(address, [entry, ...read]);
    if (unexplained !== null) faults.push(unexplained);
    const document = await readDocument(origin, address);
    if (document.fault !== null) faults.push(document.fault);
    read.push(document.text);
  }
  return { entry, read, faults };
}
