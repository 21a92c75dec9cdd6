/** Roles that only a person has. */
const personal = ['human', 'reviewer'];

export function isPersonal(role: string): boolean {
  return personal.includes(role);
}
