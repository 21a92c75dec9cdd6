import { describe, expect, test } from 'vitest';
import type { Launch } from '../../src/fleet/agent-cli.ts';
import { agents } from '../../src/fleet/agents.ts';

const secret = 'sk_very_secret';
const launch: Launch = {
  model: 'some-model',
  permissions: 'full',
  prompt: 'the whole prompt; $(rm -rf /) `x` "y"',
  systemPrompt: 'the system prompt',
  workingDirectory: '/w',
  folder: '/home/.sekisho/agents/a',
  command: ['node', 'agent.mjs'],
  server: {
    command: '/usr/bin/node',
    args: ['/opt/sekisho', 'mcp'],
    env: { SEKISHO_TOKEN: secret, SEKISHO_DB: 'postgres://u:password@db/x' },
  },
  envFile: '/home/.sekisho/agents/a/env.json',
};

describe.each(agents.map((one) => [one.id, one] as const))('%s', (_id, cli) => {
  const invocation = cli.invoke(launch);

  test('the prompt goes in by stdin and never on the command line', () => {
    expect(invocation.stdin).toContain(launch.prompt);
    expect(invocation.args.join(' ')).not.toContain('the whole prompt');
    expect(invocation.args.join(' ')).not.toContain('the system prompt');
  });

  test('nothing secret stands on the command line, in its environment or in the project', () => {
    const seen = JSON.stringify([invocation.args, invocation.env, invocation.projectFiles]);
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain('password');
  });

  test('it is led back to us', () => {
    const all = JSON.stringify(invocation);
    expect(all).toContain('/opt/sekisho');
    expect(all.includes(secret) || all.includes(launch.envFile)).toBe(true);
  });

  test('the model is passed on, or left to the program', () => {
    if (!cli.capabilities.model) return;
    expect(invocation.args).toContain('some-model');
    expect(cli.invoke({ ...launch, model: undefined }).args).not.toContain('some-model');
  });

  test('it may do less where only edits are permitted', () => {
    if (!cli.capabilities.model) return;
    expect(cli.invoke({ ...launch, permissions: 'edit' }).args).not.toEqual(invocation.args);
  });
});

test('every one says how to install it, and no two have the same name', () => {
  for (const one of agents) expect(one.install).not.toBe('');
  expect(new Set(agents.map((one) => one.id)).size).toBe(agents.length);
});
