import { definePhrases } from '../../kernel/text/text.ts';
import * as ja from './ja.ts';

export const english = {
  tooDeep: ({ most }: { most: number }) => `It is nested deeper than ${most} levels.`,
  nestLess: () => 'Nest it less deeply.',
  asParsed: ({ message }: { message: string }) => message,
  fewerAliases: () => 'Use fewer aliases.',
  irregular: () => 'This is not a regular file.',
  tooLarge: ({ most }: { most: number }) => `The file is larger than ${most} bytes.`,
  unreadable: ({ fault }: { fault: string }) => `The file cannot be read (${fault}).`,
  putFile: () => 'Replace it with a file that has one process, or remove it.',
  empty: () => 'The file is empty.',
  noKeys: () => 'The file is not a list of keys and values.',
  beginWith: () => 'Begin with id, version and initial_state; docs/process-language.md has an example to copy.',
  severalDocuments: () => 'The file holds several YAML documents.',
  oneProcess: () => 'Keep one process in a file: remove everything after the line ---.',
  correctYaml: () => 'Correct the YAML at this place.',
  noField: ({ key }: { key: string }) => `"${key}" is not a field here.`,
  checkSpelling: () => 'Check the spelling; docs/process-language.md lists every field.',
  missing: ({ path }: { path: string }) => `${path} is missing.`,
  add: ({ field }: { field: string }) => `Add ${field}.`,
  wrong: ({ wrong }: { wrong: { readonly en: string; readonly ja: string } }) => `${wrong.en}.`,
  seeFields: () => 'See docs/process-language.md for what is allowed here.',
  badSchema: ({ fault }: { fault: string }) => `This is not a valid JSON Schema: ${fault}.`,
  correctSchema: () =>
    'Correct the schema (JSON Schema 2020-12; patterns as RE2 knows them, without look-around and back references).',
};

export const fileText = definePhrases(english, ja.fileText);
