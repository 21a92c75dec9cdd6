import { admitKey, dismissKey, ownUserKey, readAdmitted } from '../app/user/admitted.ts';
import { createApp } from '../app/application.ts';
import { configure } from '../app/configure.ts';
import { personNeeded, problem } from '../kernel/problem.ts';
import { definePhrases } from '../kernel/text/text.ts';
import { print } from '../surface/terminal/print.ts';
import { askAtTerminal } from '../surface/terminal/question.ts';
import { isUserKey } from '../user/key.ts';
import { deed } from './frame/as-person.ts';
import type { Command } from './frame/command.ts';
import { exitCode } from './frame/command.ts';

/** Whose people count in a project's store: each data folder has a user database, and each of those has a key. */
export const adminAdmit: Command = {
  options: { remove: { type: 'boolean' } },
  usage: 'sekisho admin admit [<key>] [--remove]',
  examples: [
    { line: 'sekisho admin admit', note: { en: 'lists the keys', ja: 'キーの一覧を表示します' } },
    'sekisho admin admit 3f2a90c1d4e5a7b8c9d0',
    {
      line: 'sekisho admin admit 3f2a90c1d4e5a7b8c9d0 --remove',
      note: { en: 'their decisions do not count any more', ja: '以後、その人たちの判断は有効になりません' },
    },
  ],
  async run({ flags, json, options, positionals: [key, ...rest] }) {
    const removes = options['remove'] === true;
    if (rest.length > 0 || (key === undefined && removes)) throw problem.WRONG_USE(adminAdmit);
    const config = await configure(flags);
    const { lang } = config;
    const app = createApp(config);
    try {
      const context = await app.context({});
      if (!context.actor.person) throw personNeeded(context.actor, deed.admitPeople());
      const { store, actor } = context;
      const own = actor.userDatabase ?? (await ownUserKey(config));
      if (key !== undefined) {
        const bad = keyFault(key, own, await readAdmitted(store), removes);
        if (bad !== undefined) throw problem.VALIDATION_ERROR({ errors: [{ path: '/key', message: bad()(lang) }] });
        const [text, question] = removes ? [said.removing, said.remove] : [said.admitting, said.admit];
        if (config.terminal && !(await askAtTerminal(text({ key })(lang), question()(lang)))) return exitCode.refused;
        await (removes ? dismissKey : admitKey)(store, context, key);
      }
      print({ own, admitted: await readAdmitted(store) }, { json, lang });
      return exitCode.ok;
    } finally {
      await app.close();
    }
  },
};

function keyFault(key: string, own: string, admitted: readonly string[], removes: boolean) {
  if (!isUserKey(key)) return said.noKey;
  if (!removes) return admitted.includes(key) ? said.already : undefined;
  if (key === own) return said.ownKey;
  return admitted.includes(key) ? undefined : said.unknown;
}

const said = definePhrases({
  admitting: {
    en: ({ key }: { key: string }) =>
      `The people of the user database ${key} will decide here like you: approve, reject, trust, admit others. Admit only a key that its owner told you.`,
    ja: ({ key }) =>
      `ユーザーデータベース ${key} の人が、あなたと同じようにここで判断できるようになります (承認、差し戻し、ほかの人の登録など)。持ち主から直接聞いたキーだけを登録してください。`,
  },
  admit: { en: () => 'Admit them?', ja: () => '登録しますか?' },
  removing: {
    en: ({ key }: { key: string }) =>
      `The people of the user database ${key} will decide nothing here any more. What they decided stays in the history.`,
    ja: ({ key }) => `ユーザーデータベース ${key} の人は、ここで判断できなくなります。これまでの判断は履歴に残ります。`,
  },
  remove: { en: () => 'Remove them?', ja: () => '登録を取り消しますか?' },
  noKey: {
    en: () => 'a key has 20 digits and letters from a to f; a refused command shows it',
    ja: () => 'キーは 0-9 と a-f の 20 文字です。拒否されたコマンドのメッセージに表示されます',
  },
  already: { en: () => 'it is admitted already', ja: () => 'すでに登録されています' },
  unknown: { en: () => 'it is not admitted', ja: () => '登録されていません' },
  ownKey: {
    en: () => 'it is your own; somebody else whose decisions count here can remove it',
    ja: () => 'あなた自身のものです。登録されているほかの人なら取り消せます',
  },
});
