import { existsSync, readFileSync } from 'node:fs';
import { parseAllDocuments, YAMLParseError } from 'yaml';
import type { Words } from '../../kernel/text/text.ts';
import { type PasskeyPlace, badFile, defaultPasskeyFile, passkeyFileOf } from './passkey-file.ts';
import { words } from '../words.ts';

/** Reads the passkeys by agent id. Later YAML documents override earlier ones: `keepPasskey` appends them. */
export function readPasskeys(place: PasskeyPlace): Readonly<Record<string, string>> {
  const path = passkeyFileOf(place);
  if (!existsSync(path)) {
    if (path === defaultPasskeyFile(place)) return {};
    throw badFile(path, words('it does not exist'));
  }
  const passkeys: Record<string, string> = {};
  for (const value of documentsIn(path)) {
    if (typeof value !== 'object' || value === null || Object.values(value).some((one) => typeof one !== 'string'))
      throw badFile(path, words('it must map agent ids to passkeys'));
    Object.assign(passkeys, value);
  }
  return passkeys;
}

function documentsIn(path: string): readonly unknown[] {
  try {
    // Warnings are off: they quote the line, which has a passkey.
    return parseAllDocuments(readFileSync(path, 'utf8'), { logLevel: 'error' }).map((one) => {
      if (one.errors[0] !== undefined) throw one.errors[0];
      return one.toJS() as unknown;
    });
  } catch (error) {
    throw badFile(path, noYaml(error));
  }
}

/** The reason with the position only: the parser's message quotes the line, which has a passkey. */
function noYaml(error: unknown): Words {
  const [at] = (error instanceof YAMLParseError ? error.linePos : undefined) ?? [];
  if (at === undefined) return words('it is not valid YAML');
  return {
    en: `it is not valid YAML: line ${at.line}, column ${at.col}`,
    ja: `YAML として読み取れません (${at.line} 行目、${at.col} 文字目)`,
  };
}
