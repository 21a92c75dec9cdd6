import type { JsonObject } from '../../src/base/json-object.ts';
import type { Relay, RelayChange } from '../../src/kernel/relay.ts';
import { embedded, image, readResource, resourceTemplates, resources, text } from './content.ts';
import { inputFixtures } from './input-tools.ts';
import { ask, elicitation } from './input.ts';
import { fixtures } from './tools.ts';

/** What the official conformance suite expects of a server. */
export function createConformanceRelay(): Relay {
  const listeners = new Set<(change: RelayChange) => void>();
  const tools = [...fixtures, ...inputFixtures];
  const lists = {
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    resources,
    resourceTemplates,
    prompts: prompts.map(({ name, names }) => ({
      name,
      description: 'A prompt of the conformance suite',
      arguments: names.map((one) => ({ name: one, description: 'A test argument', required: true })),
    })),
  };
  return {
    list: async (kind) => lists[kind],
    heard: () => undefined,
    left: () => undefined,
    async answer(method, params, wire) {
      switch (method) {
        case 'tools/call':
          return tools
            .find((one) => one.name === params['name'])
            ?.call(params, {
              wire,
              changed: (change) => {
                for (const listener of listeners) listener(change);
              },
            });
        case 'resources/read':
          return readResource(String(params['uri']));
        case 'prompts/get':
          return prompts.find((one) => one.name === params['name'])?.get(params);
        case 'completion/complete':
          return { completion: { values: ['testing', 'tested'], total: 2, hasMore: false } };
        default:
          return undefined;
      }
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

interface Prompt {
  readonly name: string;
  readonly names: readonly string[];
  get(params: JsonObject): JsonObject;
}

const prompts: readonly Prompt[] = [
  { name: 'test_simple_prompt', names: [], get: () => messages(text('This is a simple prompt for testing.')) },
  {
    name: 'test_prompt_with_arguments',
    names: ['arg1', 'arg2'],
    get(params) {
      const { arg1, arg2 } = params['arguments'] as Readonly<Record<string, string>>;
      return messages(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`));
    },
  },
  {
    name: 'test_prompt_with_embedded_resource',
    names: ['resourceUri'],
    get(params) {
      const { resourceUri = '' } = params['arguments'] as Readonly<Record<string, string>>;
      return messages(
        embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      );
    },
  },
  { name: 'test_prompt_with_image', names: [], get: () => messages(image, text('Please analyze the image above.')) },
  {
    name: 'test_input_required_result_prompt',
    names: [],
    get(params) {
      const question = elicitation('What context should the prompt use?', { context: { type: 'string' } });
      const asked = ask(params, { user_context: question });
      return 'asking' in asked ? asked.asking : messages(text(JSON.stringify(asked.given['user_context'])));
    },
  },
];

function messages(...contents: readonly JsonObject[]): JsonObject {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}
