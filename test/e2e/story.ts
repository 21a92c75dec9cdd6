import type { World, WorldTest } from './world.ts';

type Run<Fixtures> = (fixtures: Fixtures) => Promise<void>;
type Clause<Fixtures> = (name: string, run: Run<Fixtures>) => void;

/**
 * Small clauses that are tried in one world, because a world costs a process and a store. No clause needs another:
 * each makes what it looks at. All are tried, and each that fails is named.
 */
export function story(test: WorldTest, title: string, tell: (clause: Clause<{ world: World }>) => void): void {
  const { name, run } = bind(title, tell);
  test(name, ({ world }) => run({ world }));
}

/** The story's name, with the ids of its clauses so that `-t` finds it by them, and what runs it. */
export function bind<Fixtures>(
  title: string,
  tell: (clause: Clause<Fixtures>) => void,
): { readonly name: string; readonly run: Run<Fixtures> } {
  const clauses = new Map<string, Run<Fixtures>>();
  tell((name, run) => clauses.set(name, run));
  const ids = [...clauses.keys()].map((name) => /^\[.+?\]/.exec(name)?.[0] ?? `[${name}]`);
  return {
    name: `${title} ${ids.join(' ')}`,
    async run(fixtures) {
      const failures: unknown[] = [];
      for (const [name, run] of clauses)
        await run(fixtures).catch((error: unknown) => failures.push(told(name, error)));
      if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('\n'));
      if (failures.length === 1) throw failures[0];
    },
  };
}

function told(name: string, error: unknown): unknown {
  if (error instanceof Error) error.message = `${name}\n${error.message}`;
  return error;
}
