import { setTimeout as pause } from 'node:timers/promises';
import { audio, embedded, image, said, text } from './content.ts';
import { type Around, type Fixture, nothing } from './fixture.ts';

export const fixtures: readonly Fixture[] = [
  {
    name: 'test_simple_text',
    description: 'Returns text',
    inputSchema: nothing,
    call: async () => said('This is a simple text response for testing.'),
  },
  {
    name: 'test_image_content',
    description: 'Returns an image',
    inputSchema: nothing,
    call: async () => ({ content: [image] }),
  },
  {
    name: 'test_audio_content',
    description: 'Returns audio',
    inputSchema: nothing,
    call: async () => ({ content: [audio] }),
  },
  {
    name: 'test_embedded_resource',
    description: 'Returns a resource',
    inputSchema: nothing,
    call: async () => ({
      content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    }),
  },
  {
    name: 'test_multiple_content_types',
    description: 'Returns text, an image and a resource',
    inputSchema: nothing,
    call: async () => ({
      content: [
        text('Multiple content types test:'),
        image,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  {
    name: 'test_error_handling',
    description: 'Fails',
    inputSchema: nothing,
    call: async () => ({ ...said('This tool intentionally returns an error for testing'), isError: true }),
  },
  { name: 'test_tool_with_logging', description: 'Logs three times', inputSchema: nothing, call: logged },
  { name: 'test_logging_tool', description: 'Logs three times', inputSchema: nothing, call: logged },
  {
    name: 'test_tool_with_progress',
    description: 'Reports progress three times',
    inputSchema: nothing,
    async call(_params, { wire }) {
      const progressToken = wire.meta?.['progressToken'];
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await wire.notify('notifications/progress', { progressToken, progress, total: 100 });
        await pause(50);
      }
      return said('Done, with progress');
    },
  },
  {
    name: 'test_reconnection',
    description: 'Ends its stream before it answers',
    inputSchema: nothing,
    async call(_params, { wire }) {
      wire.detach?.();
      await pause(100);
      return said('Answered after the stream had ended');
    },
  },
  {
    name: 'test_trigger_tool_change',
    description: 'Says that the tools changed',
    inputSchema: nothing,
    async call(_params, { changed }) {
      changed({ list: 'tools' });
      return said('Told');
    },
  },
  {
    name: 'test_trigger_prompt_change',
    description: 'Says that the prompts changed',
    inputSchema: nothing,
    async call(_params, { changed }) {
      changed({ list: 'prompts' });
      return said('Told');
    },
  },
  {
    name: 'test_header_parameter',
    description: 'Has an argument that stands in a header too',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    call: async () => said('The header and the argument agree'),
  },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    call: async () => said('The schema is the point'),
  },
];

async function logged(_params: unknown, { wire }: Around) {
  for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await wire.notify('notifications/message', { level: 'info', logger: 'conformance', data });
    await pause(50);
  }
  return said('Done, with logs');
}
