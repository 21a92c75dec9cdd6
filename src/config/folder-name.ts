const longest = 200;

/**
 * A unique name for a folder's path, for use below another folder: `/home/ann/app` is `home+ann+app`. It is not a digest, since
 * loading one would cost a hook a fifth of its time. A name that is too long for a file becomes nested folders, marked with `~`,
 * which occurs in no name.
 */
export function folderName(path: string): string {
  const plain = path
    .replaceAll(/[^A-Za-z0-9._/\\-]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll(/[/\\]/g, '+');
  // Without the first slash it is easier to type, and every absolute path has one.
  const name = plain.startsWith('+') ? plain.slice(1) : plain;
  return (name.match(new RegExp(`.{1,${longest}}`, 'g')) ?? ['+']).join('/~');
}
