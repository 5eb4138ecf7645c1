// Which model is asked, from the environment; none where it names none.
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
