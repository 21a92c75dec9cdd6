const longest = 200;

/**
 * A folder's path as a name below another folder, never the same for two paths: `/home/ann/app` is `home+ann+app`. No
 * digest, since loading one would cost a hook a fifth of its time; a name that is too long for a file becomes folders,
 * whose mark `~` stands in no name.
 */
export function folderName(path: string): string {
  const plain = path
    .replaceAll(/[^A-Za-z0-9._/\\-]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll(/[/\\]/g, '+');
  // Without its first slash it is easier to type, and no path of this system has none.
  const name = plain.startsWith('+') ? plain.slice(1) : plain;
  return (name.match(new RegExp(`.{1,${longest}}`, 'g')) ?? ['+']).join('/~');
}
