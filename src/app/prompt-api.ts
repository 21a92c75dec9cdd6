import type { App } from './application.ts';
import type { Endpoint } from '../kernel/endpoint.ts';
import { promptEndpoints } from '../phase/endpoints.ts';

/** The daemon's prompt API: `/prompts`, of its own project or of the one that `?project=` names. */
export function promptApi(appFor: (project: string | undefined) => Promise<App | undefined>): readonly Endpoint[] {
  return promptEndpoints({
    contextFor: async ({ query, principal }) => {
      const app = await appFor(query.get('project') ?? undefined);
      if (app === undefined || principal === undefined) return undefined;
      return app.context({ role: principal.role, identity: principal.identity, authenticated: true });
    },
    describe: (problem) => problem.in('en'),
  });
}
