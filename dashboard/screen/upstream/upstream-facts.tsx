import type { ReactNode } from 'react';
import type { Output } from '../../api/operations.ts';
import { Facts } from '../../component/facts.tsx';
import { Time } from '../../component/time.tsx';
import { UpstreamState } from '../../component/upstream-state.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  address: { en: 'Address', ja: 'アドレス' },
  server: { en: 'Server', ja: 'サーバー' },
  protocol: { en: 'Protocol', ja: 'プロトコル' },
  reconnect: { en: 'Reconnection', ja: '再接続の方法' },
  auto: { en: 'automatic', ja: '自動' },
  manual: { en: 'with activate', ja: '有効化で' },
  reconnects: { en: 'Reconnects', ja: '再接続の回数' },
  skill: { en: 'Skill', ja: 'スキル' },
  read: { en: 'Tools last read', ja: 'ツールの取得' },
  processes: { en: 'Processes', ja: 'プロセス' },
  none: { en: 'none', ja: 'なし' },
  child: {
    en: (owner: number, child: number | undefined) =>
      child === undefined ? `server ${owner}` : `server ${owner} → process ${child}`,
    ja: (owner, child) => (child === undefined ? `サーバー ${owner}` : `サーバー ${owner} → プロセス ${child}`),
  },
});

export function UpstreamFacts({
  upstream: one,
}: {
  readonly upstream: Output<'upstream.status'>['upstreams'][number];
}) {
  const t = useTexts(texts);
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t.address, <code key="address">{<Visible text={one.address} />}</code>],
    [t.server, <Visible key="server" text={one.server ?? '–'} />],
    [t.protocol, [one.protocol, one.transport].filter((part) => part !== undefined).join(', ') || '–'],
    [t.reconnect, t[one.reconnect]],
    [t.reconnects, one.reconnects],
    ...(one.skill === undefined ? [] : [[t.skill, <Visible key="skill" text={one.skill} />] as const]),
    [t.read, one.tools_read_at === undefined ? '–' : <Time key="read" at={one.tools_read_at} />],
    [
      t.processes,
      one.servers.length === 0 ? (
        t.none
      ) : (
        <ul className="bare" key="processes">
          {one.servers.map((server) => (
            <li key={`${server.pid} ${server.since} ${server.child_pid ?? ''}`} className="meta">
              <span>{t.child(server.pid, server.child_pid)}</span>
              <UpstreamState state={server.state} />
              <Time at={server.since} />
            </li>
          ))}
        </ul>
      ),
    ],
  ];
  return <Facts facts={facts.map(([title, value]) => ({ title, value }))} />;
}
