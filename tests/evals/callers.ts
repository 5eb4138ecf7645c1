// Callers that read the agenda as a model would: one half of the tools' answers and nothing else, or Markdown
// from /llms.txt on, where only what was read leads to an address.
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

const AnswerSchema = v.looseObject({
  result: v.optional(v.unknown()),
  error: v.optional(v.looseObject({ message: v.string() })),
});

/** The JSON of an answer, plain or as the one event of a stream. */
const toJson = (body: string): unknown => JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body);

/** The result of a request in the 2025-06-18 revision; throws where there is none. */
async function askRpc(origin: string, method: string, params: object): Promise<unknown> {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = v.parse(AnswerSchema, toJson(await response.text()));
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

type Half = Exclude<Mode, 'markdown'>;

const ToolSchema = v.looseObject({ name: v.string(), inputSchema: v.looseObject({}) });
const ListSchema = v.object({ tools: v.array(ToolSchema) });
const InitializeSchema = v.looseObject({ instructions: v.string() });
const ResultSchema = v.looseObject({
  content: v.array(v.looseObject({ text: v.optional(v.string(), '') })),
  structuredContent: v.optional(v.unknown()),
});

/** What a host shows to a model before any question. */
export interface Introduction {
  readonly instructions: string;
  readonly tools: readonly v.InferOutput<typeof ToolSchema>[];
}

/** The same as one text. */
export const toEntry = ({ instructions, tools }: Introduction): string =>
  `${instructions}\n${JSON.stringify(tools)}`;

export async function readIntroduction(origin: string): Promise<Introduction> {
  const { instructions } = v.parse(
    InitializeSchema,
    await askRpc(origin, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'evals', version: '1' },
    }),
  );
  const { tools } = v.parse(ListSchema, await askRpc(origin, 'tools/list', {}));
  return { instructions, tools };
}

/** One half of a tool's answer, as a host hands it on; an error has only text. */
export async function callHalf(
  origin: string,
  name: string,
  args: Readonly<Record<string, unknown>>,
  half: Half,
): Promise<string> {
  const params = { name, arguments: args };
  const { content, structuredContent } = v.parse(
    ResultSchema,
    await askRpc(origin, 'tools/call', params),
  );
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
  origin: string,
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
    const args = {
      ...step.with,
      ...(cursor !== null && { cursor }),
      ...(question.lang !== 'es' && { lang: question.lang }),
    };
    const fault = findFault(introduction, step.call, args, read);
    if (fault !== null) {
      faults.push(fault);
      break;
    }
    read.push(await callHalf(origin, step.call, args, half));
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
