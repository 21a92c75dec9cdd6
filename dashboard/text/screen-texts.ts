import { defineTexts } from './text.ts';

/** The names of the screens in the menu. */
export const screenTexts = defineTexts({
  inbox: { en: 'Inbox', ja: '受信箱' },
  runs: { en: 'Runs', ja: 'run' },
  board: { en: 'Board', ja: 'ボード' },
  fleet: { en: 'Fleet', ja: 'フリート' },
  work: { en: 'Work', ja: '作業' },
  processes: { en: 'Processes', ja: 'プロセス' },
  prompts: { en: 'Prompts', ja: 'プロンプト' },
  upstreams: { en: 'Upstreams', ja: '上流サーバー' },
  journal: { en: 'Journal', ja: 'ジャーナル' },
  projects: { en: 'All projects', ja: '全プロジェクト' },
  settings: { en: 'Settings', ja: '設定' },
});
