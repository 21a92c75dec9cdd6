import { definePhrases } from '../../kernel/text/text.ts';
import * as ja from './ja.ts';

export const english = {
  welcome: ({ folder }: { folder: string }) =>
    `Two minutes, no key, no model. In a scratch project (${folder}) a scripted agent has to fix a function that adds wrongly. The gate, the hook and the tests are the real ones. Everything is removed at the end.`,
  path: () => 'The process: look → fix → review → done',
  goOn: ({ at, of }: { at: number; of: number }) => `${at}/${of}, press Enter to continue`,
  deniedTitle: () => 'It wants to edit at once',
  denied: () =>
    'The agent has not looked yet. Its client asks Sekisho before each tool, by a hook. In the state "look" the sources are closed.',
  claimTitle: () => 'It says that it has looked',
  claim: () => 'Saying so is not enough: the next step needs findings.md, and there is none.',
  evidenceTitle: () => 'It hands in evidence',
  evidence: () => 'It writes findings.md and submits it. The gate keeps its content by digest, and the run moves on.',
  failTitle: () => 'It fixes it, wrongly',
  fail: () =>
    'Now the hook lets it edit. It writes a * b and reports success. The gate does not believe it: it runs the tests of the project itself.',
  fixTitle: () => 'It fixes it, rightly',
  fix: () => 'It writes a + b and reports again. The tests pass.',
  selfTitle: () => 'It approves itself',
  self: () => 'Only a person may say yes here. An agent is refused, whatever it calls itself.',
  youTitle: () => 'You decide',
  you: () =>
    'This is what sekisho approve shows: the evidence, as it was handed in. Your approval counts for exactly that.',
  question: () => 'approve?',
  byItself: () => '(no one to ask: the demo says yes)',
  proofTitle: () => 'The record is proof',
  proof: () => 'Every step is in a journal whose rows are chained. A row that is changed by hand is found.',
  refused: ({ why }: { why: string }) => `refused: ${why}`,
  allowed: () => 'the hook has no objection',
  moved: ({ from, to }: { from: string; to: string }) => `moved on: ${from} → ${to}`,
  stays: () => 'You said no: the run stays at review, and the agent can do nothing about it.',
  sound: ({ entries }: { entries: number }) => `${entries} entries, none was changed`,
  end: () => 'That was all of it, and it is gone again. In your own project: sekisho init',
};

export const demoPhrase = definePhrases(english, ja.demoPhrase);
