import type { Step } from '../../e2e/fleet-world.ts';

interface Task {
  /** How others name it here. */
  readonly key: string;
  readonly title: string;
  readonly status: string;
  readonly assignee?: string;
  readonly after?: readonly string[];
  readonly priority?: string;
  readonly labels?: readonly string[];
  readonly description?: string;
  readonly acceptance?: readonly string[];
  readonly process_id?: string;
}

/** Every word of the story. */
export interface Script {
  readonly project: string;
  readonly otherProject: string;
  /** Folders of the same daemon, each with the runs that it has. */
  readonly neighbours: Readonly<Record<string, readonly string[]>>;
  readonly processes: readonly { readonly id: string; readonly text: string }[];
  readonly goals: { readonly old: string; readonly feature: string; readonly release: string };
  readonly pages: {
    readonly old: string;
    readonly waiting: readonly { readonly goal: string; readonly text: string }[];
  };
  readonly files: {
    readonly exploration: string;
    readonly plan: string;
    readonly replan: string;
    readonly planMore: string;
    readonly notes: string;
    readonly reject: string;
    readonly notesAgain: string;
  };
  readonly tasks: readonly Task[];
  readonly executionLog: string;
  readonly context: Readonly<Record<'progress' | 'findings' | 'next_steps', string>>;
  readonly handoff: string;
  readonly roles: readonly {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly permissions: 'read' | 'edit' | 'full';
    /** What an agent of the role does; `folder` is where it finds what it waits for. */
    readonly steps: (folder: string) => readonly Step[];
  }[];
  readonly groups: {
    readonly checkout: string;
    readonly nightly: string;
    readonly agents: readonly { readonly role: string; readonly prompt: string }[];
    readonly stages: readonly { readonly tasks: readonly { readonly role: string; readonly prompt: string }[] }[];
  };
  readonly prompts: readonly {
    readonly prompt: string;
    readonly versions: readonly { readonly content: string; readonly note: string }[];
  }[];
}

export const scripts: { readonly en: Script; readonly ja: Script } = { en: write(0), ja: write(1) };

/** The story in one language: every text stands beside its other language. */
function write(lang: 0 | 1): Script {
  const t = (...texts: readonly [en: string, ja: string]): string => texts[lang];
  return {
    project: t('Tea shop', '茶舗オンライン'),
    otherProject: t('Warehouse', '倉庫'),
    neighbours: {
      warehouse: [t('Labels print in the right order', 'ラベルの印刷順を直す')],
      newsletter: [t('Unsubscribing asks only once', '配信停止の確認を 1 回にする')],
      website: [],
    },
    processes: [
      { id: 'page-text', text: pageProcess('page-text', t('Page text', 'ページの文章')) },
      { id: 'hotfix', text: pageProcess('hotfix', t('Hotfix', '緊急修正')) },
    ],
    goals: {
      old: t('About us', '会社案内'),
      feature: t('Pay by card at the checkout', 'レジでカード払いに対応する'),
      release: t('Version 2.4: pay by card', 'バージョン 2.4 カード払い'),
    },
    pages: {
      old: t('# About us\n\nTea from Uji since 1894.\n', '# 会社案内\n\n明治二十七年、宇治に創業。\n'),
      waiting: [
        {
          goal: t('Returns and refunds', '返品と返金'),
          text: t(
            '# Returns\n\nUnopened tea can be returned within 30 days.\n',
            '# 返品\n\n未開封の茶葉は三十日以内に返品できます。\n',
          ),
        },
        {
          goal: t('Delivery times', '配送日数'),
          text: t(
            '# Delivery\n\nOrders before noon leave the same day.\n',
            '# 配送\n\n正午までのご注文は当日発送します。\n',
          ),
        },
      ],
    },
    files: {
      exploration: t(
        '# Exploration\n\nThe checkout (src/cart.mjs) knows cash on delivery only. Prices are whole yen.\nA second way to pay touches cart, price and the order mail.\n',
        '# 調査\n\nレジ (src/cart.mjs) は代引きだけに対応しています。価格は円の整数です。\n支払い方法を増やすと、カート、価格、注文メールに影響します。\n',
      ),
      plan: t(
        '# Plan\n\n## Steps\n\n1. A card form in the checkout\n2. Charge before the order is saved\n\n## Checks\n\n- A refused card leaves no order\n',
        '# 計画\n\n## Steps\n\n1. レジにカード入力欄を追加する\n2. 注文を保存する前に決済する\n\n## Checks\n\n- 拒否されたカードでは注文が残らない\n',
      ),
      replan: t('Refunds are missing from the plan', '計画に返金の手順がない'),
      planMore: t('- A refund reaches the card\n', '- 返金がカードに届く\n'),
      notes: t(
        '# 2.4\n\nYou can pay by card.\n\n- Visa and Mastercard\n- Refunds take five days\n',
        '# 2.4\n\nカードで支払えるようになりました。\n\n- Visa と Mastercard\n- 返金には五日かかります\n',
      ),
      reject: t('Say what happens to open orders, please.', '処理中の注文がどうなるかも書いてください。'),
      notesAgain: t(
        '# 2.4\n\nYou can pay by card at the checkout.\n\n- Visa, Mastercard and JCB\n- Refunds take five days\n- Open orders stay cash on delivery\n',
        '# 2.4\n\nレジでカードで支払えるようになりました。\n\n- Visa、Mastercard、JCB\n- 返金には五日かかります\n- 処理中の注文は代引きのままです\n',
      ),
    },
    tasks: [
      {
        key: 'schema',
        title: t('Orders remember how they were paid', '注文に支払い方法を記録する'),
        status: 'done',
        assignee: 'Otto',
        priority: 'high',
        labels: ['orders'],
      },
      { key: 'prices', title: t('Prices with tax', '税込価格の表示'), status: 'done', assignee: 'Rin', labels: ['ui'] },
      {
        key: 'checkout',
        title: t('Pay by card at the checkout', 'レジでカード払いに対応する'),
        status: 'todo',
        assignee: 'Mika',
        after: ['schema'],
        priority: 'urgent',
        labels: ['checkout', 'security'],
        process_id: 'explore-plan-implement-verify',
        description: t(
          'People pay by card before the order is saved.\nA card that is refused leaves no order behind.',
          '注文を保存する前にカードで支払います。\n拒否されたカードでは注文を残しません。',
        ),
        acceptance: [
          t('Visa, Mastercard and JCB work', 'Visa、Mastercard、JCB が使える'),
          t('A refund reaches the card', '返金がカードに届く'),
        ],
      },
      {
        key: 'search',
        title: t('Search finds kana and kanji', 'かなと漢字の両方で検索できる'),
        status: 'in_progress',
        assignee: 'Rin',
        priority: 'high',
        labels: ['search'],
      },
      {
        key: 'refunds',
        title: t('Refund from the order page', '注文画面から返金する'),
        status: 'todo',
        after: ['checkout'],
        priority: 'high',
        labels: ['checkout'],
      },
      {
        key: 'mail',
        title: t('The order mail names the card', '注文メールにカード名を載せる'),
        status: 'todo',
        assignee: 'Otto',
        after: ['checkout'],
      },
      {
        key: 'export',
        title: t('Bookkeeping export', '会計データの出力'),
        status: 'blocked',
        assignee: 'Otto',
        labels: ['orders'],
      },
      { key: 'gift', title: t('Gift wrapping', 'ギフト包装'), status: 'backlog', priority: 'low', labels: ['ui'] },
      { key: 'points', title: t('Points for regulars', '常連向けポイント'), status: 'backlog', after: ['refunds'] },
      { key: 'fax', title: t('Orders by fax', 'FAX 注文'), status: 'cancelled' },
    ],
    executionLog: t(
      '09:12:04 reading src/cart.mjs\n09:12:31 writing src/card.mjs\n09:14:55 node --test\n09:15:08 1 of 14 tests failed: a refused card leaves no order\n',
      '09:12:04 src/cart.mjs を読み込み中\n09:12:31 src/card.mjs を作成中\n09:14:55 node --test\n09:15:08 14 件中 1 件が失敗: 拒否されたカードでは注文が残らない\n',
    ),
    context: {
      progress: t('The form and the charge work; refused cards are next', '入力欄と決済は完成。次は拒否されたカード'),
      findings: t('The order is saved before the charge today', '現在は決済の前に注文を保存している'),
      next_steps: t('Save the order after the charge, then the refund', '決済後に注文を保存し、返金に進む'),
    },
    handoff: t(
      'The index is there; what is left is half-width kana.',
      '索引は完成しています。残りは半角カナの対応です。',
    ),
    roles: roles(t),
    groups: {
      checkout: t('Pay by card', 'カード払い'),
      nightly: t('Nightly check of the dependencies', '毎晩の依存関係チェック'),
      agents: [
        {
          role: 'impl-code',
          prompt: t('Add the card form to the checkout.', 'レジにカード入力欄を追加してください。'),
        },
        { role: 'code-review', prompt: t('Review the difference to main.', 'main との差分を確認してください。') },
        {
          role: 'text-review',
          prompt: t('Read the texts of the card form.', 'カード入力欄の文言を確認してください。'),
        },
        {
          role: 'impl-test',
          prompt: t(
            'Write tests for refused cards. Do not touch src/.',
            '拒否されたカードのテストを書いてください。src/ は変更しないでください。',
          ),
        },
      ],
      stages: [
        {
          tasks: [
            { role: 'research', prompt: t('Which dependencies are outdated?', '古い依存関係を調べてください。') },
          ],
        },
        { tasks: [{ role: 'impl-code', prompt: t('Update what is safe.', '安全なものを更新してください。') }] },
      ],
    },
    prompts: [
      {
        prompt: 'code-review',
        versions: [
          {
            content: t(
              'Review the change. Report each finding with its file.\n',
              '変更を確認し、指摘ごとにファイルを示してください。\n',
            ),
            note: t('First', '初版'),
          },
          {
            content: t(
              'Review the change for {{context.goal}}. Report each finding with file and line.\n',
              '{{context.goal}} の変更を確認し、指摘ごとにファイルと行を示してください。\n',
            ),
            note: t('With the goal, and lines', '目的と行番号を追加'),
          },
          {
            content: t(
              'Review the change for {{context.goal}} in {{project.name}}. Report each finding with file and line, the gravest first.\nSay so plainly where you found nothing.\n',
              '{{project.name}} での {{context.goal}} の変更を確認し、指摘ごとにファイルと行を、重大なものから順に示してください。\n指摘がなければ、その旨をはっきり書いてください。\n',
            ),
            note: t('The gravest first', '重大なものから順に'),
          },
        ],
      },
      {
        prompt: 'release-notes',
        versions: [
          {
            content: t(
              'Write release notes for {{context.goal}}.\n',
              '{{context.goal}} のリリースノートを書いてください。\n',
            ),
            note: t('First', '初版'),
          },
        ],
      },
      {
        prompt: 'bug-report',
        versions: [
          {
            content: t('Describe the fault, then its cause.\n', '不具合を説明し、次に原因を書いてください。\n'),
            note: t('First', '初版'),
          },
        ],
      },
    ],
  };
}

/** What a model's program prints at the end of its turn. */
function ending(result: string, input: number, output: number, cost: number): Step {
  const usage = { input_tokens: input, output_tokens: output };
  return { stream: { type: 'result', is_error: false, result, usage, total_cost_usd: cost } };
}

function roles(t: (en: string, ja: string) => string): Script['roles'] {
  return [
    {
      id: 'impl-code',
      name: t('Implementer', '実装担当'),
      description: t('Writes the change', '変更を実装します'),
      permissions: 'full',
      steps: () => [
        { print: t('Reading src/cart.mjs', 'src/cart.mjs を読み込み中') },
        { sleep: 4200 },
        { print: t('Wrote src/card.mjs', 'src/card.mjs を作成') },
        ending(t('The card form is in the checkout.', 'レジにカード入力欄を追加しました。'), 18_400, 3_900, 0.42),
      ],
    },
    {
      id: 'code-review',
      name: t('Code reviewer', 'コードレビュー担当'),
      description: t('Reads, never writes', '閲覧だけを行います'),
      permissions: 'read',
      steps: () => [
        { sleep: 2600 },
        ending(t('Two findings, none of them grave.', '指摘は二件、重大なものはありません。'), 9_100, 1_200, 0.11),
      ],
    },
    {
      id: 'text-review',
      name: t('Text reviewer', '文章レビュー担当'),
      description: t('Reads what people will read', '利用者が読む文章を確認します'),
      permissions: 'read',
      steps: () => [
        { sleep: 1400 },
        { print: t('Cannot reach the model: overloaded', 'モデルに接続できません: 過負荷') },
        { error: t('Error: overloaded', 'エラー: 過負荷') },
        { exit: 1 },
      ],
    },
    {
      id: 'impl-test',
      name: t('Test writer', 'テスト担当'),
      description: t('Writes and runs tests', 'テストを書いて実行します'),
      permissions: 'edit',
      steps: (folder) => [
        { print: t('Reading src/card.mjs and test/', 'src/card.mjs と test/ を読み込み中') },
        { print: t('Writing test/card.test.mjs', 'test/card.test.mjs を作成中') },
        { print: 'node --test' },
        {
          print: t('✔ a card that is accepted is charged once (12 ms)', '✔ 受け付けたカードは一度だけ決済する (12 ms)'),
        },
        { print: t('✖ a refused card leaves no order (8 ms)', '✖ 拒否されたカードでは注文が残らない (8 ms)') },
        { print: t('Looking into src/order.mjs', 'src/order.mjs を調査中') },
        { until: `${folder}/end` },
      ],
    },
    {
      id: 'research',
      name: t('Researcher', '調査担当'),
      description: t('Finds things out', '調べものをします'),
      permissions: 'read',
      steps: () => [
        { sleep: 900 },
        ending(t('Three packages are outdated.', '三つのパッケージが古くなっています。'), 4_200, 600, 0.05),
      ],
    },
  ];
}

function pageProcess(id: string, name: string): string {
  return `process: { id: ${id}, version: "1", name: ${name}, initial_state: write }
states: [{ name: write }, { name: review }, { name: published, is_final: true }]
events:
  - { name: submit, allowed_roles: [agent] }
  - { name: approve, allowed_roles: [reviewer] }
  - { name: reject, allowed_roles: [reviewer] }
transitions:
  - { from: write, event: submit, to: review, guard: has_page }
  - { from: review, event: approve, to: published, guard: approved }
  - { from: review, event: reject, to: write }
guards:
  has_page: { type: artifact, artifact_type: page, condition: exists }
  approved: { type: approval, role: reviewer, event: approve, min_count: 1 }
artifacts: [{ type: page, path: page.md }]
roles:
  - { name: agent, allowed_events: [submit] }
  - { name: reviewer, allowed_events: [approve, reject], can_approve: true, can_reject: true }
`;
}
