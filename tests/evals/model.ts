// The same questions asked of a real model over HTTP: it is given the tools, or one that opens addresses, and
// its last words are looked through for the facts.
import * as v from 'valibot';
import {
  callHalf,
  type Introduction,
  type Journey,
  readDocument,
  readIntroduction,
  toEntry,
} from './callers.ts';
import { judge, type Outcome } from './judge.ts';
import { type Mode, MODES, type Question, readQuestions } from './question.ts';
import type { Run } from './run.ts';

export interface Model {
  /** Of a chat endpoint with tools: in the style of Anthropic where it ends in /messages, else of OpenAI. */
  readonly url: string;
  readonly name: string;
  /** Empty where the endpoint asks for none. */
  readonly key: string;
}

/** The model that EVALS_MODEL_URL, EVALS_MODEL and EVALS_MODEL_KEY name; throws where only one of the first two is there. */
export function readModel(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Model | null {
  const { EVALS_MODEL_URL: url = '', EVALS_MODEL: name = '', EVALS_MODEL_KEY: key = '' } = env;
  if (url === '' && name === '') return null;
  if (url === '' || name === '')
    throw new Error(
      'EVALS_MODEL_URL and EVALS_MODEL go together: an address and the name of a model',
    );
  return { url, name, key };
}

interface ChatTool {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
}

/** A tool that the model wants called. */
interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the model says: words, and calls; without calls it is done. */
interface Said {
  readonly text: string;
  readonly calls: readonly Call[];
}

type Turn =
  | { readonly by: 'user'; readonly text: string }
  | ({ readonly by: 'model' } & Said)
  | {
      readonly by: 'tools';
      readonly results: readonly { readonly id: string; readonly text: string }[];
    };

interface Talk {
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly ChatTool[];
}

/** A style: the request for the next turn, and what its answer says. */
interface Style {
  readonly toHeaders: (model: Model) => Readonly<Record<string, string>>;
  readonly toBody: (model: Model, talk: Talk) => object;
  readonly read: (answer: unknown) => Said;
}

/** The style of OpenAI's chat completions, which most endpoints speak. */
const OPENAI: Style = {
  toHeaders: ({ key }) => (key === '' ? {} : { authorization: `Bearer ${key}` }),
  toBody: ({ name }, { system, turns, tools }) => ({
    model: name,
    messages: [{ role: 'system', content: system }, ...turns.flatMap(toOpenAiMessages)],
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema },
    })),
  }),
  read: (answer) => {
    const { content, tool_calls } = v.parse(OpenAiSchema, answer).choices[0].message;
    return {
      text: content,
      calls: tool_calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, args })),
    };
  },
};

const ArgumentsSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));
const OpenAiCallSchema = v.looseObject({
  id: v.string(),
  function: v.looseObject({ name: v.string(), arguments: ArgumentsSchema }),
});
const OpenAiSchema = v.looseObject({
  choices: v.tuple([
    v.looseObject({
      message: v.looseObject({
        content: v.nullish(v.string(), ''),
        tool_calls: v.nullish(v.array(OpenAiCallSchema), []),
      }),
    }),
  ]),
});

function toOpenAiMessages(turn: Turn): readonly object[] {
  switch (turn.by) {
    case 'user':
      return [{ role: 'user', content: turn.text }];
    case 'model': {
      const tool_calls = turn.calls.map(({ id, name, args }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      }));
      return [
        { role: 'assistant', content: turn.text, ...(tool_calls.length > 0 && { tool_calls }) },
      ];
    }
    case 'tools':
      return turn.results.map(({ id, text }) => ({
        role: 'tool',
        tool_call_id: id,
        content: text,
      }));
  }
}

/** The style of Anthropic's messages. */
const ANTHROPIC: Style = {
  toHeaders: ({ key }) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  toBody: ({ name }, { system, turns, tools }) => ({
    model: name,
    max_tokens: 1_500,
    system,
    messages: turns.map(toAnthropicMessage),
    tools: tools.map(({ name, description, schema }) => ({
      name,
      description,
      input_schema: schema,
    })),
  }),
  read: (answer) => {
    const { content } = v.parse(AnthropicSchema, answer);
    return {
      text: content.map(({ text }) => text).join(''),
      calls: content
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name, input }) => ({ id, name, args: input })),
    };
  },
};

const AnthropicSchema = v.looseObject({
  content: v.array(
    v.looseObject({
      type: v.string(),
      text: v.optional(v.string(), ''),
      id: v.optional(v.string(), ''),
      name: v.optional(v.string(), ''),
      input: v.optional(v.record(v.string(), v.unknown()), {}),
    }),
  ),
});

function toAnthropicMessage(turn: Turn): object {
  switch (turn.by) {
    case 'user':
      return { role: 'user', content: turn.text };
    case 'model': {
      const said = turn.text === '' ? [] : [{ type: 'text', text: turn.text }];
      const calls = turn.calls.map(({ id, name, args }) => ({
        type: 'tool_use',
        id,
        name,
        input: args,
      }));
      return { role: 'assistant', content: [...said, ...calls] };
    }
    case 'tools':
      return {
        role: 'user',
        content: turn.results.map(({ id, text }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: text,
        })),
      };
  }
}

/** What the model says next; throws with what the endpoint answered where that is no answer. */
async function complete(model: Model, talk: Talk): Promise<Said> {
  const style: Style = model.url.endsWith('/messages') ? ANTHROPIC : OPENAI;
  const response = await fetch(model.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...style.toHeaders(model) },
    body: JSON.stringify(style.toBody(model, talk)),
  });
  const body = await response.text();
  if (!response.ok)
    throw new Error(`${model.url} answered ${response.status}: ${body.slice(0, 300)}`);
  return style.read(JSON.parse(body));
}

/** Most turns of the model for one question. */
const MOST_TURNS = 8;

const OPEN: ChatTool = {
  name: 'open',
  description: 'Reads a Markdown document by its address or path, e.g. /llms.txt.',
  schema: {
    type: 'object',
    properties: { address: { type: 'string' } },
    required: ['address'],
    additionalProperties: false,
  },
};

/** What a model works with in a mode. */
interface Bench {
  readonly system: string;
  readonly tools: readonly ChatTool[];
  readonly use: (call: Call) => Promise<string>;
}

const ANSWER =
  'Answer in the language of the question, with names, dates, hours and prices as you read them and with links. If there is nothing, say so.';

/** An address of ours, whatever its origin, is opened on the server that is asked. */
function toPath(address: string, origin: string): string {
  const { pathname, search } = new URL(address, origin);
  return `${pathname}${search}`;
}

function toBench(origin: string, mode: Mode, introduction: Introduction, llms: string): Bench {
  if (mode === 'markdown')
    return {
      system: `${ANSWER} You can open documents of this site. Its /llms.txt:\n\n${llms}`,
      tools: [OPEN],
      use: async ({ args }) =>
        (await readDocument(origin, toPath(String(args.address), origin))).text,
    };
  return {
    system: `${ANSWER}\n\n${introduction.instructions}`,
    tools: introduction.tools.map(({ name, description, inputSchema }) => ({
      name,
      description: String(description),
      schema: inputSchema,
    })),
    use: ({ name, args }) => callHalf(origin, name, args, mode),
  };
}

/** What the model reads and says on its way to an answer. */
async function talk(model: Model, { system, tools, use }: Bench, ask: string): Promise<Journey> {
  const turns: Turn[] = [{ by: 'user', text: ask }];
  const read: string[] = [];
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const said = await complete(model, { system, turns, tools });
    if (said.calls.length === 0) return { entry: '', read, faults: [], answer: said.text };
    const results = await Promise.all(
      said.calls.map(async (call) => ({ id: call.id, text: await use(call).catch(String) })),
    );
    read.push(...results.map(({ text }) => text));
    turns.push({ by: 'model', ...said }, { by: 'tools', results });
  }
  return { entry: '', read, faults: [`no answer in ${MOST_TURNS} turns`], answer: '' };
}

/** What became of every question, mode by mode. */
export async function runModelEvals(
  origin: string,
  model: Model,
  questions: readonly Question[] = readQuestions(),
): Promise<Run> {
  const introduction = await readIntroduction(origin);
  const { text: llms } = await readDocument(origin, '/llms.txt');
  const outcomes: Outcome[] = [];
  for (const mode of MODES) {
    const bench = toBench(origin, mode, introduction, llms);
    for (const question of questions)
      outcomes.push(judge(question, mode, await talk(model, bench, question.ask)));
  }
  const tools = toEntry(introduction);
  return { outcomes, entries: { text: tools, structured: tools, markdown: llms } };
}
