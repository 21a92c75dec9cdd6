import { useState } from 'react';
import { useAction } from '../../api/action.ts';
import type { Output } from '../../api/operations.ts';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: (id: string) => `Edit ${id}`, ja: (id) => `${id} を編集` },
  newTitle: { en: 'New role', ja: '新しいロール' },
  id: { en: 'ID', ja: 'ID' },
  name: { en: 'Name', ja: '名前' },
  description: { en: 'Purpose', ja: '用途' },
  program: { en: 'Program', ja: 'プログラム' },
  command: {
    en: 'Command: the program and its arguments, one per line',
    ja: 'コマンド: プログラムと引数を 1 行に 1 つ',
  },
  model: { en: 'Model', ja: 'モデル' },
  may: { en: 'Permissions', ja: '権限' },
  read: { en: 'read only', ja: '閲覧のみ' },
  edit: { en: 'change files', ja: 'ファイルの変更' },
  full: { en: 'run commands', ja: 'コマンドの実行' },
  prompt: { en: 'System prompt', ja: 'システムプロンプト' },
  about: {
    en: 'This writes .sekisho/config.yaml. Next you review the change; it takes effect once you trust it.',
    ja: '.sekisho/config.yaml に書き込みます。次の画面で変更を確認して信頼すると有効になります。',
  },
  remove: { en: 'Delete role…', ja: 'ロールを削除…' },
  save: { en: 'Save', ja: '保存' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
});

interface Props {
  /** The role as the file has it; a new one has an empty id. */
  readonly role: Output<'describe_role'>;
  readonly onClose: () => void;
  readonly onSaved: () => void;
  /** Opens the confirmation; deletes nothing yet. */
  readonly onDelete: () => void;
}

export function RoleDialog({ role, onClose, onSaved, onDelete }: Props) {
  const t = useTexts(texts);
  const [draft, setDraft] = useState({ ...role, command: role.command.join('\n') });
  const save = useAction('save_role', onSaved);
  const set = (field: keyof typeof draft) => (event: { readonly target: { readonly value: string } }) =>
    setDraft((before) => ({ ...before, [field]: event.target.value }));
  const words = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
  return (
    <Dialog title={role.role_id === '' ? t.newTitle : t.title(role.role_id)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const { role_id, name, description, cli, model, system_prompt, permissions, digest } = draft;
          const command = cli === 'command' ? words(draft.command) : [];
          save.mutate({ role_id, name, description, cli, model, system_prompt, permissions, digest, command });
        }}
      >
        {role.role_id === '' && (
          <label>
            {t.id}
            <input className="code" required value={draft.role_id} onChange={set('role_id')} />
          </label>
        )}
        <label>
          {t.name}
          <input value={draft.name} onChange={set('name')} />
        </label>
        <label>
          {t.description}
          <input value={draft.description} onChange={set('description')} />
        </label>
        <label>
          {t.program}
          <select value={draft.cli} onChange={set('cli')}>
            {role.programs.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        {draft.cli === 'command' && (
          <label>
            {t.command}
            <textarea className="code" rows={3} value={draft.command} onChange={set('command')} />
          </label>
        )}
        <label>
          {t.model}
          <input className="code" value={draft.model} onChange={set('model')} />
        </label>
        <label>
          {t.may}
          <select value={draft.permissions} onChange={set('permissions')}>
            {(['read', 'edit', 'full'] as const).map((one) => (
              <option key={one} value={one}>
                {t[one]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t.prompt}
          <textarea className="code" rows={5} value={draft.system_prompt} onChange={set('system_prompt')} />
        </label>
        <p className="dim">{t.about}</p>
        {save.error !== null && <Failure error={save.error} />}
        <div className="actions">
          {role.role_id !== '' && !role.is_default && (
            <button type="button" className="quiet" onClick={onDelete}>
              {t.remove}
            </button>
          )}
          <button type="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button type="submit" className="primary" disabled={save.isPending}>
            {t.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
