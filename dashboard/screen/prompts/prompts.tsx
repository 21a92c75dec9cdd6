import { useState } from 'react';
import { usePages } from '../../api/pages.ts';
import type { Output } from '../../api/operations.ts';
import { kinds, useOperation } from '../../api/queries.ts';
import { Empty } from '../../component/empty.tsx';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { type Column, Table } from '../../component/table.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { Labels } from '../prompt/labels.tsx';
import { PublishDialog } from '../prompt/publish-dialog.tsx';

const texts = defineTexts({
  title: { en: 'Prompts', ja: 'プロンプト' },
  fromStore: {
    en: (label: string) => `Clients of this project get the versions with the label “${label}”.`,
    ja: (label) => `このプロジェクトのクライアントには、ラベル「${label}」のバージョンが渡されます。`,
  },
  fromElsewhere: {
    en: (source: string) =>
      `Clients of this project get their prompts from another source (${source}). To serve these prompts, set phases.source: store in the configuration.`,
    ja: (source) =>
      `このプロジェクトのクライアントには別の場所 (${source}) のプロンプトが渡されます。ここのプロンプトを使うには、設定で phases.source: store とします。`,
  },
  shipped: { en: 'prompts that come with Sekisho', ja: 'Sekisho に付属のプロンプト' },
  publish: { en: 'Publish a prompt', ja: 'プロンプトを公開' },
  name: { en: 'Prompt', ja: 'プロンプト' },
  heading: { en: 'Title', ja: 'タイトル' },
  latest: { en: 'Versions', ja: 'バージョン数' },
  labels: { en: 'Labels', ja: 'ラベル' },
  empty: { en: 'No prompts yet', ja: '公開されたプロンプトはありません' },
  why: {
    en: 'Versions of a published prompt never change. Labels decide which version clients get. Publish a prompt here, or run:',
    ja: '公開したプロンプトのバージョンは変わりません。どれを渡すかはラベルで決まります。ここで公開するか、次を実行してください:',
  },
});

type Prompt = Output<'list_prompts'>['prompts'][number];

export default function Prompts() {
  const t = useTexts(texts);
  const [publishes, setPublishes] = useState(false);
  const pages = usePages('list_prompts', { limit: 50 }, kinds('prompt.'), (answer) => answer.prompts);
  const { data } = useOperation('list_prompts', { limit: 1 }, kinds('file.'));
  const columns: readonly Column<Prompt>[] = [
    {
      id: 'name',
      title: t.name,
      cell: (one) => (
        <To href={`/prompt-library/${encodeURIComponent(one.name)}`} row>
          <Visible text={one.name} />
        </To>
      ),
    },
    { id: 'title', title: t.heading, cell: (one) => <Visible text={one.title ?? '–'} /> },
    { id: 'labels', title: t.labels, cell: (one) => <Labels labels={one.labels} /> },
    { id: 'latest', title: t.latest, numeric: true, cell: (one) => one.latest },
  ];
  const { rows } = pages;
  return (
    <>
      <Head
        title={t.title}
        about={
          data === undefined
            ? '…'
            : data.served_label === null
              ? t.fromElsewhere(data.source.startsWith('shipped:') ? t.shipped : data.source)
              : t.fromStore(data.served_label)
        }
      >
        <button type="button" className="primary" onClick={() => setPublishes(true)}>
          {t.publish}
        </button>
      </Head>
      {pages.error !== null && <Failure error={pages.error} retry={pages.retry} />}
      {rows === undefined && pages.error === null && <Loading />}
      {rows?.length === 0 && (
        <Empty
          title={t.empty}
          why={t.why}
          command="sekisho admin publish-prompt --prompt phase0 --file prompts/phase0.md"
        />
      )}
      {rows !== undefined && rows.length > 0 && (
        <Table label={t.title} columns={columns} rows={rows} idOf={(one) => one.name} />
      )}
      <More onMore={pages.more} isLoading={pages.isLoading} />
      {publishes && <PublishDialog onClose={() => setPublishes(false)} />}
    </>
  );
}
