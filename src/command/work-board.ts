import { createApp } from '../app/application.ts';
import { configure } from '../app/configure.ts';
import type { Lang } from '../kernel/text/text.ts';
import { renderBoard, renderGraph, renderReady } from '../work/terminal/board-view.ts';
import { terminalWidth } from '../surface/terminal/fit.ts';
import { phrase } from '../work/problem.ts';
import { type Board, readBoards } from '../work/task/board.ts';
import { statuses, taskRecord } from '../work/task/task.ts';
import { say } from '../surface/terminal/print.ts';
import { type Command, exitCode } from './frame/command.ts';

type Draw = (boards: readonly Board[], width: number) => string;

/** A command that shows tasks: drawn for people, with `--json` for programs. */
function look(name: string, draw: Draw, data: (boards: readonly Board[]) => object): Command {
  return {
    options: { 'project-id': { type: 'string' } },
    usage: `sekisho work ${name} [--project-id prj_…] [--json]`,
    examples: [`sekisho work ${name}`, `sekisho work ${name} --project-id prj_frontend --json`],
    async run({ flags, json, options }) {
      const config = await configure(flags);
      const app = createApp(config);
      const project = options['project-id'];
      try {
        const boards = await readBoards(await app.context({}), typeof project === 'string' ? project : undefined);
        const drawn = json ? `${JSON.stringify(data(boards))}\n` : draw(boards, terminalWidth());
        say(drawn === '' ? nothing(config.lang) : drawn);
        return exitCode.ok;
      } finally {
        await app.close();
      }
    },
  };
}

function nothing(lang: Lang): string {
  return `${phrase.boardEmpty()(lang)}\n`;
}

const drawn = ({ project, ...board }: Board) => ({ ...board, name: project.project_name });
const ready = (boards: readonly Board[]) => boards.flatMap((one) => one.tasks.filter((task) => task.ready));

export const workBoard = look(
  'board',
  (boards, width) => boards.map((one) => renderBoard(drawn(one), width)).join('\n'),
  (boards) => ({
    boards: boards.map(({ project, tasks }) => ({
      ...project,
      tasks: Object.fromEntries(
        statuses.map((status) => [status, tasks.filter((one) => one.status === status).map(taskRecord)]),
      ),
    })),
  }),
);

export const workReady = look(
  'ready',
  (boards, width) => renderReady(ready(boards), width),
  (boards) => ({ tasks: ready(boards).map(taskRecord) }),
);

export const workGraph = look(
  'graph',
  (boards, width) => boards.map((one) => renderGraph(drawn(one), width)).join('\n'),
  (boards) => ({
    tasks: boards.flatMap(({ tasks }) =>
      tasks.map(({ id, projectId, title, status, dependsOn, ready: isReady }) => ({
        task_id: id,
        project_id: projectId,
        title,
        status,
        depends_on: dependsOn,
        ready: isReady,
      })),
    ),
  }),
);
