import { expandId } from '../app/short-id.ts';
import type { Context } from '../kernel/context.ts';
import type { Lang } from '../kernel/text/text.ts';
import { renderBoard, renderGraph, renderReady } from '../work/terminal/board-view.ts';
import { printJson, say } from '../surface/terminal/print.ts';
import type { Screen } from '../surface/terminal/screen.ts';
import { phrase } from '../work/problem.ts';
import { type Board, readBoards } from '../work/task/board.ts';
import { typedTasks } from '../work/task/reference.ts';
import { statuses, taskRecord } from '../work/task/task.ts';
import { type Command, exitCode } from './frame/command.ts';
import { screenFor, withApp } from './frame/with-app.ts';

type Draw = (boards: readonly Board[], screen: Screen, context: Context) => string | Promise<string>;

/** A command that shows tasks: drawn for people, with `--json` for programs. */
function look(name: string, draw: Draw, data: (boards: readonly Board[]) => object): Command {
  return {
    options: { 'project-id': { type: 'string' } },
    usage: `sekisho work ${name} [--project-id prj_…] [--json]`,
    examples: [`sekisho work ${name}`, `sekisho work ${name} --project-id prj_frontend --json`],
    run: ({ flags, json, options }) =>
      withApp(flags, async (app) => {
        const project = options['project-id'];
        const chosen = typeof project === 'string' ? await expandId(() => app.store(), project, 'prj_') : undefined;
        const context = await app.context({});
        const boards = await readBoards(context, chosen);
        if (json) printJson(data(boards));
        else say((await draw(boards, await screenFor(app, boards), context)) || nothing(app.config.lang));
        return exitCode.ok;
      }),
  };
}

function nothing(lang: Lang): string {
  return `${phrase.boardEmpty()(lang)}\n`;
}

const drawn = ({ project, ...board }: Board) => ({ ...board, name: project.project_name });
const ready = (boards: readonly Board[]) => boards.flatMap((one) => one.tasks.filter((task) => task.ready));

export const workBoard = look(
  'board',
  (boards, { width }) => boards.map((one) => renderBoard(drawn(one), width)).join('\n'),
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
  async (boards, { width }, context) => renderReady(ready(boards), await typedTasks(context, ready(boards)), width),
  (boards) => ({ tasks: ready(boards).map(taskRecord) }),
);

export const workGraph = look(
  'graph',
  (boards, { width }) => boards.map((one) => renderGraph(drawn(one), width)).join('\n'),
  (boards) => ({
    tasks: boards.flatMap(({ tasks }) =>
      tasks.map(({ id, projectId, number, title, status, dependsOn, ready: isReady }) => ({
        task_id: id,
        project_id: projectId,
        number,
        title,
        status,
        depends_on: dependsOn,
        ready: isReady,
      })),
    ),
  }),
);
