// Tool schemas: finds a listed tool, and validates its answers against its output schema.
import { Ajv, addFormats } from '@modelcontextprotocol/server/validators/ajv';
import { expect } from 'vitest';
import { listTools, TOOLS } from '../../src/mcp/tools/catalog.ts';
import type { Snapshot } from '../../src/snapshot/open-snapshot.ts';

export function getListed(snapshot: Snapshot, name: string) {
  const tool = listTools(snapshot).find((listed) => listed.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
}

export function createCheck(schema: object): (value: unknown) => boolean {
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  return (value) => ajv.validate(schema, value) === true;
}

/** Tool with its whole output schema; the listed one leaves out nested fields. */
function getTool(name: string) {
  const tool = TOOLS.find((tool) => tool.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
}

/** Returns the schema with further fields forbidden in every object. */
const closeSchema = (schema: object): object =>
  JSON.parse(JSON.stringify(schema), (_, part) =>
    part?.properties ? { ...part, additionalProperties: false } : part,
  );

/** Expects an answer that matches the listed and the complete output schema, and has a text. */
export function expectPromised(
  snapshot: Snapshot,
  name: string,
  result: { structuredContent: object; content: { type: string; text: string }[] },
): void {
  const { structuredContent } = result;
  const schemas = [getListed(snapshot, name).outputSchema, getTool(name).output];
  for (const schema of schemas) {
    const check = createCheck(closeSchema(schema));
    expect([structuredContent, check(structuredContent)]).toEqual([structuredContent, true]);
  }
  expect(Object.keys(structuredContent)).toEqual(expect.arrayContaining(['now', 'about', 'meta']));
  expect(result.content).toEqual([{ type: 'text', text: expect.stringMatching(/\S/) }]);
}
