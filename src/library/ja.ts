import type { Japanese } from '../kernel/text/text.ts';
import type { english as textEnglish } from './walk.ts';

export const text: Japanese<typeof textEnglish> = {
  noFact: ({ guard }) => `プログラムを実行するガードです。結果を facts: { ${guard}: true } で指定してください`,
  factIsFalse: () => 'facts で false が指定されています',
};
