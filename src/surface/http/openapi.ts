import type { Operation } from '../../kernel/operation.ts';
import type { JsonObject } from '../../base/json-object.ts';
import { version } from '../../base/version.ts';
import { describeTool } from '../mcp/describe.ts';

const project = {
  name: 'project',
  in: 'query',
  required: true,
  description: 'The path of the project’s root; list_roots lists them',
  schema: { type: 'string' },
};

const ask = {
  name: 'ask',
  in: 'query',
  allowEmptyValue: true,
  description: 'Runs nothing: returns the question for the person, and the input that does exactly that',
  schema: { type: 'string' },
};

/** The OpenAPI 3.1 document of the API, derived from the operations. */
export function openApi(operations: readonly Operation[]): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sekisho',
      version,
      description: 'Every operation of the daemon, for programs with a person’s token.',
    },
    security: [{ token: [] }],
    paths: {
      '/api/list_roots': { post: listRoots },
      '/api/stream': { get: stream },
      ...Object.fromEntries(operations.map((one) => [`/api/${one.name}`, { post: described(one) }])),
    },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'sekisho token create' } },
      schemas: {
        Failure: {
          type: 'object',
          properties: {
            code: { type: 'string' },
            message: { type: 'string', description: 'In the language of Accept-Language: en or ja' },
            details: { type: 'object' },
          },
          required: ['code', 'message'],
          additionalProperties: false,
        },
        Question: {
          type: 'object',
          description: 'The answer to ?ask',
          properties: {
            text: {
              type: ['string', 'null'],
              description: 'What the person is asked to agree to; null: nothing to ask',
            },
            input: { type: 'object', description: 'Send this, without ?ask, to do exactly that' },
          },
          required: ['text', 'input'],
          additionalProperties: false,
        },
      },
    },
  };
}

const failure = { description: 'It was refused', content: json({ $ref: '#/components/schemas/Failure' }) };

function described(operation: Operation): JsonObject {
  const tool = describeTool(operation);
  const answer = bare(tool['outputSchema']);
  const asks = operation.confirm !== undefined;
  return {
    operationId: operation.name,
    summary: operation.summary.en,
    tags: operation.toolsets,
    parameters: asks ? [project, ask] : [project],
    requestBody: { content: json(bare(tool['inputSchema'])) },
    responses: {
      200: {
        description: 'Done',
        content: json(asks ? { anyOf: [answer, { $ref: '#/components/schemas/Question' }] } : answer),
      },
      default: failure,
    },
  };
}

const listRoots = {
  operationId: 'list_roots',
  summary: 'The projects that this daemon serves.',
  responses: {
    200: {
      description: 'Done',
      content: json({
        type: 'object',
        properties: {
          roots: {
            type: 'array',
            items: {
              type: 'object',
              properties: { path: { type: 'string' }, name: { type: 'string' } },
              required: ['path', 'name'],
              additionalProperties: false,
            },
          },
        },
        required: ['roots'],
        additionalProperties: false,
      }),
    },
    default: failure,
  },
};

const stream = {
  operationId: 'stream',
  summary: 'The journal of a project as server-sent events, from now on or after the last event that you received.',
  parameters: [
    project,
    { name: 'Last-Event-ID', in: 'header', description: 'Continue after this event', schema: { type: 'string' } },
  ],
  responses: {
    200: { description: 'Events', content: { 'text/event-stream': { schema: { type: 'string' } } } },
    default: failure,
  },
};

function json(schema: object): JsonObject {
  return { 'application/json': { schema } };
}

/** Removes `$schema`: the document names the dialect once. */
function bare(schema: unknown): JsonObject {
  const { $schema: _dialect, ...rest } = schema as JsonObject;
  return rest;
}
