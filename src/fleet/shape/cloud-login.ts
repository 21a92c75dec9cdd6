import type { Environment } from '../../base/environment.ts';

/** Files by which libraries of clouds log in, as `sandbox.allow` names them. */
export const awsFiles: readonly string[] = ['~/.aws'];
export const azureFiles: readonly string[] = ['~/.azure'];

export function googleFiles(env: Environment): readonly string[] {
  const key = env['GOOGLE_APPLICATION_CREDENTIALS'];
  return ['~/.config/gcloud', ...(key === undefined || key === '' ? [] : [key])];
}

/** Whether a switch in the environment is on, by what programs usually take for no. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'no', 'off'].includes(value.toLowerCase());
}
