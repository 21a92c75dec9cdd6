import { useState } from 'react';
import { useAction } from '../../api/action.ts';
import { kinds, useOperation } from '../../api/queries.ts';
import { Copyable } from '../../component/copyable.tsx';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { Loading } from '../../component/loading.tsx';
import { Panel } from '../../component/panel.tsx';
import { PlainText } from '../../component/plain-text.tsx';
import { ShortId } from '../../component/short-id.tsx';
import type { ScreenProps } from '../../screens.ts';
import { Standing } from '../../component/standing.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { ConfirmDialog } from '../../component/confirm-dialog.tsx';
import { Instances } from '../work/instances.tsx';

const texts = defineTexts({
  pause: { en: 'Pause', ja: '一時停止' },
  wake: { en: 'Resume', ja: '再開' },
  pauseIt: { en: 'Pause the agent?', ja: 'エージェントを一時停止しますか?' },
  wakeIt: { en: 'Resume the agent?', ja: 'エージェントを再開しますか?' },
  about: {
    en: 'A paused agent is not started, and its sessions end at once.',
    ja: '一時停止中のエージェントは起動されず、セッションはただちに終了します。',
  },
  rotate: { en: 'New passkey', ja: '新しいパスキー' },
  rotateIt: { en: 'Give the agent a new passkey?', ja: '新しいパスキーを発行しますか?' },
  rotateAbout: {
    en: 'The old passkey and the agent’s sessions stop working at once. The new passkey is shown only once.',
    ja: '古いパスキーとセッションはただちに無効になります。新しいパスキーは一度だけ表示されます。',
  },
  shown: { en: 'The new passkey', ja: '新しいパスキー' },
  once: {
    en: 'Save it now. Sekisho stores only its hash and cannot show it again.',
    ja: '今すぐ保存してください。Sekisho が保存するのはハッシュだけで、二度と表示できません。',
  },
  close: { en: 'Close', ja: '閉じる' },
  projects: { en: 'Projects', ja: 'プロジェクト' },
  prompt: { en: 'System prompt', ja: 'システムプロンプト' },
});

/** An agent that takes tasks. */
export default function IdentityScreen({ params }: ScreenProps) {
  const t = useTexts(texts);
  const id = params['id'] ?? '';
  const [opened, setOpened] = useState<'status' | 'rotate'>();
  const [passkey, setPasskey] = useState<string>();
  const close = (): void => setOpened(undefined);
  const query = useOperation('get_agent_profile', { agent_id: id }, kinds('identity.', 'project.'));
  const set = useAction('set_agent_status', close);
  const rotate = useAction('rotate_passkey', (made) => {
    close();
    setPasskey(made.passkey);
  });
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading />;
  const { agent } = query.data;
  const isActive = agent.status === 'active';
  return (
    <div className="run">
      <Head
        title={agent.agent_name}
        about={
          <span className="meta">
            <Standing status={agent.status} />
            <span>{[agent.role, agent.ai_type].filter((part) => part !== '').join(' · ')}</span>
            <ShortId id={agent.agent_id} length={16} />
          </span>
        }
      >
        <button type="button" onClick={() => setOpened('rotate')}>
          {t.rotate}
        </button>
        <button type="button" onClick={() => setOpened('status')}>
          {isActive ? t.pause : t.wake}
        </button>
      </Head>
      <Panel title={t.projects}>
        <Instances of={{ agent_id: id }} />
      </Panel>
      {agent.system_prompt !== '' && (
        <Panel title={t.prompt}>
          <PlainText text={agent.system_prompt} />
        </Panel>
      )}
      {opened === 'status' && (
        <ConfirmDialog
          title={isActive ? t.pauseIt : t.wakeIt}
          about={t.about}
          act={isActive ? t.pause : t.wake}
          error={set.error}
          isPending={set.isPending}
          onAct={() => set.mutate({ agent_id: id, status: isActive ? 'inactive' : 'active' })}
          onClose={close}
        />
      )}
      {opened === 'rotate' && (
        <ConfirmDialog
          title={t.rotateIt}
          about={t.rotateAbout}
          act={t.rotate}
          error={rotate.error}
          isPending={rotate.isPending}
          onAct={() => rotate.mutate({ agent_id: id })}
          onClose={close}
        />
      )}
      {passkey !== undefined && (
        <Dialog title={t.shown} onClose={() => setPasskey(undefined)}>
          <p>{t.once}</p>
          <Copyable text={passkey} />
          <div className="actions">
            <button type="button" onClick={() => setPasskey(undefined)}>
              {t.close}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
