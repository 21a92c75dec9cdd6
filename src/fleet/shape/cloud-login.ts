import type { Environment } from '../../base/environment.ts';

/** Files with which cloud libraries log in, in the notation of `sandbox.allow`. */
export const awsFiles: readonly string[] = ['~/.aws'];
export const azureFiles: readonly string[] = ['~/.azure'];

export function googleFiles(env: Environment): readonly string[] {
  const key = env['GOOGLE_APPLICATION_CREDENTIALS'];
  return ['~/.config/gcloud', ...(key === undefined || key === '' ? [] : [key])];
}

/** Whether a switch in the environment is on; the words for "off" are those that programs usually accept. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'no', 'off'].includes(value.toLowerCase());
}
