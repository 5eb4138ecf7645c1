// Callers that read as a model would: half of a tool's answers, or Markdown from /llms.txt on.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Ajv, addFormats } from '@modelcontextprotocol/server/validators/ajv';
import * as v from 'valibot';
import { findUnexplained, withoutEscapes } from './explained.ts';
import { type Mode, NEXT, type Question } from './question.ts';

/** What a caller read on the way to an answer. */
export interface Journey {
  /** What is read before any question. */
  readonly entry: string;
  /** The answers, one after the other. */
  readonly read: readonly string[];
  /** What on the way was not as documented, each in a sentence. */
  readonly faults: readonly string[];
  /** A model's last words; a script says nothing, so what it read is its answer. */
  readonly answer?: string;
}

type Half = Exclude<Mode, 'markdown'>;

const ResultSchema = v.looseObject({
  content: v.array(v.looseObject({ text: v.optional(v.string(), '') })),
  structuredContent: v.optional(v.unknown()),
});

/** Connects as a host does, and reads what it shows to a model before any question. */
export async function readIntroduction(origin: string) {
  const client = new Client({ name: 'evals', version: '1' });
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(Object(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`))));
  const { tools } = await client.listTools();
  return { client, instructions: client.getInstructions() ?? '', tools };
}
export type Introduction = Awaited<ReturnType<typeof readIntroduction>>;

/** The same as one text. */
export const toEntry = ({ instructions, tools }: Introduction): string =>
  `${instructions}\n${JSON.stringify(tools)}`;

/** One half of a tool's answer, as a host hands it on; an error has only text. */
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

/** Where an answer says that it goes on; null where it does not. */
function findCursor(answer: string): string | null {
  const found = /(?:"next_cursor":|cursor: )\s*"([\w-]+)"/.exec(answer);
  return found?.[1] ?? null;
}

/** What is wrong with a call; null where the schema takes it. */
function findFault(
  { tools }: Introduction,
  name: string,
  args: Readonly<Record<string, unknown>>,
  seen: readonly string[],
): string | null {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) return `there is no tool ${name}`;
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  if (!ajv.validate(tool.inputSchema, args))
    return `${name} does not take ${JSON.stringify(args)}: ${ajv.errorsText()}`;
  const { id } = args;
  return typeof id === 'string' && !seen.some((answer) => answer.includes(id))
    ? `no answer names ${id}`
    : null;
}

/** Calls what a question expects to be called. */
export async function askTools(
  introduction: Introduction,
  question: Question,
  half: Half,
): Promise<Journey> {
  const read: string[] = [];
  const faults: string[] = [];
  const entry = toEntry(introduction);
  for (const step of question.mcp) {
    const cursor = step.with.cursor === NEXT ? findCursor(read.at(-1) ?? '') : null;
    if (step.with.cursor === NEXT && cursor === null) break;
    const lang = question.lang === 'es' ? {} : { lang: question.lang };
    const args = { ...step.with, ...(cursor !== null && { cursor }), ...lang };
    const fault = findFault(introduction, step.call, args, read);
    if (fault !== null) {
      faults.push(fault);
      break;
    }
    read.push(await callHalf(introduction, step.call, args, half));
  }
  return { entry, read, faults };
}

const MARKDOWN = /^text\/(markdown|plain)/;

/** A document, and what is wrong with its headers. */
export async function readDocument(
  origin: string,
  address: string,
): Promise<{ readonly text: string; readonly fault: string | null }> {
  const response = await fetch(new URL(address, origin), { headers: { accept: 'text/markdown' } });
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  return { text, fault: MARKDOWN.test(type) ? null : `${address} answers ${type}` };
}

/** The link of a document that goes on, as a path of its own site; null where there is none. */
function findNext(document: string): string | null {
  const link = /\((https?:\/\/[^)\s]*[?&]cursor=[^)\s]*)\)/.exec(withoutEscapes(document))?.[1];
  if (link === undefined) return null;
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}

/** Reads what a question expects to be read. */
export async function askMarkdown(origin: string, question: Question): Promise<Journey> {
  const { text: entry, fault } = await readDocument(origin, '/llms.txt');
  const read: string[] = [];
  const faults = fault === null ? [] : [fault];
  for (const step of question.markdown) {
    const address = step === NEXT ? findNext(read.at(-1) ?? '') : step;
    if (address === null) break;
    const unexplained = step === NEXT ? null : findUnexplained(address, [entry, ...read]);
    if (unexplained !== null) faults.push(unexplained);
    const document = await readDocument(origin, address);
    if (document.fault !== null) faults.push(document.fault);
    read.push(document.text);
  }
  return { entry, read, faults };
}
