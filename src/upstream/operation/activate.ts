import * as z from 'zod';
import { upstreamsPort } from '../ports.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { isProblem } from '../../kernel/problem.ts';
import type { Activated } from '../link/activate.ts';
import { activate as activateOne, chosen } from '../link/activate.ts';
import { problem } from '../problem.ts';
import { told } from '../../kernel/text/described.ts';

export const activate = defineOperation({
  name: 'activate',
  toolsets: ['upstream'],
  effect: 'write',
  idempotent: true,
  summary: {
    en: 'Unlock the tools of an upstream MCP server: connects, initialises and checks it. Call it after loading the skill, and again whenever a tool says that its upstream is disconnected.',
    ja: 'upstream の MCP サーバーのツールを使えるようにします。接続、初期化、確認を行います。スキルを読み込んだ後と、ツールが切断を知らせたときに呼び出してください。',
  },
  example: '--upstream penpot',
  input: z.strictObject({
    upstream: told(z.string().optional(), {
      en: 'Which upstream; without it every gated one',
      ja: 'upstream の名前 (省略すると、ゲートのあるものすべて)',
    }),
    phrase: told(z.string().optional(), {
      en: 'The phrase that the skill gives, where one is needed',
      ja: 'スキルに書かれた合言葉 (必要な場合)',
    }),
  }),
  output: z.object({
    activated: z.literal(true),
    upstreams: z.array(
      z.object({
        upstream: z.string(),
        state: z.literal('connected'),
        connected_now: told(z.boolean(), {
          en: 'A connection was made; otherwise the living one was checked',
          ja: '接続したか (false なら、今ある接続を確認しただけ)',
        }),
        initialized_now: told(z.boolean(), { en: 'The init script was run', ja: 'init スクリプトを実行したか' }),
        unlocked_now: told(z.boolean(), {
          en: 'It was locked for this client before',
          ja: 'このクライアントではそれまで使えなかったか',
        }),
        server: z.string(),
        tools: z.number(),
        instructions: told(z.string().optional(), {
          en: 'What the upstream itself says about its use',
          ja: 'upstream 自身による使い方の説明',
        }),
      }),
    ),
  }),
  async run(context, input) {
    const upstreams = await upstreamsPort.of(context)();
    const outcomes = await Promise.all(
      chosen(upstreams, input.upstream, context).map((one) =>
        activateOne(context, upstreams, one, input.phrase).catch((error: unknown) => {
          if (isProblem(error)) return error;
          throw error;
        }),
      ),
    );
    const failures = outcomes.filter(isProblem);
    const [first] = failures;
    const active = outcomes.filter((one): one is Activated => !isProblem(one));
    if (first === undefined) return { activated: true as const, upstreams: active };
    if (outcomes.length === 1) throw first;
    throw problem.UPSTREAM_ACTIVATION({ active: active.map((one) => one.upstream), failures });
  },
});
