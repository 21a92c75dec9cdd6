/**
 * What somebody looks for, as part of a `lower(…) like … escape '\\'`: as it stands there, with no letter that means
 * something. In lower case, since only one of the databases looks at the case.
 */
export function literally(part: string): string {
  return part.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`);
}
