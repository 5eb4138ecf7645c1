// The same questions asked of a real model: it is given the tools, or one that opens addresses, and its
// last words are looked through for the facts.
import type { Journey } from '../journey.ts';
import { judge, type Outcome } from '../judge.ts';
import { readDocument } from '../markdown-caller.ts';
import { callHalf, type Introduction, readIntroduction, toEntry } from '../mcp-caller.ts';
import { type Mode, MODES, type Question, readQuestions } from '../question.ts';
import type { Run } from '../run.ts';
import { type Call, type ChatTool, complete, type Turn } from './chat.ts';
import type { Model } from './settings.ts';

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
