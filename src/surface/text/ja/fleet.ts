import type { SomeTexts } from '../../texts.ts';

const list = (items: readonly string[]) => items.join('、') || 'なし';

export const fleet = {
  problems: {
    GROUP_NOT_FOUND: ({ groupId }) => `グループ '${groupId}' が見つかりません。create_group で作成してください。`,
    GROUP_NOT_ACTIVE: ({ groupId }) => `グループ '${groupId}' は削除済みです。create_group で新しく作成してください。`,
    GROUP_HAS_RUNNING_AGENTS: ({ groupId, live }) =>
      `グループ '${groupId}' には待機中または実行中の Agent が ${live} 台あります。wait_agent で待つか、cancel_agents で終了してください。`,
    MODE_MISMATCH: ({ groupId, mode, wanted }) =>
      `グループ '${groupId}' のモードは ${mode} です。この操作には ${wanted} が必要です。create_group で別のグループを作成してください。`,
    ROLE_NOT_FOUND: ({ role, known }) => `職種 '${role}' はありません。利用できる職種: ${list(known)}。`,
    ROLE_UNAVAILABLE: ({ role, reason, remedy }) => `職種 '${role}' は利用できません: ${reason}。${remedy}`,
    MAX_CONCURRENT_REACHED: ({ live, wanted, max }) =>
      `${live} 台が稼働中で、さらに ${wanted} 台が必要ですが、上限は ${max} 台です。wait_agent で待つか、台数を減らしてください。`,
    AGENT_NOT_FOUND: ({ agentId }) => `Agent '${agentId}' が見つかりません。list_agents で確認してください。`,
    AGENT_NOT_STARTED: ({ agentId }) => `Agent '${agentId}' はまだ起動していないため、報告する結果がありません。`,
    EMPTY_AGENTS: () => 'agents が空です。{role, prompt} を 1 件以上指定してください。',
    EMPTY_AGENT_IDS: () => 'agentIds が空です。run_agents または run_sequential が返した ID を指定してください。',
    EMPTY_STAGES: () => 'stages が空です。{tasks: [{role, prompt}]} を 1 件以上指定してください。',
    EMPTY_STAGE_TASKS: ({ stage }) => `ステージ ${stage} の tasks が空です。各ステージに 1 件以上指定してください。`,
    AGENTS_START_FAILED: ({ reason }) => `Agent を起動できませんでした: ${reason}`,
    SEQUENTIAL_START_FAILED: ({ reason }) => `計画を開始できませんでした: ${reason}`,
  },
  refusals: {
    report: (why) =>
      `この接続は '${why.identity}' のもので、自分の結果だけを報告できます。'${why.agentId}' の報告はできません。`,
    unidentified: (why) =>
      `ここでは Agent '${why.agentId}' 自身だけが結果を報告できます (identity: required)。この接続は身元を証明していません。`,
  },
  phrases: {
    'agent.host-died': () => 'ホストプロセスが予期せず終了しました。Agent が起動したプロセスも終了しました。',
    'agent.host-missing': () => 'ホストプロセスを起動できませんでした。',
    'agent.machine-silent': ({ machine }) => `実行していたマシン ${machine} から応答がありません。`,
    'agent.stage-failed': ({ stage }) => `ステージ ${stage} が失敗したため、実行されませんでした。`,
    'agent.timed-out': ({ ms }) => `制限時間 ${ms} ミリ秒を超えたため終了しました。`,
    'agent.cancelled': () => 'キャンセルされました。',
    'agent.host-stopped': ({ signal }) => `ホストに停止の指示がありました (${signal})。`,
    'agent.exit': ({ code, signal }) =>
      signal === null ? `終了コード ${code} で終了しました。` : `${signal} で終了しました。`,
    'agent.not-installed': ({ program, remedy }) => `プログラム "${program}" が見つかりません。${remedy}`,
    'agent.not-started': ({ reason }) => `起動できませんでした: ${reason}`,
    'agent.claimed-elsewhere': () => '必要なものがすでに確保されていたため、実行されませんでした。',
    'agent.strays': ({ count }) => `${count} 個のプロセスを終了できませんでした。`,
    'agent.denied': ({ tools }) => `拒否: ${tools}`,
    'agent.agent-id-missing': () => 'この接続は Agent 自身のものではないため、必要です',
    'group.no-folder': ({ path }) => `作業ディレクトリ ${path} がありません。`,
    'group.plan-running': ({ groupId }) => `グループ '${groupId}' では前の計画が実行中です。終わるまで待ってください。`,
    'group.contended': () => '同時に起動しようとした処理が多すぎます。もう一度試してください。',
    'prompt.report': ({ agentId }) =>
      `\n\n---\nあなたは Agent ${agentId} です。終わったとき、または続けられないときは、MCP サーバー "sekisho" の report_result を一度呼び、status (success または failure)、短い summary、編集・作成したファイルを報告してください。agentId は不要です。\n`,
    'prompt.earlier': () => '前のステージの結果',
    'prompt.stage': ({ stage }) => `ステージ ${stage}`,
    'prompt.created': () => '作成したファイル',
    'prompt.edited': () => '編集したファイル',
    'prompt.error': () => 'エラー',
    'role.missing-program': ({ program }) => `プログラム "${program}" が見つかりません`,
    'role.broken-program': ({ program, reason }) => `プログラム "${program}" が動作しません: ${reason}`,
    'role.install': ({ command }) => `インストール: ${command}`,
    'role.no-answer': ({ ms }) => `${ms} ミリ秒以内に応答がありません`,
    'role.prompt-failed': ({ reason }) => `ヘルスチェックのプロンプトが失敗しました: ${reason}`,
    'log.dropped': ({ bytes }) => `[古い出力 ${bytes} バイトは残っていません]`,
    'log.elsewhere': ({ machine }) => `[出力はマシン ${machine} にあります]`,
  },
} satisfies SomeTexts;
