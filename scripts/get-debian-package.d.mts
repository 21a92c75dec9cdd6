export function getDebianPackage(name: string, program: string): string | undefined;
