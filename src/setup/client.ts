import type { AgentClient } from '../fleet/agent-cli.ts';

export type Client = Pick<
  AgentClient,
  | 'id'
  | 'program'
  | 'otherNames'
  | 'instructions'
  | 'formerSetup'
  | 'plugin'
  | 'trustFolder'
  | 'hookTrust'
  | 'trust'
  | 'untrusted'
> &
  Required<Pick<AgentClient, 'setup'>>;
