import path from 'node:path';

const program = path.join(import.meta.dirname, 'fixtures', 'floor.mjs');

/** The command of the trivial server. It commits rows only where it has a location: a file or a postgres:// URL. */
export function floorCommand(transport, location) {
  return [process.execPath, program, transport, ...(location === undefined ? [] : [location])];
}
