import { posix } from 'node:path';
import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { compose } from '../prompt/compose.ts';
import { phaseValues } from '../prompt/serve.ts';
import { type Values, fillTemplate } from '../prompt/template.ts';
import { settings } from '../settings.ts';
import { promptInput } from '../shapes.ts';
import { pickPrompt, sourceOf } from '../source/sources.ts';
import { described, words } from '../words.ts';

export const previewPrompt = defineOperation({
  name: 'preview_prompt',
  toolsets: ['admin'],
  effect: 'read',
  summary: words(
    'A prompt as its reader would get it, with includes and variables filled in. The journal does not record it as served.',
  ),
  example: '--prompt phase0 --version 2 --values \'{"context.goal": "a faster start"}\'',
  input: z.strictObject({
    prompt: promptInput,
    version: described(z.int().min(1).optional(), 'A version of the store'),
    label: described(z.string().optional(), 'A label of the store: production, latest or another'),
    values: described(z.record(z.string(), z.string()).default({}), 'Values of variables, by the name in the braces'),
  }),
  output: z.object({
    prompt: z.string(),
    version: z.number(),
    text: described(z.string(), 'A variable without a value stays in its braces'),
    variables: z.array(
      z.object({
        name: z.string(),
        is_optional: z.boolean(),
        is_filled: described(z.boolean(), 'True if the project or the caller gives a value'),
      }),
    ),
    included: described(z.array(z.string()), 'Included prompts'),
  }),
  async run(context, { prompt: name, values, ...which }) {
    const found = await pickPrompt(context, name, which);
    const loaded = { ...found, fetchedAt: context.now().toISOString(), cached: false };
    const { parts, included } = await compose(context, sourceOf(context), loaded);
    const { list, variables } = settings.of(context).phases;
    const item = list.find((one) => (one.prompt ?? one.id) === name);
    const { tree, root, key } = context.project;
    const own: Values = {
      project: { path: tree, name: posix.basename(root), key },
      ...(item !== undefined && { phase: phaseValues(context, item, item.title ?? found.title) }),
      variables,
    };
    const filled = Object.entries(values).reduce<Values>((all, [path, value]) => withValue(all, path, value), own);
    const { missing } = fillTemplate(parts, filled);
    const shown = missing.reduce<Values>((all, path) => withValue(all, path, `{{${path}}}`), filled);
    const used = new Map(parts.flatMap((part) => (part.kind === 'variable' ? [[part.path, part] as const] : [])));
    return {
      prompt: name,
      version: found.version,
      text: fillTemplate(parts, shown).text,
      variables: [...used.values()].map((part) => ({
        name: part.path,
        is_optional: part.optional,
        is_filled: fillTemplate([{ ...part, optional: false }], filled).missing.length === 0,
      })),
      included: included.map((one) => one.name),
    };
  },
  present: ({ text }) => ({ text, beside: {} }),
});

/** Sets a value at a dotted path such as `context.goal` and keeps its siblings. */
function withValue(values: Values, path: string, value: string): Values {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...values, [first]: value };
  const inner = Object.hasOwn(values, first) ? values[first] : {};
  const object = typeof inner === 'object' && inner !== null ? (inner as Values) : {};
  return { ...values, [first]: withValue(object, rest.join('.'), value) };
}
