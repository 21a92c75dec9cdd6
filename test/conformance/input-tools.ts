import type { JsonObject } from '../../src/base/json-object.ts';
import type { Wire } from '../../src/kernel/relay.ts';
import { said } from './content.ts';
import { ask, elicitation, roots, sampling, unseal } from './input.ts';
import { type Fixture, nothing } from './fixture.ts';

const name = { type: 'string' };
const confirm = elicitation('Please confirm', { ok: { type: 'boolean' } });

/** Tools that need something of the client before they can answer. */
export const inputFixtures: readonly Fixture[] = [
  {
    name: 'test_sampling',
    description: 'Asks the client’s model',
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    call: (params) =>
      once(params, { answer: sampling(String(argumentsOf(params)['prompt'])) }, ({ answer }) => {
        const content = answer?.['content'] as { readonly text?: string } | undefined;
        return `LLM response: ${content?.text ?? ''}`;
      }),
  },
  {
    name: 'test_elicitation',
    description: 'Asks the user',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    call: (params) =>
      once(
        params,
        {
          answer: elicitation(String(argumentsOf(params)['message']), {
            username: { type: 'string', description: 'User’s response' },
            email: { type: 'string', description: 'User’s email address' },
          }),
        },
        ({ answer }) => `User response: ${JSON.stringify(answer)}`,
      ),
  },
  {
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks the user with default values',
    inputSchema: nothing,
    call: (params) =>
      once(
        params,
        {
          answer: elicitation('Please review', {
            name: { type: 'string', default: 'John Doe' },
            age: { type: 'integer', default: 30 },
            score: { type: 'number', default: 95.5 },
            status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
            verified: { type: 'boolean', default: true },
          }),
        },
        completed,
      ),
  },
  {
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks the user with every kind of choice',
    inputSchema: nothing,
    call: (params) => once(params, { answer: elicitation('Please choose', choices()) }, completed),
  },
  {
    name: 'test_missing_capability',
    description: 'Needs sampling',
    inputSchema: nothing,
    call: (params) => once(params, { answer: sampling('Anything') }, () => 'sampled'),
  },
  {
    name: 'test_streaming_elicitation',
    description: 'Needs elicitation',
    inputSchema: nothing,
    call: (params) => once(params, { answer: confirm }, completed),
  },
  {
    name: 'test_input_required_result_elicitation',
    description: 'Greets the user by name',
    inputSchema: nothing,
    call: (params) =>
      once(params, { user_name: elicitation('What is your name?', { name }) }, ({ user_name: user }) => {
        const content = user?.['content'] as { readonly name?: string } | undefined;
        return `Hello, ${content?.name ?? 'stranger'}!`;
      }),
  },
  {
    name: 'test_input_required_result_sampling',
    description: 'Asks the client’s model about a capital',
    inputSchema: nothing,
    call: (params) => once(params, { capital_question: sampling('What is the capital of France?') }, JSON.stringify),
  },
  {
    name: 'test_input_required_result_list_roots',
    description: 'Asks for the client’s roots',
    inputSchema: nothing,
    call: (params) => once(params, { client_roots: roots }, JSON.stringify),
  },
  {
    name: 'test_input_required_result_request_state',
    description: 'Checks that its state comes back',
    inputSchema: nothing,
    call: (params) => stateful(params, { confirm }),
  },
  {
    name: 'test_input_required_result_tampered_state',
    description: 'Refuses a state that was changed',
    inputSchema: nothing,
    call: (params) => stateful(params, { confirm }),
  },
  {
    name: 'test_input_required_result_multiple_inputs',
    description: 'Asks three things at once',
    inputSchema: nothing,
    call: (params) =>
      stateful(params, {
        user_name: elicitation('What is your name?', { name }),
        greeting: sampling('Generate a greeting', 50),
        client_roots: roots,
      }),
  },
  {
    name: 'test_input_required_result_multi_round',
    description: 'Asks twice, one after the other',
    inputSchema: nothing,
    async call(params) {
      const second = { step2: elicitation('Step 2: What is your favorite color?', { color: { type: 'string' } }) };
      if (unseal(params) === 'second') return stateful(params, second, 'second');
      const first = ask(params, { step1: elicitation('Step 1: What is your name?', { name }) }, 'first');
      return 'asking' in first ? first.asking : stateful({}, second, 'second');
    },
  },
  {
    name: 'test_input_required_result_capabilities',
    description: 'Asks only what the client can answer',
    inputSchema: nothing,
    call: (params, { wire }) => once(params, answerable(wire), JSON.stringify),
  },
];

function argumentsOf(params: JsonObject): JsonObject {
  return (params['arguments'] ?? {}) as JsonObject;
}

async function once(
  params: JsonObject,
  questions: Readonly<Record<string, JsonObject>>,
  answer: (given: Readonly<Record<string, JsonObject>>) => string,
): Promise<JsonObject> {
  const asked = ask(params, questions);
  return 'asking' in asked ? asked.asking : said(answer(asked.given));
}

async function stateful(
  params: JsonObject,
  questions: Readonly<Record<string, JsonObject>>,
  state = 'asked',
): Promise<JsonObject> {
  const asked = ask(params, questions, state);
  if ('asking' in asked) return asked.asking;
  return said(unseal(params) === state ? 'state-ok' : 'The state is missing');
}

function completed({ answer }: Readonly<Record<string, JsonObject>>): string {
  return `Elicitation completed: action=${String(answer?.['action'])}, content=${JSON.stringify(answer?.['content'])}`;
}

function answerable({ capabilities }: Wire): Readonly<Record<string, JsonObject>> {
  return {
    ...(capabilities['elicitation'] !== undefined && { confirm }),
    ...(capabilities['sampling'] !== undefined && { sample: sampling('Say something') }),
    ...(capabilities['roots'] !== undefined && { client_roots: roots }),
  };
}

function choices(): JsonObject {
  const titled = ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title }));
  const plain = ['option1', 'option2', 'option3'];
  return {
    untitledSingle: { type: 'string', enum: plain },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  };
}
