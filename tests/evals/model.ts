// Eval model: sends the questions to a real model over HTTP, and takes its final message as the answer.
import { env } from 'node:process';
import * as v from 'valibot';
import { callHalf, type Introduction, type Journey, readDocument } from './callers.ts';
import type { Mode } from './question.ts';

export interface Model {
  /** A chat endpoint with tools, in the style of OpenAI. */
  readonly url: string;
  readonly name: string;
  /** Empty if the endpoint requires none. */
  readonly key: string;
}

/**
 * Reads the model from EVALS_MODEL_URL, EVALS_MODEL and EVALS_MODEL_KEY. @returns null if no model is set.
 * @throws Error if only one of the first two is set.
 */
export function readModel(): Model | null {
  const { EVALS_MODEL_URL: url = '', EVALS_MODEL: name = '', EVALS_MODEL_KEY: key = '' } = env;
  if (url === '' && name === '') return null;
  if (url === '' || name === '')
    throw new Error('EVALS_MODEL_URL and EVALS_MODEL: set both, the URL and the name of a model');
  return { url, name, key };
}

const ArgumentsSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));
const CallSchema = v.looseObject({
  id: v.string(),
  function: v.looseObject({ name: v.string(), arguments: v.string() }),
});
const AnswerSchema = v.looseObject({
  choices: v.tuple([
    v.looseObject({
      message: v.looseObject({
        content: v.nullish(v.string(), ''),
        tool_calls: v.nullish(v.array(CallSchema), []),
      }),
    }),
  ]),
});

/** The system prompt and tools of a model in one mode. */
interface Bench {
  readonly system: string;
  readonly tools: readonly { name: string; description: string; parameters: object }[];
  readonly use: (name: string, args: Record<string, unknown>) => Promise<string>;
}

/** Requests the next message of the model. @throws Error with the response if the endpoint fails. */
async function complete(
  { url, name, key }: Model,
  { tools }: Bench,
  messages: readonly object[],
): Promise<v.InferOutput<typeof AnswerSchema>['choices'][0]['message']> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({
      model: name,
      messages,
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
    }),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${body.slice(0, 300)}`);
  return v.parse(AnswerSchema, JSON.parse(body)).choices[0].message;
}

/** Maximum turns of the model for one question. */
const MAX_TURNS = 8;

const ANSWER =
  'Answer in the language of the question, with names, dates, hours and prices as you read them and with links. If there is nothing, say so.';

const OF_OPEN = { address: { type: 'string' } };
function createBench(origin: string, mode: Mode, introduction: Introduction, llms: string): Bench {
  if (mode === 'markdown')
    return {
      system: `${ANSWER} You can open documents of this site. Its /llms.txt:\n\n${llms}`,
      tools: [
        {
          name: 'open',
          description: 'Reads a Markdown document by its address or path, e.g. /llms.txt.',
          parameters: { type: 'object', properties: OF_OPEN, required: ['address'] },
        },
      ],
      // Any address is opened on the server under test.
      use: async (_, { address }) => {
        const { pathname, search } = new URL(String(address), origin);
        return (await readDocument(origin, `${pathname}${search}`)).text;
      },
    };
  return {
    system: `${ANSWER}\n\n${introduction.instructions}`,
    tools: introduction.tools.map(({ name, description, inputSchema }) => ({
      ...{ name, description: String(description), parameters: inputSchema },
    })),
    use: (name, args) => callHalf(introduction, name, args, mode),
  };
}

/** Lets the model answer a question, and returns the documents it read. */
export async function askModel(
  model: Model,
  origin: string,
  mode: Mode,
  introduction: Introduction,
  llms: string,
  ask: string,
): Promise<Journey> {
  const bench = createBench(origin, mode, introduction, llms);
  const read: string[] = [];
  const messages: object[] = [
    { role: 'system', content: bench.system },
    { role: 'user', content: ask },
  ];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const { content, tool_calls } = await complete(model, bench, messages);
    if (tool_calls.length === 0) return { entry: '', read, faults: [], answer: content };
    messages.push({ role: 'assistant', content, tool_calls });
    for (const { id, function: call } of tool_calls) {
      const use = async () => bench.use(call.name, v.parse(ArgumentsSchema, call.arguments));
      const result = await use().catch(String);
      read.push(result);
      messages.push({ role: 'tool', tool_call_id: id, content: result });
    }
  }
  return { entry: '', read, faults: [`no answer in ${MAX_TURNS} turns`], answer: '' };
}
