import type { Catalogue } from '../kernel/operation.ts';
import { activate } from './operation/activate.ts';
import { listCalls } from './operation/list-calls.ts';
import { listUpstreamTools } from './operation/list-upstream-tools.ts';
import { status } from './operation/status.ts';

export const catalogue: Catalogue = {
  operations: [activate, status, listUpstreamTools, listCalls],
  resources: [],
  prompts: [],
};
