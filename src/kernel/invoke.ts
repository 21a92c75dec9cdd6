import { stackOf } from '../base/failure.ts';
import type { Application } from './application.ts';
import type { Context } from './context.ts';
import { refusalElsewhere } from './policy.ts';
import type { Operation } from './operation.ts';
import { type FieldError, Problem, isProblem, phrase, problem, refusal } from './problem.ts';
import { type InvalidText, maxDepth, findInvalidText } from './json-limits.ts';
import { issueIn } from './text/issue.ts';

export type InvocationAnswer =
  | { readonly ok: true; readonly output: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: Problem };

/** The only way to run an operation: admission, policy, input, then the operation. A bug is never the caller's fault. */
export async function invoke(
  app: Application,
  context: Context,
  operation: Operation,
  input: unknown,
): Promise<InvocationAnswer> {
  const answer = await run(app, context, operation, input);
  const { person, userDatabase } = context.actor;
  if (answer.ok || answer.problem.code !== 'FORBIDDEN' || person || userDatabase === undefined) return answer;
  // A person of a user database that is not admitted learns how to get admitted, whatever the refusal was.
  return { ok: false, problem: refusal.unadmitted({ key: userDatabase }) };
}

async function run(
  app: Application,
  context: Context,
  operation: Operation,
  input: unknown,
): Promise<InvocationAnswer> {
  try {
    if (operation.toolsets.every((one) => one === 'admin') && !context.actor.person)
      return {
        ok: false,
        problem: refusal.toolset({ role: context.actor.role, toolset: 'admin', command: operation.command }),
      };
    const unserved = refuseUnserved(app, operation);
    if (unserved !== undefined) return { ok: false, problem: unserved };
    const refused = await app.policy.check(context, operation.name);
    if (refused !== undefined) return { ok: false, problem: refused };
    const given = inputOf(context, operation, input);
    if ('problem' in given) return { ok: false, problem: given.problem };
    const forbidden = await refusalElsewhere(app.policy, context, operation.name, given.input);
    if (forbidden !== undefined) return { ok: false, problem: forbidden };
    return { ok: true, output: await operation.run(context, given.input) };
  } catch (error) {
    return { ok: false, problem: asProblem(error, context, operation.name) };
  }
}

/** Refuses an operation whose toolsets are all switched off. */
export function refuseUnserved({ toolsets }: Pick<Application, 'toolsets'>, operation: Operation): Problem | undefined {
  // A person needs `admin` on the command line, whichever toolsets clients get.
  if (operation.toolsets.some((one) => one === 'admin' || toolsets.includes(one))) return undefined;
  return refusal.unserved({ toolset: operation.toolsets[0], served: toolsets });
}

function inputOf(
  context: Context,
  operation: Operation,
  given: unknown,
): { readonly input: never } | { readonly problem: Problem } {
  const unsound = findInvalidText(given);
  if (unsound !== undefined) return { problem: invalidTextProblem(unsound, context) };
  const parsed = operation.input.safeParse(given);
  if (parsed.success) return { input: parsed.data as never };
  const errors = parsed.error.issues.map((issue): FieldError => ({
    path: `/${issue.path.join('/')}`,
    message: context.say((lang) => issueIn(lang, issue, given)),
  }));
  return { problem: problem.VALIDATION_ERROR({ errors }, { validation_errors: errors }) };
}

/** The problem of an input that cannot be stored. It is checked before the schema, so every field gives the same error. */
export function invalidTextProblem({ path, fault }: InvalidText, { say }: Pick<Context, 'say'>): Problem {
  const sentence = fault === 'depth' ? phrase.depth({ most: maxDepth }) : phrase[fault]();
  // The key itself can be the invalid text, so the path ends above it.
  const errors: readonly FieldError[] = [{ path: `/${path.join('/')}`, message: say(sentence) }];
  return problem.VALIDATION_ERROR({ errors }, { validation_errors: errors });
}

/** Turns a thrown value into a problem. A bug is logged with its stack, and the caller gets a reference to that log entry. */
export function asProblem(error: unknown, context: Pick<Context, 'log' | 'newId'>, where: string): Problem {
  if (isProblem(error)) return error;
  const reference = context.newId('err-');
  context.log.error('internal error', { where, reference, stack: stackOf(error) });
  return problem.INTERNAL_ERROR({ reference });
}
