import http from 'node:http';
import path from 'node:path';
import { post } from './http-client.mjs';
import { runToEnd } from './run-to-end.mjs';
import { timed } from './statistics.mjs';

/** Milliseconds of a command hook, started by a shell as Claude Code does. */
export async function askHook(project) {
  let answer;
  const taken = await timed(async () => {
    answer = await runToEnd([project.hook], project, { shell: true, input: JSON.stringify(editQuestion(project)) });
  });
  demandDenial(answer);
  return taken;
}

/** Asks the daemon's hook, over a connection that is kept. */
export function hookRequester(project, { url, token }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { Authorization: `Bearer ${token}` };
  return {
    async ask() {
      let answer;
      const taken = await timed(async () => {
        answer = await post(`${url}/hook/claude?event=pre-tool-use`, editQuestion(project), agent, headers);
      });
      demandDenial(answer.body);
      return taken;
    },
    close: () => agent.destroy(),
  };
}

function editQuestion({ root }) {
  return {
    session_id: 'bench',
    transcript_path: '/dev/null',
    cwd: root,
    hook_event_name: 'PreToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: path.join(root, 'src', 'file-0.ts'), old_string: 'value', new_string: 'worth' },
  };
}

/** The state denies edits: a hook that has nothing to say did not look at the run. */
function demandDenial(answer) {
  if (!/deny/.test(answer)) throw new Error(`the hook did not deny: ${answer}`);
}
