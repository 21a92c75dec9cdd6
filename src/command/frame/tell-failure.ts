import { loadCatalogue } from '../../app/catalogue.ts';
import { messageOf, stackOf } from '../../base/failure.ts';
import type { Operation } from '../../kernel/operation.ts';
import { type Problem, isProblem } from '../../kernel/problem.ts';
import { failureBody } from '../../surface/envelope.ts';
import { renderProblem, renderRefusal } from '../../surface/terminal/failure.ts';
import { printJson } from '../../surface/terminal/print.ts';
import type { Screen } from '../../surface/terminal/screen.ts';
import { exitCode, exitCodeOf } from './command.ts';
import { systemFault } from './system-fault.ts';
import { wrongFlag } from './wrong-flag.ts';

/** What a failure is told with. The screen is that of standard error. */
interface Telling {
  readonly json: boolean;
  readonly screen: Screen;
  readonly operation?: Operation;
}

/** Tells why a command failed: with `--json` as an object, otherwise in a sentence. Returns the exit code. */
export async function tellFailure(error: unknown, telling: Telling): Promise<number> {
  const { json, screen } = telling;
  if (isProblem(error)) return tellProblem(error, telling);
  const fault = error as NodeJS.ErrnoException;
  const code = typeof fault.code === 'string' ? fault.code : '';
  // The user pressed Ctrl-C at a prompt.
  if (code === 'ABORT_ERR') return exitCode.interrupted;
  const tell = (name: string, message: string) =>
    json ? printJson({ code: name, message }) : process.stderr.write(renderRefusal(message, screen));
  if (code.startsWith('ERR_PARSE_ARGS')) {
    tell('WRONG_USE', wrongFlag(fault)(screen.lang));
    return exitCode.usage;
  }
  if (fault.syscall !== undefined) {
    tell(code, systemFault(fault)(screen.lang));
    return exitCode.refused;
  }
  if (json) printJson({ code: 'INTERNAL_ERROR', message: messageOf(error) });
  process.stderr.write(`${stackOf(error)}\n`);
  return exitCode.internal;
}

async function tellProblem(refused: Problem, { json, screen, operation }: Telling): Promise<number> {
  if (json) printJson(failureBody(screen.lang, refused, operation));
  else {
    const { operations } = await loadCatalogue();
    process.stderr.write(renderProblem(refused, screen, { operations, ...(operation && { operation }) }));
  }
  return exitCodeOf(refused);
}
