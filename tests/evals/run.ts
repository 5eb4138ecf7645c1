// Eval run: sends all questions in all modes to one server, by a script or by a model.
import { askMarkdown, askTools, readDocument, readIntroduction, formatEntry } from './callers.ts';
import { judge, type Outcome } from './judge.ts';
import { askModel, type Model } from './model.ts';
import { type Mode, MODES, type Question, readQuestions } from './question.ts';

export interface Run {
  readonly outcomes: readonly Outcome[];
  /** The introductions that callers read before any question. */
  readonly entries: Readonly<Record<Mode, string>>;
}

/** Runs every question in every mode. */
export async function runEvals(
  origin: string,
  model: Model | null = null,
  questions: readonly Question[] = readQuestions(),
): Promise<Run> {
  const introduction = await readIntroduction(origin);
  const { text: llms } = await readDocument(origin, '/llms.txt');
  const ask = (question: Question, mode: Mode) => {
    if (model !== null) return askModel(model, origin, mode, introduction, llms, question.ask);
    return mode === 'markdown'
      ? askMarkdown(origin, question)
      : askTools(introduction, question, mode);
  };
  const outcomes: Outcome[] = [];
  for (const mode of MODES)
    for (const question of questions)
      outcomes.push(judge(question, mode, await ask(question, mode)));
  const tools = formatEntry(introduction);
  return { outcomes, entries: { text: tools, structured: tools, markdown: llms } };
}
