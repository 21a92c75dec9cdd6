import type { Context } from '../../kernel/context.ts';
import { Problem, problem as kernelProblem } from '../../kernel/problem.ts';
import type { Loaded } from './prompt.ts';
import type { Source } from '../source/source.ts';
import { loadPrompt } from '../source/sources.ts';
import { type Part, type Values, fillTemplate, parseTemplate } from './template.ts';
import { phrase } from '../problem.ts';

const maxDepth = 10;

export interface Composed {
  readonly parts: readonly Exclude<Part, { kind: 'include' }>[];
  readonly included: readonly Loaded[];
}

/** Resolves the includes of a prompt to one list of texts and variables. */
export async function compose(context: Context, source: Source, prompt: Loaded): Promise<Composed> {
  const included = new Map<string, Loaded>();
  const expand = async (from: Loaded, trail: readonly string[]): Promise<Composed['parts']> => {
    const here = [...trail, from.name];
    const parts: Exclude<Part, { kind: 'include' }>[] = [];
    for (const part of parseTemplate(from.content)) {
      if (part.kind !== 'include') {
        parts.push(part);
        continue;
      }
      if (here.includes(part.name))
        throw fault(context.say(phrase.promptCycle({ trail: [...here, part.name].join(' → ') })), from);
      if (here.length > maxDepth) throw fault(context.say(phrase.promptDeep({ limit: maxDepth })), from);
      const inner = included.get(part.name) ?? (await loadPrompt(context, source, part.name, from.name));
      included.set(part.name, inner);
      // The final line break belongs to the included file, not to the including text.
      parts.push(...(await expand({ ...inner, content: inner.content.replace(/\r?\n$/, '') }, here)));
    }
    return parts;
  };
  return { parts: await expand(prompt, []), included: [...included.values()] };
}

export function usesVariable(parts: readonly Part[], name: string): boolean {
  return parts.some((part) => part.kind === 'variable' && part.path.split('.')[0] === name);
}

/** Fills in the variables. Throws an error that names every variable without a value. */
export function fillPrompt(context: Context, prompt: Loaded, parts: readonly Part[], values: Values): string {
  const { text, missing } = fillTemplate(parts, values);
  if (missing.length === 0) return text;
  throw kernelProblem.VALIDATION_ERROR(
    {
      errors: missing.map((variable) => ({
        path: `/${variable.replaceAll('.', '/')}`,
        message: context.say(phrase.promptVariable({ variable, prompt: prompt.name })),
      })),
    },
    { missing, prompt: prompt.name, version: prompt.version },
  );
}

function fault(message: string, prompt: Loaded): Problem {
  return kernelProblem.VALIDATION_ERROR({ errors: [{ path: prompt.name, message }] }, { prompt: prompt.name });
}
