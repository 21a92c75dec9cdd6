import type { Output } from '../../api/operations.ts';
import { Badge } from '../../component/badge.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  notYet: { en: 'The agent is still working.', ja: 'まだ作業中です。' },
  none: { en: 'No result.', ja: '結果はありません。' },
  success: { en: 'success', ja: '成功' },
  failure: { en: 'failure', ja: '失敗' },
  timeout: { en: 'timed out', ja: '時間切れ' },
  cancelled: { en: 'cancelled', ja: '中止' },
  report: { en: 'reported by the agent', ja: 'エージェントの報告' },
  auto: { en: 'read from its output', ja: '出力からの読み取り' },
  created: { en: 'Created files', ja: '作成したファイル' },
  edited: { en: 'Edited files', ja: '編集したファイル' },
  whole: { en: 'Full report', ja: '報告の全文' },
});

interface Props {
  readonly result: Output<'describe_agent'>['result'];
  readonly isLive: boolean;
}

export function AgentResult({ result, isLive }: Props) {
  const t = useTexts(texts);
  if (result === null) return <p className="dim">{isLive ? t.notYet : t.none}</p>;
  const lists = [
    { title: t.created, files: result.createdFiles },
    { title: t.edited, files: result.editedFiles },
  ];
  return (
    <>
      <p className="meta">
        <Badge tone={result.status === 'success' ? 'plain' : 'bad'}>{t[result.status]}</Badge>
        <span>{t[result.source]}</span>
      </p>
      <p className="written">
        <Visible text={result.summary} />
      </p>
      {result.errorMessage !== null && (
        <p className="written bad">
          <Visible text={result.errorMessage} />
        </p>
      )}
      {result.response !== null && (
        <details>
          <summary>{t.whole}</summary>
          <p className="written">
            <Visible text={result.response} />
          </p>
        </details>
      )}
      {lists.map(
        ({ title, files }) =>
          files.length > 0 && (
            <div key={title}>
              <h3 className="group">{title}</h3>
              <ul className="bare">
                {files.map((file) => (
                  <li key={file} className="path">
                    <Visible text={file} />
                  </li>
                ))}
              </ul>
            </div>
          ),
      )}
    </>
  );
}
