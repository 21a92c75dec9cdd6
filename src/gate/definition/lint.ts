import type { Body, Head } from './schema.ts';
import type { Definition } from './definition.ts';
import type { RawFinding, Report } from './finding.ts';
import { lintGuards } from './lint-guards.ts';
import { lintNames } from './lint-names.ts';
import { lintShape } from './lint-shape.ts';

/** Everything that can be said about a definition whose fields have the right shape. */
export function lint(head: Head, body: Body, definition: Definition): readonly RawFinding[] {
  const findings: RawFinding[] = [];
  const report: Report = (code, severity, path, message, remedy) =>
    findings.push({ code, severity, path, message, remedy });
  lintNames(head, body, report);
  lintGuards(body, definition, report);
  lintShape(definition, report);
  return findings;
}
