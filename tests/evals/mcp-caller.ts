// A caller of the tools that reads one half of their answers and nothing else.
import { Ajv, addFormats } from '@modelcontextprotocol/server/validators/ajv';
import * as v from 'valibot';
import { askRpc } from './rpc.ts';
import { type Mode, NEXT, type Question } from './question.ts';
import type { Journey } from './journey.ts';

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
