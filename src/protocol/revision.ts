/** Revisions of MCP that begin with `initialize`, newest first. */
export const handshakeRevisions: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

/** The revision without sessions, in which every request identifies its client. */
export const sessionlessRevision = '2026-07-28';
