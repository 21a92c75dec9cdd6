import type { Operation } from '../../kernel/operation.ts';
import { type FieldError, type Problem, problem } from '../../kernel/problem.ts';
import { type Lang, definePhrases } from '../../kernel/text/text.ts';
import { flagName } from './cli.ts';
import { escapeControlCharacters } from './escape-control-characters.ts';
import { missingInJapanese } from '../../kernel/text/issue.ts';
import * as ja from './ja.ts';

/** The command that shows what may stand there. */
const shownBy: Readonly<Record<string, string>> = {
  process_id: 'sekisho gate list-processes',
  run_id: 'sekisho gate list-runs',
  event_name: 'sekisho gate list-events',
  project_id: 'sekisho work list-projects',
  task_id: 'sekisho tasks',
  agent_id: 'sekisho work list-agents',
  agentId: 'sekisho ps',
  groupId: 'sekisho ps',
  roleId: 'sekisho fleet list-roles',
};

export const english = {
  required: ({ flag }: { flag: string }) => `${flag} is required`,
  number: ({ flag }: { flag: string }) => `${flag} must be a number`,
  json: ({ flag }: { flag: string }) => `${flag} must be JSON, for example ${flag} '{"key": "value"}'`,
  other: ({ flag, message }: { flag: string; message: string }) => `${flag}: ${message}`,
  shows: ({ line, command }: { line: string; command: string }) => `${line}; ${command} shows them`,
};

const said = definePhrases(english, ja.commandWords);

/** Describes input errors in terms of flags; undefined for any other problem. */
export function describeInFlags(operation: Operation, refused: Problem, lang: Lang): readonly string[] | undefined {
  if (!problem.VALIDATION_ERROR.is(refused)) return undefined;
  const errors = refused.details?.['validation_errors'] as readonly FieldError[] | undefined;
  return errors?.map(({ path, message }) => {
    const [, field = '', ...deeper] = path.split('/');
    const flag = field === '' ? `sekisho ${operation.name}` : `--${flagName(field)}`;
    const at = deeper.length === 0 ? flag : `${flag} (${deeper.join('/')})`;
    const line = sentenceOf(at, message)(lang);
    const command = shownBy[field];
    return escapeControlCharacters(command === undefined ? line : said.shows({ line, command })(lang));
  });
}

function sentenceOf(flag: string, message: string) {
  if (message === missingInJapanese || /received undefined/.test(message)) return said.required({ flag });
  if (/expected (?:number|int)/.test(message)) return said.number({ flag });
  if (/expected (?:record|object|array)/.test(message)) return said.json({ flag });
  return said.other({ flag, message });
}
