import { agentRole } from '../../kernel/role.ts';
import type { Body, Head } from '../definition/schema.ts';
import type { Definition } from '../definition/definition.ts';
import { type RawFinding, type Report, reportInto } from '../definition/finding.ts';
import { lintGuards } from './lint-guards.ts';
import { decidingRoles } from '../definition/agents-role.ts';
import { lintNames } from './lint-names.ts';
import { lintShape } from './lint-shape.ts';
import { lintText } from './lint-text.ts';

export function lintDefinition(head: Head, body: Body, definition: Definition): readonly RawFinding[] {
  const findings: RawFinding[] = [];
  const report = reportInto(findings);
  lintNames(head, body, report);
  lintGuards(body, definition, report);
  lintShape(definition, report);
  lintRoles(definition, report);
  return findings;
}

/** Reports agent roles that approve or reject: an agent could approve its own work. */
function lintRoles(definition: Definition, report: Report): void {
  const deciding = decidingRoles(definition);
  definition.roles.forEach(({ name, kind }, index) => {
    if (!deciding.has(name)) return;
    if (kind === 'agent')
      report.error('AGENT_DECIDES', ['roles', index, 'kind'], lintText.agentDecides({ name }), lintText.anotherRole());
    else if (name === agentRole)
      report.warning('AGENT_DECIDES', ['roles', index], lintText.agentNever(), lintText.personApproves());
  });
}
