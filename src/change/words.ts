import { bilingual } from '../kernel/text/described.ts';
import * as ja from './ja.ts';

export const { words } = bilingual(ja.words);
