import { useState } from 'react';
import { useAction } from '../../api/action.ts';
import { kinds, useOperation } from '../../api/queries.ts';
import { useGo } from '../../app/address.ts';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: 'Start a run', ja: 'run を開始' },
  process: { en: 'Process', ja: 'プロセス' },
  context: { en: 'Context (JSON, optional)', ja: 'コンテキスト (JSON、省略可)' },
  notJson: { en: 'This is not a JSON object.', ja: 'JSON オブジェクトではありません。' },
  start: { en: 'Start', ja: '開始' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
});

interface Props {
  /** The process that is selected at first. */
  readonly processId?: string;
  readonly onClose: () => void;
}

export function NewRunDialog({ processId = '', onClose }: Props) {
  const t = useTexts(texts);
  const go = useGo();
  const { data, error } = useOperation('state_gate.list_processes', { limit: 200 }, kinds('file.'));
  const [chosen, setChosen] = useState(processId);
  const [context, setContext] = useState('');
  const create = useAction('state_gate.create_run', (made) => {
    onClose();
    go(`/runs/${made.run_id}`);
  });
  const processes = data?.processes ?? [];
  const process = chosen === '' ? (processes[0]?.process_id ?? '') : chosen;
  const given = objectIn(context);
  const about = processes.find((one) => one.process_id === process)?.description;
  return (
    <Dialog title={t.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (given !== undefined) create.mutate({ process_id: process, context: given });
        }}
      >
        {error !== null && <Failure error={error} />}
        <label>
          {t.process}
          <select value={process} onChange={(event) => setChosen(event.target.value)}>
            {processes.map((one) => (
              <option key={one.process_id} value={one.process_id}>
                {one.name} ({one.process_id} {one.version})
              </option>
            ))}
          </select>
        </label>
        {about !== undefined && <p className="dim">{about}</p>}
        <label>
          {t.context}
          <textarea
            rows={4}
            className="code"
            spellCheck={false}
            value={context}
            aria-invalid={given === undefined}
            onChange={(event) => setContext(event.target.value)}
          />
        </label>
        {given === undefined && <p className="bad">{t.notJson}</p>}
        {create.error !== null && <Failure error={create.error} />}
        <div className="actions">
          <button type="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button
            type="submit"
            className="primary"
            disabled={process === '' || given === undefined || create.isPending}
          >
            {t.start}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Parses a JSON object. An empty text is an empty object; undefined if it is not a JSON object. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
