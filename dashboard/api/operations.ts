import type { z } from 'zod';
import type { UserAnswers } from '../../src/app/door.ts';
import type { approve } from '../../src/gate/operation/approve.ts';
import type { createRun } from '../../src/gate/operation/create-run.ts';
import type { describeProcess } from '../../src/gate/operation/describe-process.ts';
import type { describeRun } from '../../src/gate/operation/describe-run.ts';
import type { emitEvent } from '../../src/gate/operation/emit-event.ts';
import type { getHistory } from '../../src/gate/operation/get-history.ts';
import type { listProcesses } from '../../src/gate/operation/list-processes.ts';
import type { listRuns } from '../../src/gate/operation/list-runs.ts';
import type { listWaiting } from '../../src/gate/operation/list-waiting.ts';
import type { readEvidence } from '../../src/gate/operation/read-evidence.ts';
import type { reject } from '../../src/gate/operation/reject.ts';
import type { trust } from '../../src/gate/operation/trust.ts';
import type { useRun } from '../../src/gate/operation/use-run.ts';
import type { listJournal } from '../../src/journal/operation/list-journal.ts';
import type { labelPrompt } from '../../src/phase/operation/label-prompt.ts';
import type { listPromptVersions } from '../../src/phase/operation/list-prompt-versions.ts';
import type { listPrompts } from '../../src/phase/operation/list-prompts.ts';
import type { previewPrompt } from '../../src/phase/operation/preview-prompt.ts';
import type { publishPrompt } from '../../src/phase/operation/publish-prompt.ts';
import type { rollBackPrompt } from '../../src/phase/operation/roll-back-prompt.ts';
import type { showPrompt } from '../../src/phase/operation/show-prompt.ts';
import type { withdrawPrompt } from '../../src/phase/operation/withdraw-prompt.ts';
import type { verifyJournal } from '../../src/journal/operation/verify-journal.ts';

/** The operations that the page calls, by name, each with the types of its definition. A test checks the names. */
interface Operations {
  approve: typeof approve;
  describe_process: typeof describeProcess;
  describe_run: typeof describeRun;
  label_prompt: typeof labelPrompt;
  list_journal: typeof listJournal;
  list_prompt_versions: typeof listPromptVersions;
  list_prompts: typeof listPrompts;
  list_waiting: typeof listWaiting;
  preview_prompt: typeof previewPrompt;
  publish_prompt: typeof publishPrompt;
  read_evidence: typeof readEvidence;
  reject: typeof reject;
  roll_back_prompt: typeof rollBackPrompt;
  show_prompt: typeof showPrompt;
  'state_gate.create_run': typeof createRun;
  'state_gate.emit_event': typeof emitEvent;
  'state_gate.get_history': typeof getHistory;
  'state_gate.list_processes': typeof listProcesses;
  'state_gate.list_runs': typeof listRuns;
  trust: typeof trust;
  use_run: typeof useRun;
  verify_journal: typeof verifyJournal;
  withdraw_prompt: typeof withdrawPrompt;
}

export type Name = keyof Operations;
export type Input<N extends Name> = z.input<Operations[N]['input']>;
export type Output<N extends Name> = z.output<Operations[N]['output']>;

/** What concerns no project. */
export type UserName = keyof UserAnswers;
export type UserOutput<N extends UserName> = UserAnswers[N];

/** What is about to be agreed to, and the input that does exactly that. */
export interface Asked<N extends Name> {
  readonly text: string | null;
  readonly input: Input<N>;
}
