import type { ArtifactFault } from './run/artifacts.ts';
import type { Finding } from './definition/finding.ts';
import type { RoleFault } from './definition/role.ts';

declare module '../kernel/problem.ts' {
  interface Problems {
    /** Without `run_id`: nothing is current in this project. */
    RUN_NOT_FOUND: { run_id: string | undefined };
    PROCESS_NOT_FOUND: { process_id: string; known: readonly string[]; broken: readonly string[] };
    PROCESS_INVALID: { process_id: string; findings: readonly Finding[] };
    INVALID_EVENT: {
      event: string;
      state: string | undefined;
      legal_in: readonly string[];
      possible: readonly string[];
    };
    INVALID_PAYLOAD: { errors: readonly FieldError[] };
    REVISION_CONFLICT: { expected: number; current: number };
    GUARD_FAILED: { missing: readonly string[] };
  }
  interface Refusals {
    /** The event, the role, or every transition of this state excludes the actor's role. */
    event: { role: string; event: string; by: RoleFault | 'transition' };
    /** The current state's `tool_permissions`. */
    tool: { tool: string; state: string; process: string; run_id: string; ask: boolean; opens: readonly string[] };
    /** Only a person may do this while a run is open. */
    person: { what: string };
  }
  interface Phrases {
    'guard.artifact.missing': { type: string };
    'guard.artifact.few': { type: string; current: number; required: number };
    'guard.context': { variable: string; condition: string; current: string; required: string };
    'guard.approval': { role: string; current: number; required: number; own: number };
    'guard.file.missing': { paths: string };
    'guard.file.changed': { path: string };
    'guard.schema': { path: string; errors: string };
    'guard.expression': { expression: string; outcome: string };
    'guard.any': { reasons: string };
    'guard.not': { guard: string };
    'guard.command.untrusted': { command: string };
    'guard.command.pending': { command: string };
    'guard.command.waiting': { guards: string };
    'guard.command.failed': { command: string; outcome: string; output: string };
    'guard.command.timeout': { ms: number };
    'guard.command.exit': { current: number; required: number };
    'guard.description': { guard: string; type: string };
    'event.wrong_state': { states: readonly string[] };
    'event.wrong_role': { role: string };
    'artifact.fault': { path: string; fault: ArtifactFault };
    'payload.too_large': { bytes: number; limit: number };
    'payload.key_reused': { key: string };
    'conflict.next': Record<never, never>;
    'guard.next': Record<never, never>;
  }
}

declare module '../kernel/context.ts' {
  interface Settings {
    /** Folders or files of process definitions, absolute, in order of preference. */
    readonly processes: readonly string[];
    /** The definitions that come with the product. */
    readonly shippedProcesses: string;
  }
}
