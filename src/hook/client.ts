import type { AgentCli } from '../fleet/agent-cli.ts';

/** What files can lead to us. */
export type Client = Pick<
  AgentCli,
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
  Required<Pick<AgentCli, 'setup'>>;
