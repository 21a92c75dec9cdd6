import { askHook, hookRequester } from '../ask-hook.mjs';
import { openHttp, startDaemon } from '../http-client.mjs';
import { makeProject } from '../project.mjs';
import { emptyNode } from '../run-to-end.mjs';
import { interleave, summarize } from '../statistics.mjs';

/** The decision about a tool call in a loop, as a command and as a request to the daemon. */
export const hook = {
  name: 'hook',
  async run({ product, quick }) {
    const project = makeProject(product);
    const daemon = await startDaemon(project);
    const client = await openHttp(daemon);
    // Its first state denies edits.
    await client.call('state_gate.create_run', { process_id: 'explore-plan-implement-verify' });
    const requester = hookRequester(project, daemon);
    const commands = await interleave(
      { empty: () => emptyNode(project, { shell: true }), hook: () => askHook(project) },
      { rounds: quick ? 20 : 80, warmUp: 2 },
    );
    const requests = await interleave({ hook: requester.ask }, { rounds: quick ? 200 : 2000, warmUp: 50 });
    requester.close();
    client.close();
    await daemon.close();
    return [
      {
        what: 'loop: hook as a command',
        ...summarize(commands.hook),
        floor: { name: 'node -e 0', ...summarize(commands.empty) },
        bar: { ratio: 1.8 },
      },
      { what: 'loop: hook as an HTTP request', ...summarize(requests.hook), bar: { p50: 10 } },
    ];
  },
};
