import type { Say, Sentence } from '../../kernel/text/text.ts';

export type FindingCode =
  | 'YAML'
  | 'MISSING_FIELD'
  | 'BAD_FIELD'
  | 'UNKNOWN_FIELD'
  | 'DUPLICATE_NAME'
  | 'UNKNOWN_STATE'
  | 'UNKNOWN_EVENT'
  | 'UNKNOWN_GUARD'
  | 'UNKNOWN_GUARD_TYPE'
  | 'UNKNOWN_ROLE'
  | 'UNKNOWN_ARTIFACT_TYPE'
  | 'UNREACHABLE_STATE'
  | 'DEAD_END'
  | 'NO_FINAL_STATE'
  | 'LEAVES_FINAL_STATE'
  | 'BAD_WILDCARD'
  | 'BAD_GUARD'
  | 'GUARD_CYCLE'
  | 'BAD_SCHEMA'
  | 'UNUSED_GUARD'
  | 'UNUSED_EVENT'
  | 'SHADOWED_TRANSITION'
  | 'SELF_REPORTED_GUARD'
  | 'LOCKED_STATE'
  | 'UNWATCHED_STATE'
  | 'UNDECLARED_KEY'
  | 'COMPATIBLE'
  | 'AGENT_DECIDES';

export type Path = readonly (string | number)[];

/** A finding before its place in the file is known. */
export interface RawFinding {
  readonly code: FindingCode;
  /** Errors make the definition unusable; warnings are advice. */
  readonly severity: 'error' | 'warning';
  readonly path: Path;
  readonly message: Sentence;
  readonly remedy: Sentence;
}

export type TranslatedFinding = Omit<Finding, 'message' | 'remedy'> & {
  readonly message: string;
  readonly remedy: string;
};

export function translateFinding(finding: Finding, say: Say): TranslatedFinding {
  return { ...finding, message: say(finding.message), remedy: say(finding.remedy) };
}

export function findingLine({ line, column, code, message }: Finding, say: Say): string {
  return `${line}:${column} ${code} ${say(message)}`;
}

export interface Finding extends Omit<RawFinding, 'path'> {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

type ReportFinding = (code: FindingCode, path: Path, message: Sentence, remedy: Sentence) => void;

export type Report = Readonly<Record<RawFinding['severity'], ReportFinding>>;

export function reportInto(findings: RawFinding[]): Report {
  const report =
    (severity: RawFinding['severity']): ReportFinding =>
    (code, path, message, remedy) =>
      findings.push({ code, severity, path, message, remedy });
  return { error: report('error'), warning: report('warning') };
}
