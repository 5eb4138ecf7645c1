// A talk with a model that may call tools, in the two styles in which such endpoints speak.
import * as anthropic from './anthropic.ts';
import * as openai from './openai.ts';
import type { Model } from './settings.ts';

export interface ChatTool {
  readonly name: string;
  readonly description: string;
  readonly schema: object;
}

/** A tool that the model wants called. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the model says: words, and calls; without calls it is done. */
export interface Said {
  readonly text: string;
  readonly calls: readonly Call[];
}

export type Turn =
  | { readonly by: 'user'; readonly text: string }
  | ({ readonly by: 'model' } & Said)
  | {
      readonly by: 'tools';
      readonly results: readonly { readonly id: string; readonly text: string }[];
    };

export interface Talk {
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly ChatTool[];
}

/** A style: the request for the next turn, and what its answer says. */
export interface Style {
  readonly toHeaders: (model: Model) => Readonly<Record<string, string>>;
  readonly toBody: (model: Model, talk: Talk) => object;
  readonly read: (answer: unknown) => Said;
}

/** What the model says next; throws with what the endpoint answered where that is no answer. */
export async function complete(model: Model, talk: Talk): Promise<Said> {
  const style: Style = model.url.endsWith('/messages') ? anthropic : openai;
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
