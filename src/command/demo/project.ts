import type { Lang } from '../../kernel/text/text.ts';
import { words } from '../words.ts';

const process = `process:
  id: demo
  version: "1.0.0"
  name: Demo
  description: Look first, then fix, then a person says yes
  initial_state: look
states:
  - name: look
    tool_permissions: { denied: ["Edit(src/**)", "Write(src/**)"] }
  - name: fix
  - name: review
    tool_permissions: { allowed: [Read, Grep, Glob] }
  - name: done
    is_final: true
events:
  - { name: looked, description: Hand in findings.md, allowed_roles: [agent] }
  - { name: fixed, description: The gate runs the tests, allowed_roles: [agent] }
  - { name: approve, description: A person says yes, allowed_roles: [reviewer] }
  - { name: reject, description: A person says no, allowed_roles: [reviewer] }
transitions:
  - { from: look, event: looked, to: fix, guards: [has_findings] }
  - { from: fix, event: fixed, to: review, guards: [tests_pass] }
  - { from: review, event: approve, to: done, guards: [approved] }
  - { from: review, event: reject, to: fix }
guards:
  has_findings: { type: artifact, artifact_type: findings, condition: exists, min_bytes: 20 }
  tests_pass: { type: command, command: { config: test } }
  approved: { type: approval, role: reviewer, event: approve }
artifacts:
  - { type: findings, path: findings.md }
roles:
  - { name: agent, allowed_events: [looked, fixed] }
  - { name: reviewer, allowed_events: [approve, reject], can_approve: true, can_reject: true }
`;

const test = `import { add } from './src/add.mjs';
const sum = add(2, 3);
console.log(sum === 5 ? 'ok' : 'add(2, 3) is ' + sum + ', not 5');
process.exitCode = sum === 5 ? 0 : 1;
`;

export const demoFiles = {
  '.sekisho/config.yaml': 'test: [node, test.mjs]\n',
  '.sekisho/processes/demo.yaml': process,
  'src/add.mjs': 'export const add = (a, b) => a - b;\n',
  'test.mjs': test,
};

export const wrongFix = 'export const add = (a, b) => a * b;\n';
export const rightFix = 'export const add = (a, b) => a + b;\n';

export const findings: Readonly<Record<Lang, string>> = words(
  '# Findings\n\nsrc/add.mjs subtracts. test.mjs expects a sum.\n',
);
