/** Outgoing webhooks. */
export const notify = {
  'notify.at-least-once':
    'What waits for a person is sent, signed, and tried again until it arrives, under one id, across restarts, by one daemon',
  'notify.kinds': 'JSON, Slack, Discord and ntfy are told what they asked for: waiting, failed, blocked, finished',
  'notify.secrets': 'Secrets come from the environment by name; a file that holds one is refused, and no log has one',
} as const;
