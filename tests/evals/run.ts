// All questions in all modes, asked of one server: by a script, or by a model.
import { askMarkdown, askTools, readDocument, readIntroduction, toEntry } from './callers.ts';
import { judge, type Outcome } from './judge.ts';
import { askModel, type Model } from './model.ts';
import { type Mode, MODES, type Question, readQuestions } from './question.ts';

export interface Run {
  readonly outcomes: readonly Outcome[];
  /** What is read before any question. */
  readonly entries: Readonly<Record<Mode, string>>;
}

/** What became of every question, mode by mode. */
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
  const tools = toEntry(introduction);
  return { outcomes, entries: { text: tools, structured: tools, markdown: llms } };
}
