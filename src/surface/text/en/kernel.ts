import type { SomeTexts } from '../../texts.ts';

export const kernel = {
  problems: {
    INTERNAL_ERROR: ({ reference }) =>
      `This is a fault of Sekisho, not of the request. The log has it under ${reference}; please report it.`,
    VALIDATION_ERROR: ({ errors }) =>
      `The input is not valid. ${errors.map((one) => `${one.path}: ${one.message}`).join('; ')}`,
    UNKNOWN_COMMAND: ({ command, suggestion }) =>
      `There is no command "${command}".${suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`} See sekisho --help.`,
    BAD_CONFIGURATION: ({ file, reason }) => `The configuration ${file} cannot be used: ${reason}`,
    PORT_TAKEN: ({ host, port }) =>
      `Something else already listens on ${host}:${port}. Stop it, or choose another port: sekisho up --port ${port + 1}`,
    STORE_UNAVAILABLE: ({ location, reason }) => `The database ${location} cannot be used: ${reason}`,
  },
  refusals: {
    claim: (why) =>
      `This connection may not act as "${why.role}": it was started by an agent (${why.evidence}). Ask a person to do it at a terminal or in the dashboard.`,
    token: () => 'The token that this server was started with (SEKISHO_TOKEN) is not valid, or not any more.',
    toolset: (why) => `Only a person's connection has the ${why.toolset} tools; this one acts as "${why.role}".`,
  },
  phrases: {
    'input.invalid': ({ issues }) => `The input is not valid: ${issues}`,
  },
} satisfies SomeTexts;
