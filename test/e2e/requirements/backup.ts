/** `sekisho backup`, `sekisho restore` and `sekisho resume`. */
export const backup = {
  'backup.whole': 'A backup holds the whole store, is read back, compared with its journal, and is its owner’s alone',
  'backup.person':
    'Only a person backs up, restores and resumes; a restore asks at the terminal, or takes --yes with a token',
  'restore.refused': 'A file that was cut, changed, or is not ours is refused, and nothing changes',
  'restore.revoked':
    'A restore revives no session, no rotated passkey, no resting agent, no assignment and no evidence that was removed since',
  'restore.paused': 'After a restore no agent starts until a person resumes; tools, Runner and status say so',
  'restore.history': 'The journal goes on from the backup with an entry that names it and the store that it replaced',
  'restore.connected': 'A restore is refused while other Sekisho processes use the store, and names them',
  'restore.undo': 'The store that is replaced is saved first, and another restore brings it back',
  'restore.lost': 'A database file that was removed comes back from a backup',
  'restore.elsewhere': 'A backup of one kind of database can be restored into the other',
} as const;
