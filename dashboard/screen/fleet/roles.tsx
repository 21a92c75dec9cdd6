import { useState } from 'react';
import type { Output } from '../../api/operations.ts';
import { kinds, useOperation } from '../../api/queries.ts';
import { Badge } from '../../component/badge.tsx';
import { Copyable } from '../../component/copyable.tsx';
import { Empty } from '../../component/empty.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { Table } from '../../component/table.tsx';
import { Time } from '../../component/time.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { EditRole } from './edit-role.tsx';

const texts = defineTexts({
  label: { en: 'Roles', ja: 'ロール' },
  role: { en: 'Role', ja: 'ロール' },
  program: { en: 'Program', ja: 'プログラム' },
  may: { en: 'Permissions', ja: '権限' },
  read: { en: 'read only', ja: '閲覧のみ' },
  edit: { en: 'change files', ja: 'ファイルの変更' },
  full: { en: 'run commands', ja: 'コマンドの実行' },
  health: { en: 'Health check', ja: '動作確認' },
  model: { en: 'Model', ja: 'モデル' },
  usable: { en: 'usable', ja: '使用可能' },
  unusable: { en: 'not usable', ja: '使用不可' },
  passed: { en: 'passed', ja: '成功' },
  failed: { en: 'failed', ja: '失敗' },
  unchecked: { en: 'not checked yet', ja: '未確認' },
  change: { en: 'Edit', ja: '編集' },
  add: { en: 'New role', ja: '新しいロール' },
  again: { en: 'Check all roles again:', ja: 'すべてを再確認するには:' },
  empty: { en: 'No roles', ja: 'ロールがありません' },
  why: {
    en: 'A role sets the program and model of an agent. You define roles under roles: in .sekisho/config.yaml. Installed agent programs are detected automatically.',
    ja: 'ロールは、エージェントのプログラムとモデルを決めます。.sekisho/config.yaml の roles: に書きます。インストール済みのエージェントは自動で検出されます。',
  },
});

type Role = Output<'list_roles'>['roles'][number];
type Check = Role['healthCheck'];

/** The roles of agents, and whether each can be used here. */
export function Roles() {
  const t = useTexts(texts);
  const [edited, setEdited] = useState<{ readonly id: string; readonly isNew: boolean }>();
  const { data, error, refetch } = useOperation('list_roles', {}, kinds('role.', 'file.'));
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data.roles.length === 0) return <Empty title={t.empty} why={t.why} />;
  const columns = [
    {
      id: 'role',
      title: t.role,
      cell: (role: Role) => (
        <>
          <b>{role.id}</b> {role.name !== role.id && <Visible text={role.name} />}
          {role.description !== null && (
            <p className="dim">
              <Visible text={role.description} />
            </p>
          )}
        </>
      ),
    },
    {
      id: 'program',
      title: t.program,
      cell: (role: Role) => `${role.cli}${role.model === '' ? '' : ` · ${role.model}`}`,
    },
    { id: 'may', title: t.may, cell: (role: Role) => t[role.permissions] },
    {
      id: 'health',
      title: t.health,
      cell: (role: Role) => (
        <>
          <Badge tone={role.available ? 'held' : 'bad'}>{role.available ? t.usable : t.unusable}</Badge>{' '}
          <CheckText check={role.healthCheck} />
        </>
      ),
    },
    { id: 'model', title: t.model, cell: (role: Role) => <CheckText check={role.modelValidation} /> },
    {
      id: 'edit',
      title: t.change,
      cell: (role: Role) => (
        <button
          type="button"
          className="quiet"
          aria-label={`${t.change} ${role.id}`}
          onClick={() => setEdited({ id: role.id, isNew: false })}
        >
          {t.change}
        </button>
      ),
    },
  ];
  return (
    <>
      <Table label={t.label} columns={columns} rows={data.roles} idOf={(role) => role.id} />
      <p className="meta">
        <span>{t.again}</span>
        <Copyable text="sekisho fleet check-roles" />
        <button type="button" onClick={() => setEdited({ id: data.roles[0]?.id ?? '', isNew: true })}>
          {t.add}
        </button>
      </p>
      {edited !== undefined && <EditRole {...edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function CheckText({ check }: { readonly check: Check }) {
  const t = useTexts(texts);
  if (check === null) return <span className="dim">{t.unchecked}</span>;
  return (
    <span>
      {t[check.status]} <Time at={check.checkedAt} />
      {check.message !== null && (
        <p className={check.status === 'failed' ? 'bad' : 'dim'}>
          <Visible text={check.message} />
        </p>
      )}
    </span>
  );
}
